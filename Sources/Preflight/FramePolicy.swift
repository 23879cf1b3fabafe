import WebClient

/// Whether a page lets itself be shown in a frame of a receiver, as browsers decide it.
enum FramePolicy {
  /// What forbids it, as a header has it; `nil`: nothing does.
  static func obstacle(in headers: WebHeaders, origin: String) -> String? {
    let policies = (headers["Content-Security-Policy"] ?? "").split(separator: ",").compactMap { sources(of: $0) }
    // Where there is `frame-ancestors`, the older header is ignored (CSP 3 7.7.2).
    if !policies.isEmpty {
      let forbidding = policies.first { !$0.contains { allows($0, origin: origin) } }
      return forbidding.map { "frame-ancestors \($0.joined(separator: " "))" }
    }
    // HTML 7.1.6: words that are unknown count for nothing where they stand alone.
    let words = Set(
      (headers["X-Frame-Options"] ?? "").lowercased().split(separator: ",").map { $0.filter { !$0.isWhitespace } })
    let isForbidden =
      words.count > 1
      ? !words.isDisjoint(with: ["deny", "sameorigin", "allowall"]) : !words.isDisjoint(with: ["deny", "sameorigin"])
    return isForbidden ? "X-Frame-Options: \(words.sorted().joined(separator: ", "))" : nil
  }

  /// What a policy lets show the page; `nil`: it says nothing of that.
  private static func sources(of policy: Substring) -> [String]? {
    for directive in policy.split(separator: ";") {
      let words = directive.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
      // The first of a name counts.
      if words.first == "frame-ancestors" { return words.count > 1 ? Array(words.dropFirst()) : ["'none'"] }
    }
    return nil
  }

  /// Schemes that let pages of `https` in: what names one that is not secure means its secure one, too (CSP 3, "scheme-part matches").
  private static let schemes: Set<Substring> = ["https", "http", "wss", "ws"]

  private static func allows(_ source: String, origin: String) -> Bool {
    let host = origin.dropFirst("https://".count)
    if source == "*" || source.last == ":" && schemes.contains(source.dropLast()) { return true }
    var rest = Substring(source)
    if let end = rest.firstRange(of: "://") {
      guard schemes.contains(rest[..<end.lowerBound]) else { return false }
      rest = rest[end.upperBound...]
    }
    rest = rest.prefix { $0 != "/" }
    if let colon = rest.firstIndex(of: ":") {
      guard ["443", "*"].contains(rest[rest.index(after: colon)...]) else { return false }
      rest = rest[..<colon]
    }
    return rest.hasPrefix("*.") ? host.hasSuffix(rest.dropFirst()) : rest == host
  }
}
