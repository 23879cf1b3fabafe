import CastProtocol
import Testing

@testable import ScenarioLanguage

/// Variables with a type: what each type takes, and what it is worth in a run
/// (docs/language/variables.md "Variables").
@Suite struct VariableTypeTests {
  struct Kind: Sendable, CustomTestStringConvertible {
    var type: String
    /// As written and as the run has it.
    var right: [(String, JSONValue)]
    /// As written and its code.
    var wrong: [(String, String)]
    var testDescription: String { type }

    init(_ type: String, _ right: [(String, JSONValue)], _ wrong: [(String, String)]) {
      self.type = type
      self.right = right
      self.wrong = wrong
    }
  }

  static let kinds: [Kind] = [
    Kind("text", [("1917", "1917"), ("no", "no"), ("\"1.10\"", "1.10")], [("[a]", "T210"), ("{ a: 1 }", "T210")]),
    Kind("bool", [("true", true), ("false", false)], [("yes", "T204"), ("1", "T204"), ("[true]", "T210")]),
    Kind("int", [("0", 0), ("-3", -3)], [("1.5", "T221"), ("010", "T206"), ("x", "T221")]),
    Kind("number", [("0.25", 0.25), ("-3", -3)], [(".5", "T221"), ("1e3", "T221")]),
    Kind("percent", [("40%", 40), ("-12.5%", -12.5), ("300%", 300)], [("40", "T207"), ("0.4", "T207")]),
    Kind("duration", [("1m30s", 90), ("500ms", 0.5)], [("30", "T201"), ("-5s", "T213"), ("1:30", "T202")]),
    Kind("signed_duration", [("+30s", 30), ("-1.5s", -1.5)], [("30s", "T201"), ("+30", "T201")]),
    Kind("position", [("start", "start"), ("end", "end"), ("1m", 60)], [("begin", "T203"), ("60", "T201")]),
    Kind("factor", [("1.1x", 1.1), ("2", 2)], [("0", "T213"), ("110%", "T221")]),
    Kind("time", [("07:00", "07:00"), ("24:00", "24:00")], [("7:00", "T214"), ("7am", "T214")]),
    Kind("hours", [("17:00-01:00", "17:00-01:00"), ("all-day", "all-day")], [("07:00", "T214")]),
    Kind("days", [("mon-fri", "mon-fri"), ("\"sat,sun\"", "sat,sun")], [("monday", "T214")]),
    Kind("date", [("2026-12-24", "2026-12-24")], [("12-24", "T214"), ("24/12/2026", "T214")]),
    Kind("dates", [("12-24..12-26", "12-24..12-26")], [("2026-12-26..2026-12-24", "T214")]),
    Kind("timestamp", [("2026-12-24T18:30:00Z", "2026-12-24T18:30:00Z")], [("2026-12-24", "T214")]),
    Kind("url", [("https://e.com/a", "https://e.com/a"), ("file:a", "file:a")], [("e.com/a", "T215")]),
    Kind(
      "color", [("yellow", "#FFFF00FF"), ("\"#ff00FF80\"", "#FF00FF80"), ("black/75%", "#000000BF")], [("pink", "T209")]
    ),
    Kind("lang", [("pt-BR", "pt-BR"), ("no", "no")], [("english", "T222")]),
    Kind("mime", [("video/mp4", "video/mp4")], [("mp4", "T222")]),
    Kind("list", [("[1, a, true, null]", [1, "a", true, .null]), ("[]", [])], [("a", "T210"), ("{ a: 1 }", "T210")]),
    Kind("map", [("{ a: 1, b: [x] }", ["a": 1, "b": ["x"]]), ("{}", [:])], [("a", "T210"), ("[a]", "T210")]),
  ]

  /// A scenario that declares `v`, sets it once more and reads it.
  static func document(_ declaration: String, set: String? = nil) -> String {
    "scenario: S\ndevice: TV\nvars: { v: \(declaration) }\nsteps:\n"
      + (set.map { "  - set: { v: \($0) }\n" } ?? "") + "  - expect: { vars: { v: { exists: true } } }\n"
  }

  @Test("A default is what its type says, and so is the value that `set` gives", arguments: kinds)
  func right(kind: Kind) throws {
    for (text, value) in kind.right {
      let plan = try Compiling.plan(Self.document("{ type: \(kind.type), default: \(text) }"))
      #expect(plan.variables == [Plan.Assignment(name: "v", value: .literal(value))], "\(text)")
      // The first value of a type serves as the default while another one is set.
      let other = try Compiling.plan(Self.document("{ type: \(kind.type), default: \(kind.right[0].0) }", set: text))
      #expect(other.steps[0].action == .set([Plan.Assignment(name: "v", value: .literal(value))]), "\(text)")
    }
  }

  @Test("What is of another type is refused as a default, from outside, and in `set`", arguments: kinds)
  func wrong(kind: Kind) {
    for (text, code) in kind.wrong {
      #expect(Compiling.codes(Self.document("{ type: \(kind.type), default: \(text) }")) == [code], "\(text)")
      let declaration = "{ type: \(kind.type), default: \(kind.right[0].0) }"
      #expect(Compiling.codes(Self.document(declaration, set: text)) == [code], "set \(text)")
      guard !text.hasPrefix("["), !text.hasPrefix("{") else { continue }
      var inputs = PlanCompiler.Inputs()
      inputs.settings = [("v", text)]
      let outcome = PlanCompiler.compile(SourceFile(Self.document(declaration)), inputs: inputs)
      #expect(outcome.diagnostics.map(\.code.rawValue) == [code], "--set \(text)")
      #expect(outcome.diagnostics.first?.primary.span.file == "--set")
    }
  }

