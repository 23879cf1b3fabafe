import CastProtocol
import ScenarioLanguage

/// One scenario on one device as a `<testsuite>`.
struct JUnitSuite {
  private let scenario: RunTranscript.Scenario
  private let transcript: RunTranscript
  let cases: [XMLElement]

  init(_ scenario: RunTranscript.Scenario, of transcript: RunTranscript) {
    self.scenario = scenario
    self.transcript = transcript
    var cases = scenario.steps.map { Self.testcase($0, in: scenario.document) }
    if let error = scenario.finished?["error"]?.object {
      // The scenario failed apart from its steps; JUnit only knows tests that fail.
      let file = transcript.document(scenario.document)?.file ?? ""
      var element = XMLElement(
        "testcase",
        [
          ("classname", "\(scenario.document).scenario"), ("name", scenario.document), ("file", file), ("line", "1"),
          ("time", "0.000"),
        ])
      let message = error["message"]?.string ?? ""
      element.children = [
        XMLElement("error", [("message", message), ("type", error["class"]?.string ?? "error")], content: message)
      ]
      cases.insert(element, at: 0)
    }
    self.cases = cases
  }

  /// How many test cases have a child of this name.
  func count(of name: String) -> Int { cases.count { $0.children.contains { $0.name == name } } }

  var element: XMLElement {
    let device = transcript.device(scenario.device)
    let shown = transcript.deviceText(of: scenario)
    let row = scenario.row.members.map { " \($0.name)=\($0.value.string ?? $0.value.serialized())" }.joined()
    let id = [scenario.document, scenario.device].compactMap { $0 }.joined(separator: "@")
    var suite = XMLElement(
      "testsuite",
      [
        ("name", "\(scenario.document) [\(shown)]\(row)"), ("id", id),
        ("hostname", transcript.run["host"]?.string ?? ""),
        ("timestamp", UTCTime(unixSeconds: scenario.startedAt).text),
        ("file", transcript.document(scenario.document)?.file ?? ""), ("tests", String(cases.count)),
        ("failures", String(count(of: "failure"))), ("errors", String(count(of: "error"))),
        ("skipped", String(count(of: "skipped"))), ("time", scenario.duration.decimalSeconds),
      ])
    var properties = XMLElement("properties")
    let values: [(String, String?)] = [
      ("run", transcript.run["run"]?.string), ("device.id", device?.id), ("device.model", device?.model),
      ("device.firmware", device?.firmware), ("seed", transcript.run["seed"]?.int.map(String.init)),
      ("language", transcript.run["language"]?.int.map(String.init)),
      ("document.sha256", transcript.document(scenario.document)?.sha256),
    ]
    properties.children = values.compactMap { name, value in
      value.map { XMLElement("property", [("name", name), ("value", $0)]) }
    }
    suite.children = [properties] + cases
    return suite
  }

  /// A step as a test case; children in the order Surefire's schema asks for.
  private static func testcase(_ step: RunTranscript.Step, in document: String) -> XMLElement {
    var element = XMLElement(
      "testcase",
      [
        ("classname", "\(document).\(step.section)"), ("name", "\(step.id) \(step.name)"), ("file", step.file),
        ("line", String(step.line)), ("time", step.duration.decimalSeconds),
      ])
    let culprit = step.culprit
    let place = "\(culprit.file):\(culprit.line):\(culprit.column)"
    let earlier = step.failedAttempts.dropLast(step.result == "flaky" ? 0 : 1)
    switch step.result {
    case "flaky":
      element.children = earlier.map { attempt(named: "flakyError", $0, place: place, of: step.attempts) }
    case "failed" where step.isIgnored, "error" where step.isIgnored:
      element.children = [XMLElement("skipped", [("message", "failed, ignored: \(step.reason ?? "")")])]
    case "failed":
      element.children = [failure(culprit, in: step, place: place)]
    case "error":
      let first = step.failedAttempts.first ?? culprit.failedAttempts.first
      let message = step.reason.flatMap { step.failures.isEmpty ? nil : $0 } ?? first?.message ?? step.reason ?? ""
      let type = first?.errorClass ?? (culprit.failedExpectation == nil ? "error" : "expectation")
      let detail = culprit.failedExpectation == nil ? [] : lines(of: VerdictText(culprit))
      element.children = [
        XMLElement(
          "error", [("message", message), ("type", type)], content: ([place, message] + detail).joined(separator: "\n"))
      ]
      element.children += step.failedAttempts.dropFirst().map {
        attempt(named: "rerunError", $0, place: place, of: step.attempts)
      }
    case "skipped", "not_run", nil:
      let reason = step.result == "skipped" ? step.reason ?? "" : "not run: \(step.reason ?? "the run ended")"
      element.children = [XMLElement("skipped", [("message", reason)])]
    default: break
    }
    return element
  }

  /// A tried-again failure; Surefire wants its text in `<stackTrace>`.
  private static func attempt(
    named name: String, _ attempt: RunTranscript.Attempt, place: String, of attempts: Int
  ) -> XMLElement {
    var element = XMLElement(name, [("message", attempt.message), ("type", attempt.errorClass)])
    element.children = [XMLElement("stackTrace", content: "\(place) attempt \(attempt.number) of \(attempts)")]
    return element
  }

  /// - Parameter outer: The test case's step, which `step` is or stands in.
  private static func failure(
    _ step: RunTranscript.Step, in outer: RunTranscript.Step, place: String
  ) -> XMLElement {
    let prefix = step.id == outer.id ? "" : "\(step.id): "
    if let monitor = step.brokenMonitors.last, step.failedExpectation == nil {
      let name = monitor["name"]?.string ?? ""
      let want = WantText.conditions(monitor["want"] ?? .null)
      let got = WantText.values(monitor["got"]?.object ?? [:])
      return XMLElement(
        "failure", [("message", "\(prefix)\(name): observed \(got)"), ("type", "monitor")],
        content: "\(place)\nexpected  \(want)\nobserved  \(got)")
    }
    if step.failedExpectation == nil {
      let message = step.reason ?? ""
      return XMLElement(
        "failure", [("message", prefix + message), ("type", "expectation")], content: "\(place)\n\(message)")
    }
    let verdict = VerdictText(step)
    let expectation = step.failedExpectation ?? [:]
    let line = expectation["line"]?.int ?? step.line
    let column = expectation["column"]?.int ?? step.column
    let type = verdict.field.isEmpty ? "expect" : "expect.\(verdict.field)"
    return XMLElement(
      "failure", [("message", prefix + verdict.oneLine), ("type", type)],
      content: (["\(step.file):\(line):\(column)"] + lines(of: verdict)).joined(separator: "\n"))
  }

  private static func lines(of verdict: VerdictText) -> [String] {
    var lines = ["expected  \(verdict.expected)"]
    lines.append("observed  \(verdict.observed)" + (verdict.nearest.map { ", nearest \($0)" } ?? ""))
    if let seen = verdict.statusLine { lines.append("statuses  \(seen)") }
    if let remark = verdict.remark { lines.append("remark    \(remark)") }
    if let because = verdict.because { lines.append("because   \(because)") }
    return lines
  }
}
