/// Turns libyaml's events into nodes and counts what they cost before it builds them.
struct YAMLComposer {
  private typealias Limit = YAMLDocument.Limit

  private struct Anchor {
    var name: String
    var node: YAMLNode
    /// Nodes in it, itself included.
    var size: Int
    var span: SourceSpan
  }

  private let parser: LibYAML
  private let text: SourceText
  private let file: FileName
  let diagnostics: DiagnosticCollector
  /// In the order in which their names were defined first.
  private var anchors: [Anchor] = []
  private var anchorPlaces: [String: Int] = [:]
  private var openAnchors: [String: SourceSpan] = [:]
  private var alreadyReported: Set<YAMLDocument.Place> = []
  private var nodeCount = 0
  private var aliasCount = 0
  private var aliasNodeCount = 0

  init(_ parser: LibYAML, _ text: SourceText, _ diagnostics: DiagnosticCollector) {
    self.parser = parser
    self.text = text
    file = FileName(text.name)
    self.diagnostics = diagnostics
  }

  mutating func document() throws(YAMLFailure) -> YAMLDocument? {
    var root: YAMLNode?
    while true {
      let event = try parser.event()
      switch event.kind {
      case .streamEnd:
        if root == nil {
          let span = SourceSpan(file: file, line: 1, column: 1, endLine: 1, endColumn: 2)
          report(.k105, "this document is empty", at: span, help: "a scenario begins with `scenario: title`")
        }
        return root.map { YAMLDocument(root: $0, alreadyReported: alreadyReported) }
      case .documentStart where root != nil:
        report(
          .y305, "a file holds one document, a second one begins here", at: span(event.start, length: 3),
          help: "put it into a file of its own")
        return root.map { YAMLDocument(root: $0, alreadyReported: alreadyReported, isCut: true) }
      case .documentStart:
        if event.hasDirectives { reportDirective(event) }
      case .streamStart, .documentEnd: continue
      default: root = try node(event, depth: 1).node
      }
    }
  }

  // MARK: Nodes

  private mutating func node(_ event: YAMLEvent, depth: Int) throws(YAMLFailure) -> (node: YAMLNode, size: Int) {
    try count(event, depth: depth)
    if event.kind == .alias { return try alias(event) }
    if let tag = event.tag { reportTag(tag, event) }
    let anchorSpan = event.anchor.map { span(event.start, length: $0.unicodeScalars.count + 1) }
    if let name = event.anchor, event.kind != .scalar { openAnchors[name] = anchorSpan }
    var result: (node: YAMLNode, size: Int)
    switch event.kind {
    case .sequenceStart: result = try sequence(event, depth: depth)
    case .mappingStart: result = try mapping(event, depth: depth)
    default:
      let start = event.anchor == nil && event.tag == nil ? event.start : contentStart(event)
      if event.tag != nil { alreadyReported.insert(start) }
      let span = span(start, event.end)
      var scalar = YAMLNode.Scalar(text: "", style: .plain)
      if event.tag == nil { scalar = visible(event.scalar, at: span) } else { scalar.isRefused = true }
      result = (YAMLNode(.scalar(scalar), span: span), 1)
    }
    if let name = event.anchor {
      if event.kind != .scalar { openAnchors[name] = nil }
      define(Anchor(name: name, node: result.node, size: result.size, span: anchorSpan ?? result.node.span))
    }
    return result
  }

  private mutating func sequence(_ event: YAMLEvent, depth: Int) throws(YAMLFailure) -> (node: YAMLNode, size: Int) {
    var items: [YAMLNode] = []
    var size = 1
    while true {
      let next = try parser.event()
      if next.kind == .sequenceEnd {
        let span = span(event, to: next, last: items.last?.span)
        return (YAMLNode(.sequence(items), span: span), size)
      }
      let item = try node(next, depth: depth + 1)
      items.append(item.node)
      size += item.size
    }
  }

