extension EditedDocument {
  /// What is told about the word at a place.
  package struct Explanation: Sendable {
    package var text: String
    /// The word.
    package var span: SourceSpan
  }

  /// What `explain` says about the key, the verb, the field or the matcher at a place.
  package func explanation(line: Int, column: Int) -> Explanation? {
    guard let place = place(line: line, column: column) else { return nil }
    guard let page = page(of: place) else { return nil }
    return Explanation(text: PageText.text(page), span: place.span)
  }

  /// Where the name is defined that stands at a place: a file, and where in it.
  package func definition(line: Int, column: Int) -> SourceSpan? {
    if let name = placeholder(line: line, column: column) { return symbols(or: nil)?.place(ofVariable: name) }
    guard let place = place(line: line, column: column) else { return nil }
    if let file = includedFile(at: place) {
      return SourceSpan(file: file, line: 1, column: 1, endLine: 1, endColumn: 1)
    }
    switch place.part {
    case .value(.field(let type)):
      let symbols = symbols(or: nil)
      if let kind = type.reference { return symbols?.place(of: place.text, as: kind) }
      return place.isDevice ? symbols?.place(of: place.text, as: .inventory) : nil
    case .key where place.path.last == "vars" || place.path.last == "set":
      return symbols(or: nil)?.place(ofVariable: place.text)
    default: return nil
    }
  }

  /// The key or value at a place.
  private func place(line: Int, column: Int) -> CursorPlace? {
    guard let root = Self.root(of: source) else { return nil }
    return CursorPlace.find(in: root, of: Self.kind(of: root)) { _, span in
      span.line == line && span.endLine == line && (span.column...span.endColumn).contains(column)
    }
  }

  /// The name in the `${name}` at a place.
  private func placeholder(line: Int, column: Int) -> String? {
    let text = SourceText(source).line(line)
    guard text.utf8.contains(0x24) else { return nil }
    let scalars = Array(text.unicodeScalars)
    var start: Int?
    for (index, scalar) in scalars.enumerated() {
      if scalar == "{", index > 0, scalars[index - 1] == "$" { start = index + 1 }
      if scalar == "}", let begin = start {
        if column - 1 >= begin - 2, column - 1 <= index {
          return String(String.UnicodeScalarView(scalars[begin..<index]))
        }
        start = nil
      }
    }
    return nil
  }

  /// The file that an entry of `include:` names.
  private func includedFile(at place: CursorPlace) -> String? {
    guard case .value = place.part, place.path == ["include"] || place.path == ["include", "file"],
      case .success(let file) = inputs.includedFile(place.text, source.name)
    else { return nil }
    return file.name
  }

  // MARK: Pages

  private func page(of place: CursorPlace) -> TopicPage? {
    switch place.part {
    case .key(.step, _) where LanguageSchema.verb(place.text) != nil: Topics.page(place.text)
    case .key(.step, _): page(of: place.text, in: LanguageSchema.modifiers)
    case .key(.map(let spec), _): page(of: place.text, in: spec)
    case .key(.field(let type), _):
      type.mapSpec.flatMap { page(of: place.text, in: $0) } ?? page(inCondition: place, type)
    case .key(.status(let path), _): Topics.page(FieldPath(path.parts + [place.text]).text) ?? Topics.page(place.text)
    case .key(.matchers, _): Topics.page(place.text)
    case .value(.step): Topics.page(place.text)
    case .value, .key: nil
    }
  }

  private func page(inCondition place: CursorPlace, _ type: FieldType) -> TopicPage? {
    if case .condition = type { Topics.page(place.text) } else { nil }
  }

  /// The page of a key where it stands: the same word means other things in other maps.
  private func page(of name: String, in spec: MapSpec) -> TopicPage? {
    guard let key = spec[name] else { return nil }
    let own = TopicPage.Section(heading: "the key `\(name)` of \(spec.place)", rows: [.init(key)])
    guard let inner = key.type.mapSpec else { return TopicPage(name: name, sections: [own]) }
    return TopicPage(name: name, sections: [own, Topics.section(of: inner)])
  }
}

extension FieldType {
  /// What a single value of this type names.
  fileprivate var reference: Reference? {
    switch self {
    case .reference(let kind): kind
    case .savable(let inner), .oneOrMany(let inner, _), .words(_, let inner), .byShape(let inner?, _, _):
      inner.reference
    default: nil
    }
  }
}
