/// Reads `vars:` and gives every variable its value, weakest source first: default, environment, `--vars`, `--set`.
struct VariableReader {
  /// With all variables known, ready for the rest of the document.
  private(set) var substitution: Substitution
  private(set) var outside: OutsideValues
  private let diagnostics: DiagnosticCollector
  private let inputs: PlanCompiler.Inputs

  /// - Parameters:
  ///   - root: The document's map, with all that it includes.
  ///   - isIncomplete: An include could not be read, so that names may be missing.
  static func read(
    _ root: YAMLNode, secrets: [Plan.Secret] = [], isIncomplete: Bool = false, inputs: PlanCompiler.Inputs,
    reportingTo diagnostics: DiagnosticCollector
  ) -> VariableReader {
    var reader = VariableReader(root, inputs, diagnostics)
    reader.substitution.secrets = secrets
    reader.substitution.variables = VariableTable(root.pairs?.first { $0.key.text == "vars" }?.value.pairs ?? [])
    reader.substitution.isIncomplete = isIncomplete
    reader.readAll(root)
    return reader
  }

  private init(_ root: YAMLNode, _ inputs: PlanCompiler.Inputs, _ diagnostics: DiagnosticCollector) {
    self.inputs = inputs
    self.diagnostics = diagnostics
    substitution = Substitution(RunTimeNames(root), reportingTo: diagnostics)
    outside = OutsideValues(inputs, reportingTo: self.diagnostics)
  }

  private mutating func readAll(_ root: YAMLNode) {
    substitution.matrixNames = Matrix.names(root)
    var strongest: [String: YAMLNode] = [:]
    for value in outside.fileValues { strongest[value.name] = value.node }
    for value in outside.settings { strongest[value.name] = value.node }
    for pair in substitution.variables.written where !diagnostics.budget.isSpent {
      read(pair, strongest: strongest[pair.key.text])
    }
    reportUndeclared()
    for (name, span) in substitution.runTime.saved.sorted(by: { $0.key < $1.key }) {
      guard let variable = substitution.variables[name] else { continue }
      diagnostics.report(
        .error, .n411, "`\(ScalarText.shown(name))` is both a variable and a saved value",
        at: .init(span, "saved here"),
        related: [.init(variable.nameSpan, "declared here")])
    }
  }

  private mutating func read(_ pair: YAMLNode.Pair, strongest: YAMLNode?) {
    let name = pair.key.text
    var variable = Variable(name: name, nameSpan: pair.key.span, isImported: pair.key.isImported)
    let ownName = pair.key.ownName
    do throws(ScalarProblem) { _ = try NameScalar.id(ownName, isVariable: true) } catch {
      var fieldReader = FieldReader(diagnostics: diagnostics)
      fieldReader.report(error, at: YAMLNode(.scalar(.init(text: ownName, style: .plain)), span: pair.key.span))
    }
    if RunTimeNames.reserved.contains(name) {
      diagnostics.report(
        .error, .n411, "`\(name)` is built in, a variable cannot have its name", at: .init(pair.key.span),
        footers: [.help("call it `my_\(name)`")])
    }
    if VariableDeclaration.describes(pair.value) {
      var fieldReader = FieldReader(diagnostics: diagnostics)
      var declared = pair.value
      _ = fieldReader.read(
        &declared, as: .map(LanguageSchema.variable), field: FieldReader.Field(name: name, keySpan: pair.key.span))
      let declaration = VariableDeclaration(pair.value)
      variable.declaration = declaration
      variable.value = declaration.defaultValue
      if let env = declaration.environment, let text = inputs.environment(env) {
        variable.value = outside.environment(env, text)
      }
      variable.isAlreadyReported = diagnostics.hasErrors(within: pair.value.span)
    } else {
      variable.value = pair.value
    }
    if let strongest {
      variable.value = strongest
      refusePlaceholders(in: strongest, of: &variable)
    } else if let value = variable.value, value.span.isInFile(of: pair.key.span) {
      // A default may use the variables above it; what comes from outside is never looked through.
      variable.value = substitution.apply(to: value)
    } else if let value = variable.value {
      refusePlaceholders(in: value, of: &variable)
    }
    finish(&variable)
    substitution.variables.add(variable)
  }

