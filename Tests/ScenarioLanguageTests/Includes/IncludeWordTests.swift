import CastProtocol
import Testing

@testable import ScenarioLanguage

/// What is said of files that cannot be included, and how prefixes and `only` reach into definitions
/// (docs/language/library.md "Include").
@Suite struct IncludeWordTests {
  static let files: [(problem: FileProblem, words: String)] = [
    (
      .notFound,
      "N409: included file `x.yaml` is not there | not found | help: paths are relative to the file that includes"
    ),
    (
      .outside(root: "/srv/show"),
      "N409: `x.yaml` lies outside the project | leads out of `/srv/show` | help: move it below that folder, or allow its own with `--allow-path FOLDER`"
    ),
    (.symbolicLink, "N409: `x.yaml` is a link, and links are not followed | help: include the file that it leads to"),
    (.notRegular("a folder"), "N409: `x.yaml` is a folder, not a file | help: name the library file itself"),
    (
      .tooLarge(1 << 20),
      "Y311: included file `x.yaml` is larger than 1 MiB | help: split it into several libraries"
    ),
    (.empty, "N409: included file `x.yaml` is empty"),
    (.unreadable("Permission denied"), "N409: included file `x.yaml` cannot be read: Permission denied"),
  ]

  @Test("A file that cannot be had says why, and lets nobody miss its names", arguments: files)
  func file(problem: FileProblem, words: String) throws {
    var inputs = PlanCompiler.Inputs()
    inputs.includedFile = { _, _ in .failure(problem) }
    let outcome = PlanCompiler.compile(
      scenario("include: [x.yaml]\nsteps: [{ load: film }, { log: \"${cdn}\" }, { launch: game }]\n"), inputs: inputs)
    #expect(outcome.diagnostics.filter { $0.severity == .error }.map(\.words) == [words])
  }

  static let paths: [(path: String, words: String)] = [
    (
      "/etc/x.yaml",
      "N409: the path of an include is relative to its file | begins with `/` | help: write it from the folder of this document, such as `lib/brand.yaml`"
    ),
    (
      "file:x.yaml",
      "N409: `file:x.yaml` is not a path | help: includes are files of this project, such as `lib/brand.yaml`"
    ),
    (
      "\"a\\tb.yaml\"",
      "N409: `a\\tb.yaml` is not a path | help: includes are files of this project, such as `lib/brand.yaml`"
    ),
    (
      "\"${x}/a.yaml\"",
      "T219: the path of an include cannot come from a variable | help: paths are written out, so that all files of a document are known"
    ),
  ]

  @Test("What is no path of the project is never opened", arguments: paths)
  func path(path: String, words: String) {
    var inputs = PlanCompiler.Inputs()
    inputs.includedFile = { path, _ in
      Issue.record("opened \(path)")
      return .failure(.notFound)
    }
    let outcome = PlanCompiler.compile(
      scenario("include: [\(path)]\nvars: { _x: lib }\nsteps: [{ expect: { app: none } }]\n"), inputs: inputs)
    #expect(outcome.diagnostics.map(\.words) == [words])
  }

  @Test("Each file is asked for by its path and the name of the one that includes it")
  func includer() {
    nonisolated(unsafe) var asked: [String] = []
    var inputs = PlanCompiler.Inputs()
    inputs.includedFile = { path, file in
      asked.append("\(path) in \(file)")
      let text = path == "lib/a.yaml" ? "library: A\ninclude: [b.yaml]\n" : "library: B\n"
      return .success(SourceFile(text, name: path == "lib/a.yaml" ? path : "lib/b.yaml"))
    }
    #expect(findings(scenario("include: [lib/a.yaml, lib/b.yaml]\nsteps: [play]\n"), inputs: inputs) == [])
    #expect(asked == ["lib/a.yaml in lobby.yaml", "b.yaml in lib/a.yaml", "lib/b.yaml in lobby.yaml"])
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

  static func plan(_ lines: String) throws -> Plan {
    var inputs = project(["kit.yaml": kit])
    inputs.environment = { $0 == "KIT_KEY" ? "value-of-the-key" : nil }
    let outcome = PlanCompiler.compile(scenario(lines), inputs: inputs)
    guard case .scenario(let plan)? = outcome.document else {
      Issue.record("\(DiagnosticRenderer(sources: outcome.sources).render(outcome.diagnostics))")
      throw Compiling.NoPlan()
    }
    #expect(outcome.diagnostics.filter { $0.code != .p610 } == [])
    return plan
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
    let bare = try Self.plan("include: [kit.yaml]\nsteps: [{ use: all }]\n")
    #expect(Self.doings(bare.steps) == expected(""))
    // The document's own names of the same spelling change nothing in the library.
    let own = """
      vars: { host: other.example.com }
      media: { film: { url: "https://${host}/mine.mp4" } }
      apps: { show: B1B2C3D4 }

      """
    let prefixed = try Self.plan(
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
    let outcome = PlanCompiler.compile(source, inputs: inputs)
    guard case .scenario(let plan)? = outcome.document else {
      Issue.record("\(outcome.diagnostics.map(\.words))")
      return
    }
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

  static let overrides: [(vars: String, log: String?)] = [
    ("{ _n: 1 }", "a/x a"),
    // A text without `${ }` takes the place of the library's, whose other variables then use it.
    ("{ base: b }", "b/x b"), ("{ url: y }", "y a"),
    // Any other stands where the document declares it: what the library makes of it comes too early.
    ("{ _h: b, base: \"${_h}/c\" }", nil), ("{ url: \"${base}/y\" }", "a/y a"),
    ("{ _h: b, url: \"${_h}/y\" }", "b/y a"),
    ("{ _h: b, base: \"${_h}/c\", url: \"${base}/z\" }", "b/c/z b/c"),
  ]

  @Test("A document's own variable replaces a library's, in its place or where it is declared", arguments: overrides)
  func override(vars: String, log: String?) throws {
    let library = "library: Base\nvars: { base: a, url: \"${base}/x\" }\n"
    let outcome = PlanCompiler.compile(
      scenario("include: [base.yaml]\nvars: \(vars)\nsteps: [{ log: \"${url} ${base}\" }]\n"),
      inputs: project(["base.yaml": library]))
    guard case .scenario(let plan)? = outcome.document else {
      #expect(outcome.diagnostics.filter { $0.severity == .error }.map(\.code.rawValue) == ["N401"])
      #expect(log == nil)
      return
    }
    #expect(Self.doings(plan.steps) == ["log \(log ?? "none")"])
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
    ("mark", "{ load: mark }, { log: \"${level}\" }", ["N401 level"]),
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
    Example("as: cdn", ["N410 cdn"]),
  ]

  @Test("A prefix is a name of its own, which nothing else has", arguments: prefixes)
  func prefixName(example: Example) {
    let source = scenario(
      "include: [{ file: kit.yaml, \(example.text) }]\nvars: { cdn: x }\ndescription: ${cdn}\nsteps: [play]\n")
    #expect(findings(source, inputs: project(["kit.yaml": "library: Kit\n"])) == example.expected)
  }
}
