package import CastProtocol

/// `set`: assigns declared variables for the steps that follow.
struct SetVariables: StepVerb, LocalAction {
  static let spec = VerbSpec(
    .set, .flow, .other, .value(.mapOf(.anyValue, of: "variables")),
    "Assigns declared variables for the steps that follow.",
    done: "at once",
    example: "- set: { speed: 2 }", fewest: 1)

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    compiler.set(step)
  }

  let assignments: [Plan.Assignment]

  var arguments: JSONObject { ["values": assignments.json] }
  var detail: String? { assignments.map { "\($0.name) = \($0.text)" }.joined(separator: ", ") }
  var needsRole: Bool { false }
}

extension StepCompiler {
  /// `set`: values for declared variables, of the types they were declared with.
  fileprivate mutating func set(_ step: StepFields) -> Compiled? {
    let read = (step.value?.pairs ?? []).allOrNil { pair -> Plan.Assignment? in
      guard let variable = variables[pair.key.text] else {
        reportUndeclared(pair.key)
        return nil
      }
      return value(pair.value, for: variable).map { Plan.Assignment(name: variable.name, value: $0) }
    }
    guard let assignments = read, !assignments.isEmpty else {
      if step.value?.pairs?.isEmpty ?? false {
        problems.report(
          .error, .k105, "`set` needs a variable", at: .init(step.verbSpan, "nothing to assign"),
          footers: [.help("`- set: { name: value }`")])
      }
      return nil
    }
    let names = assignments.map(\.name).joined(separator: ", ")
    return Compiled(action: .set(assignments), argument: ScalarText.shown(names))
  }

  private mutating func value(_ node: YAMLNode, for variable: Variable) -> Plan.Assignment.Value? {
    // What is wrong with the declaration was said there.
    if variable.isAlreadyReported || saved.hasPlaceholder(node) { return nil }
    if let name = node.savedName {
      guard saved.check(name, fits: variable.valueType, of: variable.name, at: node, reportingTo: problems) else {
        return nil
      }
      return .text(Plan.Template([.value(name)]))
    }
    if let text = node.planText, !text.isLiteral {
      guard [.text, .any].contains(variable.valueType.sort) else {
        problems.report(
          .error, .t220, "a text made during the run, `\(variable.name)` is \(variable.valueType.noun)", at: node,
          related: [.init(variable.nameSpan, "declared here")])
        return nil
      }
      return planText(node).map { .text($0) }
    }
    let before = problems.errorCount
    if let declaration = variable.declaration {
      fieldReader.checkVariable(node, by: declaration, name: variable.name)
    }
    guard problems.errorCount == before else { return nil }
    return variable.json(node, reportingTo: problems).map { .literal($0) }
  }

  private mutating func reportUndeclared(_ key: YAMLNode.Key) {
    let suggestion = problems.budget.allowsSuggestions ? Suggestions.nearest(to: key.text, among: variables.names) : nil
    problems.report(
      .error, .n401, "undefined variable \(ScalarText.quoted(key.text))",
      at: .init(key.span, Suggestions.label(suggestion)),
      related: suggestion.flatMap { variables[$0]?.nameSpan }.map { [.init($0, "defined here")] } ?? [],
      footers: suggestion == nil ? [.help("declare it under `vars:`; `set` changes what is declared")] : [])
  }
}

extension Plan {
  /// `set`: a value for a declared variable.
  package struct Assignment: Codable, Hashable, Sendable {
    package enum Value: Codable, Hashable, Sendable {
      case literal(JSONValue)
      case text(Template)
    }
    package var name: String
    package var value: Value

    package init(name: String, value: Value) {
      self.name = name
      self.value = value
    }
  }
}

extension [Plan.Assignment] {
  /// Values by name, in the document's order.
  var json: JSONValue {
    .object(
      JSONObject(
        map { assignment in
          switch assignment.value {
          case .literal(let value): JSONObject.Member(assignment.name, value)
          case .text(let text): JSONObject.Member(assignment.name, .string(text.source))
          }
        }))
  }
}

extension Plan.Assignment {
  var text: String {
    switch value {
    case .literal(.string(let text)): ScalarText.shown(text)
    case .literal(let value): value.serialized()
    case .text(let text): ScalarText.shown(text.source)
    }
  }
}
