import CastProtocol
import Testing

@testable import ScenarioLanguage

@Suite struct BlockTests {
  static func document(_ blocks: String, _ steps: String, top: String = "") -> String {
    "scenario: S\ndevice: TV\n\(top)blocks:\n\(blocks)\nsteps: [\(steps)]\n"
  }

  /// What is wrong, as code and underlined text; warnings about expecting nothing left out.
  static func problems(_ blocks: String, _ steps: String, top: String = "") -> [String] {
    let outcome = Compiling.outcome(document(blocks, steps, top: top))
    let sources = Dictionary(outcome.sources.map { ($0.name, SourceText($0)) }, uniquingKeysWith: { a, _ in a })
    return outcome.diagnostics.filter { $0.code != .p610 }.map { problem in
      "\(problem.code) \(sources[problem.primary.span.file]?.text(at: problem.primary.span) ?? "")"
    }
  }

  static let start =
    "  start: { params: { app: { type: app }, tries: { type: int, default: 3, max: 5 } }, steps: [{ launch: \"${app}\", retry: { attempts: \"${tries}\" } }] }"

  @Test("The steps of a block are put in with the arguments, under the use's id")
  func use() throws {
    let plan = try Compiling.plan(
      Self.document(
        Self.start,
        "play, { use: { block: start, with: { app: A1B2C3D4 } } }, { use: { block: start, with: { app: 11111111, tries: 2 } }, id: again }"
      ))
    let uses = plan.steps.dropFirst().compactMap { if case .group(let group) = $0.action { group.steps } else { nil } }
    #expect(plan.steps.map(\.verb) == ["play", "use", "use"])
    #expect(uses.map { $0.map(\.id) } == [["s2.1"], ["again.1"]])
    #expect(uses.map { $0.map(\.retry.attempts) } == [[3], [2]])
    #expect(uses.flatMap { $0 }.map(\.name) == ["launch A1B2C3D4", "launch 11111111"])
  }

