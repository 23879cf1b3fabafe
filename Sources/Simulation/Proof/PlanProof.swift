import CastProtocol
package import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner

/// Finds what a plan can never do, before any device is asked: P602, P609 and P616.
///
/// Two must agree on every claim. What the document itself declares (durations, breaks, windows, rates, what steps have
/// set) must rule it out on every receiver, however slow: ``ProofCandidates``. And a simulation of the plan must show
/// it: ``ProofSimulation``. So a claim rests neither on a habit of the virtual receiver nor on an error of the analysis;
/// where either is silent, so is the proof. A plan without candidates is not simulated at all.
package struct PlanProof {
  /// A plan that begins more steps than this is not proven: its simulations would make `check` slow.
  package static let stepLimit = 2_000
  private static let nestingLimit = 100
  /// What all simulations of a plan may cost together: steps begun, and spans of 20 seconds.
  private static let budget = 6_000
  private static let claimLimit = 10

  private var plan: Plan
  private let length: Int
  private var budget = Self.budget
  private var found: [Diagnostic] = []

  private init(_ plan: Plan, length: Int) {
    self.plan = plan
    self.length = length
  }

  /// The problems of a plan that compiles, in the order of the document.
  package static func diagnostics(for plan: Plan) -> [Diagnostic] {
    // Steps of several devices need a receiver for each.
    guard plan.roles.isEmpty, plan.nesting <= nestingLimit else { return [] }
    let candidates = candidates(in: plan)
    guard !candidates.isEmpty, case let length = plan.length(upTo: stepLimit + 1), length <= stepLimit else {
      return []
    }
    var proof = PlanProof(plan, length: length)
    proof.findNeverPassing()
    proof.findAlreadyTrue(candidates)
    proof.findNeverFailing(candidates)
    return proof.found.sorted {
      ($0.primary.span.line, $0.primary.span.column, $0.code) < ($1.primary.span.line, $1.primary.span.column, $1.code)
    }
  }

  /// What the compiler said of a scenario and what the proofs of its plans, one for each row of its matrix, add; by
  /// place, each once.
  package static func diagnostics(for plans: [Plan], after compiled: [Diagnostic]) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for plan in plans.prefix(rowLimit) {
      let own = diagnostics(for: plan)
      // A warning says that nothing is shown: one row that shows something is enough.
      if plans.count > 1 {
        found += own.filter { $0.severity == .error }
      } else {
        found += own
      }
    }
    var seen: Set<SourceSpan> = []
    found = found.filter { seen.insert($0.primary.span).inserted }
    if found.isEmpty { return compiled }
    let all = (compiled + found).sorted {
      ($0.primary.span.line, $0.primary.span.column) < ($1.primary.span.line, $1.primary.span.column)
    }
    return Array(all.prefix(problemLimit))
  }

  private static func candidates(in plan: Plan) -> ProofCandidates {
    ProofCandidates(in: plan) { condition, facts in condition.mismatches { facts[$0.text] }.isEmpty }
  }

  /// Rows of a matrix that are proven.
  private static let rowLimit = 16
  /// As many problems as the compiler tells at most.
  private static let problemLimit = 50

  // MARK: P602

  /// Each claim is repaired before the next is looked for, so that none is a consequence of another.
  private mutating func findNeverPassing() {
    var settled: Set<String> = []
    while found.count < Self.claimLimit,
      let candidate = Self.candidates(in: plan).neverPassing.first(where: { !settled.contains($0.step.id) })
    {
      settled.insert(candidate.step.id)
      guard let run = simulate(plan, until: candidate.step.id) else { continue }
      guard run.result == .failed else { continue }
      var message = ContradictionDiagnostic(plan: plan, candidate: candidate, filmAtEnd: run.film)
      repair(candidate, failures: run.failures, &message)
      let diagnostic = message.diagnostic
      if !found.contains(where: { $0.primary.span == diagnostic.primary.span }) { found.append(diagnostic) }
    }
  }

  /// Looks for the numbers that would work, and puts the first into the plan.
  private mutating func repair(
    _ candidate: ProofCandidates.NeverPassing, failures: Int, _ message: inout ContradictionDiagnostic
  ) {
    let id = candidate.step.id
    var repaired = plan
    switch candidate.contradiction.reason {
    case .tooEarly(let position, _):
      guard !candidate.state.isPaused, let within = candidate.step.within else { return }
      var changed = plan
      changed.edit(step: id) { $0.within = .seconds(4 * 3600) }
      if let run = simulate(changed, until: id), run.result == .passed {
        let enough = Duration.seconds(run.duration.rounded(.up) + 10)
        changed.edit(step: id) { $0.within = enough }
        if simulate(changed, until: id)?.result == .passed {
          message.within = enough
          repaired = changed
        }
      }
      if let start = Self.start(before: position, within: within, candidate.state), let load = candidate.state.loadStep
      {
        changed = plan
        changed.edit(step: load.id) { step in
          guard case .load(var action) = step.action else { return }
          action.request.currentTime = start
          step.action = .load(action)
        }
        if let run = simulate(changed, until: id), run.result == .passed, run.failures <= failures {
          message.start = start
          if message.within == nil { repaired = changed }
        }
      }
    case .breakComes(_, let position):
      let rate = max(candidate.state.fastest, 0.1)
      let short = ((position - candidate.state.furthest) / rate - 10).rounded(.down)
      guard short >= 1 else { return }
      repaired.edit(step: id) { $0.during = .seconds(short) }
      if simulate(repaired, until: id)?.result == .passed { message.during = .seconds(short) }
    default: return
    }
    plan = repaired
  }

  /// Where the film would have to start so that `position` comes soon in the window: whole seconds.
  private static func start(before position: Double, within: Duration, _ state: StaticDeviceState) -> Double? {
    guard !state.hasSought, let load = state.load, (load.request.currentTime ?? 0) <= 0 else { return nil }
    let margin = min(10, (within.seconds / 2).rounded(.down))
    let played = state.furthest - (load.request.currentTime ?? 0)
    let start = (position - margin - played).rounded(.down)
    return margin >= 1 && start >= 1 ? start : nil
  }

  // MARK: P609

  private mutating func findAlreadyTrue(_ candidates: ProofCandidates) {
    for candidate in candidates.alreadyTrue where found.count < Self.claimLimit {
      guard let run = simulate(plan, until: candidate.step.id), run.result == .passed,
        case .expect(let expect) = candidate.step.action
      else { continue }
      let mismatches = expect.condition.mismatches { path in
        path.parts.reduce(Optional(JSONValue.object(run.before))) { $0?[$1] }
      }
      if mismatches.isEmpty { found.append(candidate.diagnostic) }
    }
  }

  // MARK: P616

  private mutating func findNeverFailing(_ candidates: ProofCandidates) {
    for candidate in candidates.neverFailing where found.count < Self.claimLimit {
      let run = simulate(plan, until: candidate.stepID)
      let passes =
        candidate.stepID == nil ? run?.brokenMonitors.contains(candidate.name) == false : run?.result == .passed
      let diagnostic = candidate.diagnostic
      if passes, !found.contains(where: { $0.primary.span == diagnostic.primary.span }) { found.append(diagnostic) }
    }
  }

  private mutating func simulate(_ plan: Plan, until id: String?) -> ProofSimulation? {
    guard budget > 0 else { return nil }
    let run = ProofSimulation(of: plan, until: id)
    // One that was given up took all the time there is.
    budget -= 10 + length + (Int(exactly: ((run?.length ?? 20_000) / 20).rounded()) ?? 1_000)
    return run
  }
}
