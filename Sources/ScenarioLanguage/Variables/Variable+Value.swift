import CastProtocol

extension Variable {
  /// The kind of scalar it is declared with, as values of the run have it; `nil` without a declaration and for others.
  private var kind: ScalarKind? {
    guard let name = declaration.map({ $0.fields.text("type") ?? "text" }) else { return nil }
    return ScalarKind.allCases.first { $0.spec.variable?.name == name }
  }

  /// The declared type as values of the run have it.
  var valueType: StatusField.ValueType {
    if let kind { return kind.spec.variable?.value ?? .text }
    return switch declaration?.fields.text("type") {
    case "list": .list(of: .free)
    case nil, "map": .free
    default: .text
    }
  }

  /// A sound value as the run keeps it: durations in seconds, percentages in percent points.
  func json(_ node: YAMLNode, reportingTo problems: DiagnosticCollector) -> JSONValue? {
    guard let text = node.text else {
      let before = problems.errorCount
      let value = FreeData.json(node, reportingTo: problems)
      return problems.errorCount == before ? value : nil
    }
    guard let declaration else {
      // Without a declared type a value is spelled as free data is, but nothing in it can be ambiguous.
      let ignored = DiagnosticCollector()
      let value = FreeData.json(node, reportingTo: ignored)
      return ignored.hasErrors ? .string(text) : value
    }
    guard let type = declaration.type, case .scalar = type else { return .string(text) }
    return type.value(of: text)?.json(text)
  }
}
