import CastProtocol
import CastTransport
import FleetControl
import FleetMessages
import ScenarioRunner

/// Sends one order to the sites that match, and waits for what they say.
actor FleetOrdering: FleetDuty {
  struct Answered: Sendable {
    var round: OrderRound
    /// Sites that match and are not there.
    var absent: [SiteName]
  }

  private var desk: FleetDesk
  private let glob: SiteGlob
  private let order: FleetOrder
  private let key: SigningKey
  private let limit: Duration
  private var round: OrderRound?
  private var absent: [SiteName] = []
  private var end = Duration.zero
  /// Sites that are still to be sent the order.
  private var unsent: [SiteName] = []

  init(_ connection: FleetConnection, _ glob: SiteGlob, _ order: FleetOrder, by key: SigningKey, limit: Duration) {
    desk = FleetDesk(connection, filters: [.condition(glob.only), .orderReports(glob.only)])
    (self.glob, self.order, self.key, self.limit) = (glob, order, key, limit)
  }

  func receive(_ event: BrokerEvent) -> Result<Answered, CommandFailure>? {
    // A site obeys each order once, so that one which was lost with the connection may be sent again.
    if event == .connected, let round { unsent = round.missing }
    _ = desk.receive(event)
    if case .message(let message) = event { round?.receive(message) }
    return round.flatMap { $0.isComplete ? .success(Answered(round: $0, absent: absent)) : nil }
  }

  func tick() -> Result<Answered, CommandFailure>? {
    if let failure = send() { return failure }
    if let round {
      return desk.connection.clock.now >= end ? .success(Answered(round: round, absent: absent)) : nil
    }
    switch desk.state {
    case .waiting: return nil
    case .unreachable(let failure): return .failure(desk.connection.unreachable(failure))
    case .complete: return begin()
    }
  }

  func interrupt(_ interruption: Runner.Interruption) -> Result<Answered, CommandFailure>? {
    .failure(.fleetInterrupted(interruption))
  }

  private func begin() -> Result<Answered, CommandFailure>? {
    let rows = desk.view.rows(glob)
    guard !rows.isEmpty else {
      return .failure(desk.connection.noSite(glob, isEmpty: desk.view.sites.isEmpty))
    }
    let present = rows.map(\.site).filter { desk.view.sites[$0]?.presence == .online }.sorted()
    absent = rows.map(\.site).filter { desk.view.sites[$0]?.presence != .online }.sorted()
    guard !present.isEmpty else {
      return .failure(
        CommandFailure(.noDevice, "none of the sites that match `\(glob)` is online", help: "an order is for now only"))
    }
    round = OrderRound(id: order.id, to: present)
    end = desk.connection.clock.now + limit
    unsent = present
    return send()
  }

  /// Sends to as many as the link takes now.
  private func send() -> Result<Answered, CommandFailure>? {
    guard !unsent.isEmpty else { return nil }
    guard let body = order.body else { return .failure(CommandFailure(.bug, "the order cannot be written")) }
    while let site = unsent.first {
      let topic = FleetTopic.orderPut(site, id: order.id).text
      guard let payload = SignedEnvelope.sealed(body, for: topic, by: key) else {
        return .failure(CommandFailure(.commandLineWrong, "the order cannot be signed"))
      }
      let message = BrokerMessage(topic, payload, expiry: .seconds(order.expires - order.issued))
      guard desk.connection.link.send(.publish(message)) else { return nil }
      unsent.removeFirst()
    }
    return nil
  }
}
