/// Puts values in place of names that unrolling binds: parameters of blocks, `item` and `index`, values of the matrix.
///
/// Variables were put in before, so what is left in a text are holes; those that nothing here binds stay for the run.
struct PlaceholderFilling {
  /// Values by name. `matrix.lang` is one name; `item.url` is a part of `item`.
  struct Bindings {
    struct Value {
      var node: YAMLNode
      fileprivate var measure: Measure
    }
    fileprivate var values: [String: Value] = [:]

    var isEmpty: Bool { values.isEmpty }

    /// - Returns: Whether the value is not too deep to be put anywhere.
    mutating func bind(_ name: String, to node: YAMLNode) -> Bool {
      let measure = PlaceholderFilling.measure(node)
      values[name] = Value(node: node, measure: measure)
      return measure.depth <= YAMLDocument.Limit.depth
    }

    fileprivate func without(_ names: [String]) -> Bindings {
      var rest = self
      for name in names { rest.values[name] = nil }
      return rest
    }
  }

  /// What filling may add to a document.
  enum Limit {
    static let nodes = YAMLDocument.Limit.nodes
    static let textBytes = 8 << 20
    /// Keys that are looked at for parts of values.
    static let lookups = 5_000_000
  }

  private var addedNodes = 0
  private var addedBytes = 0
  private var lookups = 0
  /// Whether a limit was reached; it is reported once.
  private var isExhausted = false

  /// The node with what is bound put in; `nil` when nothing changes, so that nothing is copied.
  mutating func filled(
    _ node: YAMLNode, with bindings: Bindings, reportingTo problems: DiagnosticCollector
  ) -> YAMLNode? {
    switch node.content {
    case .scalar(let scalar):
      guard let deferred = scalar.deferred, !bindings.isEmpty else { return nil }
      return filled(deferred, scalar, of: node, bindings, problems)
    case .sequence(let items):
      var result: [YAMLNode]?
      for (index, item) in items.enumerated() {
        guard let item = filled(item, with: bindings, reportingTo: problems) else { continue }
        if result == nil { result = items }
        result?[index] = item
      }
      return result.map { YAMLNode(.sequence($0), span: node.span, substitutedAt: node.substitutedAt) }
    case .mapping(let pairs):
      var result: [YAMLNode.Pair]?
      for (index, pair) in pairs.enumerated() {
        let value =
          pair.key.text == "for_each"
          ? filledLoop(pair.value, with: bindings, reportingTo: problems)
          : filled(pair.value, with: bindings, reportingTo: problems)
        guard let value else { continue }
        if result == nil { result = pairs }
        result?[index].value = value
      }
      return result.map { YAMLNode(.mapping($0), span: node.span, substitutedAt: node.substitutedAt) }
    }
  }

  /// A loop's own `item` and `index` hide those of the loop around it, but for its list.
  private mutating func filledLoop(
    _ node: YAMLNode, with bindings: Bindings, reportingTo problems: DiagnosticCollector
  ) -> YAMLNode? {
    guard let pairs = node.pairs else { return filled(node, with: bindings, reportingTo: problems) }
    let inner = bindings.without(["item", "index"])
    var result: [YAMLNode.Pair]?
    for (index, pair) in pairs.enumerated() {
      let value = filled(pair.value, with: pair.key.text == "steps" ? inner : bindings, reportingTo: problems)
      guard let value else { continue }
      if result == nil { result = pairs }
      result?[index].value = value
    }
    return result.map { YAMLNode(.mapping($0), span: node.span, substitutedAt: node.substitutedAt) }
  }

  // MARK: Scalars

  private mutating func filled(
    _ deferred: Plan.Template, _ scalar: YAMLNode.Scalar, of node: YAMLNode, _ bindings: Bindings,
    _ problems: DiagnosticCollector
  ) -> YAMLNode? {
    var parts: [Plan.Template.Part] = []
    var isChanged = false
    var isSound = true
    var origins = scalar.filledFrom
    for part in deferred.parts {
      guard case .value(let name) = part, let (value, measure) = value(name, bindings, at: node, &isSound, problems)
      else {
        parts.append(part)
        continue
      }
      isChanged = true
      if deferred.parts.count == 1 { return whole(value, measure, in: node, problems) }
      if origins.count < 3 { origins.append(value.span) }
      guard let inner = value.planText else {
        problems.report(
          Diagnostic(
            .error, .t210,
            "`\(name)` is a \(value.items == nil ? "map" : "list"), inside a text only one value can stand",
            at: .init(node.span), related: [.init(value.span, "the value")],
            footers: [.help("`${\(name)}` alone can be of any shape")]))
        isSound = false
        continue
      }
      parts += inner.parts
    }
    guard isSound else { return Self.broken(node) }
    guard isChanged else { return nil }
    return text(parts, scalar, in: node, from: origins, problems)
  }