  private mutating func mapping(_ event: YAMLEvent, depth: Int) throws(YAMLFailure) -> (node: YAMLNode, size: Int) {
    var pairs: [YAMLNode.Pair] = []
    // Where keys are in `pairs`; a few are found as fast without.
    var places: [String: Int32] = [:]
    let few = 8
    var size = 1
    while true {
      let next = try parser.event()
      if next.kind == .mappingEnd {
        let span = span(event, to: next, last: pairs.last?.value.span)
        return (YAMLNode(.mapping(pairs), span: span), size)
      }
      let key = try key(next, depth: depth + 1)
      let valueEvent = try parser.event()
      if let key, key.text == "<<" {
        reportMergeKey(key, valueEvent)
        alreadyReported.insert(event.start)
      }
      let value = try node(valueEvent, depth: depth + 1)
      size += 1 + value.size
      if key == nil { alreadyReported.insert(event.start) }
      guard let key, key.text != "<<" else { continue }
      let first =
        pairs.count <= few
        ? pairs.index(of: key.text)
        : places.updateValue(Int32(pairs.count), forKey: key.text).map { Int($0) }
      if let first {
        if pairs.count > few { places[key.text] = Int32(first) }
        diagnostics.report(.duplicate(key, first: pairs[first].key.span))
        continue
      }
      pairs.append(YAMLNode.Pair(key: key, value: value.node))
      if pairs.count == few + 1 {
        for (index, pair) in pairs.enumerated() { places[pair.key.text] = Int32(index) }
      }
    }
  }

  private mutating func key(_ event: YAMLEvent, depth: Int) throws(YAMLFailure) -> YAMLNode.Key? {
    guard event.kind == .scalar else {
      if event.kind == .alias {
        report(.y307, "a key cannot be an alias", at: span(event.start, event.end), help: "write the key out")
        try count(event, depth: depth)
        return nil
      }
      let start = event.start
      _ = try node(event, depth: depth)
      let line = text.line(start.line).unicodeScalars.dropFirst(max(start.column - 2, 0))
      let isTemplate = line.starts(with: "{{".unicodeScalars)
      report(
        .y307, "a key is one word, not a list or a map", at: span(start, length: 1),
        help: isTemplate ? "a variable is put in by `${name}`, not by `{{ name }}`" : "quote it if it is text")
      return nil
    }
    try count(event, depth: depth)
    if let tag = event.tag { reportTag(tag, event) }
    let start = event.anchor == nil && event.tag == nil ? event.start : contentStart(event)
    let span = span(start, event.end)
    let key = YAMLNode.Key(text: visible(event.scalar, at: span).text, span: span)
    if let name = event.anchor {
      define(Anchor(name: name, node: YAMLNode(.scalar(event.scalar), span: key.span), size: 1, span: key.span))
    }
    if key.text.isEmpty {
      report(.y307, "a key is empty", at: self.span(start, length: 1), help: "write `key: value`")
      return nil
    }
    return key
  }

  private mutating func define(_ anchor: Anchor) {
    if let place = anchorPlaces[anchor.name] {
      anchors[place] = anchor
    } else {
      anchorPlaces[anchor.name] = anchors.count
      anchors.append(anchor)
    }
  }

  private mutating func alias(_ event: YAMLEvent) throws(YAMLFailure) -> (node: YAMLNode, size: Int) {
    let name = event.anchor ?? ""
    let place = span(event.start, event.end)
    aliasCount += 1
    if aliasCount > Limit.aliases {
      throw stop(.y302, "more than \(Limit.aliases) aliases in this document", at: place, label: "one too many")
    }
    guard let anchor = anchorPlaces[name].map({ anchors[$0] }), openAnchors[name] == nil else {
      alreadyReported.insert(YAMLDocument.Place(line: place.line, column: place.column))
      if let open = openAnchors[name] {
        diagnostics.report(
          .error, .y310, "`*\(ScalarText.shown(name))` is inside what it stands for",
          at: .init(place, "would never end"),
          related: [.init(open, "`&\(ScalarText.shown(name))` begins here")])
      } else {
        reportUnknownAnchor(name, place)
      }
      return (YAMLNode(.scalar(.init(text: "", style: .plain)), span: place), 1)
    }
    aliasNodeCount += anchor.size
    if aliasNodeCount > Limit.nodesFromAliases {
      throw stop(
        .y302, "aliases expand this document to more than \(Limit.nodesFromAliases) nodes", at: place,
        label: "stopped here after \(Limit.nodesFromAliases) nodes")
    }
    nodeCount += anchor.size
    var copy = anchor.node
    copy.span = place
    return (copy, anchor.size)
  }

