package import ScenarioLanguage

/// What `queue` plays: addresses of the command line, or of a list with an address a line, which may be an M3U playlist.
package struct AddressList {
  package private(set) var entries: [AddressEntry] = []
  /// The list that some of them are from.
  package private(set) var source: SourceFile?

  /// - Parameters:
  ///   - words: Addresses of the command line.
  ///   - file: The list; `-` is standard input.
  /// - Throws: What no device can fetch, a list that cannot be read, or one without addresses.
  package init(_ words: [String], file: String?) throws(WorkspaceError) {
    for word in words {
      try MediaAddress.check(word)
      entries.append(AddressEntry(word))
    }
    if let file { try read(SourceFile(readingFrom: file)) }
    guard entries.count <= Self.limit else {
      throw WorkspaceError(
        .commandLineWrong, "\(entries.count) addresses are too many for one queue",
        help: "a queue has \(Self.limit) items at most")
    }
  }

  private static let limit = 2_000

  private mutating func read(_ source: SourceFile) throws(WorkspaceError) {
    self.source = source
    let count = entries.count
    var title: String?
    var duration: Double?
    guard source.bytes.count < 1 << 20 else {
      throw WorkspaceError(.commandLineWrong, "\(source.name) is longer than 1 MiB", help: "load it in parts")
    }
    // A byte order mark, as some editors begin a file with.
    let bytes = source.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? source.bytes.dropFirst(3) : source.bytes[...]
    let lines = String(decoding: bytes, as: UTF8.self).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let indent = line.prefix { $0 == " " || $0 == "\t" }.count
      var text = line.dropFirst(indent)
      // As in the hosts file: an address has no spaces, and a title of M3U stands in a line of its own.
      if !text.hasPrefix("#"), let comment = text.firstRange(of: /[ \t]+#/) { text = text[..<comment.lowerBound] }
      while text.last == " " || text.last == "\t" { text.removeLast() }
      if text.hasPrefix("#EXTINF:") {
        (duration, title) = Self.information(text.dropFirst("#EXTINF:".count))
      } else if text.hasPrefix("#EXT-X-") {
        throw WorkspaceError(
          .commandLineWrong, "\(source.name) is an HLS stream, not a list of films",
          help: "a device plays it whole: `showcaller load` with its http: or https: address")
      } else if !text.isEmpty, !text.hasPrefix("#") {
        let address = String(text)
        try MediaAddress.check(address, place: "\(source.name):\(index + 1): ")
        let span = SourceSpan(
          file: source.name, line: index + 1, column: indent + 1, endLine: index + 1,
          endColumn: indent + 1 + max(1, address.unicodeScalars.count))
        entries.append(AddressEntry(address, at: span, title: title, duration: duration))
        (title, duration) = (nil, nil)
      }
    }
    guard entries.count > count else {
      throw WorkspaceError(
        .commandLineWrong, "\(source.name) has no addresses", help: "write one a line; # begins a comment")
    }
  }

  /// `123,A title` or `-1 tvg-id="x",A title`.
  private static func information(_ text: Substring) -> (duration: Double?, title: String?) {
    let parts = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
    let number = parts.first.flatMap { Double($0.prefix { $0 != " " }) }
    let title = parts.count > 1 ? parts[1].drop { $0 == " " } : ""
    return (number.flatMap { $0.isFinite && $0 > 0 && $0 < 1e6 ? $0 : nil }, title.isEmpty ? nil : String(title))
  }
}
