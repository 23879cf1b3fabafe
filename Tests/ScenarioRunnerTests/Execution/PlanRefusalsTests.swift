import CastProtocol
import ScenarioLanguage
import Testing

@testable import ScenarioRunner

/// What a run cannot do is found before it begins.
@Suite struct PlanRefusalsTests {
  @Test("Every use of what cannot be run is refused by name and place, inside groups too")
  func refused() throws {
    var plan = try FlowTests.plan(["log: a", "log: b", "log: c"])
    plan.steps[2].action = .exec(.init(command: []))
    plan.steps[2].verb = "exec"
    plan.steps[3].action = .queueJump(.next)
    plan.steps[3].verb = "queue_jump"
    plan.steps[4] = try FlowTests.group("s5", [plan.steps[3], plan.steps[4]])
    plan.retry.attempts = 2
    #expect(plan.startsPrograms)
    let text = DiagnosticRenderer(sources: []).render(plan.refusals)
    #expect(plan.refusals.map(\.code) == ["K110", "K110", "K110", "K110"])
    #expect(
      plan.refusals.map(\.message) == [
        "`retry` cannot be run yet", "`exec` cannot be run yet", "`queue_jump` cannot be run yet",
        "`queue_jump` cannot be run yet",
      ], "\(text)")
    #expect(text.contains("= help: `showcaller check` and `plan` understand it"))
  }

  @Test("Roles, several devices and the rows of a matrix are refused where the document writes them")
  func targets() throws {
    var plan = try FlowTests.plan([])
    plan.roles = [Plan.Role(name: "left", device: plan.device)]
    plan.devices = Plan.DeviceSet(selectors: [plan.device])
    plan.row = [Plan.RowValue(name: "lang", value: "no")]
    plan.keys["roles"] = plan.keys["media"]
    #expect(Set(plan.refusals.map(\.message)).count == 2)
    guard case .help(let help)? = plan.matrixRefusal.footers.first else { return }
    #expect(help == "run one at a time: `--row lang=no`")
    #expect(plan.refusals.contains { $0.primary.span == plan.keys["media"] })
  }

  @Test("What the examples of a scenario use is not refused")
  func allowed() throws {
    let group = try FlowTests.group("s3", FlowTests.steps("s3", "log: a", "wait: 1s", "volume: 10%"))
    var plan = try FlowTests.plan(["seek: 10s", "skip_ad", "tracks: []"])
    plan.steps.append(group)
    #expect(plan.refusals.isEmpty)
    #expect(!plan.startsPrograms)
  }
}
