import CastProtocol
import Testing

@testable import ScenarioLanguage

@Suite struct FlowTests {
  /// The codes that a scenario with these steps gives, warnings about expecting nothing left out.
  static func codes(_ steps: String, top: String = "device: TV") -> [String] {
    Compiling.codes("scenario: S\n\(top)\nsteps: [\(steps)]\n").filter { $0 != "P610" }
  }

  static func plan(_ steps: String, top: String = "device: TV") throws -> Plan {
    try Compiling.plan("scenario: S\n\(top)\nsteps: [\(steps)]\n")
  }

  @Test("The steps of a group are numbered below it, its finally by name")
  func group() throws {
    let plan = try Self.plan("play, { group: { steps: [pause, { stop: {}, id: end }], finally: [log: x] } }")
    guard case .group(let group) = plan.steps[1].action else { throw Compiling.NoPlan() }
    #expect(group.steps.map(\.id) == ["s2.1", "end"])
    #expect(group.finally.map(\.id) == ["s2.finally1"])
    #expect(plan.steps[1].timeout == .seconds(90))
    #expect(plan.steps[1].retry.attempts == 1)
  }

  @Test("A default retry is for actions, not for the groups around them")
  func defaultRetry() throws {
    let plan = try Self.plan("{ group: { steps: [play] } }", top: "device: TV\ndefaults: { retry: 3 }")
    #expect(plan.steps[0].retry.attempts == 1)
    #expect(plan.steps[0].action.steps[0].retry.attempts == 3)
  }

  @Test("choose keeps its branches in order, otherwise last")
  func choose() throws {
    let plan = try Self.plan("{ choose: [{ if: { player: idle }, steps: [play] }, { otherwise: [stop, pause] }] }")
    guard case .choose(let branches) = plan.steps[0].action else { throw Compiling.NoPlan() }
    #expect(branches.map { $0.condition == nil } == [false, true])
    #expect(branches.map { $0.steps.map(\.id) } == [["s1.1.1"], ["s1.2.1", "s1.2.2"]])
    #expect(plan.steps[0].timeout == .seconds(60))
  }

  @Test("repeat is bounded by times, or by until and at_most")
  func loops() throws {
    let plan = try Self.plan(
      "{ repeat: { times: 3, steps: [play] } }, { repeat: { until: { player: idle }, at_most: 5, steps: [play] } }")
    guard case .repeat(let times) = plan.steps[0].action, case .repeat(let until) = plan.steps[1].action else {
      throw Compiling.NoPlan()
    }
    #expect(times.bound == .times(3))
    guard case .until(_, atMost: 5) = until.bound else { throw Compiling.NoPlan() }
    #expect(plan.steps.map(\.timeout) == [.seconds(90), .seconds(150)])
  }

  @Test("if, skip and tags stand on the step, save as a verb takes values")
  func modifiers() throws {
    let plan = try Self.plan(
      "{ play: {}, if: { player: idle }, tags: [a, b] }, { stop: {}, skip: not today }, { save: { p: position } }")
    #expect(plan.steps[0].condition != nil)
    #expect(plan.steps[0].tags == ["a", "b"])
    #expect(plan.steps[1].skip == "not today")
    #expect(plan.steps[2].action == .save)
    #expect(plan.steps[2].save.map(\.name) == ["p"])
  }

