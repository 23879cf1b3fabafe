import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// Finding the device of a screen, and getting it back: a screen never ends because its device is off.
extension Screen {
  /// How long a failed search or connection is followed by nothing.
  private static let retryWait = Duration.seconds(5)
  /// One stretch of tries; between them nothing else is looked at.
  private static let patience = Duration.seconds(600)

  /// Finds the device and connects to it, however long that takes.
  func reach() async {
    while !Task.isCancelled {
      let failure = await tryToReach()
      guard let failure else { break }
      if Task.isCancelled { return }
      let time = unixTime
      changeAccount { $0.rest(at: time, failure.errorClass == .notFound ? .notFound : .deviceOff) }
      complain(failure.message, .unreachable(failure))
      try? await world.times.network.sleep(for: Self.retryWait)
    }
    if Task.isCancelled { return }
    endComplaint()
    tell(.connected)
    await device.startWatching()
  }

  private func tryToReach() async -> StepFailure? {
    if let failure = await device.find(besides: []) { return failure }
    if let found = device.device {
      if let other = world.claims.claim(found.id ?? found.address.text, for: claimant) {
        return StepFailure(.busy, "\(found.name) is the screen of \(other) already", help: "let one playlist have it")
      }
      tellFound(found)
    }
    if let failure = await DeviceSession.hold([device]) { return failure }
    return await device.connectAndJoin()
  }

  /// Gets a lost device back.
  func regain() async {
    let time = unixTime
    changeAccount { $0.rest(at: time, .deviceOff) }
    // From now on it is looked up anew before each try.
    await device.giveUpConnection()
    do {
      try await device.makeReachable(until: now + Self.patience)
      endComplaint()
      forgetRefusals()
    } catch {
      if !Task.isCancelled { complain(error.message, .unreachable(error)) }
    }
  }
}
