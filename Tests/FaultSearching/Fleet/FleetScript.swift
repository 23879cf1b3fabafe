import CastProtocol
package import FleetMessages
package import Simulation

/// What happens to a fleet in one run: parts that can be left out one at a time, and a seed for all that is left to chance.
package struct FleetScript: Hashable, Sendable {
  /// One thing that happens. Times are in milliseconds of the simulation.
  package enum Part: Hashable, Sendable {
    case broker(BrokerFault)
    case push(site: Int, at: Int, Push)
    /// Fires a trigger that has no other order, or skips; sent so many times.
    case order(site: Int, at: Int, FleetOrder.Verb, copies: Int)
  }

  /// What is put at the topic of a site's document.
  package enum Push: String, Hashable, Sendable, CaseIterable {
    /// Counts for something.
    case valid, invalid, removal
    /// Signed by nobody, by another key, and for another site.
    case unsigned, otherKey, otherSite
    /// An edition before the newest, and the newest with other files.
    case old, changed

    /// Whether the site has to take it.
    package var counts: Bool {
      switch self {
      case .valid, .invalid, .removal: true
      case .unsigned, .otherKey, .otherSite, .old, .changed: false
      }
    }
  }

  package static let sites = 3
  /// When the last thing begins at the latest.
  package static let length = 60_000

  package var seed: UInt64
  package var parts: [Part]

  package init(seed: UInt64, _ parts: [Part]) {
    self.seed = seed
    self.parts = parts
  }

  /// The same seed, the same script.
  package init(drawnBy seed: UInt64) {
    self.seed = seed
    // The operator is a client as well.
    parts = BrokerFault.drawn(by: seed.mixed(with: "faults"), length: Self.length, clients: Self.sites + 1)
      .map { .broker($0) }
    var dice = SeededGenerator(seed: seed.mixed(with: "operator"))
    for _ in 0...dice.next(below: 6) {
      // Items end at whole seconds: what happens in the same moment may come before or after.
      let (site, at) = (
        dice.next(below: Self.sites), dice.next(below: Self.length) / 1_000 * 1_000 + 1 + dice.next(below: 998)
      )
      if dice.next(below: 3) == 0 {
        let verb: FleetOrder.Verb = dice.next(below: 2) == 0 ? .fire : .skip
        parts.append(.order(site: site, at: at, verb, copies: 1 + dice.next(below: 3)))
      } else {
        // What counts comes as often as all else.
        let pushes = Push.allCases + [.valid, .valid, .invalid, .removal]
        parts.append(.push(site: site, at: at, pushes[dice.next(below: pushes.count)]))
      }
    }
  }

  package var faults: [BrokerFault] { parts.compactMap { if case .broker(let fault) = $0 { fault } else { nil } } }

  /// When nothing goes wrong any more.
  package var end: Duration { .milliseconds(max(Self.length, faults.compactMap(\.end).max() ?? 0)) }
}
