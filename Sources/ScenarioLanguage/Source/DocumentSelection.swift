/// Which of the documents that were found are meant: `--tag` and `--only`.
package struct DocumentSelection: Hashable, Sendable {
  /// `--tag`: `smoke` for documents with that tag, `!slow` for those without.
  package var tags: [String]
  /// `--only`: ids and names of files, with `*` and `?` for any characters.
  package var only: [String]

  package init(tags: [String] = [], only: [String] = []) {
    self.tags = tags
    self.only = only
  }

  /// Whether every document is chosen.
  package var isEmpty: Bool { tags.isEmpty && only.isEmpty }

  private var wantedTags: [String] { tags.filter { !$0.hasPrefix("!") } }
  private var refusedTags: [String] { tags.filter { $0.hasPrefix("!") }.map { String($0.dropFirst()) } }

  /// Whether a document is chosen: it has one of the tags that are wanted, none of those that are not, and one of the
  /// names. One whose tags cannot be read is chosen too, so that it is not left out in silence.
  package func chooses(_ document: DocumentHeader) -> Bool {
    let wanted = wantedTags
    let hasTags =
      (wanted.isEmpty || wanted.contains(where: document.tags.contains))
      && !refusedTags.contains(where: document.tags.contains)
    return (hasTags || !document.hasReadableTags) && (only.isEmpty || only.contains { Self.fits($0, document) })
  }

  /// Whether a document is chosen only because its tags cannot be read.
  package func mayMean(_ document: DocumentHeader) -> Bool {
    !tags.isEmpty && !document.hasReadableTags && chooses(document)
  }

  /// Whether a document has a name: its id, its path, or the end of its path with or without `.yaml`.
  private static func fits(_ name: String, _ document: DocumentHeader) -> Bool {
    let pattern = Glob(name)
    let file = String(document.file.split(separator: "/").last ?? "")
    return [document.id, document.file, file, ScenarioCompiler.stem(of: document.file)].contains { pattern.matches($0) }
  }

  /// The same choice, with titles in the place of names that no document has; a title that several have is none.
  package func takingTitles(of documents: [DocumentHeader]) -> DocumentSelection {
    let only = only.map { name in
      if documents.contains(where: { Self.fits(name, $0) }) { return name }
      let titled = documents.filter { $0.title == name }
      return titled.count == 1 ? titled[0].file : name
    }
    return DocumentSelection(tags: tags, only: only)
  }

  // MARK: What cannot be meant

  /// What is wrong with a tag or a name by itself, as part of a sentence; `nil` where all are well formed.
  package var problem: String? {
    if tags.contains(where: { $0.isEmpty || $0 == "!" }) { return "--tag is empty: it names a tag of documents" }
    if only.contains("") { return "--only is empty: it names a document" }
    return nil
  }

  /// The first name that none of the documents has, and the one that it was perhaps meant to be.
  package func strangeName(among documents: [DocumentHeader]) -> (name: String, nearest: String?)? {
    guard let name = only.first(where: { name in !documents.contains { Self.fits(name, $0) } }) else { return nil }
    let names = documents.flatMap { [$0.id, String($0.file.split(separator: "/").last ?? "")] }
    return (name, Suggestions.nearest(to: name, among: names))
  }

  /// The tags that are wanted and that none of the documents has, and for each the one that it was perhaps meant to be.
  package func strangeTags(among documents: [DocumentHeader]) -> [(tag: String, nearest: String?)] {
    let known = Self.tags(of: documents)
    return wantedTags.filter { !known.contains($0) }.map { ($0, Suggestions.nearest(to: $0, among: known)) }
  }

  /// The tags of all of the documents, sorted, each once.
  package static func tags(of documents: [DocumentHeader]) -> [String] { Set(documents.flatMap(\.tags)).sorted() }
}
