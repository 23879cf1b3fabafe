import CastProtocol
import ScenarioLanguage
import Testing

@testable import ScenarioRunner

/// What a run cannot do is found before it begins.
@Suite struct PlanRefusalsTests {
  @Test("Every use of what cannot be run is refused by name and place, inside groups too")
  func refused() throws {
    var plan = try FlowTests.plan(["log: a", "connect: { auth: require }", "probe: film", "exec: { command: [date] }"])
    plan.steps[4] = try FlowTests.group("s5", [plan.steps[4]])
    plan.device.requirements.features = ["rate"]
    #expect(plan.startsPrograms)
    let text = DiagnosticRenderer(sources: []).render(plan.refusals)
    #expect(plan.refusals.allSatisfy { $0.code == "K110" })
    #expect(plan.refusals.map(\.message) == ["`expect` cannot be run yet", "`probe` cannot be run yet"], "\(text)")
    #expect(text.contains("= help: `showcaller check` and `plan` understand it"))
  }

  @Test("What the inventory asks of the devices of roles is refused where it is written")
  func targets() throws {
    var plan = try FlowTests.plan([])
    plan.device.requirements.features = ["rate"]
    plan.roles = [Plan.Role(name: "left", device: plan.device), Plan.Role(name: "right", device: plan.device)]
    #expect(plan.refusals.count == 2)
  }

  @Test("What the examples of a scenario use is not refused")
  func allowed() throws {
    let group = try FlowTests.group("s3", FlowTests.steps("s3", "log: a", "wait: 1s", "volume: 10%"))
    var plan = try FlowTests.plan(["seek: 10s", "skip_ad", "tracks: []"])
    plan.steps.append(group)
    plan.device.requirements.allowsLegacyTLS = true
    #expect(plan.refusals.isEmpty)
    #expect(!plan.startsPrograms)
  }
}
