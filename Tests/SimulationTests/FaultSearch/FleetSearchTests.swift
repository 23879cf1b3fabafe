import FaultSearching
import FleetMessages
import Simulation
import Testing

/// A fleet under faults of its broker: `make search` looks for more.
@Suite struct FleetSearchTests {
  @Test("A script is drawn from its number alone") func drawing() {
    #expect(FleetScript(drawnBy: 7) == FleetScript(drawnBy: 7))
    #expect(FleetScript(drawnBy: 7) != FleetScript(drawnBy: 8))
  }

  @Test("Where nothing goes wrong a pushed document is on, an invalid one is not, and an order is obeyed once")
  func well() throws {
    let script = FleetScript(
      seed: 1,
      [
        .push(site: 0, at: 5_317, .valid), .push(site: 1, at: 5_317, .valid), .push(site: 1, at: 20_417, .invalid),
        .order(site: 2, at: 10_517, .fire, copies: 3), .order(site: 2, at: 12_617, .skip, copies: 2),
      ])
    let trace = try FleetRun(script).trace()
    #expect(trace.finding == nil)
    #expect(trace.sites.map(\.takenEditions) == [[1], [1, 2], []])
    #expect(trace.sites[1].kept?.shown == 1)
    #expect(trace.sites[2].fired.map(\.value) == [1])
    #expect(trace.sites[2].orders.given == 1)
    #expect(trace.sites[0].shown.contains { $0.contains("1-a.jpg") })
  }

  @Test("Some seeds give the same twice, and nothing that must not be", arguments: 1...4 as ClosedRange<UInt64>)
  func seeds(seed: UInt64) { #expect(FleetSearch.finding(FleetScript(drawnBy: seed), twice: true) == nil) }

  private static let wrongs: [(checker: String, change: @Sendable (inout FleetTrace) -> Void)] = [
    ("hang", { $0.error = .deadlock(at: .seconds(1)) }),
    ("memory", { $0.most.waiting = 1_000_000 }),
    ("edition", { $0.sites[0].takenEditions = [2, 1] }),
    ("edition", { $0.sites[0].takenEditions = [1, 1] }),
    ("trust", { $0.sites[0].strange = [1] }),
    ("order", { $0.sites[2].fired["order-1"] = 2 }),
    ("order", { $0.sites[2].orders.given = 9 }),
    ("screen", { $0.sites[1].shown[3] += " or something else" }),
    ("screen", { $0.sites[1].shown.removeLast() }),
    ("lag", { $0.sites[0].newest = 7 }),
    ("lag", { $0.sites[0].seen = [] }),
    ("lag", { $0.retained.removeAll { $0.topic.hasSuffix("/availability") } }),
    ("lag", { $0.retained.removeAll { $0.topic.hasSuffix("/left/state") } }),
    ("lag", { $0.retained.removeAll { $0.topic.hasSuffix("/report") } }),
    ("lag", { $0.sites[1].kept?.shown = 2 }),
  ]

  @Test("What must not be is found: each wrong in a trace that is right in all else") func wrong() throws {
    let script = FleetScript(
      seed: 3,
      [
        .push(site: 0, at: 5_317, .valid), .push(site: 1, at: 5_317, .valid),
        .order(site: 2, at: 10_517, .fire, copies: 1),
      ])
    let right = try FleetRun(script).trace()
    #expect(right.finding == nil)
    for wrong in Self.wrongs {
      var trace = right
      wrong.change(&trace)
      #expect(trace.finding?.checker == wrong.checker)
    }
  }
}
