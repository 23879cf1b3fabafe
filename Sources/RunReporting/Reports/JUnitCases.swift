import CastProtocol
import ScenarioLanguage

/// The steps and monitors of a scenario as `<testcase>` elements.
///
/// Test systems keep the history of a case by its class and name: both together are one device's and one row's.
struct JUnitCases {
  private let scenario: RunTranscript.Scenario
  private let file: String
  private let rerun: String
  /// How somebody ended the run.
  private let wayOut: String?

  init(_ scenario: RunTranscript.Scenario, of transcript: RunTranscript) {
    self.scenario = scenario
    file = transcript.document(scenario.document)?.file ?? ""
    rerun = "rerun     " + transcript.rerunLine(of: scenario)
    wayOut = transcript.wayOut
  }

  /// What failed apart from the steps; JUnit only knows tests that fail.
  var error: [XMLElement] {
    guard let error = scenario.finished?.error else { return [] }
    var element = element(in: "scenario", scenario.document, file: file, line: 1, time: 0)
    element.children = [
      XMLElement(
        "error", [("message", error.message), ("type", error.className)],
        content: ([error.message] + scenario.faultLines + [rerun]).joined(separator: "\n"))
    ]
    return [element]
  }

  /// That it did not pass, where nothing else says it: it was ended between two steps, or when the last was done.
  ///
  /// - Parameter cases: Those of its steps and monitors.
  func end(besides cases: [XMLElement]) -> [XMLElement] {
    guard let finished = scenario.finished, finished.error == nil, !finished.result.isGood,
      !cases.contains(where: { $0.children.contains { ["error", "failure"].contains($0.name) } })
    else { return [] }
    let reason = scenario.steps.last { $0.result == .notRun }?.reason ?? wayOut
    let message = "the scenario did not come to its end" + (reason.map { ": \($0)" } ?? "")
    var element = element(in: "scenario", scenario.document, file: file, line: 1, time: 0)
    element.children = [
      XMLElement(
        "error", [("message", message), ("type", RunNotice.Reason.notFinished.rawValue)],
        content: "\(message)\n\(rerun)")
    ]
    return [element]
  }

  /// The monitors that were broken, each once, at the places of their rules.
  var monitors: [XMLElement] {
    var seen: Set<String> = []
    return scenario.brokenMonitors.compactMap { device, broken, faultLines in
      let whose = scenario.roles.members.isEmpty ? "" : device.map { " on \($0)" } ?? ""
      let name = broken.name + whose
      guard seen.insert(name).inserted else { return nil }
      let place = broken.place ?? SourcePlace(file: file, line: 1, column: 1)
      var element = element(in: "watch", name, file: place.file, line: place.line, time: 0)
      let want = WantText.conditions(broken.want)
      let got = WantText.values(broken.got)
      if broken.isIgnored {
        element.children = [XMLElement("skipped", [("message", "failed, ignored: observed \(got)")])]
      } else {
        element.children = [
          XMLElement(
            "failure", [("message", "observed \(got)"), ("type", "monitor")],
            content: ([place.text, "expected  \(want)", "observed  \(got)"] + faultLines + [rerun])
              .joined(separator: "\n"))
        ]
      }
      return element
    }
  }

  private func element(in section: String, _ name: String, file: String, line: Int, time: Double) -> XMLElement {
    XMLElement(
      "testcase",
      [
        ("classname", "\(scenario.document).\(section)"),
        ("name", scenario.mark.isEmpty ? name : "\(name) [\(scenario.mark)]"), ("file", file), ("line", String(line)),
        ("time", time.decimalSeconds),
      ])
  }

