import CastProtocol
import ScenarioLanguage

/// One scenario on one device as a `<testsuite>`.
struct JUnitSuite {
  private let suite: ReportSuite
  private let host: String?
  let counts: JUnitCounts

  init(_ suite: ReportSuite, on host: String?) {
    (self.suite, self.host) = (suite, host)
    var counts = JUnitCounts()
    counts.tests = suite.cases.count
    for one in suite.cases {
      switch one.outcome {
      case .failed: counts.failures += 1
      case .error, .unfinished: counts.errors += 1
      case .skipped, .notRun, .ignored, .stopped: counts.skipped += 1
      case .passed, .flaky: break
      }
    }
    counts.seconds = suite.duration
    self.counts = counts
  }

  var element: XMLElement {
    var element = XMLElement(
      "testsuite",
      [
        ("name", suite.title), ("id", suite.id), ("hostname", host ?? ""),
        ("timestamp", UTCTime(unixSeconds: suite.startedAt).text), ("file", suite.file),
      ] + counts.attributes)
    var properties = XMLElement("properties")
    properties.children = suite.properties.map { XMLElement("property", [("name", $0.name), ("value", $0.value)]) }
    element.children = [properties] + suite.cases.map(testcase)
    return element
  }

  /// A test as `<testcase>`, its children in the order Surefire's schema asks for.
  ///
  /// Test systems keep the history of a case by its class and name: both together are one device's and one row's.
  private func testcase(_ one: ReportCase) -> XMLElement {
    var element = XMLElement(
      "testcase",
      [
        ("classname", "\(suite.document).\(one.section)"),
        ("name", suite.mark.isEmpty ? one.name : "\(one.name) [\(suite.mark)]"), ("file", one.place.file),
        ("line", String(one.place.line)), ("time", one.duration.decimalSeconds),
      ])
    switch one.outcome {
    case .passed: break
    case .flaky: element.children = one.failedAttempts.map { attempt("flakyError", $0, of: one, one.faultLines) }
    case .failed(let finding): element.children = [problem("failure", finding)]
    case .error(let finding):
      let again = one.failedAttempts.dropFirst().map { attempt("rerunError", $0, of: one) }
      element.children = [problem("error", finding)] + again
    case .unfinished(let finding): element.children = [problem("error", finding)]
    case .skipped, .notRun, .ignored, .stopped:
      element.children = [XMLElement("skipped", [("message", one.outcome.reason ?? "")])]
    }
    let skew = one.skew.map { "the devices were \($0.decimals(3))s apart" }
    let notes = [one.resumedText, skew].compactMap { $0 }
    if !notes.isEmpty { element.children.append(XMLElement("system-out", content: notes.joined(separator: "\n"))) }
    return element
  }

  private func problem(_ name: String, _ finding: ReportCase.Finding) -> XMLElement {
    XMLElement(name, [("message", finding.message), ("type", finding.type)], content: finding.text)
  }

  /// A tried-again failure; Surefire wants its text in `<stackTrace>`.
  private func attempt(
    _ name: String, _ failed: EventKind.AttemptFailed, of one: ReportCase, _ more: [String] = []
  ) -> XMLElement {
    var element = XMLElement(name, [("message", failed.error.message), ("type", failed.error.className)])
    element.children = [
      XMLElement(
        "stackTrace",
        content: (["\(one.cause.text) attempt \(failed.attempt) of \(one.attempts)"] + more).joined(separator: "\n"))
    ]
    return element
  }
}
