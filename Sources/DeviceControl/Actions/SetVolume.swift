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
