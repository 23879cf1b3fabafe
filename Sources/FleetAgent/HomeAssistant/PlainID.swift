import FleetMessages

/// Names as ids of Home Assistant, which may have letters, digits, `_` and `-` only (`TOPIC_MATCHER` of its discovery).
enum PlainID {
  /// Between two names in one id; no name has it.
  static let separator = "_-"

  /// A level of a topic as an id; two levels never have one id.
  static func of(_ level: String) -> String {
    var id = ""
    for byte in level.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        id.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: "_"): id += "__"
      case UInt8(ascii: "."): id += "_d"
      case UInt8(ascii: "%"): id += "_x"
      // No level has others; capitals keep them apart from the codes above.
      default: id += "_" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return id
  }

  static func of(_ site: SiteName) -> String { "showcaller-" + of(site.text) }

  /// The id of something of a site: `showcaller-SITE_-WHAT_-MORE`.
  static func of(_ site: SiteName, _ parts: String...) -> String {
    ([of(site)] + parts).joined(separator: separator)
  }
}
