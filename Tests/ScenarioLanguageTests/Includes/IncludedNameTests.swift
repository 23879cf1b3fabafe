import CastProtocol
import Testing

@testable import ScenarioLanguage

/// What a library's names are to the document, and how prefixes and `only` reach into definitions
/// (docs/language/library.md "Include").
@Suite struct IncludedNameTests {
  static let brand = """
    library: Brand
    vars: { cdn: https://cdn.example.com, logo_file: logo.png }
    apps: { show: A1B2C3D4 }
    text_styles: { big: { size: 150% }, bigger: { like: big, color: yellow } }
    media:
      base: { url: "${cdn}/base.mp4", duration: 10s }
      logo: { url: "${cdn}/${logo_file}" }
      film: { like: base, text_style: bigger }

    """

  private static func plan(_ lines: String, _ files: [String: String] = ["brand.yaml": brand]) throws -> Plan {
    let outcome = PlanCompiler.compile(scenario(lines), inputs: project(files))
    #expect(outcome.diagnostics.filter { $0.severity == .error } == [])
    return try Compiling.plan(of: outcome)
  }

  private func url(_ step: Plan.Step) -> String? {
    guard case .load(let load) = step.action else { return nil }
    return load.request.media.contentURL ?? load.request.media.contentID
  }

  @Test("A library's definitions are the document's, and nothing in it counts as unused")
  func plain() throws {
    let source = scenario("include: [brand.yaml]\nsteps:\n  - load: film\n  - expect: { player: playing }\n")
    let outcome = PlanCompiler.compile(source, inputs: project(["brand.yaml": Self.brand]))
    #expect(outcome.diagnostics == [])
    let plan = try Self.plan("include: [brand.yaml]\nsteps:\n  - load: film\n  - launch: show\n  - log: ${cdn}\n")
    #expect(url(plan.steps[0]) == "https://cdn.example.com/base.mp4")
  }