  static let wrong: [(steps: String, codes: [String])] = [
    ("{ choose: [] }", ["K105"]),
    ("{ choose: [{ steps: [play] }] }", ["K105"]),
    ("{ choose: [{ if: { player: idle } }] }", ["K105"]),
    ("{ choose: [{ otherwise: [play] }, { if: { player: idle }, steps: [play] }] }", ["K107"]),
    ("{ choose: [{ otherwise: [play] }, { otherwise: [play] }] }", ["K107"]),
    ("{ choose: [{ if: { playr: idle }, steps: [play] }] }", ["K101"]),
    ("{ repeat: { steps: [play] } }", ["K105"]),
    ("{ repeat: { times: 0, steps: [play] } }", ["T213"]),
    ("{ repeat: { times: 2, at_most: 3, steps: [play] } }", ["K107"]),
    ("{ repeat: { times: 2, until: { player: idle }, steps: [play] } }", ["K107"]),
    ("{ repeat: { until: { player: idle }, steps: [play] } }", ["P604"]),
    ("{ repeat: { times: 2, steps: [play] }, retry: 2 }", ["P607"]),
    ("{ group: { steps: [plya] } }", ["K101"]),
    ("{ group: { steps: [play] }, retry: { attempts: 2, errors: [expectation] } }", []),
    ("{ group: { steps: [play] }, timeout: 5s }", []),
    ("{ play: {}, if: { playr: idle } }", ["K101"]),
    ("{ play: {}, id: a }, { group: { steps: [{ stop: {}, id: a }] } }", ["N410"]),
    ("{ group: { steps: [{ play: {}, id: a }] } }, { expect_sequence: [{ player: idle }], since: a }", []),
    ("{ group: { steps: [play] } }, { expect_sequence: [{ player: idle }], since: s1.1 }", []),
    ("{ parallel: [{ steps: [play] }, { steps: [pause] }] }", ["K107"]),
    ("{ parallel: [{ steps: [play] }, { steps: [{ never: { player: idle }, during: 5s }] }] }", []),
  ]
  @Test("Flow that cannot be meant is refused", arguments: wrong)
  func refused(steps: String, codes: [String]) { #expect(Self.codes(steps) == codes) }

  static let saves: [(steps: String, codes: [String])] = [
    ("{ play: {}, save: { p: position } }, { seek: \"${p}\" }", []),
    ("{ seek: \"${p}\" }, { play: {}, save: { p: position } }", ["N407"]),
    ("{ play: {}, save: { p: position }, if: { player: idle } }, { seek: \"${p}\" }", ["N408"]),
    ("{ play: {}, save: { p: position }, skip: later }, { seek: \"${p}\" }", ["N408"]),
    ("{ group: { steps: [{ save: { p: position } }] } }, { seek: \"${p}\" }", []),
    ("{ choose: [{ if: { player: idle }, steps: [{ save: { p: position } }] }] }, { seek: \"${p}\" }", ["N408"]),
    (
      "{ choose: [{ if: { player: idle }, steps: [{ save: { p: position } }] }, { otherwise: [play] }] }, { seek: \"${p}\" }",
      ["N408"]
    ),
    (
      "{ choose: [{ if: { player: idle }, steps: [{ save: { p: position } }] }, { otherwise: [{ save: { p: duration } }] }] }, { seek: \"${p}\" }",
      []
    ),
    ("{ repeat: { times: 2, steps: [{ save: { p: position } }] } }, { seek: \"${p}\" }", []),
    ("{ repeat: { times: 2, steps: [{ seek: \"${p}\" }, { save: { p: position } }] } }", ["N407"]),
    (
      "{ repeat: { until: { position: { above: \"${p}\" } }, at_most: 3, steps: [{ save: { p: position } }] } }", []
    ),
    ("{ parallel: [{ steps: [{ save: { p: position } }] }, { steps: [log: x] }] }, { seek: \"${p}\" }", []),
    (
      "{ save: { t: tracks } }, { for_each: { item: \"${t}\", steps: [{ save: { p: position } }] } }, { seek: \"${p}\" }",
      ["N408"]
    ),
    ("{ save: { p: player } }, { seek: \"${p}\" }", ["T220"]),
    ("{ save: { b: break } }, { log: \"${b.id}\" }, { wait: \"${b.clip_time}\" }", []),
    ("{ save: { b: break } }, { wait: \"${b.id}\" }", ["T220"]),
    ("{ save: { p: position } }, { expect: { vars: { p: { min: 5s } } } }", []),
    ("{ save: { p: position } }, { expect: { vars: { p: { min: 5 } } } }", ["T201"]),
    ("{ expect: { vars: { p: { min: 5s } } } }, { save: { p: position } }", ["N407"]),
  ]
  @Test("A saved value counts where every way to it has saved it", arguments: saves)
  func saved(steps: String, codes: [String]) { #expect(Self.codes(steps) == codes) }

  static let sets: [(vars: String, steps: String, codes: [String])] = [
    ("n: { type: number, default: 1 }", "{ set: { n: 2 } }, { rate: \"${n}\" }", []),
    ("n: { type: number, default: 1 }", "{ set: { n: fast } }, { rate: \"${n}\" }", ["T221"]),
    ("n: { type: number, default: 1, max: 2 }", "{ set: { n: 3 } }, { rate: \"${n}\" }", ["T213"]),
    ("n: { type: text, default: a }", "{ set: { n: b } }, { rate: \"${n}\" }", ["T220"]),
    ("n: { type: text, default: a }", "{ set: { m: b } }, { log: \"${n}\" }", ["N401"]),
    (
      "n: { type: duration, default: 1s }", "{ save: { p: position } }, { set: { n: \"${p}\" } }, { wait: \"${n}\" }",
      []
    ),
    (
      "n: { type: duration, default: 1s }", "{ save: { p: title } }, { set: { n: \"${p}\" } }, { wait: \"${n}\" }",
      ["T220"]
    ),
    ("n: 1", "{ set: {} }, { log: \"${n}\" }", ["K105"]),
    ("n: a", "{ set: { n: \"at ${device.name}\" } }, { log: \"${n}\" }", []),
    ("n: { type: int, default: 1 }", "{ set: { n: \"at ${device.name}\" } }, { log: \"${n}\" }", ["T220"]),
    ("n: a", "{ set: { n: b } }, { play: {}, name: \"${n}\" }", ["N407"]),
  ]
  @Test("set keeps to the declared type, and what it changes is known only by type", arguments: sets)
  func set(vars: String, steps: String, codes: [String]) {
    #expect(Self.codes(steps, top: "device: TV\nvars: { \(vars) }") == codes)
  }

  @Test("The plan has the first value of every variable that the run reads")
  func variables() throws {
    let plan = try Self.plan(
      "{ set: { n: 2s } }, { wait: \"${n}\" }, { expect: { vars: { word: hello } } }",
      top: "device: TV\nvars: { _other: 1, n: { type: duration, default: 1m }, word: hello }")
    #expect(
      plan.variables == [
        Plan.Assignment(name: "n", value: .literal(60)), Plan.Assignment(name: "word", value: .literal("hello")),
      ])
    guard case .set(let assignments) = plan.steps[0].action else { throw Compiling.NoPlan() }
    #expect(assignments == [Plan.Assignment(name: "n", value: .literal(2))])
    #expect(plan.steps[1].action == .wait(.saved("n")))
  }

  static let deadlines: [(steps: String, codes: [String])] = [
    ("{ repeat: { times: 10, steps: [{ wait: 5s }] } }", []),
    ("{ repeat: { times: 12, steps: [{ wait: 5s }] } }", ["P603"]),
    ("{ group: { steps: [{ wait: 50s }] } }, { expect: { player: idle }, within: 6s }", ["P603"]),
    ("{ choose: [{ if: { player: idle }, steps: [{ wait: 50s }] }] }, { expect: { player: idle }, within: 6s }", []),
    (
      "{ choose: [{ if: { player: idle }, steps: [{ wait: 50s }] }, { otherwise: [{ wait: 51s }] }] }, { expect: { player: idle }, within: 6s }",
      ["P603"]
    ),
    ("{ wait: 50s, if: { player: idle } }, { wait: 50s }", []),
    ("{ wait: 70s, skip: too long }", []),
    ("{ parallel: [{ steps: [{ wait: 30s }] }, { steps: [{ wait: 50s }] }] }, { wait: 6s }", ["P603"]),
    ("{ parallel: [{ steps: [{ wait: 30s }] }, { steps: [{ wait: 20s }] }] }, { wait: 20s }", []),
    ("{ group: { steps: [{ wait: 5s }, { wait: 5s }] }, timeout: 8s }", ["P603"]),
    ("{ group: { steps: [{ wait: 5s }, { wait: 3s }] }, timeout: 8s }", []),
    ("{ for_each: { item: [40s, 20s], steps: [{ wait: \"${item}\" }] } }", ["P603"]),
  ]
  @Test("Limits that the document writes are added up through groups, branches and loops", arguments: deadlines)
  func deadline(steps: String, codes: [String]) {
    #expect(Self.codes(steps, top: "device: TV\ntimeout: 1m") == codes)
  }

  static let endings: [(steps: String, codes: [String])] = [
    ("{ group: { steps: [{ fail: x }] } }, play", ["P601"]),
    ("{ group: { steps: [{ fail: x }, play] } }", ["P601"]),
    ("{ group: { steps: [{ fail: x }] }, if_fails: continue }, play", []),
    ("{ fail: x, if: { player: idle } }, play", []),
    ("{ fail: x, skip: later }, play", []),
    ("{ choose: [{ if: { player: idle }, steps: [{ fail: x }] }] }, play", []),
    ("{ choose: [{ if: { player: idle }, steps: [{ fail: x }] }, { otherwise: [{ fail: y }] }] }, play", ["P601"]),
    ("{ repeat: { times: 3, steps: [{ fail: x }] } }, play", ["P601"]),
    ("{ for_each: { item: [1, 2], steps: [{ fail: x }] } }", []),
    ("{ for_each: { item: [], steps: [{ fail: x }] } }, play", ["P601"]),
  ]
  @Test("A step behind a certain end can never run", arguments: endings)
  func unreachable(steps: String, codes: [String]) { #expect(Self.codes(steps) == codes) }

  @Test("An expectation inside a group counts, one in a block that nobody uses does not")
  func judging() {
    #expect(
      Compiling.codes("scenario: S\ndevice: TV\nsteps: [{ group: { steps: [{ expect: { player: idle } }] } }]\n") == [])
    #expect(
      Compiling.codes(
        "scenario: S\ndevice: TV\nblocks: { _b: { steps: [{ expect: { player: idle } }] } }\nsteps: [play]\n")
        == ["P610"])
  }
}
