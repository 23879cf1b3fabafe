/// What a document says of itself, read without a check of the rest: enough to choose it by.
package struct DocumentHeader: Hashable, Sendable {
  /// The document as named on the command line.
  package var file: String
  /// `nil` where it does not say what it is, or is no YAML.
  package var kind: DocumentKind?
  package var id: String
  /// What follows `scenario:` or another kind; empty where that is no text.
  package var title = ""
  package var tags: [String]
  /// Whether its tags are known: it has none, or they are a list of words.
  package var hasReadableTags = true
  /// Whether something in it says when it runs.
  package var hasSchedule = false

  package init(file: String, kind: DocumentKind?, id: String, tags: [String] = []) {
    self.file = file
    self.kind = kind
    self.id = id
    self.tags = tags
  }

  /// Reads the header of `source`; where it cannot be read, it has the id that its file gives it, and no tags.
  package init(_ source: SourceFile) {
    self.init(file: source.name, kind: nil, id: ScenarioCompiler.stem(of: source.name))
    hasReadableTags = false
    let ignored = DiagnosticCollector()
    guard let pairs = YAMLParser.parse(source, reportingTo: ignored)?.root.pairs else { return }
    func value(_ key: String) -> YAMLNode? { pairs.first { $0.key.text == key }?.value }
    kind = pairs.lazy.compactMap { DocumentKind(rawValue: $0.key.text) }.first
    title = kind.flatMap { value($0.rawValue)?.text } ?? ""
    id = value("id")?.text ?? id
    hasSchedule = value("schedule") != nil
    // Without the key there are none; what is no list is one thing that is no word.
    let words: [String?] = value("tags").map { $0.items?.map(\.text) ?? [nil] } ?? []
    tags = words.compactMap { $0 }
    hasReadableTags = !words.contains(nil)
  }
}
