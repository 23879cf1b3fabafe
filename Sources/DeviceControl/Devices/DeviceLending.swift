import Synchronization

/// How a run gets a device from the screen of this process that has it.
package struct DeviceLending: Sendable {
  /// What came of asking for a device.
  package enum Answer: Sendable {
    /// It is the run's until the loan ends; also where nobody had it.
    case lent(DeviceLoan)
    /// Another run has it, or its screen does not let go; who, for people.
    case held(by: String)
  }

  /// Asks for a device; whoever has it has let go of it when this returns. It ends within a minute or so.
  package var borrow: @Sendable (_ device: FoundDevice) async -> Answer

  package init(borrow: @escaping @Sendable (FoundDevice) async -> Answer) { self.borrow = borrow }
}

/// A device that a run has for a while. It ends with its last reference at the latest.
package final class DeviceLoan: Sendable {
  private let giveBack: Mutex<(@Sendable () -> Void)?>

  /// - Parameter giveBack: Is called once, when it ends.
  package init(giveBack: @escaping @Sendable () -> Void) { self.giveBack = Mutex(giveBack) }

  package func end() {
    let last = giveBack.withLock { giveBack in
      defer { giveBack = nil }
      return giveBack
    }
    last?()
  }

  deinit { end() }
}
