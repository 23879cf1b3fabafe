/// Puts values in place of the placeholders in a document's texts.
///
/// It is used twice, with other names: ``Substitution`` puts in variables before anything is checked, and
/// ``PlaceholderFilling`` what unrolling binds: parameters, `item` and `index`, values of the matrix.
/// What is put in is not looked through again. With `film` as `{ url: https://e.com/a.mp4 }` and `n` as `3`
///
///     { load: "${film}", title: "part ${n} on ${device.name}" }
///
/// becomes
///
///     { load: { url: https://e.com/a.mp4 }, title: [.text("part 3 on "), .value("device.name")] }
protocol TemplateFilling {
  var problems: DiagnosticCollector { get }
  static var use: TemplateUse { get }
  var spent: TemplateCost { get set }

  /// The parts of a scalar's text; `nil` where it has no placeholder that could be filled.
  func written(_ scalar: YAMLNode.Scalar, in node: YAMLNode) -> WrittenTemplate?

  /// What a name stands for; `place` is that of its placeholder.
  mutating func value(of name: String, at place: SourceSpan, in node: YAMLNode) -> TemplateLookup

  /// Fills the steps of a `for_each`, whose `item` and `index` are its own.
  mutating func inLoop(_ fill: (inout Self) -> YAMLNode?) -> YAMLNode?

  /// Looks at a key and its value before the value is filled.
  mutating func visit(_ key: YAMLNode.Key, _ value: YAMLNode)
}

enum TemplateUse {
  case variables, unrolling

  /// What adds to the document, and what it adds.
  fileprivate var words: (subject: String, values: String) {
    switch self {
    case .variables: ("variables expand", "variables")
    case .unrolling: ("unrolling expands", "values")
    }
  }
}

/// What filling has added to a document so far, so that a short one cannot become a huge one.
struct TemplateCost {
  enum Limit {
    static let scalarBytes = 64 << 10
    static let textBytes = 8 << 20
    static let nodes = YAMLDocument.Limit.nodes
    /// Placeholders of unrolled steps, and keys that are looked at for parts of their values.
    static let lookups = 5_000_000
  }

  fileprivate(set) var nodes = 0
  fileprivate(set) var bytes = 0
  fileprivate(set) var lookups = 0
  /// Whether a limit was reached; it is reported once.
  fileprivate(set) var isExhausted = false
}

/// A scalar's text taken apart.
struct WrittenTemplate {
  var parts: [Template.Part]
  /// Where each part stands in the text, as ``TemplateText`` has it; empty where nobody knows.
  var ranges: [Range<Int>] = []
  var length: Int?
  /// Whether the parts are new: the text becomes what they say even if no value is put in.
  var isNew = false
}

/// What a name stands for.
enum TemplateLookup {
  case known(TemplateValue)
  /// It stays a placeholder: something later fills it, or a message about the name was given.
  case later
  /// A message says what is wrong, and nothing is to be said about the text any more.
  case reported
}

/// A value that can be put in, with what makes it cheap to do so many times.
final class TemplateValue {
  let node: YAMLNode
  private(set) lazy var measure = node.measure
  /// Where the keys of larger maps are, by the path to the map.
  private var keys: [String: [String: Int]] = [:]

  init(_ node: YAMLNode) { self.node = node }

  /// A part of a map in the value by its key; `path` leads to the map. Adds the keys it looked at to `lookups`.
  fileprivate func part(
    _ key: String, of map: YAMLNode, at path: ArraySlice<String>, _ lookups: inout Int
  ) -> YAMLNode? {
    guard let pairs = map.pairs else { return nil }
    if pairs.count <= 8 {
      lookups += pairs.count
      return pairs.first { $0.key.text == key }?.value
    }
    let name = path.joined(separator: ".")
    if keys[name] == nil {
      lookups += pairs.count
      keys[name] = Dictionary(
        pairs.enumerated().map { ($0.element.key.text, $0.offset) }, uniquingKeysWith: { first, _ in first })
    }
    return keys[name]?[key].map { pairs[$0].value }
  }
}

