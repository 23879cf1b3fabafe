import CastProtocol
import ScenarioLanguage
import Testing

@testable import RunReporting

/// Results, verdicts and exit codes, as docs/reference.md "Exit codes" and docs/runs.md "Error classes" have them.
@Suite struct OutcomeTests {
  static let classes: [(word: String, code: String, exit: Int32)] = [
    ("not_found", "R701", 4), ("ambiguous", "R702", 4), ("busy", "R703", 75), ("auth", "R704", 4),
    ("unreachable", "R711", 4), ("connection_lost", "R712", 5), ("tls", "R713", 4), ("protocol", "R714", 5),
    ("timeout", "R715", 6), ("launch_failed", "R716", 5), ("launch_cancelled", "R717", 5), ("app_gone", "R718", 5),
    ("taken_over", "R719", 5), ("load_failed", "R720", 5), ("load_cancelled", "R721", 5), ("media_error", "R722", 5),
    ("invalid_request", "R723", 5), ("invalid_state", "R724", 5), ("refused_locally", "R725", 5),
    ("probe_failed", "R726", 5), ("exec_failed", "R727", 5), ("expectation", "R728", 1),
  ]

  @Test("A class of error has its word, its code and its exit code", arguments: classes)
  func errorClass(word: String, code: String, exit: Int32) throws {
    let known = try #require(ErrorClass(rawValue: word))
    let failure = StepFailure(known, "why", wire: ["a": 1], help: "do this")
    #expect(failure.code.rawValue == code && known.exitCode == exit)
    #expect(failure.isExpectation == (word == "expectation"))
    let told = EventKind.Failure(failure)
    #expect(told.className == word && told.message == "why" && told.wire == ["a": 1] && told.help == "do this")
    // A class that a stored event does not know is an error without a name.
    #expect(EventKind.Failure(fields: ["class": .string(word + "!"), "message": "m"]).className == "error")
  }

  @Test("A code ends a run as its class does, and a check as an invalid document", arguments: classes)
  func code(word: String, code: String, exit: Int32) throws {
    #expect(try #require(Code(rawValue: code)).exit.rawValue == exit)
    #expect(Code.k101.exit == .documentInvalid && Code.r706.exit == .stepFailed)
  }

  @Test("No class is missing in the table but those by which a run itself ends a step")
  func all() {
    let others = Set(ErrorClass.allCases.map(\.rawValue)).subtracting(Self.classes.map(\.word))
    #expect(others == ["interrupted", "monitor", "cancelled"])
    #expect(StepFailure.cancelled.errorClass == .cancelled && !StepFailure.cancelled.failsWithoutStopping)
  }

  static let results: [(result: StepResult, word: String, isGood: Bool, isBad: Bool)] = [
    (.passed, "passed", true, false), (.flaky, "flaky", true, false), (.failed, "failed", false, true),
    (.error, "error", false, true), (.skipped, "skipped", false, false), (.notRun, "not_run", false, false),
  ]

  @Test("Passed at whatever try is good, failed and error are bad, what was not done is neither", arguments: results)
  func result(result: StepResult, word: String, isGood: Bool, isBad: Bool) {
    #expect(result.rawValue == word && result.isGood == isGood && result.isBad == isBad)
    if let verdict = RunVerdict(rawValue: word) {
      #expect(verdict.isGood == isGood)
    } else {
      #expect(!isGood && !isBad)
    }
    #expect(Self.results.count == StepResult.allCases.count)
  }

  @Test("Verdicts are counted each under its own name", arguments: 1...5 as ClosedRange<UInt64>)
  func counts(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let verdicts = (0..<random.next(below: 40)).map { _ in RunVerdict.allCases[random.next(below: 4)] }
    let fields = EventKind.VerdictCounts(verdicts).fields
    for verdict in RunVerdict.allCases {
      #expect(fields[verdict.rawValue]?.int == verdicts.count { $0 == verdict })
    }
    #expect(fields["skipped"] == 0)
  }

  static let endings: [(endings: [SeriesVerdict.Ending], result: RunVerdict)] = [
    ([], .passed), ([.ran(.passed)], .passed), ([.ran(.passed), .ran(.flaky)], .flaky),
    ([.ran(.flaky), .ran(.failed)], .failed), ([.ran(.failed), .ran(.error), .ran(.passed)], .error),
    ([.notRun], .error), ([.ran(.flaky), .notRun], .error), ([.ran(.failed), .notRun], .failed),
    ([.ran(.error), .notRun], .error),
  ]

  @Test(
    "Several documents come to the worst of them; one that was not run is an error unless another says more",
    arguments: endings)
  func series(endings: [SeriesVerdict.Ending], result: RunVerdict) {
    let documents = endings.enumerated().map { SeriesVerdict.Document("\($0.offset).yaml", $0.element) }
    #expect(SeriesVerdict(documents, seconds: 1, exitCode: 0).result == result)
    #expect(SeriesVerdict(documents.reversed(), seconds: 1, exitCode: 0).result == result)
  }

  static let lists: [(count: Int, text: String)] = [
    (0, ""), (1, "d1"), (2, "d1, d2"), (8, "d1, d2, d3, d4, d5, d6, d7, d8"),
    (9, "d1, d2, d3, d4, d5, d6, d7, d8 and 1 more"), (30, "d1, d2, d3, d4, d5, d6, d7, d8 and 22 more"),
  ]

  @Test("Of many names eight are told and the rest counted", arguments: lists)
  func list(count: Int, text: String) { #expect(SeriesVerdict.list((0..<count).map { "d\($0 + 1)" }) == text) }
}
