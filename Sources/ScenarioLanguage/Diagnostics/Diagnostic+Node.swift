extension Diagnostic {
  /// A problem with a value, under the value itself; where a variable brought it to its place, that is shown too.
  init(
    _ severity: Severity, _ code: Code, _ message: String, at node: YAMLNode, part: Range<Int>? = nil,
    _ label: String = "", related: [Label] = [], footers: [Footer] = []
  ) {
    let related = related + node.origins
    self.init(severity, code, message, at: Label(node.span(of: part), label), related: related, footers: footers)
  }

  init(_ problem: ScalarProblem, at node: YAMLNode) {
    self.init(
      .error, problem.code, problem.message, at: node, part: problem.range, problem.label, footers: problem.footers)
    commandLineHint = problem.commandLineHint
  }
}

extension Diagnostic {
  /// K104: a map has a key twice.
  static func duplicate(_ key: YAMLNode.Key, first: SourceSpan) -> Diagnostic {
    Diagnostic(
      .error, .k104, "duplicate key \(ScalarText.quoted(key.text))", at: .init(key.span, "set again here"),
      related: [.init(first, "first set here")],
      footers: [.note("most YAML tools would silently keep the last one")])
  }
}

extension YAMLNode {
  /// The other places that a message about the node names: where it is used, or what was put into it.
  var origins: [Diagnostic.Label] {
    if case .scalar(let scalar) = content, !scalar.filledFrom.isEmpty {
      return scalar.filledFrom.prefix(3).map { Diagnostic.Label($0, "with this value") }
    }
    guard let used = substitutedAt, used != span else { return [] }
    return [Diagnostic.Label(used, "used here")]
  }
}

extension YAMLNode.Pair {
  /// From the key's first to the value's last character.
  var span: SourceSpan {
    let end = value.place
    guard end.isInFile(of: key.span), (end.endLine, end.endColumn) >= (key.span.endLine, key.span.endColumn) else {
      return key.span
    }
    var span = key.span
    span.endLine = end.endLine
    span.endColumn = end.endColumn
    return span
  }
}