extension YAMLNode {
  /// The node as a value that nothing more is said about.
  fileprivate var alreadyReported: YAMLNode {
    YAMLNode(.scalar(.init(text: "", style: .plain, deferred: .alreadyReported)), span: span, substitutedAt: span)
  }
}

extension TemplateFilling {
  private typealias Limit = TemplateCost.Limit

  /// The node with its placeholders filled; `nil` when there is nothing to change, so that nothing is copied.
  mutating func filled(_ node: YAMLNode, depth: Int) -> YAMLNode? {
    if Self.use == .variables, problems.budget.isSpent { return nil }
    if case .scalar(let scalar) = node.content { return filled(scalar, of: node, depth) }
    return node.mapped { key, child in
      guard let key else { return filled(child, depth: depth + 1) }
      visit(key, child)
      return key.text == "for_each" ? filledLoop(child, depth: depth + 1) : filled(child, depth: depth + 1)
    }
  }

  private mutating func filledLoop(_ node: YAMLNode, depth: Int) -> YAMLNode? {
    guard node.pairs != nil else { return filled(node, depth: depth) }
    return node.mapped { key, child in
      // The list of the loop is outside it.
      key?.text == "steps" ? inLoop { $0.filled(child, depth: depth + 1) } : filled(child, depth: depth + 1)
    }
  }

  // MARK: Scalars

  private mutating func filled(_ scalar: YAMLNode.Scalar, of node: YAMLNode, _ depth: Int) -> YAMLNode? {
    guard let written = written(scalar, in: node) else { return nil }
    if spent.isExhausted { return node.alreadyReported }
    var parts: [Template.Part] = []
    var isChanged = written.isNew
    var isSound = true
    var origins = scalar.filledFrom
    for (index, part) in written.parts.enumerated() {
      guard case .value(let name) = part else {
        parts.append(part)
        continue
      }
      if Self.use == .variables, problems.budget.isSpent { return nil }
      let place = written.ranges.isEmpty ? node.span : node.span(of: written.ranges[index], length: written.length)
      switch value(of: name, at: place, in: node) {
      case .later: parts.append(part)
      case .reported: isSound = false
      case .known(let value):
        isChanged = true
        if written.parts.count == 1 { return whole(value, in: node, depth) }
        guard let inner = value.node.planText else {
          reportShape(of: value.node, name, at: place)
          isSound = false
          continue
        }
        // What was too long stays so wherever it is put in.
        if inner == .alreadyReported { return node.alreadyReported }
        if Self.use == .unrolling, origins.count < 3 { origins.append(value.node.span) }
        parts += inner.parts
      }
    }
    if !isSound { return node.alreadyReported }
    return isChanged ? text(parts, scalar, in: node, from: origins) : nil
  }

  /// Several parts as one text, or as one template where a placeholder is left.
  private mutating func text(
    _ parts: [Template.Part], _ scalar: YAMLNode.Scalar, in node: YAMLNode, from origins: [SourceSpan]
  ) -> YAMLNode {
    var length = 0
    for part in parts {
      switch part {
      case .text(let text): length += text.utf8.count
      // As long as it is written: what is filled later multiplies, too.
      case .value(let name): length += name.utf8.count + 3
      }
    }
    if length > Limit.scalarBytes {
      spent.bytes += length
      problems.report(
        .error, .y311, "this text is longer than 64 KiB once its \(Self.use.words.values) are put in",
        at: .init(node.span, "too long"))
      return node.alreadyReported
    }
    guard pay(bytes: length, at: node) else { return node.alreadyReported }
    // Neighbouring texts are one.
    var joined: [Template.Part] = []
    var text = ""
    for part in parts {
      if case .text(let piece) = part {
        text += piece
        continue
      }
      if !text.isEmpty { joined.append(.text(text)) }
      text = ""
      joined.append(part)
    }
    var result = scalar
    result.value = nil
    if joined.isEmpty {
      result.deferred = nil
      result.text = text
    } else {
      if !text.isEmpty { joined.append(.text(text)) }
      result.deferred = Template(joined)
    }
    // Messages name both the text and the values in it.
    result.filledFrom = origins
    return YAMLNode(.scalar(result), span: node.span, substitutedAt: node.span)
  }

