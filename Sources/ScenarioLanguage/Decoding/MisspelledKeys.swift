/// A misspelled top-level key is told once: for all that follows it counts as what it was meant to be.
enum MisspelledKeys {
  /// The document's map with such keys replaced; what stands below `mdia:` is media after all.
  static func repaired(
    _ root: YAMLNode, _ kind: DocumentKind, reportingTo diagnostics: DiagnosticCollector
  ) -> YAMLNode {
    guard var pairs = root.pairs else { return root }
    let spec = LanguageSchema.document(kind)
    var present = Set(pairs.map(\.key.text))
    var unknownKeys = 0
    for index in pairs.indices {
      let name = pairs[index].key.text
      guard spec[name] == nil, LanguageSchema.kinds(having: name).isEmpty else { continue }
      unknownKeys += 1
      // A document of strange keys is not one of slips.
      if unknownKeys > 200 { break }
      guard let meant = Suggestions.nearest(to: name, among: spec.allowedNames), present.insert(meant).inserted
      else { continue }
      var checker = TableChecker(diagnostics: diagnostics)
      checker.reportUnknownKey(pairs[index], in: spec)
      pairs[index].key.text = meant
    }
    var walk = Walk(diagnostics: diagnostics)
    for index in pairs.indices {
      guard let key = spec[pairs[index].key.text] else { continue }
      if key.name == "matrix" { walk.repairExclusion(of: &pairs[index].value) }
      if let value = walk.repaired(pairs[index].value, as: key.type) { pairs[index].value = value }
    }
    return YAMLNode(.mapping(pairs), span: root.span, substitutedAt: root.substitutedAt)
  }
}
