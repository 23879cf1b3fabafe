import CastTransport

/// Names of people as one level of an MQTT topic, where `/`, `+` and `#` have meanings (MQTT 5.0, 4.7).
package enum TopicLevel {
  /// A longer name is cut, and told apart by its hash.
  static let longest = 120

  /// Whether a byte stands for itself.
  static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// A name as a level: what is not a plain character is percent-encoded; two names never have one level.
  package static func of(_ name: String) -> String {
    var text = ""
    for byte in name.utf8 {
      if isPlain(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    // A level that is empty is allowed, and no filter of ours expects it.
    if text.isEmpty { return "%" }
    guard text.utf8.count > longest, let digest = Digest.sha256(Array(name.utf8)) else { return text }
    return text.prefix(longest - 17) + "%" + digest.prefix(16)
  }
}
