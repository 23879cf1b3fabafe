/// What a connection asks of a device before it is used (docs/reference.md "Device authentication").
package enum AuthenticationMode: String, Hashable, Sendable, CaseIterable {
  /// Nothing is asked.
  case none
  /// The device is challenged and the verdict reported, whatever it is.
  case report
  /// Nothing is sent to a device that has not proven what it is.
  case require
  /// As ``require``, and the device has the key that it had when it was first seen.
  case pin

  /// Whether nothing but the challenge is sent before the device's proof holds.
  package var demandsProof: Bool { self == .require || self == .pin }
}
