import Synchronization

/// Which screen of this process has which device: two playlists must not fight over one.
package final class DeviceClaims: Sendable {
  private let screens = Mutex<[String: String]>([:])

  package init() {}

  /// Claims a device, by its id or address, for a screen.
  /// - Returns: The screen that has it already; `nil`: it is the claimant's.
  func claim(_ device: String, for screen: String) -> String? {
    screens.withLock { screens in
      if let holder = screens[device], holder != screen { return holder }
      screens[device] = screen
      return nil
    }
  }

  /// A screen has no device any more.
  func release(_ screen: String) { screens.withLock { screens in screens = screens.filter { $0.value != screen } } }
}
