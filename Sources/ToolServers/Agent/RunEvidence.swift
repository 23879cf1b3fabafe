package import CastProtocol
package import RunReporting

/// What an agent is told of a run: its verdict, and what failed with all that explains it.
package struct RunEvidence: Sendable {
  private static let shownFailures = 50

  private var transcript = RunTranscript()

  package init() {}

  /// How many steps are over.
  package private(set) var stepsDone = 0
  /// How many there are in all, as far as the document says.
  package private(set) var stepsInAll: Int?
  /// Whether a run was begun.
  package private(set) var hasBegun = false

  package mutating func record(_ event: Event) {
    transcript.record(event)
    switch event.kind {
    case .runStarted: hasBegun = true
    case .plan(let plan): stepsInAll = plan.steps
    case .stepFinished: stepsDone += 1
    default: break
    }
  }

  /// For programs.
  package var json: JSONObject {
    let results = RunResults(transcript)
    var object: JSONObject = ["run": .string(results.run.run)]
    if let file = results.run.documents.first?.file { object["document"] = .string(file) }
    object["passed"] = .bool(results.finished?.exit == 0)
    object["finished"] = .bool(results.finished != nil)
    if let finished = results.finished {
      object["result"] = .string(finished.result.rawValue)
      object["exit"] = .int(finished.exit)
    }
    object["seconds"] = .milliseconds(results.seconds)
    let cases = results.suites.flatMap { suite in suite.cases.map { (suite, $0) } }
    var counts = JSONObject()
    for word in ReportCase.Outcome.Word.allCases {
      let count = cases.count { $0.1.outcome.word == word }
      if count > 0 { counts[word.rawValue] = .int(count) }
    }
    object["steps"] = .object(counts)
    let failures = cases.filter { $0.1.outcome.finding != nil }
    object["failures"] = .array(failures.prefix(Self.shownFailures).map { .object(Self.failure($0.1, of: $0.0)) })
    if failures.count > Self.shownFailures { object["failuresLeftOut"] = .int(failures.count - Self.shownFailures) }
    return object
  }

  private static func failure(_ one: ReportCase, of suite: ReportSuite) -> JSONObject {
    var object: JSONObject = [
      "scenario": .string(suite.title), "section": .string(one.section), "step": .string(one.name),
      "result": .string(one.outcome.word.rawValue),
    ]
    if !one.place.file.isEmpty {
      object["file"] = .string(one.place.file)
      object["line"] = .int(one.place.line)
    }
    if let finding = one.outcome.finding {
      object["type"] = .string(finding.type)
      object["message"] = .string(finding.message)
      object["evidence"] = .array(finding.lines.map { .string($0) })
    }
    if one.attempts > 1 { object["attempts"] = .int(one.attempts) }
    return object
  }
}
