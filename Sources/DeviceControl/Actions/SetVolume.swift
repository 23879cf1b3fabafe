import CastClient
import CastProtocol
import RunReporting
import ScenarioLanguage

/// `volume`: the device's level, at once or on a ramp.
struct SetVolume: DeviceVerb {
  /// Percent.
  let level: Double
  let ramp: Duration

  func perform(on device: isolated DeviceSession, in scope: ActionScope) async throws(StepFailure) {
    let connection = try device.requireConnection()
    let target = max(0, min(1, level / 100))
    let current = try device.changeableVolume()
    device.changeOwn { $0.rememberLevel(current.level) }
    let start = current.level ?? target
    let begun = device.now
    // Twice a second is smooth enough, and no device is flooded.
    var steps = max(1, min(1000, Int(exactly: (ramp.seconds * 2).rounded(.up)) ?? 1))
    // Less than the device can tell apart is no step.
    if current.stepInterval != nil {
      let audible = Int(exactly: (abs(target - start) / current.step).rounded(.up)) ?? steps
      steps = max(1, min(steps, audible))
    }
    for step in 1...steps {
      if step > 1 || ramp > .zero {
        let due = begun + ramp * step / steps
        do { try await device.times.show.sleep(until: due) } catch { throw .cancelled }
      }
      let level = start + (target - start) * Double(step) / Double(steps)
      do {
        try await connection.setVolume(level: step == steps ? target : level, muted: nil, until: scope.deadline)
      } catch {
        throw StepFailure(error)
      }
    }
  }
}

/// The level that is some percent points from what it is.
struct ChangeVolume: DeviceVerb {
  /// Up, or down where negative.
  let points: Double
  let ramp: Duration

  func perform(on device: isolated DeviceSession, in scope: ActionScope) async throws(StepFailure) {
    guard let volume = device.link.snapshot.receiver?.volume, let level = volume.level else {
      throw StepFailure(
        .invalidState, "the device does not tell its volume", help: "set a level, such as `showcaller volume 40%`")
    }
    // Less than one of the device's steps would change nothing.
    let least = points != 0 && volume.stepInterval != nil ? volume.step * 100 : 0
    let distance = max(abs(points), least)
    let wanted = max(0, min(100, level * 100 + (points < 0 ? -distance : distance)))
    try await SetVolume(level: wanted, ramp: ramp).perform(on: device, in: scope)
  }
}

/// `mute`: the device is silent, or not.
struct Mute: DeviceVerb {
  let isMuted: Bool

  func perform(on device: isolated DeviceSession, in scope: ActionScope) async throws(StepFailure) {
    let connection = try device.requireConnection()
    let current = try device.changeableVolume()
    device.changeOwn { $0.rememberMuted(current.muted) }
    do {
      try await connection.setVolume(level: nil, muted: isMuted, until: scope.deadline)
    } catch {
      throw StepFailure(error)
    }
  }
}

/// It is silent where it was not, and the other way round.
struct ToggleMute: DeviceVerb {
  func perform(on device: isolated DeviceSession, in scope: ActionScope) async throws(StepFailure) {
    let isMuted = device.link.snapshot.receiver?.volume.muted == true
    try await Mute(isMuted: !isMuted).perform(on: device, in: scope)
  }
}

extension DeviceSession {
  /// The device's volume as it is; a fixed one cannot be changed.
  fileprivate func changeableVolume() throws(StepFailure) -> ReceiverStatus.Volume {
    let volume = link.snapshot.receiver?.volume ?? ReceiverStatus.Volume()
    if volume.isFixed {
      throw StepFailure(
        .refusedLocally, "the device's volume is fixed",
        help: "set it on the television or amplifier it plays through")
    }
    return volume
  }
}