  static let declarations: [Example] = [
    Example("{ type: int, min: 1s, default: 3 }", ["T221 1s"]),
    Example("{ choices: [vod, live], default: vod }", []),
    Example("{ type: int, choices: [1, 2], default: \"2\" }", []),
    Example("{ type: int, choices: 1, default: 1 }", ["T210 1"]),
    Example("{ type: intt, default: 1 }", ["T205 intt"]), Example("{ typ: int, default: 1 }", ["K101 typ"]),
    Example("{ default: [a] }", ["T210 [a]"]), Example("{ type: list, default: [a] }", []),
    Example("{ type: text }", ["N401 v"]), Example("{ type: text, default: }", ["T210 default"]),
    Example("{ type: text, default: \"\" }", ["T210 \"\""]),
    Example("{ a: 1 }", []), Example("{ description: x, a: 1 }", []), Example("{}", []),
  ]

  @Test("A declaration is one by its keys; anything else is a value", arguments: declarations)
  func declaration(example: Example) {
    let source = SourceFile("library: L\nvars: { v: \(example.text) }\n")
    #expect(findings(source) == example.expected)
  }

  @Test("A value of several lines from outside keeps its one line, whatever ends its lines")
  func outsideLines() throws {
    var inputs = PlanCompiler.Inputs()
    inputs.settings = [("a", "x\r\ny\nz\rw"), ("b", "many")]
    let document = "library: L\nvars: { a: x, b: { type: int, default: 1 } }\ndescription: ${a}${b}\n"
    let reading = DocumentReader.read(SourceFile(document), inputs: inputs)
    let text = DiagnosticRenderer(sources: reading.sources).render(reading.diagnostics.finished(file: "lobby.yaml"))
    #expect(text.contains(" --> --set:2:3\n  |\n2 | b=many\n  |   ^^^^\n"), "\(text)")
    #expect(reading.sources.first { $0.name == "--set" }?.bytes == Array("a=x↵↵y↵z↵w\nb=many".utf8))
  }

  @Test("A file of variables that is no map is refused, with what it should be")
  func variableFile() {
    var inputs = PlanCompiler.Inputs()
    inputs.variableFiles = [SourceFile("- a\n", name: "v.yaml"), SourceFile("a: [\n", name: "w.yaml")]
    let reading = DocumentReader.read(SourceFile("library: L\nvars: { a: x }\n"), inputs: inputs)
    let problems = reading.diagnostics.finished(file: "lobby.yaml")
    #expect(problems.map { "\($0.code) \($0.primary.span.file)" } == ["T210 v.yaml", "Y309 w.yaml"])
    #expect(problems.first?.message == "expected a map of variables and their values")
  }

  static let reads: [(condition: String, names: [String])] = [
    ("{ n: 1 }", ["n"]), ("{ server.port: 8009 }", ["server"]), ("{ server: { exists: true } }", ["server"]),
    ("{ kit.n: { min: 1 } }", ["kit.n"]), ("{ kit.server.port: { above: 0 } }", ["kit.server"]),
    ("{ n: 1, kit.n: 1 }", ["kit.n", "n"]),
  ]

  @Test("What a condition reads of a variable is used, and the run has it, its own or a library's", arguments: reads)
  func checksReads(condition: String, names: [String]) throws {
    let library = "library: Kit\nvars: { n: 1, server: { type: map, default: { port: 8009 } } }\n"
    let source = scenario(
      "include: [{ file: kit.yaml, as: kit }]\nvars: { n: 1, server: { type: map, default: { port: 8009 } } }\n"
        + "steps: [{ expect: { vars: \(condition) } }]\n")
    let outcome = PlanCompiler.compile(source, inputs: project(["kit.yaml": library]))
    guard case .scenario(let plan)? = outcome.document else {
      Issue.record("\(outcome.diagnostics.map(\.words))")
      return
    }
    #expect(plan.variables.map(\.name) == names)
    let unread = ["n", "server"].filter { !names.contains($0) }
    #expect(outcome.diagnostics.filter { $0.code == .n402 }.map(\.message) == unread.map { "unused variable `\($0)`" })
  }

  @Test("The paths that a name begins with end at its dots, as far as libraries nest")
  func dottedPrefixes() {
    #expect("a".dottedPrefixes == ["a"])
    #expect("a.b.c".dottedPrefixes == ["a", "a.b", "a.b.c"])
    #expect("".dottedPrefixes == [""])
    let long = String(repeating: "a.", count: 30_000) + "a"
    #expect(long.dottedPrefixes.count == IncludeReader.Limit.depth + 1)
    #expect(long.dottedPrefixes.last == long)
  }

  @Test("A file of variables may have the document's name: its lines are not looked for in the document")
  func sameName() {
    var inputs = PlanCompiler.Inputs()
    let file = "# 1\n# 2\n# 3\n# 4\nst:\(String(repeating: " ", count: 70)){ color: rgb(1,2,3) }\n"
    inputs.variableFiles = [SourceFile(file, name: "x.yaml")]
    let document =
      "scenario: S\ndevice: TV\nvars: { st: 1 }\nsteps: [{ text_style: \"${st}\" },\n { expect: { player: idle } }]\n"
    let outcome = PlanCompiler.compile(SourceFile(document, name: "x.yaml"), inputs: inputs)
    #expect(outcome.diagnostics.map(\.code).contains(.t209))
  }
}
