import CastClient
package import CastProtocol

/// The locks that keep the runs of this computer off each other's devices. The executable keeps them in files; a
/// simulation has none.
package struct DeviceLocking: Sendable {
  /// What came of asking for locks.
  package enum Answer: Hashable, Sendable {
    /// This process has all of them.
    case taken
    /// Another process has the lock `key`, and none was taken.
    ///
    /// - Parameters:
    ///   - by: Who has it, for people; `nil` where nobody can tell.
    ///   - isBrief: Whether it will be free in a moment.
    case held(key: String, by: String?, isBrief: Bool)
  }

  /// Takes all of these locks for this process or none, at once. One that the process has already is used once more.
  package var take: @Sendable (_ keys: Set<String>) -> Answer
  /// Ends one use of each; the process keeps them for its next use.
  package var giveBack: @Sendable (_ keys: Set<String>) -> Void
  /// Lets others have what is not in use.
  package var releaseUnused: @Sendable () -> Void
  /// How long a device that another process has is waited for; 0: not at all.
  package var patience: Duration
  /// The turns of this process's scenarios, where several go on at the same time: each waits until no other has its devices.
  package var turns: Turns?
  /// Gets devices from the screens of this process that have them; `nil`: it has none.
  package var lending: DeviceLending?
  /// Every address behind a host's name or address, each in one spelling: so who writes `localhost` meets who writes
  /// `127.0.0.1`. Ends soon; none where nobody knows; `nil`: hosts stand for themselves.
  package var addresses: (@Sendable (_ host: String) async -> [String])?

  package init(
    take: @escaping @Sendable (Set<String>) -> Answer, giveBack: @escaping @Sendable (Set<String>) -> Void,
    releaseUnused: @escaping @Sendable () -> Void, patience: Duration
  ) {
    self.take = take
    self.giveBack = giveBack
    self.releaseUnused = releaseUnused
    self.patience = patience
  }

  /// Every device is free.
  package static let none = DeviceLocking(
    take: { _ in .taken }, giveBack: { _ in }, releaseUnused: {}, patience: .zero)
}

extension FoundDevice {
  /// What stands for the device among locks: its id, and each of its addresses, by which somebody else may know it who
  /// never asked for the id.
  /// - Parameter addresses: Those behind its host; none: the host stands for itself.
  package func lockKeys(at addresses: [String] = []) -> Set<String> {
    let hosts = addresses.isEmpty ? [address.host.lowercased()] : addresses
    let places = Set(hosts.map { "at \($0):\(address.port)" })
    guard let id = id.map({ $0.lowercased().filter { $0 != "-" } }), !id.isEmpty else { return places }
    return places.union(["id \(id)"])
  }
}
