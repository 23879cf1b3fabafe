import CastProtocol

extension StepCompiler {
  /// `set`: values for declared variables, of the types they were declared with.
  mutating func set(_ step: DecodedStep) -> Compiled? {
    var assignments: [Plan.Assignment] = []
    var isSound = true
    for pair in step.value?.pairs ?? [] {
      guard let variable = variables.byName[pair.key.text] else {
        reportUndeclared(pair.key)
        isSound = false
        continue
      }
      if let value = value(pair.value, for: variable) {
        assignments.append(Plan.Assignment(name: variable.name, value: value))
      } else {
        isSound = false
      }
    }
    guard isSound, !assignments.isEmpty else {
      if step.value?.pairs?.isEmpty ?? false {
        problems.report(
          Diagnostic(
            .error, .k105, "`set` needs a variable", at: .init(step.verbSpan, "nothing to assign"),
            footers: [.help("`- set: { name: value }`")]))
      }
      return nil
    }
    let names = assignments.map(\.name).joined(separator: ", ")
    return Compiled(action: .set(assignments), timeout: defaults.timeouts.step, argument: ScalarText.shown(names))
  }

  private mutating func value(_ node: YAMLNode, for variable: Variable) -> Plan.Assignment.Value? {
    // What is wrong with the declaration was said there.
    if variable.isBroken || saved.hasHole(node) { return nil }
    if let name = node.savedName {
      guard saved.check(name, fits: variable.valueType, of: variable.name, at: node, reportingTo: problems) else {
        return nil
      }
      return .text(Plan.Template([.value(name)]))
    }
    if let text = node.planText, !text.isLiteral {
      guard [.text, .any].contains(variable.valueType.sort) else {
        problems.report(
          Diagnostic(
            .error, .t220, "a text made during the run, `\(variable.name)` is \(variable.valueType.noun)", at: node,
            related: [.init(variable.nameSpan, "declared here")]))
        return nil
      }
      return planText(node).map { .text($0) }
    }
    let before = problems.errorCount
    if let type = variable.type, let declaration = variable.declaration {
      checker.checkVariable(node, as: type, name: variable.name, declaration: declaration)
    }
    guard problems.errorCount == before else { return nil }
    return variable.json(node, reportingTo: problems).map { .literal($0) }
  }

  private mutating func reportUndeclared(_ key: YAMLNode.Key) {
    let suggestion = problems.wantsSuggestions ? Suggestions.nearest(to: key.text, among: variables.names) : nil
    problems.report(
      Diagnostic(
        .error, .n401, "undefined variable \(ScalarText.quoted(key.text))",
        at: .init(key.span, suggestion.map { "did you mean `\($0)`?" } ?? ""),
        related: suggestion.flatMap { variables.byName[$0]?.nameSpan }.map { [.init($0, "defined here")] } ?? [],
        footers: suggestion == nil ? [.help("declare it under `vars:`; `set` changes what is declared")] : []))
  }
}
