extension TableChecker {
  /// Checks a whole document against the table of its kind; nothing is missing from one that was cut off.
  mutating func checkDocument(_ root: YAMLNode, _ kind: DocumentKind, _ kindKey: YAMLNode.Key, isCut: Bool = false) {
    let spec = LanguageSchema.document(kind)
    let all = root.pairs ?? []
    var own: [YAMLNode.Pair] = []
    var hasForeign = false
    for pair in all {
      if diagnostics.budget.isSpent { return }
      // A second kind key was reported where the kind was read.
      if !spec.contains(pair.key.text), DocumentKind(rawValue: pair.key.text) != nil { continue }
      let kinds = LanguageSchema.kinds(having: pair.key.text)
      if spec.contains(pair.key.text) || kinds.isEmpty {
        own.append(pair)
      } else {
        hasForeign = true
        let title = all.first { $0.key.text == kind.rawValue }?.value.text ?? "…"
        reportForeign(pair.key, kinds, kind, kindKey, title: title)
      }
    }
    var field = Field(name: kind.rawValue, keySpan: kindKey.span)
    field.skipsRequired = hasForeign || isCut
    _ = checkPairs(own, spec, field, span: root.span)
  }

  /// `saved: false` would name no source at all.
  mutating func checkSecretSource(_ node: YAMLNode) -> Bool {
    guard let saved = node.pairs?.first(where: { $0.key.text == "saved" })?.value, saved.text == "false" else {
      return true
    }
    return report(
      ScalarProblem(
        .t213, "`saved: false` does not say where the secret comes from", label: "only `true` makes sense here",
        help: "one of `env:`, `file:`, `command:` and `saved: true`"), at: saved)
  }

  private mutating func reportForeign(
    _ key: YAMLNode.Key, _ kinds: [DocumentKind], _ kind: DocumentKind, _ kindKey: YAMLNode.Key, title: String
  ) {
    let places = kinds.map { "a \($0.rawValue)" }.joined(separator: " or ")
    let counterpart: String? =
      switch (key.text, kind) {
      case ("program", .scenario): "steps"
      case ("steps", .playlist): "program"
      default: nil
      }
    let other = counterpart.map { ", or use `\($0):`" } ?? ""
    diagnostics.report(
      Diagnostic(
        .error, .k103, "`\(key.text)` belongs in \(places), this document is a \(kind.rawValue)",
        at: .init(key.span, "not a \(kind.rawValue) key"),
        related: [.init(kindKey.span, "the first key makes this a \(kind.rawValue)")],
        footers: [.help("write `\(kinds.first?.rawValue ?? "scenario"): \(ScalarText.shown(title))`\(other)")]))
  }
}
