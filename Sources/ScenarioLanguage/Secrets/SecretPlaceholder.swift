/// `‹secret.token›`: what stands for a secret wherever a person or a file could see it
/// (docs/language/variables.md "Secrets").
///
/// Documents and values from outside cannot spell it, so whatever holds it in a plan came from `${secret.token}`.
package enum SecretPlaceholder {
  package static let opening = "\u{2039}secret."
  package static let closing: Unicode.Scalar = "\u{203A}"

  package static func text(for name: String) -> String { "\(opening)\(name)\u{203A}" }

  /// Whether a text holds the beginning of one.
  package static func occurs(in text: String) -> Bool {
    guard text.utf8.contains(0xE2) else { return false }
    let scalars = text.unicodeScalars
    return scalars.indices.contains { scalars[$0] == "\u{2039}" && scalars[$0...].starts(with: opening.unicodeScalars) }
  }

  static func occurs(in node: YAMLNode) -> Bool {
    switch node.content {
    case .scalar(let scalar): occurs(in: scalar.text)
    case .sequence(let items): items.contains { occurs(in: $0) }
    case .mapping(let pairs): pairs.contains { occurs(in: $0.value) || occurs(in: $0.key.text) }
    }
  }

  /// Whether the node's value is, or holds, a secret.
  static func isSecret(_ node: YAMLNode) -> Bool {
    guard node.substitutedAt != nil, case .scalar(let scalar) = node.content else { return false }
    return occurs(in: scalar.text)
  }

  /// The name in the first one of a text.
  static func name(in text: String) -> String? {
    for case .secret(let name) in parts(of: text) { return name }
    return nil
  }

  /// The names of all in the texts of a value. It looks into all that the value encodes, so that it misses nothing that
  /// a plan will once have.
  static func names(in value: some Encodable) throws -> Set<String> {
    let search = SecretSearch()
    try value.encode(to: search)
    return search.names
  }

  package enum Part: Hashable, Sendable {
    case text(String)
    case secret(String)
  }

  /// A text taken apart at its placeholders.
  package static func parts(of text: String) -> [Part] {
    guard text.utf8.contains(0xE2) else { return [.text(text)] }
    var parts: [Part] = []
    let scalars = text.unicodeScalars
    let mark = opening.unicodeScalars
    var start = scalars.startIndex
    var position = start
    while let open = scalars[position...].firstIndex(of: "\u{2039}") {
      position = scalars.index(after: open)
      guard scalars[open...].starts(with: mark) else { continue }
      let nameStart = scalars.index(open, offsetBy: mark.count)
      // Names are short; a mark that is never closed must not make this quadratic.
      guard let close = scalars[nameStart...].prefix(longestName).firstIndex(of: closing) else { continue }
      if start < open { parts.append(.text(String(scalars[start..<open]))) }
      parts.append(.secret(String(scalars[nameStart..<close])))
      start = scalars.index(after: close)
      position = start
    }
    if start < scalars.endIndex || parts.isEmpty { parts.append(.text(String(scalars[start...]))) }
    return parts
  }

  /// A name of 64 letters behind eight prefixes.
  private static let longestName = 9 * 65

  /// The text as a URL reader can take it apart: a placeholder in front stands for scheme and host.
  static func readable(_ text: String) -> String {
    guard text.unicodeScalars.first == "\u{2039}", text.hasPrefix(opening),
      let end = text.unicodeScalars.firstIndex(of: closing)
    else { return text }
    let rest = String(text.unicodeScalars[text.unicodeScalars.index(after: end)...])
    return rest.isEmpty || "/?#".contains(rest.first ?? "x") ? "https://secret\(rest)" : rest
  }

  /// N411: documents write `${secret.token}`.
  static func refusal(at node: YAMLNode) -> Diagnostic {
    Diagnostic(
      .error, .n411, "`\(opening)` is how showcaller shows a secret, a text cannot have it",
      at: .init(node.place), footers: [.help("a secret is put in by `${secret.name}`")])
  }
}