  private mutating func count(_ event: YAMLEvent, depth: Int) throws(YAMLFailure) {
    nodeCount += 1
    if diagnostics.budget.isSpent { throw .reported(event.start) }
    if nodeCount > Limit.nodes {
      diagnostics.report(
        .error, .y311, "this document has more than \(Limit.nodes) nodes",
        at: .init(span(event.start, length: 1), "stopped here"),
        footers: [.help("split it: definitions can live in a `library:`")])
      throw .reported(event.start)
    }
    // A scalar in the innermost collection is no level of its own.
    let isCollection = event.kind == .mappingStart || event.kind == .sequenceStart
    if isCollection, depth > Limit.depth {
      diagnostics.report(
        .error, .y311, "this document is nested deeper than \(Limit.depth) levels",
        at: .init(span(event.start, length: 1), "level \(depth)"))
      throw .reported(event.start)
    }
  }

  // MARK: Messages

  /// The text without invisible characters at its ends, each of which is reported.
  private mutating func visible(_ scalar: YAMLNode.Scalar, at span: SourceSpan) -> YAMLNode.Scalar {
    if scalar.text.utf8.allSatisfy({ $0 < 0x80 }) || span.line != span.endLine { return scalar }
    var scalars = Array(scalar.text.unicodeScalars)[...]
    let quotes = scalar.style.quotes
    // An escape stands for what was meant.
    guard span.endColumn - span.column == scalars.count + 2 * quotes else { return scalar }
    let isLatin = scalars.allSatisfy { $0.isASCII || Lookalike.isInvisible($0) }
    func isStray(_ scalar: Unicode.Scalar?) -> Bool {
      scalar.map { Lookalike.isInvisible($0) && (isLatin || !Lookalike.isOfWriting($0)) } ?? false
    }
    let column = span.column + quotes
    while let first = scalars.first, isStray(first) {
      if !diagnostics.budget.isSpent { reportInvisible(first, line: span.line, column: column + scalars.startIndex) }
      scalars.removeFirst()
    }
    while let last = scalars.last, isStray(last) {
      if !diagnostics.budget.isSpent { reportInvisible(last, line: span.line, column: column + scalars.endIndex - 1) }
      scalars.removeLast()
    }
    var result = scalar
    result.text = String(String.UnicodeScalarView(scalars))
    return result
  }

  private mutating func reportInvisible(_ scalar: Unicode.Scalar, line: Int, column: Int) {
    let span = SourceSpan(file: file, line: line, column: column, endLine: line, endColumn: column + 1)
    let number = Lookalike.number(of: scalar)
    report(
      .y308, "a character that cannot be seen", at: span, label: "\(number)",
      help: "remove it; in double quotes the escape `\\u\(number.dropFirst(2))` can stand for it")
  }

  private mutating func report(
    _ code: Code, _ message: String, at span: SourceSpan, label: String = "", help: String
  ) {
    diagnostics.report(.error, code, message, at: .init(span, label), footers: [.help(help)])
  }

  private mutating func stop(_ code: Code, _ message: String, at span: SourceSpan, label: String) -> YAMLFailure {
    diagnostics.report(
      .error, code, message, at: .init(span, label),
      footers: [
        .help("name things under `media:` or `blocks:` and refer to them by id"),
        .note(
          "limits are \(Limit.nodesFromAliases) nodes, \(Limit.aliases) aliases, depth \(Limit.depth), 1 MiB; "
            + "nothing was built in memory"),
      ])
    return .reported(YAMLDocument.Place(line: span.line, column: span.column))
  }

