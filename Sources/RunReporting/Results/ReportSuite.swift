package import CastProtocol
import ScenarioLanguage

/// One scenario on its device, with one row, as a list of tests.
package struct ReportSuite: Sendable {
  /// The document's id.
  package var document: String
  /// `ads [QA Chromecast] lang=no`.
  package var title: String
  /// `ads@qa-chromecast lang=no`.
  package var id: String
  /// What tells its tests from those of the document's other suites: `qa-hub lang=no`; empty where there are none.
  package var mark: String
  /// The document's file, as the command line names it.
  package var file: String
  package var tags: [String]
  /// How reports call what it ran on.
  package var deviceText: String
  package var device: RunTranscript.Device?
  /// Whether it ran on virtual receivers only.
  package var isVirtual: Bool
  /// The values of the matrix.
  package var row: JSONObject
  /// The same in words: `lang=no speed=2`; empty where there are none.
  package var rowValues: String
  /// Unix seconds.
  package var startedAt: Double
  /// Seconds.
  package var duration: Double
  /// `nil` where it has no end.
  package var result: RunVerdict?
  /// The command that runs it again.
  package var rerun: String
  /// What is known of the run, the device and the document, by name.
  package var properties: [(name: String, value: String)]
  /// The software of its devices, as they called it.
  package var firmware: ScenarioFirmware
  /// How near the rules of `watch` that held came to being broken.
  package var rules: [EventKind.RuleMargins]
  /// What failed apart from the steps first, then the steps in their order, then broken rules of `watch`.
  package var cases: [ReportCase]

  package func count(_ isMeant: (ReportCase.Outcome.Word) -> Bool) -> Int {
    cases.count { isMeant($0.outcome.word) }
  }
}

extension ReportSuite {
  init(_ scenario: RunTranscript.Scenario, of transcript: RunTranscript) {
    let (run, told) = (transcript.run, transcript.document(scenario.document))
    let row = scenario.rowText.map { " \($0)" } ?? ""
    document = scenario.document
    deviceText = transcript.deviceText(of: scenario)
    title = "\(scenario.document) [\(deviceText)]\(row)"
    id = [scenario.document, scenario.device].compactMap { $0 }.joined(separator: "@") + row
    mark = scenario.mark
    file = told?.file ?? ""
    tags = told?.tags ?? []
    device = transcript.device(scenario.device)
    self.row = scenario.row
    rowValues = scenario.valuesText ?? ""
    startedAt = scenario.startedAt
    duration = scenario.duration
    result = scenario.result
    rerun = transcript.rerunLine(of: scenario)
    let ids = scenario.device.map { [$0] } ?? scenario.roles.members.compactMap(\.value.string)
    isVirtual = !ids.isEmpty && ids.allSatisfy { transcript.device($0)?.isVirtual == true }
    let unpinned = ids.compactMap { transcript.unpinned[$0] }
    let values: [(String, String?)] = [
      ("run", run.run.isEmpty ? nil : run.run), ("device.id", device?.id), ("device.model", device?.model),
      ("device.firmware", device?.firmware),
      ("auth.unpinned", unpinned.isEmpty ? nil : unpinned.joined(separator: "; ")),
      ("seed", run.seed.map(String.init)),
      ("language", run.language == 0 ? nil : String(run.language)), ("document.sha256", told?.sha256),
      ("resumes", run.resumes),
    ]
    properties = values.compactMap { name, value in value.map { (name, $0) } }
    let roles = scenario.roles.members.map { ($0.name, $0.value.string) }
    firmware = ScenarioFirmware(
      (roles.isEmpty ? [("", scenario.device)] : roles).reduce(into: [:]) { versions, role in
        versions[role.0] = transcript.device(role.1)?.firmware
      })
    rules = scenario.finished?.rules ?? []
    cases = CaseReader(scenario, of: transcript).cases
  }
}

/// What a whole run came to, as test systems want it.
package struct RunResults: Sendable {
  package var run: EventKind.RunStarted
  package var suites: [ReportSuite]
  /// What was run several times.
  package var repeated: [RepeatedCase]
  /// What is to be said besides: that it has no end, or was cut.
  package var notice: RunNotice?
  /// The run's result and exit code; `nil` where it did not finish.
  package var finished: EventKind.RunFinished?
  /// Document seconds that it took.
  package var seconds: Double
  /// Unix seconds.
  package var startedAt: Double
  /// Unix seconds of the last event.
  package var endedAt: Double

  /// - Parameter transcript: Of all events that there are.
  package init(_ transcript: RunTranscript) {
    run = transcript.run
    suites = transcript.finalScenarios.map { ReportSuite($0, of: transcript) }
    repeated = transcript.repeatedCases
    notice = transcript.endNotice
    finished = transcript.finished
    seconds = transcript.finishedAt
    startedAt = transcript.startedAt
    endedAt = transcript.time
  }
}