  /// `${x}` alone: the node bound to it, of any shape.
  private mutating func whole(_ value: TemplateValue, in node: YAMLNode, _ depth: Int) -> YAMLNode {
    guard pay(nodes: value.measure.size - 1, bytes: value.measure.bytes, at: node) else { return node.alreadyReported }
    if Self.use == .variables, depth + value.measure.depth > YAMLDocument.Limit.depth + 1 {
      problems.report(
        .error, .y311, "variables nest this document deeper than \(YAMLDocument.Limit.depth) levels",
        at: .init(node.span, "stopped here"))
      return node.alreadyReported
    }
    var result = value.node
    result.substitutedAt = node.span
    return result
  }

  private func reportShape(of value: YAMLNode, _ name: String, at place: SourceSpan) {
    problems.report(
      .error, .t210,
      "`\(name)` is a \(value.items == nil ? "map" : "list"), inside a text only one value can stand",
      at: .init(place), related: Self.use == .unrolling ? [.init(value.span, "the value")] : [],
      footers: [.help("`${\(name)}` alone can be of any shape")])
  }

  // MARK: Parts of values

  /// What a path leads to in a value; `count` of its parts are the value's own name.
  mutating func part(
    _ path: [String], after count: Int, of value: TemplateValue, at place: SourceSpan, in node: YAMLNode
  ) -> TemplateLookup {
    var current = value.node
    for (index, key) in path.enumerated().dropFirst(count) {
      // What the run knows may have any parts.
      if Self.use == .unrolling, let inner = current.savedName {
        let rest = Template([.value(([inner] + path[index...]).joined(separator: "."))])
        let scalar = YAMLNode.Scalar(text: "", style: .plain, deferred: rest)
        return .known(
          TemplateValue(YAMLNode(.scalar(scalar), span: current.span, substitutedAt: current.substitutedAt)))
      }
      let next = value.part(key, of: current, at: path[..<index], &spent.lookups)
      guard pay(at: node) else { return .reported }
      guard let next else {
        let isUnrolling = Self.use == .unrolling
        let whole = path[..<count].joined(separator: ".")
        let known = current.pairs?.prefix(500).map(\.key.text) ?? []
        let suggestion = problems.budget.allowsSuggestions ? Suggestions.nearest(to: key, among: known) : nil
        problems.report(
          .error, .n401,
          "`\(ScalarText.shown(whole))` has nothing called `\(ScalarText.shown(key))`\(isUnrolling ? " here" : "")",
          at: .init(place, Suggestions.label(suggestion)),
          related: isUnrolling ? [.init(value.node.span, "its value")] : [],
          footers: known.isEmpty ? [.help("it is one value, not a map")] : [])
        return isUnrolling ? .reported : .later
      }
      current = next
    }
    return .known(count == path.count ? value : TemplateValue(current))
  }

  // MARK: Limits

  /// Counts what is added; `false` once it is too much, which is reported.
  mutating func pay(nodes: Int = 0, bytes: Int = 0, lookups: Int = 0, at node: YAMLNode) -> Bool {
    if spent.isExhausted { return false }
    spent.nodes += nodes
    spent.bytes += bytes
    spent.lookups += lookups
    if spent.bytes > Limit.textBytes {
      problems.reportAndStop(
        Diagnostic(
          .error, .y311, "this document is larger than 8 MiB once its \(Self.use.words.values) are put in",
          at: .init(node.span, "too long")))
    } else if spent.nodes > Limit.nodes || spent.lookups > Limit.lookups {
      problems.reportAndStop(
        Diagnostic(
          .error, .y302, "\(Self.use.words.subject) this document to more than \(Limit.nodes) nodes",
          at: .init(node.span, "stopped here")))
    } else {
      return true
    }
    spent.isExhausted = true
    return false
  }
}
