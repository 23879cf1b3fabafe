import CastProtocol
import Foundation
import Testing

@testable import ScenarioLanguage

/// What `check` writes in each format, over several documents, and what it leaves out.
@Suite struct CheckFormatTests {
  static func text(
    _ format: CheckFormatName, _ results: [CheckResult], skipped: [String] = [],
    unreadable: [CheckSummary.Unreadable] = []
  ) -> String {
    switch format {
    case .human: text(HumanCheckFormat(.init()), results, skipped, unreadable)
    case .json: text(JSONCheckFormat(tool: "showcaller 1.2.3"), results, skipped, unreadable)
    case .sarif: text(SARIFCheckFormat(toolVersion: "1.2.3"), results, skipped, unreadable)
    case .github: text(GitHubCheckFormat(), results, skipped, unreadable)
    case .gcc: text(GCCCheckFormat(), results, skipped, unreadable)
    }
  }

  private static func text(
    _ format: some CheckFormat, _ results: [CheckResult], _ skipped: [String], _ unreadable: [CheckSummary.Unreadable]
  ) -> String {
    var format = format
    var summary = CheckSummary()
    summary.skipped = skipped
    summary.unreadable = unreadable
    var text = format.begin()
    for result in results {
      summary.add(result)
      text += format.add(result)
    }
    return text + format.end(summary)
  }

  private static func json(_ results: [CheckResult], skipped: [String] = [], unreadable: [CheckSummary.Unreadable] = [])
    throws -> JSONValue
  {
    try JSONValue(parsing: Array(text(.json, results, skipped: skipped, unreadable: unreadable).utf8))
  }

  private static func human(_ results: [CheckResult], _ change: (inout HumanCheckFormat.Style) -> Void = { _ in })
    -> String
  {
    var style = HumanCheckFormat.Style()
    change(&style)
    return text(HumanCheckFormat(style), results, [], [])
  }

  static func span(_ line: Int, _ column: Int, _ end: Int, file: String = "a.yaml") -> SourceSpan {
    SourceSpan(file: file, line: line, column: column, endLine: line, endColumn: end)
  }

  static func result(
    _ file: String, _ problems: [Diagnostic], text: String = "abc: def\n", isNamed: Bool = true, id: String? = nil,
    details: String = ""
  ) -> CheckResult {
    CheckResult(
      file: file, identity: id.map { .init(kind: .scenario, id: $0, title: "T \($0)", details: details) },
      diagnostics: problems, sources: [SourceFile(text, name: file)], isNamed: isNamed)
  }

  static let error = Diagnostic(
    .error, .k101, "unknown key `abc`", at: .init(span(1, 1, 4), "did you mean `abd`?"),
    related: [.init(span(1, 6, 9), "here"), .init(span(1, 6, 7))], footers: [.help("h1\nh2"), .note("n")])
  static let warning = Diagnostic(.warning, .p610, "expects nothing", at: .init(span(1, 6, 9, file: "b.yaml")))

  // MARK: All formats

  @Test(
    "Each format tells the problems of one document byte for byte, columns right behind wide characters",
    arguments: CheckFormatName.allCases)
  func golden(format: CheckFormatName) throws {
    let folder = URL(filePath: Golden.folder).deletingLastPathComponent().appending(path: "formats")
    let source = SourceFile(
      name: "lobby.yaml", bytes: Array(try Data(contentsOf: folder.appending(path: "lobby.yaml"))))
    let outcome = PlanCompiler.compile(source)
    let result = CheckResult(
      file: source.name, identity: nil, diagnostics: outcome.diagnostics, sources: outcome.sources)
    let expected = try String(contentsOf: folder.appending(path: "\(format.rawValue).txt"), encoding: .utf8)
    #expect(Self.text(format, [result]) == expected)
  }

