import CastClient
import CastProtocol
import RunReporting
import ScenarioLanguage

/// `play`: the player plays, or buffers on its way there.
struct Play: DeviceVerb {
  func perform(on device: isolated DeviceSession, in scope: ActionScope) async throws(StepFailure) {
    try await device.command(scope, waitingFor: "the player to play", .play) {
      ["playing", "buffering"].contains($0.player)
    }
  }
}

/// `pause`: the player is paused.
struct Pause: DeviceVerb {
  func perform(on device: isolated DeviceSession, in scope: ActionScope) async throws(StepFailure) {
    try await device.command(scope, waitingFor: "the player to pause", .pause) {
      $0.player == "paused"
    }
  }
}

/// One key for both: what is paused plays, and anything else is paused.
struct TogglePlayback: DeviceVerb {
  func perform(on device: isolated DeviceSession, in scope: ActionScope) async throws(StepFailure) {
    if device.view(scope).player == "paused" {
      try await Play().perform(on: device, in: scope)
    } else {
      try await Pause().perform(on: device, in: scope)
    }
  }
}

/// `stop`: nothing plays any more; the app stays.
struct StopMedia: DeviceVerb {
  func perform(on device: isolated DeviceSession, in scope: ActionScope) async throws(StepFailure) {
    if device.maySkipStoppingMedia(scope) { return }
    try await device.command(scope, waitingFor: "the player to be idle", .stop) {
      $0.player == "idle"
    }
  }
}
