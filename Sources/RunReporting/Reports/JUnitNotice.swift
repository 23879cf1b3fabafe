extension RunNotice {
  private static let counts = [("tests", "1"), ("failures", "0"), ("errors", "1"), ("skipped", "0"), ("time", "0.000")]

  /// The notice as a JUnit document of one test case.
  package var junit: String { JUnitDocument.text(of: [junitSuite], counts: Self.counts) }

  /// The notice as a test case in a suite of its own.
  var junitSuite: XMLElement {
    var suite = XMLElement(
      "testsuite",
      [("name", file), ("id", file), ("timestamp", UTCTime(unixSeconds: time).text), ("file", file)] + Self.counts)
    var test = XMLElement(
      "testcase",
      [("classname", "\(file).run"), ("name", "run"), ("file", file), ("line", "1"), ("time", "0.000")])
    let content = [message, detail].filter { !$0.isEmpty }.joined(separator: "\n")
    test.children = [XMLElement("error", [("message", message), ("type", reason.rawValue)], content: content)]
    suite.children = [XMLElement("properties"), test]
    return suite
  }
}
