import CastProtocol
import Testing

@testable import ScenarioLanguage

@Suite struct SecretTests {
  private static let head = "secrets: { token: { env: ACME_TOKEN } }\n"

  private static var withToken: PlanCompiler.Inputs {
    var inputs = PlanCompiler.Inputs()
    inputs.environment = { $0 == "ACME_TOKEN" ? "hunter2hunter2" : nil }
    return inputs
  }

  private func found(_ lines: String, _ inputs: PlanCompiler.Inputs = withToken) -> [String] {
    let outcome = PlanCompiler.compile(scenario(Self.head + lines), inputs: inputs)
    let texts = Dictionary(outcome.sources.map { ($0.name, SourceText($0)) }, uniquingKeysWith: { first, _ in first })
    return outcome.diagnostics.filter { $0.code != .p610 }.map {
      "\($0.code) \(texts[$0.primary.span.file]?.text(at: $0.primary.span) ?? "")"
    }
  }

  static let places: [Example] = [
    Example("[{ load: { media: https://x.example.com/a.mp4, credentials: \"${secret.token}\" } }]", []),
    Example("[{ load: \"https://x.example.com/a.mp4?t=${secret.token}\" }]", []),
    Example("[{ load: { media: { url: \"${secret.token}\", type: video/mp4 } } }]", []),
    Example("[{ load: { media: { url: \"${secret.token}/a.mp4\" } } }]", []),
    Example("[{ load: { media: https://x.example.com/a.mp4, custom: { a: [\"${secret.token}\"] } } }]", []),
    Example("[{ launch: { app: default, params: { t: \"${secret.token}\" } } }]", []),
    Example("[{ log: \"the token is ${secret.token}\" }]", []),
    Example("[{ play: , name: \"with ${secret.token}\" }]", []),
    Example("[{ expect: { title: \"x ${secret.token}\" } }]", []),
    Example("[{ wait: \"${secret.token}\" }]", ["N407 \"${secret.token}\""]),
    Example("[{ play: , timeout: \"${secret.token}\" }]", ["N407 \"${secret.token}\""]),
    Example("[{ mute: \"${secret.token}\" }]", ["N407 \"${secret.token}\""]),
    Example("[{ launch: \"${secret.token}\" }]", ["N407 \"${secret.token}\""]),
    Example("[{ play: , id: \"${secret.token}\" }]", ["T219 \"${secret.token}\""]),
    Example("[{ load: \"${secret.tokne}\" }, { log: \"${secret.token}\" }]", ["N401 secret.tokne"]),
    Example("[{ log: \"${secret} ${secret.token}\" }]", ["N401 secret"]),
    Example("[{ log: \"‹secret.token› ${secret.token}\" }]", ["N411 \"‹secret.token› ${secret.token}\""]),
    Example("[play]", ["N402 token"]),
  ]
  @Test("A secret stands where it is only sent, and nowhere else", arguments: places)
  func place(_ example: Example) { #expect(found("steps: \(example.text)\n") == example.expected) }

  @Test("No secret says which device is meant")
  func devices() {
    let document = SourceFile(
      "scenario: S\ndevice: \"${secret.token}\"\nsecrets: { token: { env: A } }\nsteps: [play]\n", name: "lobby.yaml")
    #expect(findings(document).filter { !$0.hasPrefix("N402") } == ["N407 secret.token"])
  }

  @Test("A variable's default may hold a secret, a value from outside cannot pretend to")
  func throughVariables() {
    let lines = "vars: { url: \"https://x.example.com/a.mp4?t=${secret.token}\" }\nsteps: [{ load: \"${url}\" }]\n"
    #expect(found(lines) == [])
    var inputs = Self.withToken
    inputs.settings = [("url", "https://x.example.com/a.mp4?t=‹secret.token›")]
    #expect(found(lines, inputs).map { $0.prefix(4) } == ["N411"])
  }

  @Test("The plan has the placeholder and never the value")
  func plan() throws {
    let lines = Self.head + "steps: [{ load: \"https://x.example.com/a.mp4?t=${secret.token}\" }]\n"
    let outcome = PlanCompiler.compile(scenario(lines), inputs: Self.withToken)
    guard case .scenario(let plan)? = outcome.document else {
      Issue.record("\(outcome.diagnostics)")
      return
    }
    for text in [plan.json.serialized(), PlanListing(plan).text, String(describing: plan)] {
      #expect(text.contains("‹secret.token›"))
      #expect(!text.contains("hunter2"))
    }
    #expect(plan.secrets.map(\.source) == [.environment("ACME_TOKEN")])
  }

  static let withoutValue: [(source: String, problem: FileProblem?, message: String)] = [
    ("{ env: OTHER }", nil, "environment variable OTHER is not set"),
    ("{ env: EMPTY }", nil, "environment variable EMPTY is empty"),
    ("{ file: key }", .notFound, "file `key` is not there"),
    ("{ file: key }", .empty, "file `key` is empty"),
    ("{ file: key }", .notRegular("a folder"), "`key` is a folder, not a file"),
    ("{ file: key }", .tooLarge(1 << 16), "file `key` is larger than 64 KiB"),
    ("{ file: key }", .unreadable("Permission denied"), "file `key` cannot be read: Permission denied"),
    ("{ saved: true }", nil, "no step saves it"),
  ]
  @Test("A secret without a value says why, unless nobody needs it or nobody asks", arguments: withoutValue)
  func missing(_ example: (source: String, problem: FileProblem?, message: String)) {
    var inputs = Self.withToken
    inputs.environment = { $0 == "EMPTY" ? "" : nil }
    inputs.secretFileProblem = { _, _ in example.problem }
    let lines = "secrets: { token: \(example.source) }\nsteps:\n"
    let needs = scenario(lines + "  - log: ${secret.token}\n")
    #expect(
      PlanCompiler.compile(needs, inputs: inputs).diagnostics.filter { $0.severity == .error }.map(\.message)
        == ["secret `token` has no value: \(example.message)"])
    #expect(PlanCompiler.compile(scenario(lines + "  - play\n"), inputs: inputs).document != nil)
    var given = inputs
    given.givenSecrets = [("token", "@key")]
    #expect(PlanCompiler.compile(needs, inputs: given).document != nil)
    inputs.needsSecrets = false
    #expect(PlanCompiler.compile(needs, inputs: inputs).document != nil)
  }