  private mutating func reportUnknownAnchor(_ name: String, _ place: SourceSpan) {
    let suggestion =
      diagnostics.budget.allowsSuggestions ? Suggestions.nearest(to: name, among: anchors.lazy.map(\.name)) : nil
    var nameSpan = place
    if place.line == place.endLine, place.endColumn > place.column + 1 { nameSpan.column += 1 }
    var related: [Diagnostic.Label] = []
    if let known = suggestion.flatMap({ anchorPlaces[$0] }).map({ anchors[$0].span }) ?? anchors.last?.span {
      let names = ScalarText.listed(anchors.lazy.map { ScalarText.shown($0.name) })
      related = [.init(known, "anchors defined so far: \(names)")]
    }
    let label = Suggestions.label(suggestion.map { "*\(ScalarText.shown($0))" })
    let footers: [Diagnostic.Footer] = suggestion == nil ? [.help("quote a text that begins with `*`")] : []
    diagnostics.report(
      .error, .y301, "unknown anchor `\(ScalarText.shown(name))`", at: .init(nameSpan, label),
      related: related, footers: footers)
  }

  private mutating func reportMergeKey(_ key: YAMLNode.Key, _ value: YAMLEvent) {
    let like = value.kind == .alias ? "like: \(ScalarText.shown(value.anchor ?? ""))" : "like:"
    report(
      .y303, "merge keys (`<<`) are not supported", at: key.span, help: "`\(like)` does this, and is type-checked")
  }

  private mutating func reportTag(_ tag: String, _ event: YAMLEvent) {
    let start = event.start.line
    var offset = event.start.column - 1
    var written = text.word(inLine: start, from: offset)
    if written.first == "&" {
      offset += written.count
      offset += text.space(inLine: start, from: offset).count
      written = text.word(inLine: start, from: offset)
    }
    let shown =
      written.first == "!" ? ScalarText.shown(String(String.UnicodeScalarView(written))) : ScalarText.shown(tag)
    let span = SourceSpan(
      file: file, line: start, column: offset + 1, endLine: start, endColumn: offset + 1 + max(written.count, 1))
    let help =
      switch shown {
      case "!include": "use `include:`"
      case "!secret", "!env_var", "!env": "use `secrets:` or `vars:` with `env:`"
      default: "leave it out: the field decides how a value is read"
      }
    report(.y306, "tags (`\(shown)`) are not supported", at: span, help: help)
  }

  static let directiveHelp = "leave it out: every document is YAML 1.2"

  private mutating func reportDirective(_ event: YAMLEvent) {
    let start = event.start
    let word = text.line(start.line).unicodeScalars.dropFirst(start.column - 1).prefix { $0 != " " && $0 != "\t" }
    report(
      .y306, "directives (`\(ScalarText.shown(Substring(word)))`) are not supported",
      at: span(start, length: max(word.count, 1)), help: Self.directiveHelp)
  }

  // MARK: Places

  private func span(_ start: YAMLDocument.Place, _ end: YAMLDocument.Place) -> SourceSpan {
    var end = end
    // The end of the text may count as a line more.
    if end.line > text.lineCount {
      end.line = text.lineCount
      end.column = text.line(end.line).unicodeScalars.count + 1
    }
    return SourceSpan(
      file: file, line: start.line, column: start.column, endLine: end.line, endColumn: end.column)
  }

  /// The place of a collection: one without a closing bracket ends where its last part does.
  private func span(_ start: YAMLEvent, to end: YAMLEvent, last: SourceSpan?) -> SourceSpan {
    guard end.isEmpty, let last else { return span(start.start, end.end) }
    return span(start.start, YAMLDocument.Place(line: last.endLine, column: last.endColumn))
  }

  private func span(_ start: YAMLDocument.Place, length: Int) -> SourceSpan {
    span(start, YAMLDocument.Place(line: start.line, column: start.column + length))
  }

  /// Where a scalar itself begins: the event's own mark is at its anchor or tag.
  private func contentStart(_ event: YAMLEvent) -> YAMLDocument.Place {
    var place = event.start
    let end = event.end
    while (place.line, place.column) < (end.line, end.column) {
      let offset = place.column - 1
      guard let first = text.scalar(ofLine: place.line, at: offset), first != "#" else {
        place = YAMLDocument.Place(line: place.line + 1, column: 1)
        continue
      }
      if first == "&" || first == "!" {
        place.column += text.word(inLine: place.line, from: offset).count
      } else if first == " " || first.properties.isWhitespace {
        place.column += text.space(inLine: place.line, from: offset).count
      } else {
        return place
      }
    }
    return end
  }
}
