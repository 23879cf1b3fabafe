/// What a document wants from outside: its variables and its secrets, those of its libraries among them.
package struct DocumentInputs: Sendable {
  package struct VariableInput: Sendable {
    package var name: String
    /// As declared; `any` for a bare value.
    package var type: String
    /// The default as it is written; `nil`: a value must be given.
    package var defaultText: String?
    package var environment: String?
    package var choices: [String] = []
    package var minimum: String?
    package var maximum: String?
    package var description: String?
    /// Where it is declared.
    package var span: SourceSpan

    package var isRequired: Bool { defaultText == nil }
  }

  package struct SecretInput: Sendable {
    package var secret: Plan.Secret
    /// `nil`: only a run can tell.
    package var isThere: Bool?
  }

  package var variables: [VariableInput]
  package var secrets: [SecretInput]

  /// Reads a document as far as it can be read, whatever else is wrong with it; `nil` when it is no document at all.
  package static func read(
    _ source: SourceFile, inputs: PlanCompiler.Inputs
  ) -> (inputs: DocumentInputs?, problems: [Diagnostic], sources: [SourceFile]) {
    let reading = DocumentReader.read(source, inputs: inputs)
    let problems = reading.diagnostics.finished(file: source.name, in: reading.sources)
    guard let document = reading.document else { return (nil, problems, reading.sources) }
    let secrets = document.secrets.map { secret -> SecretInput in
      var isThere: Bool?
      switch secret.source {
      case .environment, .file:
        isThere =
          inputs.givenSecrets.contains { $0.name == secret.name }
          || SecretReader.problem(of: secret, inputs: inputs) == nil
      case .command, .saved: isThere = inputs.givenSecrets.contains { $0.name == secret.name } ? true : nil
      }
      return SecretInput(secret: secret, isThere: isThere)
    }
    let variables = zip(reading.variables.all, reading.variables.written).map { VariableInput($0, default: $1.value) }
    let result = DocumentInputs(variables: variables, secrets: secrets)
    return (result, problems, reading.sources)
  }
}

extension DocumentInputs.VariableInput {
  /// - Parameter written: What stands behind the variable's name.
  init(_ variable: Variable, default written: YAMLNode) {
    name = variable.name
    span = variable.nameSpan
    let declaration = variable.declaration?.fields
    type = declaration.map { $0.text("type") ?? "text" } ?? "any"
    defaultText = (declaration.map { $0.node("default") } ?? written)?.brief
    environment = declaration?.text("env")
    choices = declaration?.texts("choices") ?? []
    minimum = declaration?.text("min")
    maximum = declaration?.text("max")
    description = declaration?.text("description")
  }
}

extension YAMLNode {
  /// The value on one line, as a document would write it in the flow form.
  fileprivate var brief: String {
    switch content {
    case .scalar(let scalar): scalar.text
    case .sequence(let items): "[\(ScalarText.listed(items.lazy.map(\.brief)))]"
    case .mapping(let pairs): "{ \(ScalarText.listed(pairs.lazy.map { "\($0.key.text): \($0.value.brief)" })) }"
    }
  }
}
