import Testing

@testable import ScenarioLanguage

/// Steps within steps, in the document's order.
@Suite struct NestedStepTests {
  static func plan() throws -> Plan {
    try Compiling.plan(
      """
      scenario: Nested
      device: TV
      setup: [{ group: { steps: [play] } }]
      steps:
        - group: { steps: [play, { group: { steps: [pause, play] } }], finally: [stop, { group: { steps: [pause] } }] }
        - choose: [{ if: { player: idle }, steps: [play] }, { otherwise: [pause, { repeat: { times: 2, steps: [stop] } }] }]
        - wait: 1s
        - parallel: [{ steps: [play] }, { steps: [{ wait: 1s }, { group: { steps: [{ log: a }] } }] }]
      on_failure: [{ log: failed }]
      finally: [stop]

      """)
  }

  @Test("All steps come each before what it holds, a group's finally behind its steps")
  func all() throws {
    #expect(
      try Self.plan().allSteps.map(\.id) == [
        "setup1", "setup1.1",
        "s1", "s1.1", "s1.2", "s1.2.1", "s1.2.2", "s1.finally1", "s1.finally2", "s1.finally2.1",
        "s2", "s2.1.1", "s2.2.1", "s2.2.2", "s2.2.2.1", "s3", "s4", "s4.1.1", "s4.2.1", "s4.2.2", "s4.2.2.1",
        "failure1", "finally1",
      ])
  }

  @Test("A step holds a list for each of its parts, and a plain one none")
  func lists() throws {
    let lists = try Self.plan().steps.map { $0.nestedLists.map { $0.map(\.verb) } }
    #expect(
      lists == [
        [["play", "group"], ["stop", "group"]], [["play"], ["pause", "repeat"]], [], [["play"], ["wait", "group"]],
      ])
    #expect(try Self.plan().steps.map(\.isFlow) == [true, true, false, true])
    // What holds no steps is as it was.
    let plain = try Compiling.plan("scenario: S\ndevice: TV\nsteps: [play, pause, { expect: { player: paused } }]\n")
    #expect(plain.steps.flattened.map(\.id) == ["s1", "s2", "s3"])
    #expect([Plan.Step]().flattened.isEmpty)
  }

  @Test("A change reaches the steps directly inside one, in each of its lists, and a plain step has none")
  func mapsNested() throws {
    func renamed(_ step: Plan.Step) -> Plan.Step {
      var step = step
      step.id += "!"
      return step
    }
    let steps = try Self.plan().steps
    #expect(
      steps.map { $0.mapNested(renamed).nestedLists.map { $0.map(\.id) } } == [
        [["s1.1!", "s1.2!"], ["s1.finally1!", "s1.finally2!"]], [["s2.1.1!"], ["s2.2.1!", "s2.2.2!"]], [],
        [["s4.1.1!"], ["s4.2.1!", "s4.2.2!"]],
      ])
    #expect(steps.map { $0.mapNested { $0 } } == steps)
  }

  @Test("A change of all steps reaches each once, and what stands inside the changed step")
  func mapsAll() throws {
    let plan = try Self.plan()
    var seen: [String] = []
    let changed = plan.mapAllSteps { step in
      seen.append(step.id)
      var step = step
      step.id += "!"
      return step
    }
    #expect(seen == plan.allSteps.map(\.id))
    #expect(changed.allSteps.map(\.id) == seen.map { "\($0)!" })
    #expect(plan.mapSteps { $0.mapNested { $0 } } == plan)
  }

  @Test("A walk hands down what each step says of those inside it, and ends where it is told")
  func walks() throws {
    let plan = try Self.plan()
    var parents: [String] = []
    plan.steps.walk(from: "-") { step, parent in
      parents.append("\(parent) > \(step.id)")
      return step.id == "s2.2.2" ? nil : step.id
    }
    #expect(
      parents == [
        "- > s1", "s1 > s1.1", "s1 > s1.2", "s1.2 > s1.2.1", "s1.2 > s1.2.2", "s1 > s1.finally1", "s1 > s1.finally2",
        "s1.finally2 > s1.finally2.1", "- > s2", "s2 > s2.1.1", "s2 > s2.2.1", "s2 > s2.2.2",
      ])
  }
}