  private mutating func text(
    _ parts: [Plan.Template.Part], _ scalar: YAMLNode.Scalar, in node: YAMLNode, from origins: [SourceSpan],
    _ problems: DiagnosticCollector
  ) -> YAMLNode {
    var text = ""
    var joined: [Plan.Template.Part] = []
    for part in parts {
      switch part {
      case .text(let piece):
        text += piece
        if case .text(let before)? = joined.last {
          joined[joined.count - 1] = .text(before + piece)
        } else {
          joined.append(part)
        }
      case .value: joined.append(part)
      }
      if text.utf8.count > Substitution.Limit.scalarBytes { break }
    }
    addedBytes += text.utf8.count
    if text.utf8.count > Substitution.Limit.scalarBytes || addedBytes > Limit.textBytes {
      if text.utf8.count <= Substitution.Limit.scalarBytes {
        if !isExhausted { reportTooLarge(node, problems) }
      } else {
        problems.report(
          Diagnostic(
            .error, .y311, "this text is longer than 64 KiB once its values are put in",
            at: .init(node.span, "too long")))
      }
      return Self.broken(node)
    }
    var result = scalar
    let isDeferred = joined.contains { if case .value = $0 { true } else { false } }
    result.deferred = isDeferred ? Plan.Template(joined) : nil
    if !isDeferred { result.text = text }
    // Messages name both the text and the values in it.
    result.filledFrom = origins
    return YAMLNode(.scalar(result), span: node.span, substitutedAt: node.span)
  }

  private mutating func whole(
    _ value: YAMLNode, _ measure: Measure, in node: YAMLNode, _ problems: DiagnosticCollector
  ) -> YAMLNode {
    addedNodes += measure.size - 1
    addedBytes += measure.bytes
    if addedBytes > Limit.textBytes, !isExhausted {
      reportTooLarge(node, problems)
      return Self.broken(node)
    }
    if addedNodes > Limit.nodes || isExhausted {
      exhaust(at: node, problems)
      return Self.broken(node)
    }
    var result = value
    result.substitutedAt = node.span
    return result
  }

  private mutating func reportTooLarge(_ node: YAMLNode, _ problems: DiagnosticCollector) {
    isExhausted = true
    problems.reportAndStop(
      Diagnostic(
        .error, .y311, "this document is larger than 8 MiB once its values are put in",
        at: .init(node.span, "too long")))
  }

  private mutating func exhaust(at node: YAMLNode, _ problems: DiagnosticCollector) {
    guard !isExhausted else { return }
    isExhausted = true
    problems.reportAndStop(
      Diagnostic(
        .error, .y302, "unrolling expands this document to more than \(Limit.nodes) nodes",
        at: .init(node.span, "stopped here")))
  }

  /// A value that nothing more is said about.
  private static func broken(_ node: YAMLNode) -> YAMLNode {
    YAMLNode(
      .scalar(.init(text: "", style: .plain, deferred: Plan.Template([.value("")]))), span: node.span,
      substitutedAt: node.span)
  }

  /// What a name is bound to, by its whole or by what its path begins with.
  private mutating func value(
    _ name: String, _ bindings: Bindings, at node: YAMLNode, _ isSound: inout Bool,
    _ problems: DiagnosticCollector
  ) -> (node: YAMLNode, measure: Measure)? {
    if let value = bindings.values[name] { return (value.node, value.measure) }
    // A value of the matrix is bound with its dot: `matrix.film`.
    guard let whole = name.dottedPrefixes.first(where: { bindings.values[$0] != nil }),
      let head = bindings.values[whole]
    else {
      return nil
    }
    let parts = name.dropFirst(whole.count + 1).split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    var current = head.node
    for (index, part) in parts.enumerated() {
      // What the run knows may have any parts.
      if let inner = current.savedName {
        let rest = ([inner] + parts[index...]).joined(separator: ".")
        let scalar = YAMLNode.Scalar(text: "", style: .plain, deferred: Plan.Template([.value(rest)]))
        return (YAMLNode(.scalar(scalar), span: current.span, substitutedAt: current.substitutedAt), Measure())
      }
      lookups += current.pairs?.count ?? 0
      if lookups > Limit.lookups {
        exhaust(at: node, problems)
        isSound = false
        return nil
      }
      guard let next = current.pairs?.first(where: { $0.key.text == part })?.value else {
        let known = (current.pairs ?? []).prefix(500).map(\.key.text)
        let suggestion = problems.budget.allowsSuggestions ? Suggestions.nearest(to: part, among: known) : nil
        problems.report(
          Diagnostic(
            .error, .n401, "`\(ScalarText.shown(whole))` has nothing called `\(ScalarText.shown(part))` here",
            at: .init(node.span, suggestion.map { "did you mean `\($0)`?" } ?? ""),
            related: [.init(head.node.span, "its value")],
            footers: known.isEmpty ? [.help("it is one value, not a map")] : []))
        isSound = false
        return nil
      }
      current = next
    }
    return (current, Self.measure(current))
  }

  /// What a value costs where it is put in.
  struct Measure {
    /// Nodes in it, itself included.
    var size = 1
    var depth = 1
    /// Of all its texts.
    var bytes = 0
  }

  static func measure(_ node: YAMLNode) -> Measure {
    var measure = Measure()
    func add(_ child: YAMLNode) {
      let inner = self.measure(child)
      measure.size += inner.size
      measure.depth = max(measure.depth, inner.depth + 1)
      measure.bytes += inner.bytes
    }
    switch node.content {
    case .scalar(let scalar): measure.bytes = scalar.text.utf8.count
    case .sequence(let items): for item in items { add(item) }
    case .mapping(let pairs): for pair in pairs { add(pair.value) }
    }
    return measure
  }
}
