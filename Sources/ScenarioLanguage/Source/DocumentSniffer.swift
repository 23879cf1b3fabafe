/// Tells documents of ours from the other YAML files of a folder, without reading them as YAML: what is not ours may use
/// all that we refuse.
package enum DocumentSniffer {
  /// Whether the file's first key is a kind of document, or nearly one, or a kind stands further down.
  package static func isDocument(_ bytes: [UInt8]) -> Bool {
    var isFirst = true
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      guard let key = key(of: line, canBeFlow: isFirst) else { continue }
      if DocumentKind(rawValue: key) != nil { return true }
      if isFirst {
        if key == "language" || isNearlyKind(key) { return true }
        isFirst = false
      }
    }
    return false
  }

  /// The key that begins a line of a document's own map; `nil` for everything else, and `""` for what is no key.
  private static func key(of line: ArraySlice<UInt8>, canBeFlow: Bool) -> String? {
    var rest = line.dropFirst(line.markLength)
    guard let first = rest.first, first != UInt8(ascii: "#"), first != UInt8(ascii: "%") else { return nil }
    if canBeFlow {
      rest = rest.drop { [0x20, 0x09, UInt8(ascii: "{")].contains($0) }
      if rest.isEmpty || rest.first == UInt8(ascii: "#") || rest.starts(with: Array("---".utf8)) { return nil }
    }
    if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") { rest = rest.dropFirst() }
    // Longer than any key that could be meant.
    let word = rest.prefix(40).prefix { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "z") }
    let after = rest.dropFirst(word.count).drop { [0x20, 0x09, UInt8(ascii: "\""), UInt8(ascii: "'")].contains($0) }
    return after.first == UInt8(ascii: ":") ? String(decoding: word, as: UTF8.self) : ""
  }

  /// A slip of the finger, not a word of another tool that only begins alike.
  private static func isNearlyKind(_ key: String) -> Bool {
    DocumentKind.allCases.contains { Suggestions.distance(key, $0.rawValue) <= 2 }
  }
}