  @Test("An id written in a block gets the use's id in front when it comes again, and since finds the latest")
  func ids() throws {
    let plan = try Compiling.plan(
      Self.document(
        "  b: { steps: [{ play: {}, id: go }, { expect_sequence: [{ player: idle }], since: go }] }",
        "{ use: b }, { use: b }, { for_each: { item: [1, 2], steps: [{ pause: {}, id: hold }] } }"))
    #expect(
      plan.steps.map { $0.action.steps.map(\.id) } == [["go", "s1.2"], ["s2.go", "s2.2"], ["hold", "s3.pass2.hold"]])
    guard case .expectSequence(let sequence) = plan.steps[1].action.steps[1].action else { throw Compiling.NoPlan() }
    #expect(sequence.since == "s2.go")
  }

  @Test("Arguments keep their shape, inside a text their words are put in")
  func shapes() throws {
    let plan = try Compiling.plan(
      Self.document(
        "  b: { params: { url: , list: { type: list }, words: { default: hello } }, steps: [{ load: \"https://${url}/a.mp4\" }, { tracks: \"${list}\" }, { log: \"${words} to ${url} on ${device.name}\" }] }",
        "{ use: { block: b, with: { url: cdn.example.com, list: [en, de] } } }"))
    let steps = plan.steps[0].action.steps
    guard case .load(let load) = steps[0].action, case .log(let text) = steps[2].action else {
      throw Compiling.NoPlan()
    }
    #expect(load.request.media.contentID == "https://cdn.example.com/a.mp4")
    #expect(steps[1].action == .tracks(["en", "de"]))
    #expect(text == Plan.Template([.text("hello to cdn.example.com on "), .value("device.name")]))
  }

  @Test("A loop's own item hides the one around it, and a block sees only its parameters")
  func scopes() throws {
    let plan = try Compiling.plan(
      Self.document(
        "  say: { params: { what: }, steps: [{ log: \"${what}\" }] }",
        "{ for_each: { item: [[a, b], [c]], steps: [{ for_each: { item: \"${item}\", steps: [{ use: { block: say, with: { what: \"${item}${index}\" } } }] } }, { log: \"${index}\" }] } }"
      ))
    func texts(_ step: Plan.Step) -> [String] {
      if case .log(let text) = step.action { return [text.source] }
      return step.action.steps.flatMap(texts)
    }
    #expect(plan.steps.flatMap(texts) == ["a1", "b2", "1", "c1", "2"])
  }

  @Test("A block may start from another one")
  func like() throws {
    let plan = try Compiling.plan(
      Self.document(
        Self.start + "\n  quick: { like: start, steps: [{ launch: \"${app}\", timeout: 5s }] }",
        "{ use: { block: quick, with: { app: A1B2C3D4 } } }, { use: { block: start, with: { app: A1B2C3D4 } } }"))
    #expect(plan.steps.map { $0.action.steps.map(\.timeout) } == [[.seconds(5)], [.seconds(15)]])
  }

  static let wrong: [(blocks: String, steps: String, problems: [String])] = [
    (start, "{ use: start }", ["K105 start"]),
    (start, "{ use: { block: start, with: { ap: A1B2C3D4 } } }", ["K101 ap"]),
    (start, "{ use: { block: start, with: { app: A1B2C3D4, tries: many } } }", ["T221 many"]),
    (start, "{ use: { block: start, with: { app: A1B2C3D4, tries: 9 } } }", ["T213 9"]),
    (start, "{ use: { block: start, with: { app: game } } }", ["N406 game"]),
    (
      start, "{ use: { block: start, with: { app: A1B2C3D4 } } }, { use: { block: start, with: { app: game } } }",
      ["N406 game"]
    ),
    (start, "{ use: strat }", ["N402 start", "N406 strat"]),
    (start, "play", ["N402 start"]),
    ("  _b: { steps: [plya] }", "play", ["K101 plya"]),
    ("  _b: { params: { app: }, steps: [{ expect: { playr: idle } }] }", "play", ["K101 playr"]),
    (
      "  _b: { params: { word: }, steps: [{ expect: { title: { contains: \"${word}\" } } }, { volume: \"${word}\" }] }",
      "play", []
    ),
    ("  b: { steps: [{ expect: { playr: idle } }] }", "{ use: b }, { use: b }", ["K101 playr"]),
    ("  b: { params: { x: { type: int, default: a } }, steps: [play] }", "{ use: b }", ["T221 a"]),
    ("  b: { params: { item: }, steps: [play] }", "{ use: { block: b, with: { item: 1 } } }", ["N411 item"]),
    ("  b: { params: { x: }, steps: [{ log: \"${y}\" }] }", "{ use: { block: b, with: { x: 1 } } }", ["N401 y"]),
    ("  b: { steps: [{ log: \"${item}\" }] }", "{ for_each: { item: [1], steps: [{ use: b }] } }", ["N401 item"]),
    (
      "  b: { steps: [play] }", "{ for_each: { item: [b], steps: [{ use: \"${item}\" }] } }",
      ["N402 b", "T219 \"${item}\""]
    ),
    (
      "  b: { params: { x: }, steps: [{ wait: \"${x}\" }] }",
      "{ save: { p: title } }, { use: { block: b, with: { x: \"${p}\" } } }", ["T220 \"${p}\""]
    ),
    (
      "  b: { params: { x: }, steps: [{ wait: \"${x}\" }] }",
      "{ save: { p: position } }, { use: { block: b, with: { x: \"${p}\" } } }", []
    ),
    ("  a: { steps: [{ use: b }] }\n  b: { steps: [{ group: { steps: [{ use: a }] } }] }", "{ use: a }", ["N405 a"]),
    ("  a: { steps: [{ use: a }] }\n  b: { steps: [{ use: a }] }", "{ use: b }", ["N405 a"]),
    ("  a: { params: {} }", "play", ["K105 a", "N402 a"]),
  ]
  @Test("What is wrong with a block or with an argument is said once, where it is written", arguments: wrong)
  func refused(blocks: String, steps: String, problems: [String]) {
    #expect(Self.problems(blocks, steps) == problems.filter { !$0.hasPrefix("N402") || problems.count == 1 })
  }

  @Test("A wrong argument is shown with the place in the block that takes it")
  func argument() throws {
    let outcome = Compiling.outcome(
      Self.document(
        "  b: { params: { time: }, steps: [{ wait: \"${time}\" }] }", "{ use: { block: b, with: { time: 30 } } }"))
    let problem = try #require(outcome.diagnostics.first { $0.severity == .error })
    #expect(problem.code == .t201)
    #expect(problem.primary.span.line == 5)
    #expect(problem.related.map(\.span.line) == [4])
    #expect(problem.related.map(\.text) == ["used here"])
  }

  static let kinds: [(argument: String, problems: [String])] = [
    ("tv", []), ("movie", ["K103 series"]), ("cinema", ["K103 series", "T205 cinema"]),
  ]

  @Test("Which keys metadata have is known once the argument says their kind", arguments: kinds)
  func kind(argument: String, problems: [String]) {
    let media = "{ url: https://e.com/a.mp4, metadata: { kind: \"${k}\", series: S } }"
    let block = "  b: { params: { k: }, steps: [{ load: { media: \(media) } }] }"
    #expect(Self.problems(block, "{ use: { block: b, with: { k: \(argument) } } }") == problems)
  }

  static let loops: [(steps: String, problems: [String])] = [
    ("{ for_each: { item: [1, 2x], steps: [{ rate: \"${item}\" }] } }", ["T221 2x"]),
    ("{ for_each: { item: [{ r: 1 }], steps: [{ rate: \"${item.r}\" }] } }", []),
    ("{ for_each: { item: [{ r: 1 }], steps: [{ rate: \"${item.s}\" }] } }", ["N401 \"${item.s}\""]),
    ("{ for_each: { item: 5, steps: [play] } }", ["T210 5"]),
    ("{ for_each: { item: \"${item}\", steps: [play] } }", ["N401 item"]),
    ("{ for_each: { item: [1], steps: [plya] } }", ["K101 plya"]),
    ("{ save: { t: active_tracks } }, { for_each: { item: \"${t}\", steps: [{ log: \"${item} ${index}\" }] } }", []),
    (
      "{ save: { t: active_tracks } }, { for_each: { item: \"${t}\", steps: [{ load: \"${item}\" }] } }",
      ["N407 \"${item}\""]
    ),
    ("{ save: { t: position } }, { for_each: { item: \"${t}\", steps: [play] } }", ["T220 \"${t}\""]),
    ("{ for_each: { item: [1], steps: [play] }, retry: 2 }", ["P607 retry"]),
  ]
  @Test("A loop over a list checks every value where it is used", arguments: loops)
  func loop(steps: String, problems: [String]) {
    #expect(Self.problems("  _b: { steps: [play] }", steps) == problems)
  }

  @Test("A loop over a list that only the run knows is not unrolled")
  func runTimeLoop() throws {
    let plan = try Compiling.plan(
      Self.document(
        "  say: { params: { what: }, steps: [{ log: \"${what}\" }] }",
        "{ save: { t: tracks } }, { for_each: { item: \"${t}\", steps: [{ use: { block: say, with: { what: \"${item.language}\" } } }] } }"
      ))
    guard case .forEach(let loop) = plan.steps[1].action else { throw Compiling.NoPlan() }
    #expect(loop.list == "t")
    #expect(loop.steps[0].action.steps[0].action == .log(Plan.Template([.value("item.language")])))
  }
}

@Suite struct LibraryBlockTests {
  static let cases: [(blocks: String, codes: [String])] = [
    ("b: { steps: [{ play: {}, role: left }, { seek: 5s }] }", []),
    ("b: { steps: [{ use: b }] }", ["N405"]),
    ("b: { params: { app: }, steps: [{ launch: \"${app}\" }, { expect: { playr: idle } }] }", ["K101"]),
    ("b: { steps: [{ repeat: { until: { player: idle }, steps: [play] } }] }", ["P604"]),
  ]
  @Test("Blocks of a library are checked where they are written", arguments: cases)
  func library(blocks: String, codes: [String]) {
    #expect(Compiling.codes("library: L\nblocks:\n  \(blocks)\n") == codes)
  }
}
