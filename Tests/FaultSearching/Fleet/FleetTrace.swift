import CastProtocol
import FleetAgent
package import FleetMessages
import Signage
package import Simulation
import Synchronization

/// All that is known of a searched fleet when it is over.
package struct FleetTrace: Sendable {
  package struct Unusable: Error {}

  package struct Site: Sendable {
    package var name: SiteName
    /// A line for each entry of its ledger, and the same where there was no broker.
    package var shown: [String]
    package var alone: [String] = []
    package var takenEditions: [Int] = []
    /// Documents that were taken and that no operator meant for it.
    package var strange: [Int] = []
    /// The newest edition that it should have been told of.
    package var newest: Int?
    package var kept: (edition: Int, state: DocumentReport.State, shown: Int?)?
    /// How often each trigger was fired.
    package var fired: [String: Int]
    package var orders: (given: Int, sent: Int)
    /// What its screens showed in the last seconds.
    package var seen: Set<String>

    init(_ site: SearchedSite, by person: SearchedOperator, until end: Double) {
      name = site.name
      shown = site.shown(before: end)
      let state = site.state.withLock { $0 }
      var given = 0
      for (_, deed) in state.deeds {
        switch deed {
        case .take(let document):
          takenEditions.append(document.edition)
          if !person.meant(document, for: site.name) { strange.append(document.edition) }
        case .order: given += 1
        }
      }
      newest = person.newest(of: site.name)
      kept = state.kept.map { ($0.edition, $0.state, $0.shown?.edition) }
      fired = state.fired
      orders = (given, person.orders(to: site.name))
      seen = Set(state.seen.flatMap(\.words))
    }
  }

  package var script = FleetScript(seed: 0, [])
  package var error: SimulationError?
  package var sites: [Site] = []
  /// What the broker has at the end.
  package var retained: [BrokerMessage] = []
  /// The most that it ever had.
  package var most = BrokerModel.Load()

  package init() {}

  /// All that happened, byte for byte.
  package var text: String {
    let lines = sites.flatMap { site in
      [
        "\(site.name): took \(site.takenEditions), fired \(site.fired.sorted { $0.key < $1.key }), \(site.orders.given)"
          + " of \(site.orders.sent) orders"
      ] + site.shown
    }
    let kept = retained.map { "\($0.topic) \(String(decoding: $0.payload, as: UTF8.self))" }
    return (lines + kept).joined(separator: "\n") + "\n\(error.map(String.init(describing:)) ?? "")"
  }

  private func retained(_ topic: FleetTopic) -> [UInt8]? { retained.first { $0.topic == topic.text }?.payload }

  /// What must not happen whatever goes wrong between sites and broker; `nil`: it did not.
  package var finding: Finding? {
    if let error { return Finding(checker: "hang", problem: "\(error)") }
    if most.retained > 200 || most.waiting > 5_000 {
      return Finding(checker: "memory", problem: "the broker had to keep \(most)")
    }
    for site in sites {
      if let found = site.finding ?? lag(of: site) { return found }
    }
    return nil
  }

  /// What a site has published, against how it is.
  private func lag(of site: Site) -> Finding? {
    func found(_ problem: String) -> Finding { Finding(checker: "lag", problem: "\(site.name): \(problem)") }
    if retained(.availability(site.name)) != Array("online".utf8) { return found("it is not told to be online") }
    if let newest = site.newest, site.kept?.edition != newest {
      return found("edition \(newest) was never taken: \(site.takenEditions)")
    }
    guard let health = retained(.health(site.name)).flatMap({ SiteHealth(payload: $0) }) else {
      return found("its health is not known")
    }
    if health.playlists.first?.edition != site.kept?.shown { return found("its health has another edition: \(health)") }
    if let kept = site.kept {
      let topic = FleetTopic.documentReport(site.name, id: SearchedSite.document)
      guard let report = retained(topic).flatMap({ DocumentReport(payload: $0) }) else {
        return found("nothing is told of its document")
      }
      if report.edition != kept.edition || report.state != kept.state || report.shown != kept.shown {
        return found("its report is another than \(kept): \(report)")
      }
    }
    for screen in ["left", "right"] {
      guard let report = retained(.screenState(site.name, screen: screen)).flatMap({ ScreenReport(payload: $0) }) else {
        return found("nothing is told of \(screen)")
      }
      let words = "\(screen) \(SearchedSite.words(report.phase, report.item))"
      if !site.seen.contains(words) { return found("\(words) is told, and was \(site.seen.sorted())") }
    }
    return nil
  }
}

extension FleetTrace.Site {
  /// What it did that it should not.
  fileprivate var finding: Finding? {
    if zip(takenEditions, takenEditions.dropFirst()).contains(where: { $0 >= $1 }) {
      return Finding(checker: "edition", problem: "\(name) took the editions \(takenEditions)")
    }
    if !strange.isEmpty { return Finding(checker: "trust", problem: "\(name) took \(strange), which nobody meant") }
    if let twice = fired.filter({ $0.value > 1 }).keys.min() {
      return Finding(checker: "order", problem: "\(name) obeyed \(twice) \(fired[twice] ?? 0) times")
    }
    if orders.given + fired.count > orders.sent {
      return Finding(checker: "order", problem: "\(name) obeyed \(orders.given + fired.count) of \(orders.sent) orders")
    }
    if shown != alone {
      let index = zip(shown, alone).prefix { $0 == $1 }.count
      let (with, without) = (shown.dropFirst(index).first ?? "nothing", alone.dropFirst(index).first ?? "nothing")
      return Finding(checker: "screen", problem: "\(name) shows \(with), without a broker \(without)")
    }
    return nil
  }
}
