package import DeviceControl
package import CastProtocol
import Synchronization

/// The screen or run of this process that each device belongs to: two playlists must not fight over one device, and a
/// run of a scenario borrows it from its screen.
package final class DeviceClaims: Sendable {
  /// How long a screen may take to let go of its device, in real time.
  static let patience = Duration.seconds(60)

  /// The user of a device.
  enum Holder: Hashable, Sendable {
    /// A screen, by its name.
    case screen(String)
    /// A run of a scenario.
    case run(LedgerRecord.Taker)
  }

  private struct Claim {
    var device: FoundDevice
    var screen: String?
    /// Where a run asks the screen for the device.
    var loans: ScreenLoans?
    /// The run that has the device, and which loan that is.
    var borrower: LedgerRecord.Taker?
    var number = 0
  }

  private struct State {
    var claims: [Claim] = []
    var lastNumber = 0

    /// Takes its device from a screen; a run that borrowed it has it on.
    mutating func free(_ screen: String) {
      for index in claims.indices where claims[index].screen == screen {
        (claims[index].screen, claims[index].loans) = (nil, nil)
      }
      claims.removeAll { $0.screen == nil && $0.borrower == nil }
    }

    func index(of device: FoundDevice) -> Int? {
      let keys = device.lockKeys()
      return claims.firstIndex { !$0.device.lockKeys().isDisjoint(with: keys) }
    }
  }
  private let state = Mutex(State())

  package init() {}

  /// Claims a device for a screen.
  /// - Returns: Its present user; `nil`: it is the claimant's, and the claimant's earlier device is free.
  func claim(_ device: FoundDevice, for screen: String, lending loans: ScreenLoans) -> Holder? {
    state.withLock { state in
      guard let index = state.index(of: device) else {
        state.free(screen)
        state.claims.append(Claim(device: device, screen: screen, loans: loans))
        return nil
      }
      if let holder = state.claims[index].screen, holder != screen { return .screen(holder) }
      if let borrower = state.claims[index].borrower { return .run(borrower) }
      if state.claims[index].screen != screen { state.free(screen) }
      // What was freed may have moved the others.
      guard let index = state.index(of: device) else { return nil }
      (state.claims[index].screen, state.claims[index].loans) = (screen, loans)
      return nil
    }
  }

  /// A screen has no device any more.
  func release(_ screen: String) { state.withLock { $0.free(screen) } }

  /// How a run gets its devices.
  /// - Parameters:
  ///   - taker: The scenario, for the ledger.
  ///   - clock: By which screens are waited for.
  package func lending(to taker: LedgerRecord.Taker, on clock: TimeSource) -> DeviceLending {
    DeviceLending { device in await self.borrow(device, for: taker, on: clock) }
  }

  private func borrow(
    _ device: FoundDevice, for taker: LedgerRecord.Taker, on clock: TimeSource
  ) async -> DeviceLending.Answer {
    let (holder, loans, screen, number) = state.withLock {
      state -> (LedgerRecord.Taker?, ScreenLoans?, String?, Int) in
      state.lastNumber += 1
      let index = state.index(of: device) ?? state.claims.endIndex
      if index == state.claims.endIndex { state.claims.append(Claim(device: device)) }
      if let holder = state.claims[index].borrower { return (holder, nil, nil, 0) }
      (state.claims[index].borrower, state.claims[index].number) = (taker, state.lastNumber)
      return (nil, state.claims[index].loans, state.claims[index].screen, state.lastNumber)
    }
    if let holder { return .held(by: "the scenario \(holder.name)") }
    let request = LoanRequest(by: taker)
    let loan = DeviceLoan { [self] in
      end(number)
      request.ended.open()
    }
    guard let loans else { return .lent(loan) }
    guard loans.ask(request), await request.granted.wait(for: Self.patience, on: clock) else {
      loan.end()
      return .held(by: "the screen \(screen ?? "")")
    }
    return .lent(loan)
  }

  private func end(_ number: Int) {
    state.withLock { state in
      for index in state.claims.indices where state.claims[index].number == number {
        state.claims[index].borrower = nil
      }
      state.claims.removeAll { $0.screen == nil && $0.borrower == nil }
    }
  }
}
