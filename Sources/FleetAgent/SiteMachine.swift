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
  static let askingPause = Duration.seconds(30)
  static let birthPause = Duration.seconds(10)
  private static let mostDenied = 100

  let site: SiteName
  let keys: [VerifyingKey]
  let homeAssistant: HomeAssistantBridge?
  var mirror: RetainedMirror
  var states: SiteStates
  var documents: DocumentDesk
  var orders: OrderDesk
  var refusals = Refusals()
  var checks: RateBucket
  package private(set) var isConnected = false
  /// What the last look gave, without what the documents add.
  private var told: [BrokerMessage] = []
  private var hasLooked = false
  /// When the mirror was told last what is wanted, and of which reports on documents.
  private var wantedAt: Duration?
  private var wantedRevision = 0
  var asksAt: Duration?
  var birthAt: Duration?
  var lastBirth: Duration?
  /// Topics that the broker does not let the site publish.
  private var deniedTopics: Set<String> = []

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

  /// The broker does not let the site publish there: that is told once, and all else goes on.
  package mutating func denied(_ id: Int, at time: Duration) {
    if let topic = mirror.topic(of: id), deniedTopics.count < Self.mostDenied, deniedTopics.insert(topic).inserted {
      refusals.say(
        "the broker does not take `\(topic)` from this site: see to its access list, for which the user may have to have the name of the site",
        at: time)
    }
    mirror.acknowledged(id, at: time)
  }

  /// The link did not take a message that it was given.
  package mutating func dropped(_ id: Int) { mirror.dropped(id) }

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
