/// A document that somebody edits: what is at a place of it, and what may stand there. Pure: other files are an input, as
/// they are of the compiler.
package struct EditedDocument {
  /// What may be put in place of what is being typed.
  package struct Candidate: Hashable, Sendable {
    package enum Kind: Hashable, Sendable { case key, verb, value, name, variable, field, matcher }

    package var kind: Kind
    package var label: String
    /// What is inserted.
    package var text: String
    /// The type of its value, in a word.
    package var detail = ""
    /// Its description, in a sentence.
    package var summary = ""
  }

  /// All that may follow, and what it replaces.
  package struct Offer: Sendable {
    package var candidates: [Candidate]
    /// The word in front of the cursor.
    package var replaced: SourceSpan
  }

  let source: SourceFile
  /// The newest text of the document that was YAML: what is defined in it is known while a line is being typed.
  let lastReadable: SourceFile?
  let inputs: PlanCompiler.Inputs

  package init(_ source: SourceFile, lastReadable: SourceFile? = nil, inputs: PlanCompiler.Inputs) {
    self.source = source
    self.lastReadable = lastReadable
    self.inputs = inputs
  }

  /// Whether the text is YAML.
  package static func isReadable(_ source: SourceFile) -> Bool { root(of: source) != nil }

  /// The tree of a text; `nil` where it is no YAML, or no map.
  static func root(of source: SourceFile) -> YAMLNode? {
    guard let root = YAMLParser.parse(source, reportingTo: DiagnosticCollector())?.root, root.pairs != nil else {
      return nil
    }
    return root
  }

  static func kind(of root: YAMLNode) -> DocumentKind? {
    root.pairs?.lazy.compactMap { DocumentKind(rawValue: $0.key.text) }.first
  }

  /// What the document defines, with what it includes.
  func symbols(or root: YAMLNode?) -> DocumentSymbols? {
    let known = Self.root(of: source) ?? lastReadable.flatMap { Self.root(of: $0) } ?? root
    return known.map { known in
      let merged = IncludeReader.read(known, of: source, inputs: inputs, reportingTo: DiagnosticCollector())
      return DocumentSymbols(merged.root)
    }
  }

  // MARK: Completion

  /// What may stand at a place; `nil` where nothing can be offered.
  /// - Parameters:
  ///   - line: From 1.
  ///   - column: From 1, in Unicode scalars.
  package func offer(line: Int, column: Int) -> Offer? {
    let text = SourceText(source)
    guard line >= 1, line <= text.lineCount else { return nil }
    let before = (1..<line).map { text.line($0) + "\n" }.joined()
    let head = String(String.UnicodeScalarView(text.line(line).unicodeScalars.prefix(column - 1)))
    guard let cursor = CursorText(before: before, line: head) else { return nil }
    let replaced = SourceSpan(file: source.name, line: line, column: cursor.start + 1, endLine: line, endColumn: column)
    if cursor.variable != nil {
      let head = cursor.candidates.lazy.compactMap { text in
        Self.root(of: SourceFile(name: source.name, bytes: Array(text.utf8)))
      }.first
      let names = symbols(or: head)?.variables ?? []
      let candidates = names.map { Candidate(kind: .variable, label: $0.name, text: $0.name) }
      return Offer(candidates: candidates, replaced: replaced)
    }
    for candidate in cursor.candidates {
      let file = SourceFile(name: source.name, bytes: Array(candidate.utf8))
      guard let root = Self.root(of: file) else { continue }
      let kind = Self.kind(of: root)
      guard
        let place = CursorPlace.find(in: root, of: kind, where: { text, _ in text.hasPrefix(CursorText.word) })
      else { continue }
      if case .value = place.part, place.text != CursorText.word { return nil }
      if kind == nil, place.path.isEmpty { return Offer(candidates: Self.kinds, replaced: replaced) }
      let offering = Offering(symbols: symbols(or: root), place: place)
      return Offer(candidates: offering.candidates, replaced: replaced)
    }
    return nil
  }

  /// What a document may begin with.
  private static let kinds = DocumentKind.allCases.map { kind in
    let row = LanguageSchema.document(kind)[kind.rawValue]
    return Candidate(
      kind: .key, label: kind.rawValue, text: kind.rawValue + ": ", detail: "document", summary: row?.summary ?? "")
  }
}
