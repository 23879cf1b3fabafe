extension WebURL {
  /// Longer addresses are nobody's.
  private static let mostBytes = 8 << 10

  /// Reads an absolute address. A fragment is left out; what may not stand in a path is percent-encoded.
  /// - Throws: `address_invalid`, with what is wrong.
  package init(parsing text: String) throws(WebError) {
    guard text.utf8.count <= Self.mostBytes else { throw Self.wrong(text, "is too long") }
    guard !text.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F }) else {
      throw Self.wrong(text, "has a space or a control character", help: "write `%20` for a space")
    }
    guard let colon = text.firstIndex(of: ":"), let scheme = Scheme(rawValue: text[..<colon].lowercased()),
      text[text.index(after: colon)...].hasPrefix("//")
    else {
      throw Self.wrong(text, "does not begin with http:// or https://", help: "such as `https://example.com/feed.xml`")
    }
    let rest = text[text.index(colon, offsetBy: 3)...]
    let end = rest.firstIndex { "/?#\\".contains($0) } ?? rest.endIndex
    let authority = rest[..<end]
    guard !authority.contains("@") else {
      throw Self.wrong(text, "has a name or a password in it", help: "leave out what stands before the `@`")
    }
    let (host, port) = try Self.split(authority, scheme, in: text)
    guard host.allSatisfy(\.isASCII) else {
      throw Self.wrong(text, "has a host name with letters beyond ASCII", help: "write the name as `xn--…`")
    }
    self.init(scheme: scheme, host: host.lowercased(), port: port, target: Self.target(rest[end...]))
  }

  /// What a `Location` that was answered at this address means (RFC 3986 5).
  /// - Throws: `address_invalid`.
  package func resolving(_ location: String) throws(WebError) -> WebURL {
    if location.hasPrefix("//") { return try WebURL(parsing: "\(scheme.rawValue):\(location)") }
    let head = location.prefix { !"/?#".contains($0) }
    if head.contains(":") { return try WebURL(parsing: location) }
    var url = self
    let path = target.prefix { $0 != "?" }
    switch location.first {
    case "/": url.target = Self.target(location[...])
    case "?": url.target = Self.target(Substring(path + location))
    case "#", nil: break
    default:
      let folder = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
      url.target = Self.target(Substring(folder + location))
    }
    return url
  }

  private static func wrong(_ text: String, _ what: String, help: String? = nil) -> WebError {
    WebError(.addressInvalid, "`\(text.prefix(200))` \(what)", help: help)
  }

  private static func split(
    _ authority: Substring, _ scheme: Scheme, in text: String
  ) throws(WebError) -> (String, Int) {
    var host = authority
    var port: Substring?
    if authority.hasPrefix("[") {
      guard let close = authority.firstIndex(of: "]") else { throw wrong(text, "has no `]` behind its address") }
      host = authority[authority.index(after: authority.startIndex)..<close]
      let after = authority[authority.index(after: close)...]
      guard after.isEmpty || after.hasPrefix(":") else { throw wrong(text, "has something behind its `]`") }
      port = after.isEmpty ? nil : after.dropFirst()
    } else if let colon = authority.lastIndex(of: ":") {
      host = authority[..<colon]
      port = authority[authority.index(after: colon)...]
    }
    guard !host.isEmpty, host.utf8.count <= 253 else { throw wrong(text, "has no host") }
    guard let port, !port.isEmpty else { return (String(host), scheme == .https ? 443 : 80) }
    guard port.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(port), (1...65_535).contains(number)
    else { throw wrong(text, "has no valid port", help: "1 to 65535") }
    return (String(host), number)
  }

  /// Path and query as they are sent, with the dots of the path resolved.
  private static func target(_ text: Substring) -> String {
    let whole = text.prefix { $0 != "#" }
    let path = whole.prefix { $0 != "?" }
    var parts: [Substring] = []
    let pieces = path.split(separator: "/", omittingEmptySubsequences: false)
    for (index, piece) in pieces.enumerated() where index > 0 || !piece.isEmpty {
      if piece == "." || piece == ".." {
        if piece == "..", !parts.isEmpty { parts.removeLast() }
        if index == pieces.count - 1 { parts.append("") }
      } else {
        parts.append(piece)
      }
    }
    return encoded("/" + parts.joined(separator: "/") + whole.dropFirst(path.count))
  }

  private static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let isPlain = byte > 0x20 && byte < 0x7F && !"\"<>\\^`{|}".utf8.contains(byte)
      return isPlain
        ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}
