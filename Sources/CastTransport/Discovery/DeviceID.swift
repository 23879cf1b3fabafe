/// A device's id, the stable key of a device or group; equal whatever the hyphens and the case (docs/protocol.md 7.1).
package struct DeviceID: Hashable, Sendable, CustomStringConvertible {
  /// As it was given.
  package let rawValue: String
  /// Lower case, no hyphens.
  package let compact: String

  /// - Returns: `nil` unless `text` is 1 to 64 printable ASCII characters without spaces, not all of them hyphens.
  package init?(_ text: String) {
    let bytes = text.utf8
    guard (1...64).contains(bytes.count), bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    compact = text.filter { $0 != "-" }.lowercased()
    guard !compact.isEmpty else { return nil }
    rawValue = text
  }

  /// As a lower-case UUID with hyphens where it has the 32 digits of one, else as it was given.
  package var description: String {
    guard compact.utf8.count == 32, compact.utf8.allSatisfy({ Self.isHexDigit($0) }) else { return rawValue }
    var text = ""
    for (index, character) in compact.enumerated() {
      if [8, 12, 16, 20].contains(index) { text.append("-") }
      text.append(character)
    }
    return text
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) || (97...102).contains(byte) }

  package static func == (left: DeviceID, right: DeviceID) -> Bool { left.compact == right.compact }
  package func hash(into hasher: inout Hasher) { hasher.combine(compact) }
}
