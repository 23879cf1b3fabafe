import CastProtocol

/// A JUnit document in place of a run's own: one test case that says why there is no run, or that it is not over.
package struct JUnitNotice: Sendable {
  package enum Reason: String, Sendable {
    /// The run has not come to its end: it still runs, or it was killed.
    case notFinished = "not_finished"
    /// The run could not begin.
    case notRun = "not_run"
  }

  private let file: String
  private let reason: Reason
  private let message: String
  private let detail: String
  private let time: Double

  /// `message` is one line, `detail` may be several; `time` is in Unix seconds.
  package init(of file: String, _ reason: Reason, _ message: String, detail: String = "", at time: Double) {
    self.file = file
    self.reason = reason
    self.message = message
    self.detail = detail
    self.time = time
  }

  package var text: String {
    let counts = [("tests", "1"), ("failures", "0"), ("errors", "1"), ("skipped", "0"), ("time", "0.000")]
    var root = XMLElement("testsuites", [("name", "showcaller")] + counts)
    var suite = XMLElement(
      "testsuite",
      [("name", file), ("id", file), ("timestamp", UTCTime(unixSeconds: time).text), ("file", file)] + counts)
    var test = XMLElement(
      "testcase",
      [("classname", "\(file).run"), ("name", "run"), ("file", file), ("line", "1"), ("time", "0.000")])
    let content = [message, detail].filter { !$0.isEmpty }.joined(separator: "\n")
    test.children = [XMLElement("error", [("message", message), ("type", reason.rawValue)], content: content)]
    suite.children = [XMLElement("properties"), test]
    root.children = [suite]
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + root.text(indent: "") + "\n"
  }
}
