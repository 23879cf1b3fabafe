/// Reads `secrets:` and tells which of those that are needed have no value (N403).
enum SecretReader {
  /// What the document and its libraries declare; what is no sound declaration is the tables' business.
  static func read(_ root: YAMLNode, kind: DocumentKind) -> [Plan.Secret] {
    FieldMap(root, as: LanguageSchema.document(kind)).entries("secrets").compactMap { entry in
      guard let map = entry.map, let key = map.keys.first, let value = map.node(key.text) else {
        // Known by name all the same, so that its uses need no message.
        var secret = Plan.Secret(
          name: entry.key.text, source: .saved, nameSpan: entry.key.span, sourceSpan: entry.node.span)
        secret.isSound = false
        return secret
      }
      let source: Plan.Secret.Source =
        switch key.text {
        case "env": .environment(value.text ?? "")
        case "file": .file(value.text ?? "", declaredIn: value.span.file)
        case "command": .command(map.texts("command"))
        default: .saved
        }
      var secret = Plan.Secret(
        name: entry.key.text, source: source, nameSpan: entry.key.span, sourceSpan: value.span)
      secret.isImported = entry.key.isImported
      secret.isSound = map.keys.count == 1 && map.text("saved") != "false"
      return secret
    }
  }

  /// N403 for what the document itself needs, N402 for what nothing needs.
  static func reportMissing(
    _ substitution: Substitution, inputs: PlanCompiler.Inputs, reportingTo diagnostics: DiagnosticCollector
  ) {
    let saved = substitution.runTime.saved
    for secret in substitution.secrets {
      let use = substitution.usedSecrets[secret.name]
      if use == nil, saved[secret.name] == nil, !secret.isImported, !secret.name.hasPrefix("_") {
        if diagnostics.countIfFull(.warning) { continue }
        let shown = ScalarText.shown(secret.name)
        diagnostics.reportIfNoErrors(
          Diagnostic(
            .warning, .n402, "unused secret `\(shown)`", at: .init(secret.nameSpan, "never read"),
            footers: [.help("remove it, or name it `_\(shown)` to keep it (warnings are errors with `--strict`)")]))
      }
      // A library's secrets are checked later, when it is known which of its definitions are used.
      guard let use, !secret.isImported else { continue }
      report(secret, use: use, inputs: inputs, isSaved: saved[secret.name] != nil, reportingTo: diagnostics)
    }
  }

  /// The secrets that are in a plan; N403 for those of libraries that have no value.
  static func needed(
    by plan: some Encodable, of document: CheckedDocument, inputs: PlanCompiler.Inputs,
    reportingTo diagnostics: DiagnosticCollector
  ) -> [Plan.Secret] {
    // What a plan is made of throws nothing when it is encoded.
    guard !document.secrets.isEmpty, let names = try? SecretPlaceholder.names(in: plan) else { return [] }
    let needed = document.secrets.filter { names.contains($0.name) || document.savedNames[$0.name] != nil }
    for secret in needed where secret.isImported {
      report(
        secret, use: document.secretUses[secret.name], inputs: inputs,
        isSaved: document.savedNames[secret.name] != nil, reportingTo: diagnostics)
    }
    return needed
  }

  /// N403 unless the secret has a value.
  static func report(
    _ secret: Plan.Secret, use: SourceSpan?, inputs: PlanCompiler.Inputs, isSaved: Bool,
    reportingTo diagnostics: DiagnosticCollector
  ) {
    guard inputs.needsSecrets, secret.isSound, !inputs.givenSecrets.contains(where: { $0.name == secret.name }),
      !diagnostics.hasErrors(within: secret.sourceSpan),
      let problem = secret.source == .saved && !isSaved ? .neverSaved : problem(of: secret, inputs: inputs)
    else { return }
    diagnostics.report(problem.diagnostic(for: secret, neededAt: use))
  }

  /// Why the environment or a file has no value for a secret.
  static func problem(of secret: Plan.Secret, inputs: PlanCompiler.Inputs) -> SecretProblem? {
    switch secret.source {
    case .environment(let name):
      let value = inputs.environment(name)
      return value == nil ? .notSet(name) : value?.isEmpty == true ? .emptyVariable(name) : nil
    case .file(let path, let file): return inputs.secretFileProblem(path, file).map { .file(path, $0) }
    case .command, .saved: return nil
    }
  }
}
