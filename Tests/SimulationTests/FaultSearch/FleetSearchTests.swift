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
}
