/// Reads one document as far as its text, its keys, its types and its variables go: codes K, T, Y and N.
///
/// ```swift
/// var reading = DocumentReader.read(source, inputs: inputs)
/// guard let document = reading.document else { return reading.diagnostics.finished() }
/// for step in document.root.list("steps") { compile(step, reportingTo: reading.diagnostics) }
/// let text = DiagnosticRenderer(sources: reading.sources).render(reading.diagnostics.finished())
/// ```
package struct DocumentReader {
  /// `nil` when there is nothing to go on with: no YAML, or no kind.
  package var document: CheckedDocument?
  package let diagnostics = DiagnosticCollector()
  /// What spans refer to: the document, files with variables, and what the command line and the environment said.
  package var sources: [SourceFile]

  /// There also where the document has errors elsewhere.
  var variables = VariableTable()

  package static func read(_ source: SourceFile, inputs: PlanCompiler.Inputs) -> DocumentReader {
    var reader = DocumentReader(sources: [source])
    reader.read(source, inputs)
    return reader
  }

  private init(sources: [SourceFile]) { self.sources = sources }

  private mutating func read(_ source: SourceFile, _ inputs: PlanCompiler.Inputs) {
    guard var yaml = YAMLParser.parse(source, reportingTo: diagnostics) else { return }
    let text = SourceText(source)
    guard var pairs = yaml.root.pairs else {
      if reportMissingSpace(yaml.root) { return }
      var fieldReader = FieldReader(diagnostics: diagnostics)
      fieldReader.reportShape(
        yaml.root, expected: "a map of keys such as `scenario: title`", .init(name: "document"),
        help: yaml.root.items == nil
          ? nil : "begin with `scenario: title` and `device: name`; these lines go under `steps:`, indented")
      return
    }
    guard Self.readLanguage(pairs, reportingTo: diagnostics),
      let (kind, kindKey) = Self.readKind(pairs, yaml.root.span, reportingTo: diagnostics)
    else { return }
    yaml.root = MisspelledKeys.repaired(yaml.root, kind, reportingTo: diagnostics)
    pairs = yaml.root.pairs ?? pairs
    if kind == .scenario, !UnrollCost.checkWritten(pairs, reportingTo: diagnostics) { return }

    var merged = IncludeReader.read(yaml.root, of: source, inputs: inputs, reportingTo: diagnostics)
    sources += merged.sources
    if diagnostics.budget.isSpent { return }
    if kind == .scenario, let device = inputs.device { merged.root.add(device, at: kindKey.span) }
    let secrets = SecretReader.read(merged.root, kind: kind)
    let variables = VariableReader.read(
      merged.root, secrets: secrets, isIncomplete: merged.isIncomplete, inputs: inputs, reportingTo: diagnostics)
    sources += variables.outside.sources
    var substitution = variables.substitution
    substitution.assigned = Set(substitution.runTime.assigned.keys)
    var root = substituted(merged.root, &substitution)

    var fieldReader = FieldReader(
      diagnostics: diagnostics, names: DefinedNames(root, isIncomplete: merged.isIncomplete),
      alreadyReported: yaml.alreadyReported.union(merged.alreadyReported), text: text, runTime: substitution.runTime,
      kind: kind,
      zones: TimeZoneDatabase(inputs.zoneData))
    merged.root = YAMLNode(.mapping([]), span: root.span)
    if Matrix.names(root) != nil {
      // Read once for all rows, without its messages: each row then reads and reports only what its values change and
      // what is wrong.
      var reader = fieldReader
      reader.diagnostics = DiagnosticCollector()
      reader.placeholders = ["matrix"]
      reader.readDocument(&root, kind, kindKey, isCut: yaml.isCut)
    }
    var rows = Matrix.rows(of: root, kind, reportingTo: diagnostics)
    for index in rows.indices { fieldReader.readDocument(&rows[index].root, kind, kindKey, isCut: yaml.isCut) }
    if kind != .library, !merged.isIncomplete {
      VariableReader.reportUnused(substitution, reportingTo: diagnostics)
    }
    if kind != .library {
      SecretReader.reportMissing(substitution, inputs: inputs.counting(for: kind), reportingTo: diagnostics)
    }
    let title = root.pairs?.first { $0.key.text == kind.rawValue }?.value
    document = CheckedDocument(
      kind: kind, title: title?.text ?? "", titleSpan: title?.span ?? kindKey.span, kindSpan: kindKey.span,
      root: FieldMap(rows.first?.root ?? root, as: LanguageSchema.document(kind)),
      savedNames: substitution.runTime.saved, source: text, rows: rows,
      variables: substitution.variables,
      assigned: substitution.assigned, fieldReader: fieldReader, secrets: substitution.secrets,
      secretUses: substitution.usedSecrets)
    self.variables = substitution.variables
  }

  /// `scenario:x`, which YAML reads as one word.
  private mutating func reportMissingSpace(_ root: YAMLNode) -> Bool {
    guard case .scalar(let scalar) = root.content, scalar.style == .plain,
      let colon = scalar.text.unicodeScalars.firstIndex(of: ":")
    else { return false }
    let word = String(scalar.text.unicodeScalars[..<colon])
    let column = word.unicodeScalars.count
    let value = scalar.text.dropFirst(word.count + 1).prefix { !$0.isWhitespace }
    let names = DocumentKind.allCases.map(\.rawValue) + ["language"]
    guard names.contains(word) || Suggestions.nearest(to: word, among: names) != nil else { return false }
    var span = root.span
    span.column += column
    span.endLine = span.line
    span.endColumn = span.column + 1
    diagnostics.report(
      .error, .t210, "a key ends with `:` and a space", at: .init(span, "no space behind it"),
      footers: [.help("write `\(ScalarText.shown(word)): \(ScalarText.shown(value.isEmpty ? "title" : value))`")])
    return true
  }

  /// Puts variables into all top-level values except `vars`, `secrets` and `include`, which are taken as written.
  private mutating func substituted(_ root: YAMLNode, _ substitution: inout Substitution) -> YAMLNode {
    var result = root.pairs ?? []
    for (index, pair) in result.enumerated() where !["vars", "secrets", "include"].contains(pair.key.text) {
      substitution.isAboutDevices = ["device", "devices", "roles", "inventory"].contains(pair.key.text)
      result[index].value =
        pair.key.text == "blocks"
        ? substitution.apply(toBlocks: pair.value, depth: 2)
        : substitution.apply(to: pair.value, depth: 2)
    }
    return YAMLNode(.mapping(result), span: root.span)
  }

  /// False when the document is newer than this tool (K109): nothing else that could be said would be sure.
  static func readLanguage(
    _ pairs: [YAMLNode.Pair], reportingTo diagnostics: DiagnosticCollector
  ) -> Bool {
    guard let pair = pairs.first(where: { $0.key.text == "language" }), let text = pair.value.text,
      let revision = try? NumberScalar.int(text, in: 1 ... .max), revision > LanguageSchema.revision
    else { return true }
    diagnostics.report(
      .error, .k109, "this document needs language \(revision), this showcaller knows \(LanguageSchema.revision)",
      at: .init(pair.value.span, "newer than this tool"), footers: [.help("install a newer showcaller")])
    return false
  }

  /// The kind by its key, which comes first but for `language`.
  static func readKind(
    _ pairs: [YAMLNode.Pair], _ span: SourceSpan, reportingTo diagnostics: DiagnosticCollector
  ) -> (DocumentKind, YAMLNode.Key)? {
    let kinds = pairs.map(\.key).filter { DocumentKind(rawValue: $0.text) != nil }
    if kinds.count > 1 {
      diagnostics.report(
        .error, .k106, "`\(kinds[0].text)` and `\(kinds[1].text)`: a document is of one kind",
        at: .init(kinds[1].span, "second kind"), related: [.init(kinds[0].span, "first kind")],
        footers: [.help("put them into two files")])
    }
    guard let key = kinds.first, let kind = DocumentKind(rawValue: key.text) else {
      reportNoKind(pairs, span, reportingTo: diagnostics)
      return nil
    }
    if let first = pairs.first(where: { $0.key.text != "language" }), first.key.text != key.text {
      diagnostics.report(
        .error, .k105, "`\(key.text)` must be the first key", at: .init(key.span, "move this line to the top"),
        related: [.init(first.key.span, "first key")])
    }
    return (kind, key)
  }

  private static func reportNoKind(
    _ pairs: [YAMLNode.Pair], _ span: SourceSpan, reportingTo diagnostics: DiagnosticCollector
  ) {
    let names = DocumentKind.allCases.map(\.rawValue)
    let candidates = pairs.prefix(2).filter { LanguageSchema.kinds(having: $0.key.text).isEmpty }
    for pair in candidates {
      guard let suggestion = Suggestions.nearest(to: pair.key.text, among: names) else { continue }
      diagnostics.report(
        .error, .k101, "unknown kind of document \(ScalarText.quoted(pair.key.text))",
        at: .init(pair.key.span, Suggestions.label(suggestion)))
      return
    }
    let place = pairs.first?.key.span ?? span
    diagnostics.report(
      .error, .k105, "this document does not say what it is", at: .init(place, "the first key is the kind"),
      footers: [.help("begin with `scenario: title`, `playlist: title` or `library: title`")])
  }
}

extension YAMLNode {
  /// Gives a scenario that names no device the command line's.
  fileprivate mutating func add(_ device: PlanCompiler.Inputs.Device, at span: SourceSpan) {
    guard case .mapping(var pairs) = content,
      !pairs.contains(where: { ["device", "devices", "roles"].contains($0.key.text) })
    else { return }
    let (key, text) =
      switch device {
      case .name(let name): ("name", name)
      case .host(let host): ("host", host.text)
      }
    let plain = text.replacing("${", with: "$${")
    let value = YAMLNode(.scalar(.init(text: plain, style: .doubleQuoted)), span: span)
    let selector = YAMLNode(.mapping([Pair(key: Key(text: key, span: span), value: value)]), span: span)
    pairs.append(Pair(key: Key(text: "device", span: span), value: selector))
    self = YAMLNode(.mapping(pairs), span: self.span)
  }
}
