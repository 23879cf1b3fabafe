import CastProtocol
import ScenarioLanguage

extension ReportKind {
  /// By Surefire's rules (docs/runs.md "JUnit").
  package static let junit = document("junit", "one JUnit XML document for test systems", of: RunTranscript.self) {
    JUnitDocument($0).text
  }
}

/// Runs as a JUnit document.
struct JUnitDocument {
  private var suites: [XMLElement] = []
  private var counts = JUnitCounts()

  init(_ parts: [ReportPart<RunResults>]) {
    for part in parts {
      switch part {
      case .run(let results): add(results)
      case .notice(let notice): add(notice)
      }
    }
  }

  /// The suites of a run, that of a notice last.
  private mutating func add(_ results: RunResults) {
    for suite in results.suites {
      let written = JUnitSuite(suite, on: results.run.host)
      suites.append(written.element)
      counts.add(written.counts)
    }
    if let notice = results.notice { add(notice) }
    counts.seconds += results.seconds
  }

  /// The notice as a test case in a suite of its own.
  private mutating func add(_ notice: RunNotice) {
    var own = JUnitCounts()
    own.tests = 1
    if notice.reason == .notBegun { own.skipped = 1 } else { own.errors = 1 }
    counts.add(own)
    let file = notice.file
    var suite = XMLElement(
      "testsuite",
      [("name", file), ("id", file), ("timestamp", UTCTime(unixSeconds: notice.time).text), ("file", file)]
        + own.attributes)
    var test = XMLElement(
      "testcase",
      [("classname", "\(file).run"), ("name", "run"), ("file", file), ("line", "1"), ("time", "0.000")])
    let content = [notice.message, notice.detail].filter { !$0.isEmpty }.joined(separator: "\n")
    test.children = [
      notice.reason == .notBegun
        ? XMLElement("skipped", [("message", notice.message)])
        : XMLElement("error", [("message", notice.message), ("type", notice.reason.rawValue)], content: content)
    ]
    suite.children = [XMLElement("properties"), test]
    suites.append(suite)
  }

  var text: String {
    var root = XMLElement("testsuites", [("name", "showcaller")] + counts.attributes)
    root.children = suites
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + root.text(indent: "") + "\n"
  }
}

/// How many test cases came to what.
struct JUnitCounts: Hashable, Sendable {
  var tests = 0
  var failures = 0
  var errors = 0
  var skipped = 0
  var seconds = 0.0

  var attributes: [(name: String, value: String)] {
    [
      ("tests", String(tests)), ("failures", String(failures)), ("errors", String(errors)),
      ("skipped", String(skipped)), ("time", seconds.decimalSeconds),
    ]
  }

  /// Takes the counts of tests; time is a run's, and its suites overlap.
  mutating func add(_ other: JUnitCounts) {
    tests += other.tests
    failures += other.failures
    errors += other.errors
    skipped += other.skipped
  }
}

extension Double {
  /// Seconds as JUnit writes them: `12.000`.
  var decimalSeconds: String { Swift.max(0, self).decimals(3, padded: true) }
}
