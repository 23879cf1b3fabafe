package import CastProtocol
import CastClient
package import RunReporting
import ScenarioLanguage
import Synchronization

/// The devices that one scenario, or one command, keeps for itself from when it begins until it has ended with all its
/// tries: a reconnect or a `disconnect` between lets nobody else in.
///
/// Those it begins with are taken all at once, and while it waits it has none of them. So two runs that want the same
/// devices, in whatever order, never wait for each other.
package final class DeviceHold: Sendable {
  /// How often a device that is waited for is asked for again.
  static let interval = Duration.milliseconds(100)
  /// How long one is waited for in any case that a command has for a moment only: two keys pressed one after the other are
  /// no reason for a failure.
  static let courtesy = Duration.seconds(2)

  private let locking: DeviceLocking
  private let keys = Mutex<Set<String>>([])
  /// What this process lent, with the device.
  private let loans = Mutex<[(device: FoundDevice, loan: DeviceLoan)]>([])
  /// What no other scenario of this process may have meanwhile, where several go on at the same time.
  private let reserved = Mutex<Reserved>(Reserved())

  private struct Reserved {
    var needs: Set<String> = []
    var turns: [Turns.Turn] = []
  }

  /// A hold without a device.
  package init(_ locking: DeviceLocking = .none) { self.locking = locking }

  /// Why devices could not be taken.
  package struct Refusal: Sendable {
    /// The place of the one that another process has.
    package var device: Int
    /// `busy`, or `cancelled`.
    package var failure: StepFailure
  }

  /// Takes all of these devices, and waits for them as long as may be waited, or until the task is cancelled.
  ///
  /// - Parameters:
  ///   - names: How events call them: at any time one name is one device.
  ///   - clock: By which it waits.
  ///   - tell: Gets, once, who is waited for.
  /// - Returns: Why none was taken; `nil` when all were.
  package func lock(
    _ devices: [FoundDevice], called names: [String] = [], on clock: TimeSource, tell: @Sendable (String) -> Void
  ) async -> Refusal? {
    if let turns = locking.turns {
      let needs = await keys(of: devices).reduce(into: Set(names.map(Self.need(of:)))) { $0.formUnion($1) }
      let isOurs = await reserve(needs, turns) {
        tell(
          "waiting for \(devices.map(\.name).joined(separator: ", ")): another scenario of this command line goes on there"
        )
      }
      if !isOurs { return Refusal(device: 0, failure: .cancelled) }
    }
    let begin = clock.now
    if let refusal = await borrow(devices, from: begin, on: clock) { return refusal }
    var hasTold = false
    let wanted = await keys(of: devices)
    while let held = ask(for: devices, wanted) {
      let patience = held.isBrief ? max(locking.patience, Self.courtesy) : locking.patience
      let waited = clock.now - begin
      guard waited < patience else {
        return Refusal(device: held.index, failure: held.failure(after: locking.patience))
      }
      // What this process has done with may be what the other one waits for.
      locking.releaseUnused()
      if !hasTold, locking.patience > .zero { tell("waiting for \(held.device), which is in use by \(held.holder)") }
      hasTold = true
      do { try await clock.sleep(for: min(Self.interval, patience - waited)) } catch {
        return Refusal(device: held.index, failure: .cancelled)
      }
    }
    return nil
  }

  /// Takes a device that takes part only now, without waiting: while it waited, another might wait for what it has.
  /// - Throws: `busy`.
  nonisolated(nonsending) package func lockAtOnce(_ device: FoundDevice) async throws(StepFailure) {
    let needs = await keys(of: [device])
    if let turns = locking.turns, !reserveAtOnce(needs[0], turns) {
      throw Held(device: device.name, holder: "another scenario of this command line").failure(after: nil)
    }
    if let lending = locking.lending, !isLent(device) {
      switch await lending.borrow(device) {
      case .lent(let loan): loans.withLock { $0.append((device, loan)) }
      case .held(let holder): throw Held(device: device.name, holder: holder).failure(after: nil)
      }
    }
    if let held = ask(for: [device], needs) { throw held.failure(after: nil) }
  }

  // MARK: beside other scenarios of this process

  private static func need(of name: String) -> String { "called \(name)" }

  /// Keeps a name for this scenario's events, where it has no device.
  package func reserve(name: String) async {
    if let turns = locking.turns { _ = await reserve([Self.need(of: name)], turns) {} }
  }

  /// - Returns: Whether it has them; it waits for them all at once, and has none of them meanwhile.
  private func reserve(_ needs: Set<String>, _ turns: Turns, waiting: () -> Void) async -> Bool {
    let missing = reserved.withLock { needs.subtracting($0.needs) }
    if missing.isEmpty { return true }
    guard let turn = await turns.take(missing, waiting: waiting) else { return false }
    note(turn, missing)
    return true
  }

  private func reserveAtOnce(_ needs: Set<String>, _ turns: Turns) -> Bool {
    let missing = reserved.withLock { needs.subtracting($0.needs) }
    if missing.isEmpty { return true }
    guard let turn = turns.takeAtOnce(missing) else { return false }
    note(turn, missing)
    return true
  }

  private func note(_ turn: Turns.Turn, _ needs: Set<String>) {
    reserved.withLock { reserved in
      reserved.needs.formUnion(needs)
      reserved.turns.append(turn)
    }
  }

  private func endTurns() {
    let ended = reserved.withLock { reserved in
      defer { reserved = Reserved() }
      return reserved.turns
    }
    for turn in ended { locking.turns?.end(turn) }
  }

  // MARK: from this process

  private func isLent(_ device: FoundDevice) -> Bool {
    loans.withLock { $0.contains { $0.device.isSame(as: device) } }
  }

  /// Gets the devices from whoever of this process has them: all, or none while it waits.
  private func borrow(_ devices: [FoundDevice], from begin: Duration, on clock: TimeSource) async -> Refusal? {
    guard let lending = locking.lending else { return nil }
    while true {
      var held: Held?
      for (index, device) in devices.enumerated() where held == nil && !isLent(device) {
        switch await lending.borrow(device) {
        case .lent(let loan): loans.withLock { $0.append((device, loan)) }
        case .held(let holder): held = Held(index: index, device: device.name, holder: holder)
        }
      }
      guard let held else { return nil }
      endLoans()
      guard clock.now - begin < locking.patience else {
        return Refusal(device: held.index, failure: held.failure(after: locking.patience))
      }
      do { try await clock.sleep(for: Self.interval) } catch {
        return Refusal(device: held.index, failure: .cancelled)
      }
    }
  }

  private func endLoans() {
    let ended = loans.withLock { loans in
      defer { loans = [] }
      return loans
    }
    if ended.isEmpty { return }
    // Their screens lock them again.
    locking.releaseUnused()
    for (_, loan) in ended { loan.end() }
  }

  /// The locks of each device.
  nonisolated(nonsending) private func keys(of devices: [FoundDevice]) async -> [Set<String>] {
    guard let addresses = locking.addresses else { return devices.map { $0.lockKeys() } }
    var keys: [Set<String>] = []
    for device in devices { keys.append(device.lockKeys(at: await addresses(device.address.host))) }
    return keys
  }

  /// Nothing is done on the devices any more.
  package func end() {
    let ended = keys.withLock { keys in
      defer { keys = [] }
      return keys
    }
    if !ended.isEmpty { locking.giveBack(ended) }
    endLoans()
    endTurns()
  }

  /// Also lets other processes, and other sessions of this one, have the devices.
  package func release() {
    end()
    locking.releaseUnused()
  }

  private struct Held {
    var index = 0
    var device: String
    var holder: String
    var isBrief = false

    /// - Parameter patience: How long it might be waited for; `nil`: it is not waited for in any case.
    func failure(after patience: Duration?) -> StepFailure {
      let hasWaited = patience.map { $0 > .zero } ?? false
      let time = patience.flatMap { hasWaited ? "still in use after \($0.spelled), by" : nil } ?? "in use by"
      let cure =
        patience == nil
        ? "a device that joins later is not waited for: try again when it is free"
        : hasWaited ? "wait longer, or try again later" : "wait for it, such as with `--wait-lock 1m`"
      return StepFailure(
        .busy, "\(device) is \(time) \(holder)", help: "\(cure); `showcaller status` shows what the device does")
    }
  }

  /// Takes all of them or none.
  /// - Returns: Who has one of them; `nil` when they are taken.
  private func ask(for devices: [FoundDevice], _ wanted: [Set<String>]) -> Held? {
    keys.withLock { keys in
      let missing = wanted.reduce(into: Set<String>()) { $0.formUnion($1) }.subtracting(keys)
      if missing.isEmpty { return nil }
      switch locking.take(missing) {
      case .taken:
        keys.formUnion(missing)
        return nil
      case .held(let key, let holder, let isBrief):
        let index = wanted.firstIndex { $0.contains(key) } ?? 0
        return Held(index: index, device: devices[index].name, holder: holder ?? "another run", isBrief: isBrief)
      }
    }
  }
}
