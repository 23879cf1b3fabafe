import CastProtocol
import Testing

@testable import ScenarioLanguage

/// The formats of `check` over several documents, and what they leave out.
@Suite struct CheckFormatDetailTests {
  static func span(_ line: Int, _ column: Int, _ end: Int, file: String = "a.yaml") -> SourceSpan {
    SourceSpan(file: file, line: line, column: column, endLine: line, endColumn: end)
  }

  static func result(
    _ file: String, _ problems: [Diagnostic], text: String = "abc: def\n", isNamed: Bool = true, id: String? = nil,
    details: String = ""
  ) -> CheckResult {
    CheckResult(
      file: file, identity: id.map { .init(kind: .scenario, id: $0, title: "T \($0)", details: details) },
      diagnostics: problems,
      sources: [SourceFile(text, name: file)], isNamed: isNamed)
  }

  static let error = Diagnostic(
    .error, .k101, "unknown key `abc`", at: .init(span(1, 1, 4), "did you mean `abd`?"),
    related: [.init(span(1, 6, 9), "here"), .init(span(1, 6, 7))], footers: [.help("h1\nh2"), .note("n")])
  static let warning = Diagnostic(.warning, .p610, "expects nothing", at: .init(span(1, 6, 9, file: "b.yaml")))

  static func text(_ format: CheckFormatName, _ results: [CheckResult]) -> String {
    CheckFormatTests.text(format, results)
  }

  // MARK: SARIF

