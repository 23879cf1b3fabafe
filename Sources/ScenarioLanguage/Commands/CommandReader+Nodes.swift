import CastProtocol

/// Words as the readers of documents take them: with their places.
extension CommandReader {
  /// A word, where somebody typed it.
  func node(_ word: String) -> YAMLNode { node(word, at: line.span(of: word)) }

  /// - Parameter span: Where it stands.
  func node(_ word: String, at span: SourceSpan) -> YAMLNode {
    YAMLNode(.scalar(.init(text: word, style: .typed)), span: span)
  }

  /// What the command itself says, which stands nowhere.
  func fixed(_ word: String) -> YAMLNode { node(word, at: line.span) }

  func list(_ items: [YAMLNode]) -> YAMLNode { YAMLNode(.sequence(items), span: line.span) }

  /// A map whose keys the command chooses.
  func map(_ entries: [(key: String, value: YAMLNode?)]) -> YAMLNode {
    YAMLNode(
      .mapping(
        entries.compactMap { entry in
          entry.value.map { YAMLNode.Pair(key: YAMLNode.Key(text: entry.key, span: line.span), value: $0) }
        }), span: line.span)
  }

  /// A map whose keys are typed; one that stands twice is told.
  mutating func map(_ typed: [YAMLNode.Pair]) -> YAMLNode {
    var pairs: [YAMLNode.Pair] = []
    for pair in typed {
      if let first = pairs.first(where: { $0.key.text == pair.key.text }) {
        compiler.problems.report(.duplicate(pair.key, first: first.key.span))
      } else {
        pairs.append(pair)
      }
    }
    return YAMLNode(.mapping(pairs), span: line.span)
  }

  /// Free data: its texts are texts whatever they look like.
  func node(_ json: JSONValue) -> YAMLNode {
    switch json {
    case .string(let text): fixed(text)
    case .array(let items): list(items.map { node($0) })
    case .object(let object): map(object.members.map { ($0.name, node($0.value)) })
    default: YAMLNode(.scalar(.init(text: json.serialized(), style: .plain)), span: line.span)
    }
  }

  // MARK: reading

  /// Reads a word with the reader of its type, which says what is wrong with it.
  mutating func read<Value>(
    _ word: String, at span: SourceSpan? = nil, as type: FieldType, _ read: (String) throws(ScalarProblem) -> Value
  ) -> Value? {
    let node = node(word, at: span ?? line.span(of: word))
    if compiler.fieldReader.isEmptyOrDeferred(node, type, .init(name: "")) { return nil }
    do throws(ScalarProblem) { return try read(word) } catch {
      compiler.fieldReader.report(error, at: node)
      return nil
    }
  }

  /// What a word says as a value of a type, typed as it is.
  /// - Parameter name: What messages call the value.
  mutating func value(
    _ word: String, at span: SourceSpan? = nil, as type: FieldType, of name: String = ""
  ) -> ScalarValue? {
    read(word, at: span, as: type) { text throws(ScalarProblem) in
      var context = ScalarContext(field: name, isTyped: true)
      return try type.read(text, in: &context)
    }
  }

  /// Checks a node by the tables of documents; false when something was told.
  @discardableResult
  mutating func check(_ node: inout YAMLNode, as type: FieldType, named name: String = "") -> Bool {
    compiler.fieldReader.read(&node, as: type, field: .init(name: name, keySpan: line.span))
  }

  /// Whether no error was told meanwhile.
  mutating func reporting(_ body: (inout CommandReader) -> Void) -> Bool {
    let before = compiler.problems.errorCount
    body(&self)
    return compiler.problems.errorCount == before
  }

  /// The values of all the words; every word is read, and one that is wrong makes the result `nil`.
  mutating func all<Value>(_ words: [String], _ read: (inout CommandReader, String) -> Value?) -> [Value]? {
    var values: [Value] = []
    for word in words { if let value = read(&self, word) { values.append(value) } }
    return values.count == words.count ? values : nil
  }
}
