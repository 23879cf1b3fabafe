package import ScenarioLanguage

/// All that `check` does with one document.
package enum DocumentCheck {
  /// - Parameter simulates: Whether what a valid scenario can never do is looked for by simulating it.
  package static func check(
    _ source: SourceFile, inputs: PlanCompiler.Inputs, isNamed: Bool, simulates: Bool = true
  ) -> CheckResult {
    let outcome = PlanCompiler.compile(source, inputs: inputs)
    var diagnostics = outcome.diagnostics
    if simulates, !diagnostics.contains(where: { $0.severity == .error }) {
      diagnostics = PlanProof.diagnostics(for: outcome.plans, after: diagnostics)
    }
    diagnostics = adding(notes(on: outcome), to: diagnostics, of: source.name)
    var result = CheckResult(
      file: source.name, identity: outcome.document.map(identity), diagnostics: diagnostics,
      hidden: outcome.hidden, isCut: outcome.isCut, sources: outcome.sources, isNamed: isNamed)
    if result.errors == 0 { result.addresses = outcome.addresses }
    return result
  }

  /// The parts of a valid document that a run does not do yet, each once.
  private static func notes(on outcome: PlanCompiler.Outcome) -> [Diagnostic] {
    switch outcome.document {
    case .scenario:
      var told: Set<SourceSpan> = []
      return outcome.plans.flatMap(\.notes).filter { told.insert($0.primary.span).inserted }
    case .playlist, .library, nil: return []
    }
  }

  /// Notes among other problems, by place; none beside errors, and as many as are shown at most.
  private static func adding(
    _ notes: [Diagnostic], to diagnostics: [Diagnostic], of file: String
  ) -> [Diagnostic] {
    guard !notes.isEmpty, !diagnostics.contains(where: { $0.severity == .error }) else { return diagnostics }
    func place(_ diagnostic: Diagnostic) -> (Bool, String, Int, Int) {
      let span = diagnostic.primary.span
      return (span.file != file, span.file, span.line, span.column)
    }
    let room = max(0, ReportBudget.shown - diagnostics.count)
    let all = diagnostics + notes.prefix(room)
    return all.sorted { left, right in
      let (a, b) = (place(left), place(right))
      if a.0 != b.0 { return b.0 }
      return (a.1, a.2, a.3) < (b.1, b.2, b.3)
    }
  }

  /// What a valid document is.
  private static func identity(of document: PlanCompiler.Outcome.Document) -> CheckResult.Identity {
    switch document {
    case .scenario(let plan):
      let count = plan.setup.count + plan.steps.count
      let cleanup = plan.finally.isEmpty ? "" : ", \(plan.finally.count) in finally"
      return .init(
        kind: .scenario, id: plan.id, title: plan.title,
        details: "\(count) \(count == 1 ? "step" : "steps")\(cleanup)")
    case .playlist(let plan): return .init(kind: .playlist, id: plan.id, title: plan.title)
    case .library(let id, let title, _): return .init(kind: .library, id: id, title: title)
    }
  }
}
