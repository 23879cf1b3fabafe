/// Where the keys of devices are kept for the next run (`auth: pin`).
package struct DeviceKeyStore: Sendable {
  /// Why a key cannot be read or kept.
  package struct Problem: Error, Hashable, Sendable {
    /// A lowercase fragment.
    package var message: String
    package var help: String?

    package init(message: String, help: String? = nil) {
      self.message = message
      self.help = help
    }
  }

  /// The key that is kept of a device; `nil`: none.
  package var read: @Sendable (_ device: String) throws(Problem) -> KnownKey?
  /// Keeps the first key of a device.
  /// - Returns: The key that is kept now: another process may have been first.
  package var keep: @Sendable (_ key: KnownKey, _ device: String, _ name: String) throws(Problem) -> KnownKey

  package init(
    read: @escaping @Sendable (_ device: String) throws(Problem) -> KnownKey?,
    keep: @escaping @Sendable (_ key: KnownKey, _ device: String, _ name: String) throws(Problem) -> KnownKey
  ) {
    self.read = read
    self.keep = keep
  }

  /// Keeps nothing beyond the process: for devices that live no longer.
  package static let none = DeviceKeyStore(
    read: { _ throws(Problem) in nil }, keep: { key, _, _ throws(Problem) in key })
}
