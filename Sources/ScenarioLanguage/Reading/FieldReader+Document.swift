extension FieldReader {
  /// Reads a whole document by the table of its kind; in one that was cut off no key is reported as missing.
  mutating func readDocument(
    _ root: inout YAMLNode, _ kind: DocumentKind, _ kindKey: YAMLNode.Key, isCut: Bool = false
  ) {
    let spec = LanguageSchema.document(kind)
    var skipped: Set<Int> = []
    var hasForeign = false
    for (index, key) in (root.pairs ?? []).map(\.key).enumerated() {
      if diagnostics.budget.isSpent { return }
      // A second kind key was reported where the kind was read.
      if !spec.contains(key.text), DocumentKind(rawValue: key.text) != nil {
        skipped.insert(index)
        continue
      }
      let kinds = LanguageSchema.kinds(having: key.text)
      if spec.contains(key.text) || kinds.isEmpty { continue }
      skipped.insert(index)
      hasForeign = true
      let title = root.pairs?.first { $0.key.text == kind.rawValue }?.value.text ?? "…"
      reportForeign(key, kinds, kind, kindKey, title: title)
    }
    var field = Field(name: kind.rawValue, keySpan: kindKey.span)
    field.skipsRequired = hasForeign || isCut
    _ = readPairs(of: &root, spec, field, but: skipped)
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
    let cure =
      kinds == [.library]
      ? "put it into a library, a file of its own that begins with `library: \(ScalarText.shown(title))`, and name that with `--faults`"
      : "write `\(kinds.first?.rawValue ?? "scenario"): \(ScalarText.shown(title))`\(other)"
    diagnostics.report(
      .error, .k103, "`\(key.text)` belongs in \(places), this document is a \(kind.rawValue)",
      at: .init(key.span, "not a \(kind.rawValue) key"),
      related: [.init(kindKey.span, "the first key makes this a \(kind.rawValue)")],
      footers: [.help(cure)])
  }
}
