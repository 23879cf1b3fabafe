import CastProtocol
import ScenarioLanguage
import Testing

@testable import DeviceControl
@testable import RunReporting
@testable import ScenarioRunner

/// What a run cannot do is found before it begins.
@Suite struct UnsupportedUsesTests {
  @Test("Every use of what cannot be run is refused by name and place")
  func refused() throws {
    var plan = try FlowTests.plan(["log: a", "connect: { auth: require }", "probe: film", "exec: { command: [date] }"])
    plan.steps[4] = try FlowTests.group("s5", [plan.steps[4]])
    plan.device.requirements.features = ["rate"]
    #expect(plan.startsPrograms)
    let text = DiagnosticRenderer(sources: []).render(plan.unsupportedUses)
    #expect(plan.unsupportedUses.allSatisfy { $0.code == .k110 })
    #expect(
      plan.unsupportedUses.map(\.message)
        == ["`expect` of a device cannot be checked by a run yet"], "\(text)")
    #expect(text.contains("= help: leave it out for now; a step can ask"))
  }

  private static let asking = """
    scenario: S
    inventory:
      tv: { name: TV, expect: [video, rate] }
      bar: { like: tv, name: Bar }
    roles: { left: tv, right: bar }
    schedule: [{ cron: "0 7 * * *", timezone: Europe/Paris }]
    steps:
      - { probe: "https://cdn.example.com/a.mp4", role: left }
      - { expect: { player: idle }, role: left }
    """

  @Test("What the inventory asks of a device is refused where it is written, once, and says who uses it")
  func targets() throws {
    let outcome = PlanCompiler.compile(SourceFile(name: "a.yaml", bytes: Array(Self.asking.utf8)))
    let plan = try #require(outcome.plans.first, "\(outcome.diagnostics)")
    let text = DiagnosticRenderer(sources: outcome.sources).render(plan.unsupportedUses)
    #expect(
      text == """
        error[K110]: `expect` of the device `tv` cannot be checked by a run yet
         --> a.yaml:3:19
          |
        3 |   tv: { name: TV, expect: [video, rate] }
          |                   ^^^^^^ asks for `video`, `rate`
        ...
        5 | roles: { left: tv, right: bar }
          |                -- the device is used here
          |
          = help: leave it out for now; a step can ask: `expect: { commands: { has: [rate] } }`

        """, "\(text)")
  }

  @Test("check notes what a run refuses and what it leaves to others, as no problem of the document")
  func notes() throws {
    let outcome = PlanCompiler.compile(SourceFile(name: "a.yaml", bytes: Array(Self.asking.utf8)))
    let notes = try #require(outcome.plans.first).notes
    #expect(
      notes.map { "\($0.severity) \($0.code) \($0.primary.span.line)" } == [
        "note K110 3"
      ])
  }

  @Test("What the examples of a scenario use is not refused")
  func allowed() throws {
    let group = try FlowTests.group("s3", FlowTests.steps("s3", "log: a", "wait: 1s", "volume: 10%"))
    var plan = try FlowTests.plan(["seek: 10s", "skip_ad", "tracks: []"])
    plan.steps.append(group)
    plan.device.requirements.allowsLegacyTLS = true
    #expect(plan.unsupportedUses.isEmpty)
    #expect(!plan.startsPrograms)
  }
}
