/// What a connection asks of a device before it is used (docs/reference.md "Device authentication").
package enum AuthenticationMode: String, Hashable, Sendable, CaseIterable {
  /// Nothing is asked.
  case none
  /// The device is challenged and the verdict reported, whatever it is.
  case report
  /// Nothing is sent to a device that has not proven what it is.
  case require
}
