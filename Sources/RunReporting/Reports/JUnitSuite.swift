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
    let writer = JUnitCases(scenario, of: transcript)
    let own = scenario.steps.map(writer.testcase) + writer.monitors
    cases = writer.error + writer.end(besides: own) + own
  }

  /// How many test cases have a child of this name.
  func count(of name: String) -> Int { cases.count { $0.children.contains { $0.name == name } } }

  var element: XMLElement {
    let run = transcript.run
    let device = transcript.device(scenario.device)
    let shown = transcript.deviceText(of: scenario)
    let row = scenario.rowText.map { " \($0)" } ?? ""
    let id = [scenario.document, scenario.device].compactMap { $0 }.joined(separator: "@") + row
    var suite = XMLElement(
      "testsuite",
      [
        ("name", "\(scenario.document) [\(shown)]\(row)"), ("id", id),
        ("hostname", run.host ?? ""),
        ("timestamp", UTCTime(unixSeconds: scenario.startedAt).text),
        ("file", transcript.document(scenario.document)?.file ?? ""), ("tests", String(cases.count)),
        ("failures", String(count(of: "failure"))), ("errors", String(count(of: "error"))),
        ("skipped", String(count(of: "skipped"))), ("time", scenario.duration.decimalSeconds),
      ])
    var properties = XMLElement("properties")
    let values: [(String, String?)] = [
      ("run", run.run.isEmpty ? nil : run.run), ("device.id", device?.id), ("device.model", device?.model),
      ("device.firmware", device?.firmware), ("auth.unpinned", transcript.unpinned[scenario.device ?? ""]),
      ("seed", run.seed.map(String.init)),
      ("language", run.language == 0 ? nil : String(run.language)),
      ("document.sha256", transcript.document(scenario.document)?.sha256),
    ]
    properties.children = values.compactMap { name, value in
      value.map { XMLElement("property", [("name", name), ("value", $0)]) }
    }
    suite.children = [properties] + cases
    return suite
  }
}
