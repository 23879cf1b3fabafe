import Testing

@testable import ScenarioLanguage

@Suite struct VariableTests {
  private func description(_ text: String, inputs: PlanCompiler.Inputs = .init()) -> String? {
    DocumentReader.read(SourceFile(text), inputs: inputs).document?.root.text("description")
  }

  static let texts: [(String, String)] = [
    ("${a}", "one"), ("\"${a}\"", "one"), ("x${a}y${b}", "xoney2"), ("$${a}", "${a}"), ("$5", "$5"), ("$", "$"),
    ("$$", "$$"), ("$$${a}", "$${a}"), ("a ${nested} b", "a <one> b"), ("${map.inner}", "in"), ("{a}", "{a}"),
  ]
  @Test("`${name}` is put in, `$${` is a literal, and nothing else is special", arguments: texts)
  func text(written: String, expected: String) {
    let quoted = written.hasPrefix("\"") || !written.hasPrefix("{") ? written : "'\(written)'"
    let document = """
      library: L
      vars:
        a: one
        b: { type: int, default: 2 }
        nested: <${a}>
        map: { inner: in }
      description: \(quoted)
      """
    #expect(description(document) == expected)
  }

  @Test(
    "What was put in is never looked through again, whatever it holds",
    arguments: [
      "${b}", "$${b}", "}${", "a: b", "[x]", "\"", "&a", "*a", "{{ x }}", "${${b}}", "#FF", "\u{202E}",
    ])
  func literal(value: String) {
    var inputs = PlanCompiler.Inputs()
    inputs.settings = [("a", value)]
    let document = "library: L\nvars: { a: x, b: SECRET }\ndescription: <${a}>\n"
    #expect(description(document, inputs: inputs) == "<\(value)>")
    #expect(description("library: L\nvars: { a: x, b: SECRET }\ndescription: ${a}\n", inputs: inputs) == value)
  }

  @Test("Alone a variable is a node of any shape, checked as if it stood there")
  func shapes() throws {
    let document = scenario("vars:\n  list: [smoke, ads]\n  step: { load: x }\ntags: ${list}\nsteps: [play]\n")
    let root = try #require(DocumentReader.read(document, inputs: .init()).document).root
    #expect(root.texts("tags") == ["smoke", "ads"])
    #expect(findings(scenario("vars: { n: 30 }\ntimeout: ${n}\nsteps: [play]\n")) == ["T201 30"])
    #expect(findings(scenario("vars: { n: [a] }\ntimeout: ${n}\nsteps: [play]\n")) == ["T210 ${n}"])
    #expect(findings(scenario("vars: { n: [a] }\ndescription: x${n}\nsteps: [play]\n")) == ["T210 n"])
  }

  @Test("Both places are kept: where the value was written and where it is used")
  func bothPlaces() throws {
    let problems = DocumentReader.read(scenario("vars: { n: 30sec }\ntimeout: ${n}\nsteps: [play]\n"), inputs: .init())
    let problem = try #require(problems.diagnostics.finished().first)
    #expect(problem.code == .t203)
    #expect((problem.primary.span.line, problem.primary.span.column) == (3, 14))
    #expect(problem.related.map(\.span.line) == [4])
    #expect(problem.related.map(\.text) == ["used here"])
  }

  static let precedence: [([String], String)] = [
    ([], "default"), (["env"], "env"), (["env", "file"], "file"), (["env", "file", "set"], "set"), (["file"], "file"),
    (["set", "env"], "set"),
  ]
  @Test("The strongest source wins: default, environment, --vars, --set", arguments: precedence)
  func sources(given: [String], expected: String) {
    var inputs = PlanCompiler.Inputs()
    if given.contains("env") { inputs.environment = { $0 == "A_VAR" ? "env" : nil } }
    if given.contains("file") { inputs.variableFiles = [SourceFile("a: file\n", name: "v.yaml")] }
    if given.contains("set") { inputs.settings = [("a", "first"), ("a", "set")] }
    let document = "library: L\nvars: { a: { type: text, default: default, env: A_VAR } }\ndescription: ${a}\n"
    #expect(description(document, inputs: inputs) == expected)
  }

  @Test("Only environment variables that a document names are asked for")
  func environmentIsClosed() {
    var inputs = PlanCompiler.Inputs()
    inputs.environment = { name in
      Issue.record("asked for \(name)")
      return nil
    }
    #expect(findings(scenario("description: ${env.HOME}\nsteps: [play]\n"), inputs: inputs) == ["N401 env.HOME"])
  }

