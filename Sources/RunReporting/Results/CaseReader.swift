import CastProtocol
import ScenarioLanguage

/// Makes the tests of a scenario from what its events told.
struct CaseReader {
  private let scenario: RunTranscript.Scenario
  private let file: String
  private let rerun: String
  /// How somebody ended the run.
  private let wayOut: String?
  /// What is known of a run without an end.
  private let fate: RunFate

  init(_ scenario: RunTranscript.Scenario, of transcript: RunTranscript) {
    self.scenario = scenario
    file = transcript.document(scenario.document)?.file ?? ""
    rerun = "rerun     " + transcript.rerunLine(of: scenario)
    (wayOut, fate) = (transcript.wayOut, transcript.fate)
  }

  var cases: [ReportCase] {
    let own = scenario.steps.map(read) + monitors
    return error + end(besides: own) + own
  }

  /// What failed apart from the steps; test systems only know tests that fail.
  private var error: [ReportCase] {
    guard let error = scenario.finished?.error else { return [] }
    return [
      ofScenario(
        .init(message: error.message, type: error.className, lines: [error.message] + scenario.faultLines + [rerun]))
    ]
  }

  /// That it did not pass, where nothing else says it: it was ended between two steps, or when the last was done.
  private func end(besides cases: [ReportCase]) -> [ReportCase] {
    guard let finished = scenario.finished, finished.error == nil, !finished.result.isGood,
      !cases.contains(where: { $0.outcome.word.isBad })
    else { return [] }
    let reason = scenario.steps.last { $0.result == .notRun }?.reason ?? wayOut
    let message = "the scenario did not come to its end" + (reason.map { ": \($0)" } ?? "")
    return [ofScenario(.init(message: message, type: RunNotice.Reason.notFinished.rawValue, lines: [message, rerun]))]
  }

  private func ofScenario(_ finding: ReportCase.Finding) -> ReportCase {
    let place = SourcePlace(file: file, line: 1, column: 1)
    return ReportCase(
      section: "scenario", name: scenario.document, place: place, cause: place, outcome: .error(finding))
  }

  /// The monitors that were broken, each once, at the places of their rules.
  private var monitors: [ReportCase] {
    var seen: Set<String> = []
    return scenario.brokenMonitors.compactMap { device, broken, faultLines in
      let name = EventKind.RuleMargins.title(broken.name, on: scenario.roles.members.isEmpty ? nil : device)
      guard seen.insert(name).inserted else { return nil }
      let place = broken.place ?? SourcePlace(file: file, line: 1, column: 1)
      let want = WantText.conditions(broken.want)
      let got = WantText.values(broken.got)
      let finding = ReportCase.Finding(
        message: "observed \(got)", type: "monitor",
        lines: [place.text, "expected  \(want)", "observed  \(got)"] + faultLines + [rerun])
      return ReportCase(
        section: ReportCase.rules, name: name, place: place, cause: place,
        outcome: broken.isIgnored ? .ignored("failed, ignored: observed \(got)") : .failed(finding))
    }
  }

  private func read(_ step: RunTranscript.Step) -> ReportCase {
    let outcome = outcome(of: step)
    let cause = step.rootCause
    // A try that failed is the whole step's.
    let judged: SourcePlace? = if case .failed = outcome { cause.failedExpectation?.place } else { nil }
    return ReportCase(
      section: step.section.rawValue, name: "\(step.id) \(step.name)", place: step.place, startedAt: step.startedAt,
      duration: step.duration, limit: step.limit, attempts: step.attempts, failedAttempts: step.failedAttempts,
      faultLines: step.faultLines, skew: step.skew, margins: step.passedExpectation?.margins ?? [],
      waitedFor: step.passedExpectation?.waitedFor ?? [], resumedText: step.resumedText,
      cause: judged ?? cause.place, outcome: outcome, isStep: true,
      isTaken: step.resumed == .taken || step.isPartlyTaken)
  }

  private func outcome(of step: RunTranscript.Step) -> ReportCase.Outcome {
    let rootCause = step.rootCause
    switch step.result {
    case .passed: return .passed
    case .flaky: return .flaky
    case .failed where step.isIgnored, .error where step.isIgnored:
      return .ignored("failed, ignored: \(step.shownReason ?? step.name)")
    case .failed where rootCause.isStoppedByMonitor:
      return .stopped("stopped: \(step.shownReason ?? "a monitor failed")")
    case .failed: return .failed(failure(rootCause, in: step))
    case .error: return .error(error(step, rootCause))
    case .skipped: return .skipped(step.reason ?? "")
    case .notRun: return .notRun(step.reason ?? "the run ended")
    case nil: return .unfinished(unfinished(step))
    }
  }

  private func error(_ step: RunTranscript.Step, _ rootCause: RunTranscript.Step) -> ReportCase.Finding {
    let first = step.failedAttempts.first ?? rootCause.failedAttempts.first
    let message =
      step.reason.flatMap { step.failures.isEmpty ? nil : $0 } ?? first?.error.message ?? step.reason ?? ""
    let isJudged = rootCause.failedExpectation != nil
    let detail = isJudged ? lines(of: VerdictText(rootCause)) : []
    return .init(
      message: message, type: first?.error.className ?? (isJudged ? "expectation" : "error"),
      lines: [rootCause.place.text, message] + detail + evidence(rootCause))
  }

  /// A step that ran when the events ended; what ran inside it is named.
  private func unfinished(_ outer: RunTranscript.Step) -> ReportCase.Finding {
    let steps = outer.id == scenario.steps.last?.id ? scenario.unfinished : [outer]
    let prefixes = steps.map { $0.id == outer.id ? "" : "\($0.id): " }
    let lines = zip(steps, prefixes).flatMap { step, prefix in [step.place.text, prefix + step.unfinishedText(fate)] }
    return .init(
      message: (prefixes.first ?? "") + fate.stepReason,
      type: RunNotice.Reason.notFinished.rawValue, lines: lines + [rerun])
  }

  /// - Parameter outer: The test's step, which `step` is or stands in.
  private func failure(_ step: RunTranscript.Step, in outer: RunTranscript.Step) -> ReportCase.Finding {
    let prefix = step.id == outer.id ? "" : "\(step.id): "
    guard let judged = step.failedExpectation else {
      let message = step.shownReason ?? step.name
      return .init(
        message: prefix + message, type: "expectation",
        lines: [step.place.text, message] + evidence(step))
    }
    let verdict = VerdictText(step)
    return .init(
      message: prefix + verdict.oneLine, type: verdict.field.isEmpty ? "expect" : "expect.\(verdict.field)",
      lines: [(judged.place ?? step.place).text] + lines(of: verdict) + evidence(step))
  }

  /// What else is known of a step that failed, and how to run it again.
  private func evidence(_ step: RunTranscript.Step) -> [String] { step.pageLines + step.faultLines + [rerun] }

  private func lines(of verdict: VerdictText) -> [String] {
    var lines = ["expected  \(verdict.expected)"]
    lines.append("observed  \(verdict.observed)" + (verdict.nearest.map { ", nearest \($0)" } ?? ""))
    if let seen = verdict.statusLine { lines.append("statuses  \(seen)") }
    if let remark = verdict.remark { lines.append("remark    \(remark)") }
    if let because = verdict.because { lines.append("because   \(because)") }
    return lines
  }
}
