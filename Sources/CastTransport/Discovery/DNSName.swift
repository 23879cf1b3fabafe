/// Names of the DNS in presentation form, where `\.` and `\032` stand for single bytes.
enum DNSName {
  /// `text` without its last dot.
  /// - Returns: `nil` where it breaks the DNS's limits (labels of 1 to 63 bytes, 255 in all), has a control
  ///   character, or ends within an escape.
  static func validated(_ text: String) -> String? {
    let name = text.hasSuffix(".") && !text.hasSuffix("\\.") ? text.dropLast() : text[...]
    guard (1...1024).contains(name.utf8.count) else { return nil }
    var total = 0
    var label = 0
    var bytes = name.utf8.makeIterator()
    while let byte = bytes.next() {
      switch byte {
      case UInt8(ascii: "."):
        guard label > 0 else { return nil }
        label = 0
      case UInt8(ascii: "\\"):
        guard let escaped = bytes.next() else { return nil }
        if let hundreds = digit(escaped) {
          guard let tens = bytes.next().flatMap(digit), let ones = bytes.next().flatMap(digit),
            case 0x20...0xFF = hundreds * 100 + tens * 10 + ones
          else { return nil }
        }
        label += 1
      case 0...0x1F, 0x7F: return nil
      default: label += 1
      }
      total += 1
      guard label <= 63, total <= 254 else { return nil }
    }
    return label > 0 ? String(name) : nil
  }

  private static func digit(_ byte: UInt8) -> Int? { (48...57).contains(byte) ? Int(byte) - 48 : nil }
}
