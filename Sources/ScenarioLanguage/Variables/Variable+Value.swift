import CastProtocol

extension Variable {
  /// The declared type as values of the run have it.
  var valueType: StatusField.ValueType {
    switch declaration.map({ $0.text("type") ?? "text" }) {
    case nil: .free
    case "bool": .bool
    case "int": .int
    case "number", "factor": .number
    case "percent": .percent
    case "duration", "signed_duration": .duration
    case "color": .color
    case "list": .list(of: .free)
    case "map", "position": .free
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
    switch declaration.map({ $0.text("type") ?? "text" }) {
    case nil:
      // Without a declared type a value is spelled as free data is, but nothing in it can be ambiguous.
      let ignored = DiagnosticCollector()
      let value = FreeData.json(node, reportingTo: ignored)
      return ignored.hasErrors ? .string(text) : value
    case "bool": return (try? NumberScalar.bool(text)).map { .bool($0) }
    case "int": return (try? NumberScalar.int(text, in: .min ... .max)).map { .int($0) }
    case "number": return (try? NumberScalar.number(text, in: -.infinity ... .infinity)).map { JSONValue($0) }
    case "factor": return (try? NumberScalar.factor(text)).map { JSONValue($0) }
    case "percent":
      return (try? NumberScalar.percent(text, in: -.infinity ... .infinity, field: name)).map { JSONValue($0) }
    case "duration": return (try? DurationScalar.read(text)).map { JSONValue($0.seconds) }
    case "signed_duration": return (try? DurationScalar.read(text, signed: true)).map { JSONValue($0.seconds) }
    case "color": return (try? ColorScalar.read(text)).map { .string($0) }
    case "position":
      guard let position = try? PositionScalar.read(text) else { return nil }
      switch position {
      case .start: return "start"
      case .end: return "end"
      case .at(let time): return JSONValue(time.seconds)
      }
    default: return .string(text)
    }
  }
}
