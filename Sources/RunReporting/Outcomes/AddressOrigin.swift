/// Where the address of a device is from.
package enum AddressOrigin: String, Hashable, Sendable, CaseIterable {
  /// Discovery.
  case mdns
  /// The document or the command line.
  case host
  /// The hosts file.
  case hosts
  /// The last discovery.
  case cache
  /// A receiver of our own.
  case virtual
}