  /// A step as a test case; children in the order Surefire's schema asks for.
  func testcase(_ step: RunTranscript.Step) -> XMLElement {
    var element = element(
      in: step.section.rawValue, "\(step.id) \(step.name)", file: step.place.file, line: step.place.line,
      time: step.duration)
    let rootCause = step.rootCause
    let place = rootCause.place.text
    let earlier = step.failedAttempts.dropLast(step.result == .flaky ? 0 : 1)
    switch step.result {
    case .flaky:
      element.children = earlier.map {
        attempt(named: "flakyError", $0, place: place, of: step.attempts, step.faultLines)
      }
    case .failed where step.isIgnored, .error where step.isIgnored:
      element.children = [XMLElement("skipped", [("message", "failed, ignored: \(step.reason ?? "")")])]
    case .failed where rootCause.isStoppedByMonitor:
      // The monitor has a test case of its own.
      element.children = [XMLElement("skipped", [("message", "stopped: \(step.shownReason ?? "a monitor failed")")])]
    case .failed:
      element.children = [failure(rootCause, in: step, place: place)]
    case .error:
      let first = step.failedAttempts.first ?? rootCause.failedAttempts.first
      let message =
        step.reason.flatMap { step.failures.isEmpty ? nil : $0 } ?? first?.error.message ?? step.reason ?? ""
      let type = first?.error.className ?? (rootCause.failedExpectation == nil ? "error" : "expectation")
      let detail = rootCause.failedExpectation == nil ? [] : lines(of: VerdictText(rootCause))
      element.children = [
        XMLElement(
          "error", [("message", message), ("type", type)],
          content: ([place, message] + detail + evidence(rootCause)).joined(separator: "\n"))
      ]
      element.children += step.failedAttempts.dropFirst().map {
        attempt(named: "rerunError", $0, place: place, of: step.attempts)
      }
    case nil: element.children = [unfinished(step)]
    case .skipped, .notRun:
      let reason = step.result == .skipped ? step.reason ?? "" : "not run: \(step.reason ?? "the run ended")"
      element.children = [XMLElement("skipped", [("message", reason)])]
    case .passed: break
    }
    return element
  }

  /// A step that ran when the events ended; what ran inside it is named.
  private func unfinished(_ outer: RunTranscript.Step) -> XMLElement {
    let steps = outer.id == scenario.steps.last?.id ? scenario.unfinished : [outer]
    let prefixes = steps.map { $0.id == outer.id ? "" : "\($0.id): " }
    let lines = zip(steps, prefixes).flatMap { step, prefix in [step.place.text, prefix + step.unfinishedText] }
    return XMLElement(
      "error",
      [
        ("message", (prefixes.first ?? "") + RunTranscript.Step.unfinishedReason),
        ("type", RunNotice.Reason.notFinished.rawValue),
      ], content: (lines + [rerun]).joined(separator: "\n"))
  }

  /// A tried-again failure; Surefire wants its text in `<stackTrace>`.
  private func attempt(
    named name: String, _ failed: EventKind.AttemptFailed, place: String, of attempts: Int, _ more: [String] = []
  ) -> XMLElement {
    var element = XMLElement(name, [("message", failed.error.message), ("type", failed.error.className)])
    element.children = [
      XMLElement(
        "stackTrace",
        content: (["\(place) attempt \(failed.attempt) of \(attempts)"] + more).joined(separator: "\n"))
    ]
    return element
  }

  /// - Parameter outer: The test case's step, which `step` is or stands in.
  private func failure(
    _ step: RunTranscript.Step, in outer: RunTranscript.Step, place: String
  ) -> XMLElement {
    let prefix = step.id == outer.id ? "" : "\(step.id): "
    if step.failedExpectation == nil {
      let message = step.shownReason ?? step.name
      return XMLElement(
        "failure", [("message", prefix + message), ("type", "expectation")],
        content: ([place, message] + evidence(step)).joined(separator: "\n"))
    }
    let verdict = VerdictText(step)
    let judged = step.failedExpectation?.place ?? step.place
    let type = verdict.field.isEmpty ? "expect" : "expect.\(verdict.field)"
    return XMLElement(
      "failure", [("message", prefix + verdict.oneLine), ("type", type)],
      content: ([judged.text] + lines(of: verdict) + evidence(step)).joined(separator: "\n"))
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
