import CastProtocol
import Testing

@testable import ScenarioLanguage

/// What `showcaller inputs` knows of a document: its variables and secrets, and what is there of them.
@Suite struct DocumentInputsTests {
  static let document = """
    scenario: Inputs
    device: TV
    include: [{ file: kit.yaml, as: kit }]
    vars:
      plain: 3
      word: { default: play }
      speed: { type: number, min: 0.5, max: 2, default: 1, env: SPEED, description: How fast it goes. }
      mode: { choices: [vod, live] }
      list: [a, b, c, d, e, f, g]
      six: [1, 2, 3, 4, 5, 6]
      map: { type: map, default: { a: 1, b: { c: [x] } } }
      wide: { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7 }
    secrets:
      token: { env: TOKEN }
      other: { env: OTHER }
      built: { command: [make-token] }
      later: { saved: true }
    steps: [{ log: "${plain}${mode}${kit.n}" }]

    """

  static func inputs(_ given: [String] = []) -> PlanCompiler.Inputs {
    var inputs = project(["kit.yaml": "library: Kit\nvars: { n: { type: int } }\nsecrets: { key: { env: KEY } }\n"])
    inputs.environment = { ["TOKEN": "a-token-of-length", "SPEED": "1.5"][$0] }
    return inputs
  }

  @Test("Every variable is there with its type, default, limits and words, values given or not")
  func variables() throws {
    let read = DocumentInputs.read(SourceFile(Self.document), inputs: Self.inputs())
    let inputs = try #require(read.inputs)
    let lines = inputs.variables.map { variable in
      [
        variable.name, variable.type, variable.defaultText.map { "= \($0)" } ?? "required",
        variable.environment.map { "env \($0)" },
        variable.choices.isEmpty ? nil : variable.choices.joined(separator: "|"),
        variable.minimum.map { "from \($0)" }, variable.maximum.map { "to \($0)" }, variable.description,
      ].compactMap { $0 }.joined(separator: " ")
    }
    #expect(
      lines.sorted() == [
        "kit.n int required", "list any = [a, b, c, d, e, f, …]", "map map = { a: 1, b: { c: [x] } }",
        "mode text required vod|live", "plain any = 3", "six any = [1, 2, 3, 4, 5, 6]",
        "speed number = 1 env SPEED from 0.5 to 2 How fast it goes.",
        "wide any = { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, … }",
        "word text = play",
      ])
    #expect(inputs.variables.filter(\.isRequired).map(\.name).sorted() == ["kit.n", "mode"])
    // What is missing is said as well.
    #expect(read.problems.filter { $0.code == .n401 }.count == 2)
    #expect(read.sources.map(\.name) == ["lobby.yaml", "kit.yaml", "environment"])
  }

  @Test("A secret is there, is not, or only a run can tell")
  func secrets() throws {
    let inputs = try #require(DocumentInputs.read(SourceFile(Self.document), inputs: Self.inputs()).inputs)
    let state = inputs.secrets.map { "\($0.secret.name) \($0.isThere.map { $0 ? "there" : "missing" } ?? "unknown")" }
    #expect(state.sorted() == ["built unknown", "kit.key missing", "later unknown", "other missing", "token there"])
    // One that is given is there, whatever its source.
    var given = Self.inputs()
    given.givenSecrets = [("built", "--secret built=@a"), ("other", "--secret other=@b")]
    let all = try #require(DocumentInputs.read(SourceFile(Self.document), inputs: given).inputs)
    #expect(all.secrets.filter { $0.isThere == true }.map(\.secret.name).sorted() == ["built", "other", "token"])
  }

  @Test("A file that is no document has no inputs, but its problems")
  func noDocument() {
    let read = DocumentInputs.read(SourceFile("- a\n- b\n"), inputs: .init())
    #expect(read.inputs == nil)
    #expect(read.problems.map(\.code.rawValue) == ["T210"])
  }

  // MARK: What people and programs read

  private static let small = """
    scenario: Inputs
    device: TV
    vars:
      mode: { choices: [vod, live] }
      speed: { type: number, min: 0.5, max: 2, default: 1, env: SPEED, description: How fast it goes. }
    secrets:
      token: { env: TOKEN }
      built: { command: [make-token] }
    steps: [{ log: "${mode}" }]

    """

  @Test("People get two tables, in which columns stand below each other")
  func listing() throws {
    let inputs = try #require(DocumentInputs.read(SourceFile(Self.small), inputs: Self.inputs()).inputs)
    #expect(
      inputs.listing(of: "lobby.yaml").split(separator: "\n").map(String.init).sorted() == [
        "  built  command make-token  run by `run --allow-exec`",
        "  mode   text    required, one of vod, live",
        "  speed  number  default 1, 0.5 to 2, env SPEED  How fast it goes.",
        "  token  env TOKEN           there",
        "secrets, set with --secret name=@file:",
        "variables, set with --set name=value or --vars FILE:",
      ])
    #expect(DocumentInputs(variables: [], secrets: []).listing(of: "a.yaml") == "a.yaml wants nothing from outside")
  }

  @Test("Programs get what applies, where it is declared, and of secrets the source alone")
  func json() throws {
    let inputs = try #require(DocumentInputs.read(SourceFile(Self.small), inputs: Self.inputs()).inputs)
    let json = inputs.json(of: "lobby.yaml")
    let variables = json["variables"]?.array ?? []
    #expect(
      variables.first { $0["name"] == "mode" } == [
        "name": "mode", "type": "text", "required": true, "choices": ["vod", "live"], "file": "lobby.yaml", "line": 4,
      ])
    #expect(
      json["secrets"]?.array?.first { $0["name"] == "token" } == [
        "name": "token", "env": "TOKEN", "there": true, "declaredIn": "lobby.yaml", "line": 7,
      ])
  }
}