  @Test("SARIF lists each code once, in the order met, and results point to it by its number")
  func sarifRules() throws {
    let again = Diagnostic(.error, .k101, "m", at: .init(Self.span(1, 1, 2, file: "b.yaml")))
    let run = try #require(
      try JSONValue(
        parsing: Array(
          Self.text(.sarif, [Self.result("a.yaml", [Self.error]), Self.result("b.yaml", [Self.warning, again])]).utf8))[
          "runs"]?.array?.first)
    let results = try #require(run["results"]?.array)
    #expect(results.map { $0["ruleId"] } == ["K101", "P610", "K101"])
    #expect(results.map { $0["ruleIndex"] } == [0, 1, 0])
    #expect(results.map { $0["level"] } == ["error", "warning", "error"])
    #expect(run["tool"]?["driver"]?["rules"]?.array?.map { $0["id"] } == ["K101", "P610"])
    #expect(run["artifacts"]?.array?.map { $0["location"]?["uri"] } == ["a.yaml", "b.yaml"])
    #expect(run["columnKind"] == "unicodeCodePoints")
  }

  @Test("A SARIF result has all that is said, and the related places numbered from 1")
  func sarifResult() throws {
    let json = try JSONValue(parsing: Array(Self.text(.sarif, [Self.result("a.yaml", [Self.error])]).utf8))
    let result = try #require(json["runs"]?.array?[0]["results"]?.array?.first)
    #expect(result["message"]?["text"] == "unknown key `abc`: did you mean `abd`?\nhelp: h1\nh2\nnote: n")
    let region: JSONValue = ["startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 4]
    #expect(result["locations"]?.array?[0]["physicalLocation"]?["region"] == region)
    let related = try #require(result["relatedLocations"]?.array)
    #expect(related.map { $0["id"] } == [1, 2])
    #expect(related.map { $0["message"]?["text"] } == ["here", nil])
  }

  @Test("A rule has the title of its page, and where more about it can be read")
  func sarifTitles() throws {
    let text = Self.text(.sarif, [Self.result("a.yaml", [Self.error, Self.warning])])
    let rules = try #require(
      try JSONValue(parsing: Array(text.utf8))["runs"]?.array?[0]["tool"]?["driver"]?["rules"]?.array)
    #expect(
      rules.map { $0["shortDescription"]?["text"]?.string } == [Code.k101, .p610].map { CodePages.page($0)?.title })
    #expect(rules[1]["help"]?["text"] == "`showcaller explain P610` shows a wrong and a right example.")
  }

  @Test("A file that cannot be read makes the run no success, with a notification that names it")
  func sarifUnreadable() throws {
    let text = CheckFormatTests.text(.sarif, [], unreadable: [.init(file: "/x y.yaml", message: "no such file")])
    let invocation = try #require(
      try JSONValue(parsing: Array(text.utf8))["runs"]?.array?[0]["invocations"]?.array?.first)
    #expect(invocation["executionSuccessful"] == false)
    let notification = try #require(invocation["toolExecutionNotifications"]?.array?.first)
    #expect(notification["message"]?["text"] == "no such file")
    #expect(
      notification["locations"]?.array?[0]["physicalLocation"]?["artifactLocation"]?["uri"] == "file:///x%20y.yaml")
    let good = try JSONValue(parsing: Array(Self.text(.sarif, []).utf8))["runs"]?.array?[0]
    #expect(good?["invocations"]?.array?[0]["executionSuccessful"] == true)
    #expect(good?["results"] == [] && good?["artifacts"] == [])
  }

  @Test("A place of nothing is still a region that SARIF allows")
  func sarifRegion() throws {
    let odd = SourceSpan(file: "a.yaml", line: 0, column: 0, endLine: 0, endColumn: 0)
    let json = try JSONValue(
      parsing: Array(Self.text(.sarif, [Self.result("a.yaml", [Diagnostic(.note, .k101, "m", at: .init(odd))])]).utf8))
    let region = json["runs"]?.array?[0]["results"]?.array?[0]["locations"]?.array?[0]["physicalLocation"]?["region"]
    #expect(region == ["startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1])
  }

  // MARK: JSON

  @Test("JSON has one list for all documents, each problem with the document it was found for")
  func json() throws {
    let json = try JSONValue(
      parsing: Array(
        Self.text(
          .json,
          [
            Self.result("a.yaml", [Self.error]), Self.result("b.yaml", [Self.warning], id: "b"),
            Self.result("c.yaml", []),
          ]
        ).utf8))
    let problems = try #require(json["diagnostics"]?.array)
    #expect(problems.map { $0["document"] } == ["a.yaml", "b.yaml"])
    #expect(problems[0]["related"]?.array?.map { $0["label"] } == ["here", ""])
    #expect(problems[0]["help"] == ["h1\nh2"] && problems[0]["notes"] == ["n"])
    #expect(problems[0]["explain"] == "showcaller explain K101")
    #expect(
      json["documents"]?.array?.map { $0.serialized() } == [
        #"{"file":"a.yaml","valid":false,"errors":1,"warnings":0}"#,
        #"{"file":"b.yaml","kind":"scenario","id":"b","title":"T b","valid":true,"errors":0,"warnings":1}"#,
        #"{"file":"c.yaml","valid":true,"errors":0,"warnings":0}"#,
      ])
    #expect(json["summary"] == ["documents": 3, "invalid": 1, "errors": 1, "warnings": 1])
  }

  @Test("An identity is told only of a document without errors")
  func identity() {
    #expect(Self.result("a.yaml", [Self.error], id: "a").identity == nil)
    #expect(Self.result("a.yaml", [Self.warning], id: "a").identity?.id == "a")
  }

  // MARK: gcc and github

  @Test("gcc's columns count bytes, and what is said beside the problem are notes at their own places")
  func gcc() {
    let problem = Diagnostic(
      .warning, .t212, "m", at: .init(Self.span(1, 5, 6), "label"),
      related: [.init(Self.span(2, 2, 3), "other"), .init(Self.span(2, 1, 2))],
      footers: [.help("h"), .note("n")])
    #expect(
      Self.text(.gcc, [Self.result("a.yaml", [problem], text: "映画: x\nüb\n")])
        == "a.yaml:1:9: warning: m [T212]\na.yaml:1:9: note: label\na.yaml:2:3: note: other\na.yaml:1:9: note: help: h\na.yaml:1:9: note: n\n"
    )
  }

  @Test("An annotation of one line has columns, one of several none, which the runner refuses; its text is encoded")
  func github() {
    #expect(
      GitHubCheckFormat.command(Self.error)
        == "::error file=a.yaml,line=1,endLine=1,col=1,endColumn=4,title=K101::unknown key `abc`: did you mean `abd`?%0Ahelp: h1%0Ah2%0Anote: n\n"
    )
    let long = SourceSpan(file: "a,b:c.yaml", line: 2, column: 3, endLine: 4, endColumn: 1)
    #expect(
      GitHubCheckFormat.command(Diagnostic(.note, .r706, "100%", at: .init(long)))
        == "::notice file=a%2Cb%3Ac.yaml,line=2,endLine=4,title=R706::100%25\n")
    let summary = CheckFormatTests.text(.github, [], unreadable: [.init(file: "a,b.yaml", message: "50% gone")])
    #expect(summary == "::error file=a%2Cb.yaml::50%25 gone\n")
  }

  // MARK: human

  static func human(_ results: [CheckResult], _ change: (inout HumanCheckFormat.Style) -> Void) -> String {
    var style = HumanCheckFormat.Style()
    change(&style)
    var format = HumanCheckFormat(style)
    var summary = CheckSummary()
    var text = format.begin()
    for result in results {
      summary.add(result)
      text += format.add(result)
    }
    return text + format.end(summary)
  }

  @Test("What is valid is said of documents that were named, unless nothing shall be said")
  func valid() {
    let good = Self.result("a.yaml", [], id: "a")
    let found = Self.result("b.yaml", [], isNamed: false, id: "b")
    #expect(Self.human([good, found]) { _ in } == "a.yaml: scenario `T a` is valid\n")
    let detailed = Self.result("a.yaml", [], id: "a", details: "3 steps")
    #expect(Self.human([detailed]) { _ in } == "a.yaml: scenario `T a` is valid: 3 steps\n")
    #expect(Self.text(.gcc, [good]).isEmpty && Self.text(.github, [good]).isEmpty)
    #expect(Self.human([good, found]) { $0.isQuiet = true } == "")
    #expect(
      Self.human([good, found]) { $0.hasSummary = true }
        == "a.yaml: scenario `T a` is valid\n2 documents, no problems\n")
  }

  @Test("With warnings a document is valid unless they fail it, too")
  func strict() {
    let warned = Self.result("b.yaml", [Self.warning], id: "b")
    #expect(Self.human([warned]) { _ in }.hasSuffix("\nb.yaml: scenario `T b` is valid\n"))
    #expect(!Self.human([warned]) { $0.isStrict = true }.contains("valid"))
    #expect(Self.human([Self.result("b.yaml", [], id: "b")]) { $0.isStrict = true }.contains("valid"))
  }

  @Test("An empty line parts the problems of one document from what follows, and only those")
  func gaps() {
    let bad = Self.result("a.yaml", [Self.error])
    let good = Self.result("c.yaml", [], id: "c")
    let text = Self.human([good, bad, good, good]) { $0.hasSummary = true }
    #expect(text.hasPrefix("c.yaml: scenario `T c` is valid\nerror[K101]"))
    #expect(
      text.hasSuffix(
        "= note: n\n\nc.yaml: scenario `T c` is valid\nc.yaml: scenario `T c` is valid\n4 documents, 1 with errors\n"))
    #expect(Self.human([bad]) { $0.hasSummary = true }.hasSuffix("= note: n\n\n1 document, 1 with errors\n"))
  }

  @Test("On a runner each document's problems are followed by their annotations, and nothing said before is a command")
  func annotated() {
    let evil = Diagnostic(.error, .k101, "::set-env name=a::b", at: .init(Self.span(1, 1, 4)))
    let text = Self.human([Self.result("a.yaml", [evil], text: "  ::error::x\n")]) { $0.annotates = true }
    let commands = text.split(separator: "\n").filter { $0.drop { $0 == " " }.hasPrefix("::") && !$0.contains("::: ") }
    #expect(commands.count == 1 && commands[0].hasPrefix("::error file=a.yaml,line=1"), "\(text)")
  }
}
