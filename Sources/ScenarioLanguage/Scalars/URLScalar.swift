/// A URL as a document writes it, taken apart. Whether a receiver can fetch it is judged where it is used (C501, C502).
package struct URLScalar: Hashable, Sendable {
  /// As written, so that `HTPS` and `htps` are shown as they stand.
  package var scheme: String
  /// Without brackets; empty for `file:`.
  package var host: String
  package var port: Int?
  /// The rest, with its leading slash if it has one.
  package var path: String
  /// In Unicode scalars of the text.
  package var schemeRange: Range<Int>
  package var hostRange: Range<Int>?

  /// Whether it is fetched from the web.
  var isWeb: Bool { ["http", "https"].contains(scheme.lowercased()) }
  /// Whether it is on this computer.
  var isFile: Bool { scheme.lowercased() == "file" }

  // Not every key takes `file:`.
  private static let usage =
    "`https://host/path` or `http://host/path`; for media also `file:path` next to this document"
  private static let usageOnCommandLine = "`https://host/path` or `http://host/path`"

  /// Splits a URL; refuses only what is no URL at all (T215).
  package static func read(_ text: String) throws(ScalarProblem) -> URLScalar {
    let readable = SecretPlaceholder.readable(text)
    let isPlain = readable.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    let scalars = isPlain ? readable.utf8.map { Unicode.Scalar($0) } : Array(readable.unicodeScalars)
    if !isPlain,
      let space = scalars.firstIndex(where: { $0.properties.isWhitespace || $0.value < 0x20 || $0.value == 0x7F })
    {
      throw ScalarProblem(
        .t215, "a URL has no spaces or control characters", label: "write `%20` for a space", at: space..<space + 1)
    }
    if !isPlain, let hidden = scalars.firstIndex(where: Lookalike.isInvisible) {
      throw ScalarProblem(
        .t215, "a URL has no characters that cannot be seen", label: Lookalike.number(of: scalars[hidden]),
        at: hidden..<hidden + 1, help: "remove it")
    }
    guard let colon = scalars.firstIndex(of: ":"), colon > 0, scalars[..<colon].allSatisfy(isSchemeScalar),
      scalars[0].properties.isAlphabetic
    else {
      throw ScalarProblem(.t215, "\(ScalarText.quoted(text)) is not a URL", label: noScheme(text), help: usage)
        .onCommandLine(usageOnCommandLine)
    }
    let scheme = string(scalars[..<colon])
    var result = URLScalar(scheme: scheme, host: "", port: nil, path: "", schemeRange: 0..<colon, hostRange: nil)
    let afterColon = scalars[(colon + 1)...]
    if result.isFile {
      result.path = string(afterColon)
      guard !result.path.isEmpty, !result.path.hasPrefix("/") else {
        throw ScalarProblem(
          .t215, "`file:` takes a path relative to this document", help: "such as `file:assets/logo.png`")
      }
      return result
    }
    guard afterColon.starts(with: ["/", "/"]) else {
      // `media.example.com:8080/a.mp4`, `localhost:3000`
      let hasPort = afterColon.first.map { ("0"..."9").contains($0) } ?? false
      let isHost = scheme.contains(".") && hasPort
      let isHere = scheme.lowercased() == "localhost" && hasPort
      let rest = string(afterColon[afterColon.prefix { $0 == "/" }.endIndex...])
      let isHTTP = result.isWeb && rest.contains(".")
      throw ScalarProblem(
        .t215, "\(ScalarText.quoted(text)) is not a URL",
        label: isHost
          ? noScheme(text)
          : isHere
            ? Suggestions.label("http://\(ScalarText.shown(text))")
            : Suggestions.label(
              isHTTP ? "\(scheme)://\(ScalarText.shown(rest))" : nil, else: "no `//` after the scheme"), help: usage
      ).onCommandLine(usageOnCommandLine)
    }
    let start = colon + 3
    let end = scalars[start...].firstIndex { "/?#".unicodeScalars.contains($0) } ?? scalars.count
    result.path = string(scalars[end...])
    try result.readAuthority(scalars[start..<end], in: text)
    return result
  }

  /// "no scheme", or the URL that is probably meant.
  private static func noScheme(_ text: String) -> String {
    for scheme in ["https", "http"] where text.hasPrefix("\(scheme)//") {
      return Suggestions.label("\(scheme)://\(ScalarText.shown(text.dropFirst(scheme.count + 2)))")
    }
    if text.hasPrefix("//") { return Suggestions.label("https:\(ScalarText.shown(text))") }
    if text.hasPrefix("{{") || text.hasPrefix("$") && !text.hasPrefix("${") {
      return "a variable is put in by `${name}`"
    }
    let first = text.prefix { $0 != "/" && $0 != ":" }
    // A file has one of a few endings and no folder that looks like a host.
    if text.hasPrefix("./"), text.utf8.count > 2 {
      return Suggestions.label("file:\(ScalarText.shown(text.dropFirst(2)))")
    }
    if first.contains("."), !first.hasPrefix("."), first.count < text.count {
      return Suggestions.label("https://\(ScalarText.shown(text))")
    }
    return "no scheme"
  }

  private mutating func readAuthority(
    _ authority: ArraySlice<Unicode.Scalar>, in text: String
  ) throws(ScalarProblem) {
    var noHost: ScalarProblem {
      ScalarProblem(.t215, "\(ScalarText.quoted(text)) is not a URL", label: "no host", help: Self.usage)
        .onCommandLine(Self.usageOnCommandLine)
    }
    var rest = authority
    if let at = rest.lastIndex(of: "@") { rest = rest[(at + 1)...] }
    var hostPart = rest
    var portPart: ArraySlice<Unicode.Scalar>?
    if rest.first == "[" {
      guard let close = rest.firstIndex(of: "]") else { throw noHost }
      hostPart = rest[(rest.startIndex + 1)..<close]
      let after = rest[(close + 1)...]
      if let first = after.first {
        guard first == ":" else { throw noHost }
        portPart = after.dropFirst()
      }
    } else if let colon = rest.firstIndex(of: ":") {
      hostPart = rest[..<colon]
      portPart = rest[(colon + 1)...]
    }
    guard !hostPart.isEmpty else { throw noHost }
    host = Self.string(hostPart)
    hostRange = hostPart.startIndex..<hostPart.endIndex
    if let portPart {
      guard let number = ScalarText.int(Self.string(portPart), upTo: 5), (1...65_535).contains(number) else {
        throw ScalarProblem(
          .t215, "\(ScalarText.quoted(text)) has no valid port", label: "1 to 65535",
          at: portPart.isEmpty ? nil : portPart.startIndex..<portPart.endIndex)
      }
      port = number
    }
  }

  /// Whether a text is meant as a URL and not as an id: it has a colon or a slash.
  package static func looksLikeURL(_ text: some StringProtocol) -> Bool {
    text.utf8.contains { $0 == 0x3A || $0 == 0x2F } || text.hasPrefix(SecretPlaceholder.opening)
  }

  private static func isSchemeScalar(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII
      && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "+-.".unicodeScalars.contains(scalar))
  }

  private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    if scalars.allSatisfy(\.isASCII) {
      return String(unsafeUninitializedCapacity: scalars.count) { buffer in
        buffer.initialize(fromContentsOf: scalars.lazy.map { UInt8(truncatingIfNeeded: $0.value) })
      }
    }
    var result = ""
    result.unicodeScalars.append(contentsOf: scalars)
    return result
  }
}

extension ScalarSpec {
  static let url = ScalarSpec(
    "url", "a URL", "`https://host/path` or `http://host/path`, or `file:path` next to the document",
    refused: "other schemes, `localhost`, `127.*`, spaces, no host",
    pattern: #"([Hh][Tt][Tt][Pp][Ss]?://[^\s/][^\s]*|[Ff][Ii][Ll][Ee]:[^\s/][^\s]*)"#,
    examples: ["https://cdn.example.com/film.mp4", "file:assets/logo.png"], variable: .init("url", .url)
  ) { text, _ throws(ScalarProblem) in
    _ = try URLScalar.read(text)
    return .text
  }
}
