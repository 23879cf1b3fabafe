import CastProtocol
import Foundation
import Testing

@testable import ScenarioLanguage

@Suite struct CheckFormatTests {
  static func make(_ name: CheckFormatName) -> any CheckFormat {
    switch name {
    case .human: HumanCheckFormat(.init())
    case .json: JSONCheckFormat(tool: "showcaller 1.2.3")
    case .sarif: SARIFCheckFormat(toolVersion: "1.2.3")
    case .github: GitHubCheckFormat()
    case .gcc: GCCCheckFormat()
    }
  }

  static func text(
    _ format: CheckFormatName, _ results: [CheckResult], skipped: [String] = [],
    unreadable: [CheckSummary.Unreadable] = []
  ) -> String {
    var format = make(format)
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

  /// One problem, in a file whose name and text are as hostile as its message.
  static func result(_ diagnostic: Diagnostic, file: String, text: String = "abc: def\n") -> CheckResult {
    CheckResult(file: file, identity: nil, diagnostics: [diagnostic], sources: [SourceFile(text, name: file)])
  }

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

  @Test("Columns are counted in scalars, UTF-16 units and bytes, behind the line's end and at bytes that are no UTF-8")
  func columns() {
    let text = SourceText(SourceFile(name: "a", bytes: Array("a映😀é\n".utf8) + [0x61, 0xFF, 0xE2, 0x82, 0x62]))
    func columns(_ line: Int, _ column: Int) -> [Int] {
      let columns = text.columns(line: line, column: column)
      return [columns.scalars, columns.utf16, columns.bytes]
    }
    #expect(columns(1, 1) == [1, 1, 1])
    #expect(columns(1, 3) == [3, 3, 5])
    #expect(columns(1, 4) == [4, 5, 9])
    #expect(columns(1, 5) == [5, 6, 11])
    #expect(columns(1, 8) == [8, 9, 14])
    #expect(columns(2, 5) == [5, 5, 5])
    #expect(columns(9, 2) == [2, 2, 2])
    #expect(columns(1, -3) == [1, 1, 1])
    #expect(text.scalars(ofLine: 2, 0..<9) == ["a", "\u{FFFD}", "\u{FFFD}", "\u{FFFD}", "b"])
    #expect(text.scalars(ofLine: 1, 1..<3) == ["映", "😀"])
  }

  @Test("Columns of a line too long to count each time are what counting gives", arguments: ["映😀é", "aé"])
  func longLine(unit: String) {
    let line = String(repeating: unit, count: 20_000)
    let text = SourceText(SourceFile("first\n" + line + "\r\nlast", name: "a"))
    let scalars = Array(line.unicodeScalars)
    #expect(text.length(ofLine: 2) == scalars.count)
    for column in [1, 2, 4_096, 4_097, 4_098, 8_193, 12_288, 30_001, scalars.count + 1, scalars.count + 5] {
      let before = scalars.prefix(column - 1)
      let beyond = column - 1 - before.count
      let columns = text.columns(line: 2, column: column)
      #expect(columns.utf16 == before.reduce(0) { $0 + UTF16.width($1) } + beyond + 1)
      #expect(columns.bytes == before.reduce(0) { $0 + UTF8.width($1) } + beyond + 1)
      #expect(text.scalars(ofLine: 2, (column - 1)..<(column + 3)) == Array(scalars.dropFirst(column - 1).prefix(4)))
    }
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
      format, [Self.result(problem, file: evil, text: evil)], skipped: [evil], unreadable: [unreadable])
    if format == .human {
      var style = HumanCheckFormat.Style()
      style.annotates = true
      var human = HumanCheckFormat(style)
      text = human.add(Self.result(problem, file: evil, text: evil))
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

  @Test("JSON gives back what was said, whatever it was")
  func jsonRoundTrip() throws {
    let evil = "a\u{9B}\u{202E}\u{2028}\u{7F}\"\\\n\u{1}😀"
    let span = SourceSpan(file: evil, line: 1, column: 1, endLine: 1, endColumn: 4)
    let text = Self.text(
      .json, [Self.result(Diagnostic(.warning, .p610, evil, at: .init(span, evil)), file: evil)],
      skipped: ["s.yaml"], unreadable: [.init(file: "u.yaml", message: "gone")])
    let json = try JSONValue(parsing: Array(text.utf8))
    let problem = try #require(json["diagnostics"]?.array?.first)
    #expect(problem["message"]?.string == evil && problem["file"]?.string == evil && problem["label"]?.string == evil)
    #expect(json["documents"]?.array?.first?["valid"] == true)
    #expect(json["summary"]?["warnings"]?.int == 1)
    #expect(json["skipped"]?.array?.first?.string == "s.yaml")
    #expect(json["unreadable"]?.array?.first?["message"]?.string == "gone")
  }

  @Test(
    "File names become URIs that are relative as they are, absolute with a scheme, and encoded",
    arguments: [
      ("qa/ads.yaml", "qa/ads.yaml"), ("./a.yaml", "a.yaml"), ("/srv/a b.yaml", "file:///srv/a%20b.yaml"),
      ("映:x?#%.yaml", "%E6%98%A0%3Ax%3F%23%25.yaml"), ("<stdin>", "%3Cstdin%3E"), ("../a\n.yaml", "../a%0A.yaml"),
    ])
  func uris(file: String, uri: String) {
    #expect(SARIFCheckFormat.uri(file) == uri)
  }

  @Test("A problem in a file whose text is not at hand has no UTF-16 and byte columns")
  func unknownFile() throws {
    let span = SourceSpan(file: "b.yaml", line: 2, column: 3, endLine: 2, endColumn: 4)
    let result = Self.result(Diagnostic(.error, .n404, "m", at: .init(span)), file: "a.yaml")
    let problem = try #require(
      try JSONValue(parsing: Array(Self.text(.json, [result]).utf8))["diagnostics"]?.array?.first)
    #expect(problem["column"]?.int == 3 && problem["utf16Column"] == nil && problem["byteColumn"] == nil)
    #expect(Self.text(.gcc, [result]).hasPrefix("b.yaml:2:3: error: m [N404]\n"))
  }

  @Test("What is more than fifty problems is counted, for people and programs")
  func hidden() throws {
    let steps = (0..<80).map { "  - laod\($0): x\n" }.joined()
    let source = SourceFile("scenario: S\ndevice: TV\nsteps:\n" + steps, name: "a.yaml")
    let outcome = PlanCompiler.compile(source)
    #expect(outcome.diagnostics.count == 50 && outcome.hidden == 30)
    let result = CheckResult(
      file: "a.yaml", identity: nil, diagnostics: outcome.diagnostics, hidden: outcome.hidden, sources: outcome.sources)
    #expect(Self.text(.human, [result]).hasSuffix("\n\n... and 30 more problems in a.yaml\n"))
    let json = try JSONValue(parsing: Array(Self.text(.json, [result]).utf8))
    #expect(json["documents"]?.array?.first?["hidden"]?.int == 30)
  }

  @Test("Where checking stopped, being full, what is hidden is a lower bound, for people and programs")
  func stopped() throws {
    let steps = (0..<20_000).map { "  - laod\($0): x\n" }.joined()
    let source = SourceFile("scenario: S\ndevice: TV\nsteps:\n" + steps, name: "a.yaml")
    let outcome = PlanCompiler.compile(source)
    #expect(outcome.diagnostics.count == 50 && outcome.isCut)
    #expect(outcome.diagnostics.first?.primary.span.line == 4)
    func told(hidden: Int) -> CheckResult {
      CheckResult(
        file: "a.yaml", identity: nil, diagnostics: outcome.diagnostics, hidden: hidden, isCut: outcome.isCut,
        sources: outcome.sources)
    }
    #expect(Self.text(.human, [told(hidden: 950)]).hasSuffix("\n\n... and at least 950 more problems in a.yaml\n"))
    #expect(Self.text(.human, [told(hidden: 0)]).hasSuffix("\n\n... and maybe more problems in a.yaml\n"))
    let json = try JSONValue(parsing: Array(Self.text(.json, [told(hidden: 950)]).utf8))
    #expect(json["documents"]?.array?.first?["stopped"]?.bool == true)
  }

  @Test("The summary counts documents, problems, and what was left out")
  func summary() {
    var summary = CheckSummary()
    #expect(summary.text == "0 documents")
    let span = SourceSpan(file: "a", line: 1, column: 1, endLine: 1, endColumn: 2)
    summary.add(Self.result(Diagnostic(.error, .k101, "m", at: .init(span)), file: "a"))
    summary.add(Self.result(Diagnostic(.warning, .p610, "m", at: .init(span)), file: "a"))
    #expect(summary.text == "2 documents, 1 with errors, 1 warning")
    summary.skipped = ["x"]
    summary.unreadable = [.init(file: "y", message: "m")]
    #expect(summary.text == "2 documents, 1 with errors, 1 warning, 1 not readable, 1 other YAML file skipped")
    var good = CheckSummary()
    good.add(CheckResult(file: "a", identity: nil, diagnostics: [], sources: []))
    #expect(good.text == "1 document, no problems")
  }

  @Test(
    "A file of a folder is a document if its first key is a kind, nearly one, or a kind stands further down",
    arguments: [
      ("scenario: x", true), ("# c\n\n---\nplaylist: x", true), ("language: 1\nlibrary: x", true),
      ("\u{FEFF}scenario: x", true), ("{ scenario: x }", true), ("{\n  scenario: x }", true),
      ("\"scenario\" : x", true), ("senario: x", true), ("device: TV\nscenario: x", true),
      ("device: TV\r\nscenario: x", true), ("", false), ("# only a comment", false), ("services: {}", false),
      ("play: x", false), ("- hosts: all", false), ("name: x\n  scenario: y", false), ("scenario", false),
      ("kind: scenario", false), ("%YAML 1.2\n---\nversion: 3", false),
    ])
  func sniffing(text: String, isDocument: Bool) {
    #expect(DocumentSniffer.isDocument(Array(text.utf8)) == isDocument)
  }
}