  @Test(
    "A playlist says which secrets it needs, those of feeds and messages among them; whoever serves it needs values")
  func playlists() {
    let text = """
      playlist: Shop
      timezone: UTC
      device: TV
      secrets: { film: { env: A }, hook: { file: b }, feed: { env: C }, days: { env: D }, _spare: { env: E } }
      calendars: { days: { ics: "https://cal.example.com/${secret.days}.ics" } }
      media: { a: { url: "https://x.example.com/a.jpg?k=${secret.film}" } }
      program: [{ during: { calendar: days }, play: [a] }]
      fallback: a
      triggers: { alarm: { cap: "https://${secret.feed}/cap" } }
      interrupts: [{ on: alarm, play: [a] }]
      notify: [{ when: dark, webhook: "https://hooks.example.com/${secret.hook}" }]

      """
    let source = SourceFile(name: "shop.yaml", bytes: Array(text.utf8))
    var inputs = PlanCompiler.Inputs()
    inputs.secretFileProblem = { _, _ in .notFound }
    let looked = PlanCompiler.compile(source, inputs: inputs)
    guard case .playlist(let plan)? = looked.document else {
      Issue.record("\(looked.diagnostics)")
      return
    }
    #expect(plan.secrets.map(\.name) == ["film", "hook", "feed", "days"])
    inputs.servesPlaylists = true
    let served = PlanCompiler.compile(source, inputs: inputs)
    #expect(served.document == nil)
    #expect(
      served.diagnostics.filter { $0.severity == .error }.map(\.code.rawValue) == Array(repeating: "N403", count: 4))
    inputs.needsSecrets = false
    #expect(PlanCompiler.compile(source, inputs: inputs).document != nil)
  }

  @Test("A secret given for a name that nobody declared is an error")
  func stranger() {
    var inputs = Self.withToken
    inputs.givenSecrets = [("tokn", "@key")]
    #expect(found("steps: [{ log: \"${secret.token}\" }]\n", inputs) == ["N401 tokn"])
  }

  @Test("A declaration has one source")
  func declarations() {
    #expect(
      findings(scenario("secrets: { a: { env: A, file: b } }\nsteps: [{ log: \"${secret.a}\" }]\n")) == ["K107 file"])
    #expect(findings(scenario("secrets: { a: {} }\nsteps: [{ log: \"${secret.a}\" }]\n")) == ["K105 a"])
    #expect(findings(scenario("secrets: { a: { evn: A } }\nsteps: [{ log: \"${secret.a}\" }]\n")) == ["K101 evn"])
    #expect(findings(scenario("secrets: { a: A }\nsteps: [{ log: \"${secret.a}\" }]\n")) == ["T210 A"])
  }

  @Test("A library's secrets come with it, and are needed by those who use what needs them")
  func libraries() {
    let library = """
      library: L
      secrets: { key: { env: LIBRARY_KEY } }
      media:
        open: { url: https://x.example.com/a.mp4 }
        closed: { url: "https://x.example.com/a.mp4?k=${secret.key}" }

      """
    let inputs = project(["l.yaml": library])
    func codes(_ media: String) -> [String] {
      let source = scenario(
        "include: [{ file: l.yaml, as: l }]\nsteps:\n  - load: \(media)\n  - expect: { player: playing }\n")
      return PlanCompiler.compile(source, inputs: inputs).diagnostics.map(\.code.rawValue)
    }
    #expect(codes("l.open") == [])
    #expect(codes("l.closed") == ["N403"])
  }

  @Test("A text is taken apart at its placeholders")
  func parts() {
    typealias Part = SecretPlaceholder.Part
    #expect(SecretPlaceholder.parts(of: "a‹secret.b.c›d") == [Part.text("a"), .secret("b.c"), .text("d")])
    #expect(SecretPlaceholder.parts(of: "‹secret.b›‹secret.c›") == [Part.secret("b"), .secret("c")])
    #expect(SecretPlaceholder.parts(of: "‹x› ‹secret.") == [Part.text("‹x› ‹secret.")])
    #expect(SecretPlaceholder.parts(of: "") == [Part.text("")])
  }
}