  @Test(
    "Nothing in a name or a message begins a line of its own, an escape sequence or a command",
    arguments: CheckFormatName.allCases)
  func hostile(format: CheckFormatName) throws {
    let evil = "x\n::add-mask::y\r\u{1B}[31m\u{9B}31m\u{202E}%0A::error::z,file=q:\u{2028}##[add-path]w"
    let span = SourceSpan(file: evil, line: 1, column: 1, endLine: 1, endColumn: 4)
    let problem = Diagnostic(
      .error, .k101, evil, at: .init(span, evil), related: [.init(span, evil)], footers: [.help(evil), .note(evil)])
    let unreadable = CheckSummary.Unreadable(file: evil, message: evil)
    var text = Self.text(
      format, [Self.result(evil, [problem], text: evil)], skipped: [evil], unreadable: [unreadable])
    if format == .human {
      text = Self.human([Self.result(evil, [problem], text: evil)]) { $0.annotates = true }
    }
    #expect(!text.unicodeScalars.contains { $0 != "\n" && $0.isDisplayControl }, "\(text)")
    let commands = text.split(separator: "\n").filter { $0.drop { $0 == " " }.hasPrefix("::") }
    let expected = [CheckFormatName.github: 2, .human: 2][format] ?? 0
    // In the human text `:::` points to another file; a runner finds no command in it.
    #expect(
      commands.count <= expected && !commands.contains { $0.contains("add-mask::y") && !$0.hasPrefix("::error ") })
    if format == .human {
      #expect(!text.split(separator: "\n").contains { $0.contains("##[") && !$0.hasPrefix("::error ") })
    }
  }

  @Test("A problem in a file whose text is not at hand has no UTF-16 and byte columns")
  func unknownFile() throws {
    let span = Self.span(2, 3, 4, file: "b.yaml")
    let result = Self.result("a.yaml", [Diagnostic(.error, .n404, "m", at: .init(span))])
    let problem = try #require(try Self.json([result])["diagnostics"]?.array?.first)
    #expect(problem["column"]?.int == 3 && problem["utf16Column"] == nil && problem["byteColumn"] == nil)
    #expect(Self.text(.gcc, [result]).hasPrefix("b.yaml:2:3: error: m [N404]\n"))
  }

  /// What is told of a scenario with so many steps that are none.
  private static func mistakes(_ count: Int, hidden: Int? = nil) -> (outcome: PlanCompiler.Outcome, told: CheckResult) {
    let steps = (0..<count).map { "  - laod\($0): x\n" }.joined()
    let source = SourceFile("scenario: S\ndevice: TV\nsteps:\n" + steps, name: "a.yaml")
    let outcome = PlanCompiler.compile(source)
    let told = CheckResult(
      file: "a.yaml", identity: nil, diagnostics: outcome.diagnostics, hidden: hidden ?? outcome.hidden,
      isCut: outcome.isCut, sources: outcome.sources)
    return (outcome, told)
  }

  @Test("What is more than fifty problems is counted, for people and programs")
  func hidden() throws {
    let (outcome, told) = Self.mistakes(80)
    #expect(outcome.diagnostics.count == 50 && outcome.hidden == 30)
    #expect(Self.human([told]).hasSuffix("\n\n... and 30 more problems in a.yaml\n"))
    #expect(try Self.json([told])["documents"]?.array?.first?["hidden"]?.int == 30)
  }

  @Test("Where checking stopped, being full, what is hidden is a lower bound, for people and programs")
  func stopped() throws {
    let (outcome, told) = Self.mistakes(20_000, hidden: 950)
    #expect(outcome.diagnostics.count == 50 && outcome.isCut)
    #expect(outcome.diagnostics.first?.primary.span.line == 4)
    #expect(Self.human([told]).hasSuffix("\n\n... and at least 950 more problems in a.yaml\n"))
    let perhaps = Self.mistakes(20_000, hidden: 0).told
    #expect(Self.human([perhaps]).hasSuffix("\n\n... and maybe more problems in a.yaml\n"))
    #expect(try Self.json([told])["documents"]?.array?.first?["stopped"]?.bool == true)
  }

  @Test("The summary counts documents, problems, and what was left out")
  func summary() {
    var summary = CheckSummary()
    #expect(summary.text == "0 documents")
    summary.add(Self.result("a.yaml", [Self.error]))
    summary.add(Self.result("b.yaml", [Self.warning]))
    #expect(summary.text == "2 documents, 1 with errors, 1 warning")
    summary.skipped = ["x"]
    summary.unreadable = [.init(file: "y", message: "m")]
    #expect(summary.text == "2 documents, 1 with errors, 1 warning, 1 not readable, 1 other YAML file skipped")
    var good = CheckSummary()
    good.add(Self.result("a.yaml", []))
    #expect(good.text == "1 document, no problems")
  }

  @Test("An identity is told only of a document without errors")
  func identity() {
    #expect(Self.result("a.yaml", [Self.error], id: "a").identity == nil)
    #expect(Self.result("a.yaml", [Self.warning], id: "a").identity?.id == "a")
  }

  // MARK: JSON

  @Test("JSON has one list for all documents, each problem with the document it was found for")
  func json() throws {
    let json = try Self.json([
      Self.result("a.yaml", [Self.error]), Self.result("b.yaml", [Self.warning], id: "b"), Self.result("c.yaml", []),
    ])
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

  @Test("JSON gives back what was said, whatever it was")
  func jsonRoundTrip() throws {
    let evil = "a\u{9B}\u{202E}\u{2028}\u{7F}\"\\\n\u{1}😀"
    let span = SourceSpan(file: evil, line: 1, column: 1, endLine: 1, endColumn: 4)
    let json = try Self.json(
      [Self.result(evil, [Diagnostic(.warning, .p610, evil, at: .init(span, evil))])],
      skipped: ["s.yaml"], unreadable: [.init(file: "u.yaml", message: "gone")])
    let problem = try #require(json["diagnostics"]?.array?.first)
    #expect(problem["message"]?.string == evil && problem["file"]?.string == evil && problem["label"]?.string == evil)
    #expect(json["documents"]?.array?.first?["valid"] == true)
    #expect(json["summary"]?["warnings"]?.int == 1)
    #expect(json["skipped"]?.array?.first?.string == "s.yaml")
    #expect(json["unreadable"]?.array?.first?["message"]?.string == "gone")
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
    let summary = Self.text(.github, [], unreadable: [.init(file: "a,b.yaml", message: "50% gone")])
    #expect(summary == "::error file=a%2Cb.yaml::50%25 gone\n")
  }

  // MARK: human

  @Test("What is valid is said of documents that were named, unless nothing shall be said")
  func valid() {
    let good = Self.result("a.yaml", [], id: "a")
    let found = Self.result("b.yaml", [], isNamed: false, id: "b")
    #expect(Self.human([good, found]) == "a.yaml: scenario `T a` is valid\n")
    let detailed = Self.result("a.yaml", [], id: "a", details: "3 steps")
    #expect(Self.human([detailed]) == "a.yaml: scenario `T a` is valid: 3 steps\n")
    #expect(Self.text(.gcc, [good]).isEmpty && Self.text(.github, [good]).isEmpty)
    #expect(Self.human([good, found]) { $0.isQuiet = true } == "")
    #expect(
      Self.human([good, found]) { $0.hasSummary = true }
        == "a.yaml: scenario `T a` is valid\n2 documents, no problems\n")
  }

  @Test("With warnings a document is valid unless they fail it, too")
  func strict() {
    let warned = Self.result("b.yaml", [Self.warning], id: "b")
    #expect(Self.human([warned]).hasSuffix("\nb.yaml: scenario `T b` is valid\n"))
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
