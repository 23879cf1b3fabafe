import CastProtocol
import ScenarioLanguage

extension ReportKind {
  /// The Common Test Report Format, version 1.0 (docs/runs.md "CTRF").
  package static let ctrf = document("ctrf", "one CTRF 1.0 JSON document", of: RunTranscript.self) {
    CTRFDocument($0).text
  }
}

/// Runs as a CTRF document.
struct CTRFDocument {
  private enum Status: String { case passed, failed, skipped, other }

  private var tests: [JSONValue] = []
  private var counts: [Status: Int] = [:]
  private var flaky = 0
  private var suites = 0
  private var tool: String?
  /// Unix milliseconds of all that is told.
  private var times: [Int] = []
  private var runs: [JSONValue] = []
  private var hosts: [String] = []

  init(_ parts: [ReportPart<RunResults>]) {
    for part in parts {
      switch part {
      case .run(let results): add(results)
      case .notice(let notice): add(notice)
      }
    }
  }

  var text: String {
    let (start, stop) = (times.min() ?? 0, times.max() ?? 0)
    func count(_ status: Status) -> JSONValue { .int(counts[status] ?? 0) }
    let summary: JSONObject = [
      "tests": .int(tests.count), "passed": count(.passed), "failed": count(.failed), "skipped": count(.skipped),
      "pending": 0, "other": count(.other), "flaky": .int(flaky), "suites": .int(suites), "start": .int(start),
      "stop": .int(stop), "duration": .int(stop - start),
    ]
    let words = (tool ?? "showcaller").split(separator: " ", maxSplits: 1).map(String.init)
    var named: JSONObject = ["name": .string(words.first ?? "showcaller")]
    if words.count > 1 { named["version"] = .string(words[1]) }
    let results: JSONObject = [
      "tool": .object(named), "summary": .object(summary), "tests": .array(tests),
      "environment": ["extra": ["hosts": .array(hosts.map(JSONValue.string)), "runs": .array(runs)]],
    ]
    let root: JSONObject = [
      "reportFormat": "CTRF", "specVersion": "1.0.0", "timestamp": .string(UTCTime(milliseconds: stop).text),
      "generatedBy": .string(tool ?? "showcaller"), "results": .object(results),
    ]
    return root.serialized() + "\n"
  }

  private mutating func add(_ results: RunResults) {
    tool = tool ?? (results.run.tool.isEmpty ? nil : results.run.tool)
    // Times are the document's, which pass faster than the wall's under --speed.
    times += [results.startedAt, results.startedAt + results.seconds].map { UTCTime(unixSeconds: $0).milliseconds }
    if let host = results.run.host, !hosts.contains(host) { hosts.append(host) }
    var run: JSONObject = ["id": .string(results.run.run)]
    if let seed = results.run.seed { run["seed"] = .int(seed) }
    if let finished = results.finished { run["exit"] = .int(finished.exit) }
    runs.append(.object(run))
    for suite in results.suites {
      suites += 1
      for one in suite.cases { add(one, of: suite, in: results) }
    }
    if let notice = results.notice { add(notice) }
  }

  private mutating func add(_ one: ReportCase, of suite: ReportSuite, in results: RunResults) {
    var test = test(
      suite.mark.isEmpty ? one.name : "\(one.name) [\(suite.mark)]", Self.status(of: one.outcome),
      milliseconds: Int(milliseconds: one.duration))
    if let startedAt = one.startedAt {
      let start = UTCTime(unixSeconds: results.startedAt + startedAt).milliseconds
      let stop = start + Int(milliseconds: one.duration)
      (test["start"], test["stop"]) = (.int(start), .int(stop))
      times.append(stop)
    }
    test["suite"] = [.string(suite.title), .string(one.section)]
    if let finding = one.outcome.finding {
      test["message"] = .string(finding.message)
      test["trace"] = .string(finding.text)
    } else if let reason = one.outcome.reason {
      test["message"] = .string(reason)
    }
    if !one.place.file.isEmpty {
      test["line"] = .int(one.place.line)
      test["filePath"] = .string(one.place.file)
    }
    test["rawStatus"] = .string(one.outcome.word.rawValue)
    if !suite.tags.isEmpty { test["tags"] = .array(suite.tags.map(JSONValue.string)) }
    test["type"] = "e2e"
    test["device"] = .string(suite.deviceText)
    if !suite.row.members.isEmpty { test["parameters"] = .object(suite.row) }
    var extra = JSONObject()
    if let skew = one.skew { extra["skewMs"] = .int(Int(milliseconds: skew)) }
    if let resumed = one.resumedText { extra["resumed"] = .string(resumed) }
    if !extra.members.isEmpty { test["extra"] = .object(extra) }
    if one.outcome.word == .flaky {
      test["flaky"] = true
      flaky += 1
    }
    if one.attempts > 1 { test["retries"] = .int(one.attempts - 1) }
    if one.attempts > 1, !one.failedAttempts.isEmpty {
      test["retryAttempts"] = .array(
        one.failedAttempts.map {
          ["attempt": .int($0.attempt), "status": "failed", "message": .string($0.error.message)]
        })
    }
    tests.append(.object(test))
  }

  private mutating func add(_ notice: RunNotice) {
    suites += 1
    times.append(UTCTime(unixSeconds: notice.time).milliseconds)
    var test = test(notice.file, notice.reason == .notBegun ? .skipped : .failed, milliseconds: 0)
    test["suite"] = [.string(notice.file), "run"]
    test["message"] = .string(notice.message)
    if !notice.detail.isEmpty { test["trace"] = .string(notice.detail) }
    test["rawStatus"] = .string(notice.reason.rawValue)
    if !notice.file.isEmpty { test["filePath"] = .string(notice.file) }
    tests.append(.object(test))
  }

  /// A test with what every test has, counted.
  private mutating func test(_ name: String, _ status: Status, milliseconds: Int) -> JSONObject {
    counts[status, default: 0] += 1
    return [
      "name": .string(name.isEmpty ? "run" : name), "status": .string(status.rawValue),
      "duration": .int(max(0, milliseconds)),
    ]
  }

  private static func status(of outcome: ReportCase.Outcome) -> Status {
    switch outcome {
    case .passed, .flaky: .passed
    case .failed, .error, .unfinished: .failed
    case .skipped, .notRun: .skipped
    case .ignored, .stopped: .other
    }
  }
}
