import CastTransport

/// How an address is stored: one with the value of a secret only as a keyed digest, which recognises it and does not
/// tell it.
package struct AddressSeal: Sendable {
  private static let mark = "sealed:"
  private static let digits = 32

  /// Stores nothing of such addresses.
  package static let none = AddressSeal(key: nil)

  private let key: [UInt8]?

  /// - Parameter key: Known to this computer alone; `nil`: there is none.
  package init(key: [UInt8]?) { self.key = key }

  /// As a file may have an address.
  /// - Parameter holdsSecret: Whether the value of one is in it.
  func stored(_ address: String, holdsSecret: Bool) -> String? { holdsSecret ? sealed(address) : address }

  /// Whether an address is the one that was stored.
  func fits(_ address: String, _ stored: String) -> Bool {
    stored.hasPrefix(Self.mark) ? sealed(address) == stored : address == stored
  }

  private func sealed(_ address: String) -> String? {
    guard let key, let inner = Digest.sha256Bytes(key + Array("address \(address)".utf8)) else { return nil }
    return Digest.sha256(key + inner).map { Self.mark + $0.prefix(Self.digits) }
  }
}
