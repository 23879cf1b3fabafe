extension RunNotice {
  /// What its one test case counts as.
  var junitCounts: JUnitCounts {
    var counts = JUnitCounts()
    counts.tests = 1
    if reason == .notBegun { counts.skipped = 1 } else { counts.errors = 1 }
    return counts
  }

  /// The notice as a JUnit document of one test case.
  package var junit: String { JUnitDocument.text(of: [junitSuite], junitCounts) }

  /// The notice as a test case in a suite of its own.
  var junitSuite: XMLElement {
    var suite = XMLElement(
      "testsuite",
      [("name", file), ("id", file), ("timestamp", UTCTime(unixSeconds: time).text), ("file", file)]
        + junitCounts.attributes)
    var test = XMLElement(
      "testcase",
      [("classname", "\(file).run"), ("name", "run"), ("file", file), ("line", "1"), ("time", "0.000")])
    let content = [message, detail].filter { !$0.isEmpty }.joined(separator: "\n")
    test.children = [
      reason == .notBegun
        ? XMLElement("skipped", [("message", message)])
        : XMLElement("error", [("message", message), ("type", reason.rawValue)], content: content)
    ]
    suite.children = [XMLElement("properties"), test]
    return suite
  }
}