  @Test("Values from outside go through the same check, with a place of their own")
  func outside() {
    var inputs = PlanCompiler.Inputs()
    inputs.settings = [("port", "8o80"), ("prot", "1")]
    inputs.environment = { $0 == "N" ? "maybe" : nil }
    inputs.variableFiles = [SourceFile("list: [1]\nother: 2\n", name: "v.yaml")]
    let document = scenario(
      """
      vars:
        port: { type: int, default: 1 }
        n: { type: bool, env: N }
        list: { type: text }
      description: ${port} ${n} ${list}
      steps: [play]

      """)
    #expect(
      findings(document, inputs: inputs) == ["T221 8o80", "N401 prot", "T204 maybe", "T210 [1]", "N402 other"])
    let reading = DocumentReader.read(document, inputs: inputs)
    let text = DiagnosticRenderer(sources: reading.sources).render(reading.diagnostics.finished(file: "lobby.yaml"))
    #expect(text.contains(" --> --set:1:6\n  |\n1 | port=8o80\n  |      ^^^^\n"))
    #expect(text.contains(" --> environment:1:3\n  |\n1 | N=maybe\n"))
  }

  static let declarations: [Example] = [
    Example("{ a: { type: txt, default: 1 } }", ["T205 txt"]),
    Example("{ a: { type: int, default: x } }", ["T221 x"]),
    Example("{ a: { type: int } }", ["N401 a"]),
    Example("{ a: { type: int, default: 70, max: 65 } }", ["T213 70"]),
    Example("{ a: { type: text, default: liv, choices: [vod, live] } }", ["T205 liv"]),
    Example("{ a: { type: text, defalt: x } }", ["K101 defalt"]),
    Example("{ A: 1, a: 2 }", ["T219 A"]),
    Example("{ a-b: 1, a: 2 }", ["T219 -"]),
    Example("{ device: 1, a: 2 }", ["N411 device"]),
    Example("{ a: { x: 1 } }", ["T210 \"${a}\""]),
    Example("[a]", ["T210 [a]", "N401 a"]),
  ]
  @Test("A declaration is checked, and a variable without a sound value is one message", arguments: declarations)
  func declaration(_ example: Example) {
    let found = findings(
      scenario("vars: \(example.text)\nname_: 0\nsteps: [{ log: \"${a}\" }]\n".replacing("name_: 0\n", with: "")))
    #expect(found.filter { !$0.hasPrefix("N402") && !$0.hasPrefix("T210 a") } == example.expected)
  }

  static let uses: [Example] = [
    Example("${zz}", ["N401 zz"]), Example("${ a}", ["N401 ${ "]), Example("${}", ["N401 ${}"]),
    Example("${a", ["N401 ${a"]),
    Example("${device.nam}", ["N401 device.nam"]), Example("${map.x}", ["N401 map.x"]), Example("${a.x}", ["N401 a.x"]),
    Example("${secret.t}", ["N401 secret.t"]), Example("${item}", ["N401 item"]), Example("${p0}", []),
    Example("${attempt} ${run.id}", []),
    Example("${device.ip}", []),
  ]
  @Test("A name that nothing defines is an error where it is used", arguments: uses)
  func use(_ example: Example) {
    let document = scenario(
      "vars: { _a: 1, a: 1, map: { b: 1 } }\nsteps:\n  - play:\n    save: { p0: position }\n  - log: '${a}${map.b}\(example.text)'\n"
    )
    #expect(findings(document) == example.expected)
  }

  @Test("What only a run knows cannot be where a value is needed before")
  func deferred() {
    let document = scenario(
      """
      steps:
        - play:
          save: { p0: position }
        - wait: ${p0}
          timeout: ${p0}
        - log: at ${p0}
          name: try ${attempt}
        - seek: x${p0}

      """)
    #expect(findings(document) == ["N407 ${p0}", "N407 try ${attempt}", "N407 x${p0}"])
  }

  @Test("Ids, verbs and keys are never substituted")
  func staticNames() {
    let document = scenario("vars: { v: play, i: one }\nsteps:\n  - ${v}\n  - play:\n    id: ${i}\n  - ${v}: 1\n")
    #expect(findings(document) == ["T219 ${v}", "T219 ${i}", "K101 ${v}"])
  }

  @Test("An unused variable is a warning, except in a library or with `_` in front")
  func unused() {
    #expect(findings(scenario("vars: { a: 1, _b: 2, c: \"${a}\" }\nsteps: [play]\n")) == ["N402 c"])
    #expect(findings(SourceFile("library: L\nvars: { a: 1 }\n")) == [])
  }

  @Test("A text over 64 KiB after substitution is Y311")
  func long() {
    var inputs = PlanCompiler.Inputs()
    inputs.settings = [("a", String(repeating: "x", count: 40_000))]
    let document = scenario("vars: { a: x }\ndescription: ${a}${a}\nsteps: [play]\n")
    #expect(findings(document, inputs: inputs) == ["Y311 ${a}${a}"])
    #expect(findings(scenario("vars: { a: x }\ndescription: ${a}y\nsteps: [play]\n"), inputs: inputs) == [])
  }

  @Test("A default may use the variables above it, not those below")
  func order() {
    let document = scenario("vars: { a: \"${b}\", b: 1, c: \"${b}${a}\" }\ndescription: ${c}\nsteps: [play]\n")
    #expect(findings(document) == ["N401 b"])
  }
}
