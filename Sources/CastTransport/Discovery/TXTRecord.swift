/// The text record of a service: keys without regard to case, values of bytes (RFC 6763 6).
struct TXTRecord: Hashable {
  /// Larger records are refused whole, in bytes (docs/security.md S10).
  static let maximumByteCount = 1300

  /// In order, keys in lower case. Where a key comes twice the first one counts.
  private(set) var entries: [Entry] = []

  /// A key and its value; a key without `=` has no value.
  struct Entry: Hashable {
    var key: String
    var value: [UInt8]?
  }

  init() {}

  /// Parses what came from the network.
  /// - Returns: `nil` for a record that is too large or whose lengths do not add up.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.maximumByteCount else { return nil }
    var rest = bytes[...]
    while let length = rest.popFirst() {
      guard rest.count >= Int(length) else { return nil }
      add(rest.prefix(Int(length)))
      rest = rest.dropFirst(Int(length))
    }
  }

  private mutating func add(_ string: ArraySlice<UInt8>) {
    let equals = string.firstIndex(of: UInt8(ascii: "="))
    let keyBytes = string[..<(equals ?? string.endIndex)]
    // RFC 6763 6.4: printable ASCII, at least one; anything else is passed over without a word.
    guard !keyBytes.isEmpty, keyBytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return }
    let key = String(decoding: keyBytes, as: UTF8.self).lowercased()
    guard !entries.contains(where: { $0.key == key }) else { return }
    entries.append(Entry(key: key, value: equals.map { Array(string[($0 + 1)...]) }))
  }

  /// The value of `key` as text; `nil` where it is absent, has no `=`, or is no UTF-8. Characters that could steer a
  /// terminal or turn text around are replaced by U+FFFD (docs/security.md S4).
  func text(_ key: String) -> String? {
    guard let value = entries.first(where: { $0.key == key })?.value,
      let text = String(validating: value, as: UTF8.self)
    else { return nil }
    guard text.unicodeScalars.contains(where: Self.isControl) else { return text }
    var safe = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { safe.append(Self.isControl(scalar) ? "\u{FFFD}" : scalar) }
    return String(safe)
  }

  /// C0, DEL, C1, line and paragraph separators, and the marks that change the direction of text.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Sets or adds `key`; the value is cut, at a character, where `key=value` would exceed 255 bytes.
  mutating func set(_ key: String, _ value: String) {
    var value = value
    while key.utf8.count + 1 + value.utf8.count > 255, !value.isEmpty { value.removeLast() }
    entries.removeAll { $0.key == key.lowercased() }
    entries.append(Entry(key: key.lowercased(), value: Array(value.utf8)))
  }

  /// The record as it goes over the wire.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for entry in entries {
      let string = Array(entry.key.utf8) + (entry.value.map { [UInt8(ascii: "=")] + $0 } ?? [])
      bytes.append(UInt8(clamping: string.count))
      bytes += string.prefix(255)
    }
    return bytes
  }
}
