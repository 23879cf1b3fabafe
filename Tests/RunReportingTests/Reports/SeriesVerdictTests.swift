import RunReporting
import Testing

/// The one line about several documents.
@Suite struct SeriesVerdictTests {
  /// `a passed`: the document `a.yaml` passed.
  private static func verdict(_ documents: [String]) -> SeriesVerdict {
    let all = documents.map { text -> SeriesVerdict.Document in
      let words = text.split(separator: " ").map(String.init)
      return .init(words[0] + ".yaml", RunVerdict(rawValue: words[1]).map { .ran($0) } ?? .notRun)
    }
    return SeriesVerdict(all, seconds: 4.24, exitCode: 1)
  }

  static let lines: [(documents: [String], line: String)] = [
    (["a passed"], "PASSED 1 of 1 document"),
    (["a passed", "b passed", "c passed"], "PASSED 3 of 3 documents"),
    (["a passed", "b flaky"], "FLAKY 1 of 2 documents: b.yaml"),
    (["a passed", "b failed", "c flaky"], "FAILED 1 of 3 documents: b.yaml"),
    (["a failed", "b error", "c passed"], "ERROR 2 of 3 documents: a.yaml, b.yaml"),
    (["a failed", "b not", "c not"], "FAILED 1 of 3 documents: a.yaml; not run: b.yaml, c.yaml"),
    (["a passed", "b not"], "ERROR 1 of 2 documents passed; not run: b.yaml"),
    (["a not"], "ERROR 0 of 1 document passed; not run: a.yaml"),
  ]

  @Test("The line names the worst result and each document that did not pass", arguments: lines)
  func line(_ example: (documents: [String], line: String)) {
    #expect(Self.verdict(example.documents).line == example.line + " in 4.2s · exit 1")
  }

  @Test("Of many documents a few are named")
  func many() {
    let line = Self.verdict((1...20).map { "d\($0) failed" }).line
    #expect(line.hasPrefix("FAILED 20 of 20 documents: d1.yaml, d2.yaml, "), "\(line)")
    #expect(line.contains("d8.yaml and 12 more in"), "\(line)")
  }
}
