package import CastTransport
package import FleetMessages
package import Signage

/// All rules of a site on a broker: what comes goes in, what is to be done comes out (docs/fleet.md "What a site tells and
/// takes").
///
/// A value without I/O; each call gets the time of a monotonic clock and where it counts the Unix time.
package struct SiteMachine: Sendable {
  /// Signatures that are checked: so many at once, as after a connection, then so many a second (docs/security.md F4).
  private static let checksAtOnce = 200.0
  private static let checksPerSecond = 20.0
  /// How long the broker is left alone that sends what nobody should.
  package static let floodPause = Duration.seconds(60)
  /// Documents that found no room are asked for again, at most so often.
  private static let askingPause = Duration.seconds(30)
  private static let birthPause = Duration.seconds(10)

  let site: SiteName
  private let keys: [VerifyingKey]
  private let homeAssistant: HomeAssistantBridge?
  private var mirror: RetainedMirror
  private var states: SiteStates
  private var documents: DocumentDesk
  private var orders: OrderDesk
  private var refusals = Refusals()
  private var checks: RateBucket
  package private(set) var isConnected = false
  /// What the last look gave, without what the documents add.
  private var told: [BrokerMessage] = []
  private var hasLooked = false
  /// When the mirror was told last what is wanted, and of which reports on documents.
  private var wantedAt: Duration?
  private var wantedRevision = 0
  private var asksAt: Duration?
  private var birthAt: Duration?
  private var lastBirth: Duration?

  package init(
    site: SiteName, keys: [VerifyingKey], homeAssistant: HomeAssistantBridge? = nil,
    at time: Duration, unixTime: Double
  ) {
    self.site = site
    self.keys = keys
    self.homeAssistant = homeAssistant
    mirror = RetainedMirror(at: time)
    states = SiteStates(site: site, started: unixTime)
    documents = DocumentDesk(site: site, kept: [], at: unixTime)
    orders = OrderDesk(site: site, begin: unixTime, at: time)
    checks = RateBucket(most: Self.checksAtOnce, perSecond: Self.checksPerSecond, at: time)
    mirror.want([SiteAgent.availability(of: site, isOnline: true)])
  }

  /// Takes what the site remembers from earlier processes, before anything else.
  package mutating func remember(_ kept: [KeptDocument], at unixTime: Double) {
    documents = DocumentDesk(site: site, kept: kept, at: unixTime)
  }

  // MARK: the link

  package mutating func connected(at time: Duration) -> [BrokerCommand] {
    isConnected = true
    mirror.connected(at: time)
    var filters: [String] = []
    // Without a key nothing is signed by anybody who counts.
    if !keys.isEmpty { filters += FleetFilter.documents(site).text + FleetFilter.orders(site).text }
    filters += FleetFilter.own(site).text
    if let homeAssistant {
      filters += FleetFilter.plainOrders(site).text + [homeAssistant.birthTopic] + homeAssistant.own
    }
    asksAt = nil
    return filters.map { .subscribe($0) }
  }

  package mutating func disconnected() {
    isConnected = false
    mirror.disconnected()
  }

  package mutating func acknowledged(_ id: Int, at time: Duration) { mirror.acknowledged(id, at: time) }

  /// The link did not take a message that it was given.
  package mutating func dropped(_ id: Int) { mirror.dropped(id) }

  /// Takes a message of the broker, which may be anything.
  package mutating func receive(_ message: BrokerMessage, at time: Duration, unixTime: Double) -> [BrokerCommand] {
    if let homeAssistant, message.topic == homeAssistant.birthTopic {
      if message.payload == Array("online".utf8), !message.isRetained { birth(homeAssistant, at: time) }
      return []
    }
    if let homeAssistant, homeAssistant.isOwn(message.topic) {
      find(message)
      return []
    }
    guard let topic = FleetTopic(message.topic), topic.site == site else {
      return refuse("a message on `\(message.topic)`, which nobody asked for", at: time)
    }
    switch topic {
    case .documentPut(_, let id): return receiveDocument(message, topic, id, at: time, unixTime)
    case .orderPut(_, let id): return receiveOrder(message, topic, id, at: time, unixTime)
    case .screenSet(_, let screen): return receivePlain(message, screen, at: time, unixTime)
    case .screenState, .alert, .documentReport, .ledger:
      find(message)
      return []
    case .availability, .health, .screenEvent, .documentPrevious, .orderReport:
      return refuse("a message on `\(message.topic)`, which nobody asked for", at: time)
    }
  }

  private mutating func find(_ message: BrokerMessage) {
    if message.isRetained, !message.payload.isEmpty { mirror.find(message.topic) }
  }

  private mutating func birth(_ bridge: HomeAssistantBridge, at time: Duration) {
    if let lastBirth, time - lastBirth < Self.birthPause { return }
    lastBirth = time
    birthAt = time + bridge.spread
  }

  private mutating func refuse(_ what: String, at time: Duration) -> [BrokerCommand] {
    guard refusals.note(what, at: time) else { return [] }
    return [.reconnect(after: Self.floodPause)]
  }

  private mutating func receiveDocument(
    _ message: BrokerMessage, _ topic: FleetTopic, _ id: String, at time: Duration, _ unixTime: Double
  ) -> [BrokerCommand] {
    guard message.payload.isEmpty || checks.take(at: time) else {
      return later(topic, "too many came at once", at: time)
    }
    switch documents.receive(message.payload, on: topic, id: id, by: keys, at: unixTime) {
    case .waits, .nothing: return []
    case .known:
      mirror.again(FleetTopic.documentReport(site, id: id).text)
      return []
    case .refused(let why): return refuse("`\(topic.text)` was not taken: \(why)", at: time)
    case .later(let why): return later(topic, why, at: time)
    }
  }

  private mutating func later(_ topic: FleetTopic, _ why: String, at time: Duration) -> [BrokerCommand] {
    asksAt = asksAt ?? time + Self.askingPause
    return refuse("`\(topic.text)` was not taken: \(why)", at: time)
  }

  private mutating func receiveOrder(
    _ message: BrokerMessage, _ topic: FleetTopic, _ id: String, at time: Duration, _ unixTime: Double
  ) -> [BrokerCommand] {
    // Somebody tidies up.
    if message.payload.isEmpty { return [] }
    guard checks.take(at: time) else { return refuse("`\(topic.text)`: too many came at once", at: time) }
    let verdict = orders.receive(message.payload, on: topic, id: id, by: keys, at: unixTime, time)
    let answer = verdict.report.map { [publication(of: $0)] } ?? []
    return answer + (verdict.refusal.map { refuse("`\(topic.text)` was not obeyed: \($0)", at: time) } ?? [])
  }

  private func publication(of report: OrderReport) -> BrokerCommand {
    .publish(BrokerMessage(FleetTopic.orderReport(site, id: report.id).text, report.payload))
  }

  private mutating func receivePlain(
    _ message: BrokerMessage, _ level: String, at time: Duration, _ unixTime: Double
  ) -> [BrokerCommand] {
    let name = "`\(message.topic)`"
    guard let homeAssistant else { return refuse("\(name): the site takes no plain orders", at: time) }
    // A retained one would come again with each connection.
    if message.isRetained { return refuse("\(name) was not obeyed: an order must not be retained", at: time) }
    guard message.payload.count <= 4 << 10, let order = homeAssistant.order(message.payload) else {
      return refuse("\(name) was not obeyed: it is no order", at: time)
    }
    guard let screen = states.names.screen(at: level) else {
      return refuse("\(name) was not obeyed: there is no such screen", at: time)
    }
    guard let why = orders.receive(order, for: screen, at: unixTime, time) else { return [] }
    return refuse("\(name) was not obeyed: \(why)", at: time)
  }

  // MARK: the site

  /// Takes a look at the site.
  /// - Returns: What is news now.
  package mutating func look(_ view: SiteView, ledgers: [LedgerMark], at time: Duration) -> [BrokerCommand] {
    let look = states.look(view, editions: documents.editions, refusals: refusals, ledgers: ledgers)
    told = look.retained + (homeAssistant?.messages(view, site, states.names) ?? [])
    hasLooked = true
    want(at: time)
    return isConnected ? look.news.map { .publish($0) } : []
  }

  private mutating func want(at time: Duration) {
    (wantedAt, wantedRevision) = (time, documents.revision)
    mirror.want(told + documents.messages)
  }

  /// When reports on documents are to be told that changed since; `nil`: none did. Before the first look nothing is known
  /// that could be missing.
  private var wantDue: Duration? {
    guard hasLooked, documents.revision != wantedRevision else { return nil }
    return wantedAt.map { $0 + RetainedMirror.pause }
  }

  /// Messages that were not obeyed since it began.
  package var refused: Int { refusals.count }
  /// The ids of the playlists that are served.
  var playlists: [String] { states.playlists }

  package mutating func nextDocument() -> FleetDocument? { documents.next() }

  package mutating func finished(_ outcome: DocumentOutcome, at unixTime: Double) {
    documents.finished(outcome, at: unixTime)
  }

  package mutating func nextOrder() -> SiteOrder? { orders.next() }

  package mutating func finished(_ answer: SiteOrder.Answer, at unixTime: Double) -> [BrokerCommand] {
    orders.finished(answer, at: unixTime).map { [publication(of: $0)] } ?? []
  }

  // MARK: time

  /// What is to be sent now.
  package mutating func due(at time: Duration) -> [BrokerCommand] {
    if let at = birthAt, time >= at {
      birthAt = nil
      mirror.everythingAgain()
    }
    if let at = wantDue, time >= at { want(at: time) }
    guard isConnected else { return [] }
    if mirror.isStuck(at: time) {
      disconnected()
      return [.reconnect(after: .seconds(1))]
    }
    var commands: [BrokerCommand] = []
    if let at = asksAt, time >= at, documents.isIdle {
      // What is retained comes with each subscription (MQTT 5.0, 3.8.3.1).
      asksAt = nil
      commands += FleetFilter.documents(site).text.map { .subscribe($0) }
    }
    return commands + mirror.due(at: time).map { .publish($0.message, id: $0.flight) }
  }

  /// When ``due(at:)`` has something to give that no event announces; `nil`: never.
  package func deadline(at time: Duration) -> Duration? {
    let asking = documents.isIdle ? asksAt : nil
    guard isConnected else { return nil }
    return [birthAt, asking, wantDue, mirror.deadline(at: time)].compactMap(\.self).min()
  }

  /// The Unix time from which on a look may give something else although nothing happened; `nil`: none.
  var nextLook: Double? { states.nextDue }

  /// What is to be told in the log, each line once.
  package mutating func takeLines() -> [String] { refusals.takeLines() }
}
