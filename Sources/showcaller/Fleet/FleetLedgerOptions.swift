import ArgumentParser
import FleetControl
import FleetMessages

/// The broker that `ledger verify --fleet` asks.
struct FleetLedgerOptions: ParsableArguments {
  @OptionGroup var broker: BrokerOptions

  var isGiven: Bool {
    broker.broker != nil || broker.brokerCA != nil || broker.brokerCert != nil || broker.brokerPassword != nil
  }

  /// What a site has told of its finished files.
  func ledgers(of name: String) async throws -> [LedgerReport] {
    guard let site = SiteName(name), let glob = SiteGlob(name) else {
      throw CommandFailure(.commandLineWrong, "--site \(name): no site can have such a name")
    }
    let connection = try await FleetConnection.begin(broker, wait: nil)
    let view = try await connection.look(at: glob, [.condition(site), .ledgers(site)])
    return view.sites[site].map { Array($0.ledgers.values) } ?? []
  }
}