  /// What comes from outside cannot pretend to be a secret.
  private mutating func refusePlaceholders(in node: YAMLNode, of variable: inout Variable) {
    guard SecretPlaceholder.occurs(in: node) else { return }
    diagnostics.report(SecretPlaceholder.refusal(at: node))
    variable.isAlreadyReported = true
    variable.value = nil
  }

  /// Checks the value against the declaration.
  private mutating func finish(_ variable: inout Variable) {
    if let declaration = variable.declaration, !variable.isAlreadyReported {
      let before = diagnostics.errorCount
      var fieldReader = FieldReader(diagnostics: diagnostics)
      fieldReader.checkLimits(of: declaration, name: variable.name)
      variable.isAlreadyReported = diagnostics.errorCount > before
      if variable.isAlreadyReported { variable.value = nil }
    }
    guard let value = variable.value else {
      if !variable.isAlreadyReported {
        let name = ScalarText.shown(variable.name)
        diagnostics.report(
          .error, .n401, "variable `\(name)` has no value",
          at: .init(variable.nameSpan, "no default, and nothing set it"),
          footers: [.help("`--set \(name)=…`\(environmentHint(variable))")])
      }
      return
    }
    guard let declaration = variable.declaration, !variable.isAlreadyReported else { return }
    let before = diagnostics.errorCount
    var fieldReader = FieldReader(diagnostics: diagnostics)
    fieldReader.checkVariable(value, by: declaration, name: variable.name)
    if diagnostics.errorCount > before {
      variable.isAlreadyReported = true
      variable.value = nil
    }
  }

  private func environmentHint(_ variable: Variable) -> String {
    guard let name = variable.declaration?.environment else { return "" }
    return ", or `export \(ScalarText.shown(name))=…`"
  }

  /// Values from outside for variables that the document does not have.
  private mutating func reportUndeclared() {
    if substitution.isIncomplete { return }
    for given in outside.givenSecrets where !substitution.secrets.contains(where: { $0.name == given.name }) {
      let suggestion = Suggestions.nearest(to: given.name, among: substitution.secrets.map(\.name))
      let place = substitution.secrets.first { $0.name == suggestion }?.nameSpan
      diagnostics.report(
        .error, .n401, "undefined secret \(ScalarText.quoted(given.name))",
        at: .init(given.span, Suggestions.label(suggestion)),
        related: place.map { [.init($0, "defined here")] } ?? [],
        footers: suggestion == nil ? [.help("declare it under `secrets:`")] : [])
    }
    for (values, severity) in [(outside.settings, Diagnostic.Severity.error), (outside.fileValues, .warning)] {
      for value in values where substitution.variables[value.name] == nil {
        let suggestion =
          diagnostics.budget.allowsSuggestions
          ? Suggestions.nearest(to: value.name, among: substitution.variables.names) : nil
        let related = suggestion.flatMap { substitution.variables[$0]?.nameSpan }
        diagnostics.report(
          severity, severity == .error ? .n401 : .n402,
          severity == .error
            ? "undefined variable \(ScalarText.quoted(value.name))"
            : "the document has no variable \(ScalarText.quoted(value.name))",
          at: .init(value.nameSpan, Suggestions.label(suggestion)),
          related: related.map { [.init($0, "defined here")] } ?? [],
          footers: suggestion == nil ? [.help("declare it under `vars:`")] : [])
      }
    }
  }

  /// Warns of variables that nothing read (N402); `_x` says that this is meant.
  static func reportUnused(_ substitution: Substitution, reportingTo diagnostics: DiagnosticCollector) {
    for variable in substitution.variables.all {
      let name = variable.name
      if name.hasPrefix("_") || substitution.used.contains(name) || variable.isImported { continue }
      // Beyond what is kept they are counted: each has its own place.
      if diagnostics.countIfFull(.warning) { continue }
      let shown = ScalarText.shown(name)
      diagnostics.reportIfNoErrors(
        Diagnostic(
          .warning, .n402, "unused variable `\(shown)`", at: .init(variable.nameSpan, "never read"),
          footers: [.help("remove it, or name it `_\(shown)` to keep it (warnings are errors with `--strict`)")]))
    }
  }
}