  @Test("With `as` every name has a prefix, inside the library none is needed")
  func prefixed() throws {
    let lines = """
      include: [{ file: brand.yaml, as: brand }]
      vars: { cdn: https://other.example.com }
      media: { film: { url: "${cdn}/mine.mp4" } }
      steps:
        - load: brand.film
        - load: film
        - load: ${brand.cdn}/x.mp4
        - launch: brand.show
        - text_style: brand.bigger

      """
    let plan = try Self.plan(lines)
    #expect(
      plan.steps.prefix(3).map(url) == [
        "https://cdn.example.com/base.mp4", "https://other.example.com/mine.mp4", "https://cdn.example.com/x.mp4",
      ])
    guard case .load(let load) = plan.steps[0].action else { return }
    #expect(load.request.media.textTrackStyle?.foregroundColor == "#FFFF00FF")
    #expect(load.request.media.textTrackStyle?.fontScale == 1.5)
  }

  @Test("Prefixes add up where libraries include libraries")
  func nested() throws {
    let outer = "library: Outer\ninclude: [{ file: brand.yaml, as: in }]\nmedia: { clip: { like: in.film } }\n"
    let plan = try Self.plan(
      "include: [{ file: outer.yaml, as: out }]\nsteps:\n  - load: out.clip\n  - load: out.in.logo\n  - log: ${out.in.cdn}\n",
      ["brand.yaml": Self.brand, "outer.yaml": outer])
    #expect(url(plan.steps[0]) == "https://cdn.example.com/base.mp4")
    #expect(url(plan.steps[1]) == "https://cdn.example.com/logo.png")
  }

  static let overrides: [(vars: String, set: String?, log: String?)] = [
    ("{ _n: 1 }", nil, "a/x a"), ("{ _n: 1 }", "s", "s/x s"),
    // A text without `${ }` takes the place of the library's, whose other variables then use it.
    ("{ base: b }", nil, "b/x b"), ("{ url: y }", nil, "y a"),
    // Any other stands where the document declares it: what the library makes of it comes too early.
    ("{ _h: b, base: \"${_h}/c\" }", nil, nil), ("{ url: \"${base}/y\" }", nil, "a/y a"),
    ("{ _h: b, url: \"${_h}/y\" }", nil, "b/y a"),
    ("{ _h: b, base: \"${_h}/c\", url: \"${base}/z\" }", nil, "b/c/z b/c"),
    // `--set` is the strongest.
    ("{ base: b }", "s", "s/x s"),
  ]

  @Test("A document's own variable replaces a library's, in its place or where it is declared", arguments: overrides)
  func override(vars: String, set: String?, log: String?) throws {
    var inputs = project(["base.yaml": "library: Base\nvars: { base: a, url: \"${base}/x\" }\n"])
    if let set { inputs.settings = [("base", set)] }
    let outcome = PlanCompiler.compile(
      scenario("include: [base.yaml]\nvars: \(vars)\nsteps: [{ log: \"${url} ${base}\" }]\n"), inputs: inputs)
    guard let log else {
      #expect(outcome.diagnostics.filter { $0.severity == .error }.map(\.code.rawValue) == ["N401"])
      return
    }
    #expect(Self.doings(try Compiling.plan(of: outcome).steps) == ["log \(log)"])
  }

  @Test("--set reaches a variable behind a prefix")
  func settingBehindPrefix() throws {
    var inputs = project(["brand.yaml": Self.brand])
    inputs.settings = [("brand.cdn", "https://set.example.com")]
    let reading = findings(
      scenario("include: [{ file: brand.yaml, as: brand }]\ndescription: ${brand.cdn}\nsteps: [play]\n"), inputs: inputs
    )
    #expect(reading == [])
  }

  @Test("A definition of the document and one of a library cannot have the same name")
  func documentAndLibrary() {
    let source = scenario(
      "include: [brand.yaml]\nmedia: { logo: { url: https://x.example.com/a.png } }\nsteps: [{ load: logo }]\n")
    #expect(findings(source, inputs: project(["brand.yaml": Self.brand])) == ["N410 logo"])
  }

  /// A library that uses its own names in every way there is.
  static let kit = """
    library: Kit
    vars: { host: cdn.example.com, logo: { type: media, default: mark }, level: { type: percent, default: 40% }, n: { type: int, default: 1 } }
    secrets: { key: { env: KIT_KEY } }
    apps: { show: A1B2C3D4, other: { like: show } }
    text_styles: { plain: { size: 100% }, big: { like: plain, size: 150% } }
    media:
      mark: { url: "https://${host}/mark.png" }
      film: { url: "https://${host}/film.mp4?k=${secret.key}", text_style: big }
    inventory: { bar: { name: Bar TV }, hall: { like: bar, name: Hall TV } }
    calendars: { holidays: [2026-12-25] }
    blocks:
      start: { params: { app: { type: app, default: show } }, steps: [{ launch: "${app}" }, { load: { media: film, text_style: big } }, { load: "${logo}" }] }
      count: { steps: [{ set: { n: 2 } }, { expect: { vars: { n: { min: 1 }, level: { above: 0% } } } }, { log: "$${n} is ${n} of ${host}" }] }
      all: { params: { host: { default: own } }, steps: [{ use: start }, { use: { block: count } }, { choose: [{ if: { vars: { n: 2 } }, steps: [{ queue: [mark, film] }] }] }, { log: "${host}" }] }

    """

  private static func planOfKit(_ lines: String) throws -> Plan {
    var inputs = project(["kit.yaml": kit])
    inputs.environment = { $0 == "KIT_KEY" ? "value-of-the-key" : nil }
    let outcome = PlanCompiler.compile(scenario(lines), inputs: inputs)
    #expect(outcome.diagnostics.filter { $0.code != .p610 } == [])
    return try Compiling.plan(of: outcome)
  }

  /// All that its steps load, launch, log and set, in order.
  static func doings(_ steps: [Plan.Step]) -> [String] {
    steps.flatMap { step -> [String] in
      switch step.action {
      case .load(let load):
        [
          "load \(load.mediaID ?? "") \(load.request.media.contentID) \(load.request.media.textTrackStyle?.fontScale ?? 0)"
        ]
      case .launch(let launch): ["launch \(launch.appID)"]
      case .log(let text): ["log \(text.source)"]
      case .set(let values): values.map { "set \($0.name)" }
      case .expect(let expect): ["expect \(expect.condition.text())"]
      case .queue(let queue): ["queue \(queue.items.map { $0.mediaID ?? "" }.joined(separator: ","))"]
      case .choose(let branches):
        branches.flatMap { ["if \($0.condition?.text() ?? "")"] + doings($0.steps) }
      default: doings(step.action.steps)
      }
    }
  }

  @Test("Behind a prefix a library says the same as without, with its own names and nobody else's")
  func prefix() throws {
    func expected(_ prefix: String) -> [String] {
      [
        "launch A1B2C3D4",
        "load \(prefix)film https://cdn.example.com/film.mp4?k=‹secret.\(prefix)key› 1.5",
        "load \(prefix)mark https://cdn.example.com/mark.png 0.0", "set \(prefix)n",
        "expect vars.\(prefix)n min 1, vars.\(prefix)level above 0", "log ${n} is ${\(prefix)n} of cdn.example.com",
        "if vars.\(prefix)n 2", "queue \(prefix)mark,\(prefix)film", "log own",
      ]
    }
    let bare = try Self.planOfKit("include: [kit.yaml]\nsteps: [{ use: all }]\n")
    #expect(Self.doings(bare.steps) == expected(""))
    // The document's own names of the same spelling change nothing in the library.
    let own = """
      vars: { host: other.example.com }
      media: { film: { url: "https://${host}/mine.mp4" } }
      apps: { show: B1B2C3D4 }

      """
    let prefixed = try Self.planOfKit(
      "include: [{ file: kit.yaml, as: kit }]\n\(own)steps: [{ use: kit.all }, { load: film }, { launch: show }]\n")
    #expect(
      Self.doings(prefixed.steps)
        == expected("kit.") + ["load film https://other.example.com/mine.mp4 0.0", "launch B1B2C3D4"])
    #expect(prefixed.secrets.map(\.name) == ["kit.key"])
    #expect(prefixed.variables.map(\.name) == ["kit.level", "kit.n"])
  }

  @Test("What a library gives its own block is a name of its own, too; what the document gives is the document's")
  func arguments() throws {
    let library = """
      library: Kit
      apps: { show: A1B2C3D4 }
      media: { film: { url: https://cdn.example.com/film.mp4 } }
      blocks:
        base: { params: { what: { type: media, default: film }, title: film }, steps: [{ load: "${what}" }, { log: "${title}" }] }
        same: { like: base }
        open: { params: { app: { type: app, choices: [show], default: show } }, steps: [{ launch: "${app}" }] }
        both: { steps: [{ use: { block: same, with: { what: film, title: film } } }, { use: { block: open, with: { app: show } } }] }

      """
    var inputs = project(["kit.yaml": library])
    inputs.environment = { _ in nil }
    let source = scenario(
      """
      include: [{ file: kit.yaml, as: kit }]
      media: { film: { url: https://cdn.example.com/mine.mp4 } }
      steps: [{ use: kit.both }, { use: { block: kit.same, with: { what: film } } }, { use: kit.open }]

      """)
    let plan = try Compiling.plan(source, inputs: inputs)
    let film = "load kit.film https://cdn.example.com/film.mp4 0.0"
    #expect(
      Self.doings(plan.steps) == [
        film, "log film", "launch A1B2C3D4", "load film https://cdn.example.com/mine.mp4 0.0", "log film",
        "launch A1B2C3D4",
      ])
  }

  @Test("A message about a library quotes the library, not the same line of the document")
  func quotes() throws {
    let library = """
      library: Kit
      media: { film: { url: https://cdn.example.com/film.mp4 } }
      blocks:
        two: { steps: [{ load: film, seek: 5s }] }
        loop: { steps: [{ repeat: { until: { player: playing }, steps: [play] } }] }

      """
    let comment = String(repeating: "# not this line ", count: 6)
    let source = scenario("include: [kit.yaml]\n\(comment)\nsteps: [{ use: two }]\n")
    let outcome = PlanCompiler.compile(source, inputs: project(["kit.yaml": library]))
    #expect(
      outcome.diagnostics.map(\.words) == [
        "K102: one step, two verbs: `load` and `seek` | second verb | help: a step does one thing; start a new step:\n  - load: film\n  - seek: 5s",
        "P604: this loop has no upper bound | add `at_most` | help: to wait for a state, `wait_until: { player: idle }` needs no loop",
      ])
  }

  static let choices: [(only: String, steps: String, missing: [String])] = [
    // What is taken brings along what it names, and no more.
    ("film", "{ load: film }", []), ("film", "{ text_style: big }, { text_style: plain }, { load: film }", []),
    ("film", "{ load: film }, { load: mark }", ["N406 mark"]),
    ("film", "{ load: film }, { launch: show }", ["N406 show"]),
    ("start", "{ use: start }", []), ("start", "{ use: start }, { load: mark }, { launch: show }", []),
    ("start", "{ use: start }, { use: count }", ["N406 count"]),
    ("all", "{ use: all }, { log: \"${n} ${level}\" }", []),
    ("other", "{ launch: other }, { launch: show }", []),
    ("mark, big", "{ load: mark }, { text_style: big }, { log: \"${host}\" }", []),
    ("mark", "{ load: mark }, { log: \"${level}\" }", ["N401 level"]), ("flim", "play", ["N406 flim"]),
  ]

  @Test("`only` takes along what the chosen names need, through every kind of definition", arguments: choices)
  func only(only: String, steps: String, missing: [String]) {
    var inputs = project(["kit.yaml": Self.kit])
    inputs.needsSecrets = false
    let outcome = PlanCompiler.compile(
      scenario("include: [{ file: kit.yaml, only: [\(only)] }]\nsteps: [\(steps)]\n"), inputs: inputs)
    let text = SourceText(outcome.sources[0])
    let found = outcome.diagnostics.filter { $0.severity == .error }.map {
      "\($0.code) \(text.text(at: $0.primary.span) ?? "")"
    }
    #expect(found == missing)
  }

  static let prefixes: [Example] = [
    Example("as: kit", []), Example("as: kit_2", []), Example("as: \"2kit\"", ["T219 2"]),
    Example("as: my-kit", ["T219 -"]),
    Example("as: device", ["N411 device"]), Example("as: item", ["N411 item"]), Example("as: secret", ["N411 secret"]),
    Example("as: cdn", ["N410 cdn"]), Example("as: run", ["N411 run"]), Example("as: Kit", ["T219 K"]),
  ]

  @Test("A prefix is a name of its own, which nothing else has", arguments: prefixes)
  func prefixName(example: Example) {
    let source = scenario(
      "include: [{ file: kit.yaml, \(example.text) }]\nvars: { cdn: x }\ndescription: ${cdn}\nsteps: [play]\n")
    #expect(findings(source, inputs: project(["kit.yaml": "library: Kit\n"])) == example.expected)
  }
}
