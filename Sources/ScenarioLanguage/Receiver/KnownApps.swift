/// Apps by the names that people know.
package enum KnownApps {
  private static let ids = [
    "youtube": "233637DE", "netflix": "CA5E8412", "spotify": "CC32E753", "default": "CC1AD845",
  ]

  /// Those names, as people write them.
  static let names = ["YouTube", "Netflix", "Spotify", "default"]

  /// The id of an app that everybody knows.
  static func known(_ name: String) -> String? { ids[name.lowercased()] }

  /// The id of an app that everybody knows, an id as it is, or one of its own for a name that nobody knows.
  package static func id(named name: String) -> String {
    if let known = known(name) { return known }
    if name.count == 8, name.allSatisfy({ $0.isHexDigit && !$0.isLowercase }) { return name }
    let number = name.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } | 0x10000
    return "0A99" + String(number, radix: 16, uppercase: true).dropFirst()
  }
}
