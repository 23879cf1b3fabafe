import ScenarioLanguage
import Simulation

/// All that `check` does with one document.
enum DocumentCheck {
  /// - Parameter simulates: Whether what a valid scenario can never do is looked for by simulating it.
  static func check(
    _ source: SourceFile, inputs: PlanCompiler.Inputs, isNamed: Bool, simulates: Bool = true
  ) -> CheckResult {
    let outcome = PlanCompiler.compile(source, inputs: inputs)
    var diagnostics = outcome.diagnostics
    if simulates, !diagnostics.contains(where: { $0.severity == .error }) {
      diagnostics = PlanProof.diagnostics(for: outcome.plans, after: diagnostics)
    }
    return CheckResult(
      file: source.name, identity: outcome.document.map(identity), diagnostics: diagnostics,
      hidden: outcome.hidden, isCut: outcome.isCut, sources: outcome.sources, isNamed: isNamed)
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
    case .library(let id, let title): return .init(kind: .library, id: id, title: title)
    }
  }
}

/// How checking one file ended.
enum CheckOutcome: Sendable {
  case checked(CheckResult)
  /// Found in a folder, and no document of ours.
  case skipped(String)
  case unreadable(CheckSummary.Unreadable)
}
