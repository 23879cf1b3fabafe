import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// Finding the device of a screen, and getting it back: a screen never ends because its device is off.
extension Screen {
  /// How long a failed search or connection is followed by nothing.
  private static let retryWait = Duration.seconds(5)
  /// One stretch of tries; after it the screen looks whether another device has the name by now.
  private static let patience = Duration.seconds(120)

  /// Finds the device and connects to it, however long that takes.
  func reach() async {
    while !Task.isCancelled {
      promiseTurn(waiting: world.locking.patience)
      // Before it is connected there is nothing to end.
      if let loan = loans.take() { await lend(to: loan) }
      let failure = await tryToReach()
      guard let failure else { break }
      if Task.isCancelled { return }
      let time = unixTime
      let reason = reasonOfAbsence(failure)
      changeAccount { $0.rest(at: time, reason) }
      complain(failure.message, .unreachable(failure))
      _ = await loans.interrupt { [network = world.times.network] in try? await network.sleep(for: Self.retryWait) }
    }
    if Task.isCancelled { return }
    endComplaint()
    returnPace.connected(at: now)
    tell(.connected)
    await device.startWatching()
  }

  /// Why nothing is on while the device cannot be reached: in quiet hours nothing would be on anyway.
  private func reasonOfAbsence(_ failure: StepFailure? = nil) -> LedgerRecord.GapReason {
    if cursor.isQuiet(at: moment) { return .quiet }
    return failure?.errorClass == .notFound ? .notFound : .deviceOff
  }

  /// How long it is until this Unix time.
  private func time(until moment: Int) -> Duration { .clamped(seconds: Double(moment) - unixTime) }

  /// For how long the device is looked for before the screen looks at the clock again: until quiet hours begin or end.
  private var patience: Duration {
    let change = cursor.program.nextChange(after: moment).map { time(until: $0.at) }
    return max(.seconds(1), min(Self.patience, change ?? Self.patience))
  }

  private func tryToReach() async -> StepFailure? {
    if let failure = await device.find(besides: []) { return failure }
    if let found = device.device {
      switch world.claims.claim(found, for: claimant, lending: loans) {
      case nil: break
      case .screen(let other)?:
        return StepFailure(.busy, "\(found.name) is the screen of \(other) already", help: "let one playlist have it")
      case .run(let taker)?: return StepFailure(.busy, "\(found.name) is in use by the scenario \(taker.name)")
      }
      tellFound(found)
    }
    if let failure = await DeviceSession.hold([device]) { return failure }
    return await device.connectAndJoin()
  }

  /// Gets a lost device back.
  func regain() async {
    noteAbsence()
    noteLoss()
    // From now on it is looked up anew before each try.
    await device.giveUpConnection()
    let lostAt = await device.lostAt
    if let pause = returnPace.wait(afterLossAt: lostAt ?? now) {
      await rest(for: pause)
      if Task.isCancelled || loans.isAsked { return }
      // Quiet hours may have begun or ended meanwhile.
      noteAbsence()
    }
    let end = now + patience
    let result = await loans.interrupt { [device] () -> DeviceSession.Unreached? in
      do throws(DeviceSession.Unreached) {
        try await device.tryToReach(until: end)
        return nil
      } catch {
        return error
      }
    }
    // A run wants the device.
    guard let result else { return }
    if let error = result {
      if Task.isCancelled || error.isCutShort { return }
      // It answered, and broke what it answered on.
      if now < end { returnPace.connected(at: now) }
      // Quiet hours may have begun or ended, and the search for a successor takes seconds.
      noteAbsence()
      complain(error.failure.message, .unreachable(error.failure))
      await lookForSuccessor()
    } else {
      endComplaint()
      returnPace.connected(at: now)
      forgetRefusals()
      // It is there: what passes until something is on again is no absence any more.
      let time = unixTime
      if !cursor.isQuiet(at: moment) { changeAccount { $0.rest(at: time, .loading) } }
    }
  }

  /// Accounts for the time from now on as one in which the device is not there.
  private func noteAbsence() {
    let (time, reason) = (unixTime, reasonOfAbsence())
    changeAccount { $0.rest(at: time, reason) }
  }

  /// What would be on from a moment on: where that is another, no pause goes on.
  private struct Due: Equatable {
    var isQuiet: Bool
    var part: ScreenCursor.Part?
  }

  private var due: Due { Due(isQuiet: cursor.isQuiet(at: moment), part: cursor.following(at: moment)?.part) }

  /// Leaves a device alone that ends each connection at once, no longer than until something else is to be on.
  private func rest(for pause: Duration) async {
    _ = takeSignals(nil)
    let (end, before) = (now + pause, due)
    while !Task.isCancelled, !loans.isAsked, now < end, due == before {
      let changes = [cursor.program.nextChange(after: moment)?.at, cursor.program.nextCut(after: moment)?.at]
      let change = changes.compactMap(\.self).min().map { max(.milliseconds(1), time(until: $0)) }
      await signals.sleep(for: min(end - now, change ?? pause), on: world.times.show)
      _ = takeSignals(nil)
    }
  }

  /// A device that was replaced, or reset, has another id, and perhaps the name that the playlist says.
  private func lookForSuccessor() async {
    guard device.selector.id == nil, device.selector.host == nil, let old = device.device,
      let found = try? await device.find(device.selector, within: device.policies.timeouts.discover),
      !found.isSame(as: old)
    else { return }
    if world.claims.claim(found, for: claimant, lending: loans) != nil {
      return complain("claimed", .note("\(found.name) is somebody else's already"))
    }
    await device.use(found, called: name)
    tellFound(found)
  }
}
