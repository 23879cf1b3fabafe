/// Apps by the names that people know.
package enum KnownApps {
  private static let ids = [
    "youtube": "233637DE", "netflix": "CA5E8412", "spotify": "CC32E753", "default": "CC1AD845",
  ]

  /// Those names, as people write them.
  package static let names = ["YouTube", "Netflix", "Spotify", "default"]

  /// The id of an app that everybody knows, or an id as it is.
  package static func id(of name: String) -> String? {
    ids[name.lowercased()] ?? (NameScalar.isPlainAppID(name) ? name : nil)
  }
}
