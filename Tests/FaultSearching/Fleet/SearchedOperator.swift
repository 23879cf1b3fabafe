import CastProtocol
import CastTransport
import FleetMessages
import Simulation
import Synchronization

/// Who pushes documents and gives orders: on until each site has told what became of its newest document.
final class SearchedOperator: Sendable {
  private struct State {
    var edition: [SiteName: Int] = [:]
    /// The newest that counts, as it is retained, and its edition.
    var newest: [SiteName: (message: BrokerMessage, edition: Int)] = [:]
    var reported: [SiteName: Int] = [:]
    var allowed: [SiteName: Set<String>] = [:]
    var orders: [SiteName: Int] = [:]
    var lastOrder = 0
  }

  private let state = Mutex(State())
  private let sites: [SiteName]
  private let key: SigningKey
  private let stranger: SigningKey
  private let link: SimulatedLink
  private let time: TimeSource
  private let unixTime: @Sendable () -> Double

  init(
    _ sites: [SiteName], key: SigningKey, stranger: SigningKey, link: SimulatedLink, time: TimeSource,
    unixTime: @escaping @Sendable () -> Double
  ) {
    (self.sites, self.key, self.stranger, self.link, self.time) = (sites, key, stranger, link, time)
    self.unixTime = unixTime
  }

  /// The same key for each seed: Ed25519 has 32 bytes of its own (RFC 8410, 7).
  static func key(_ seed: UInt64) -> SigningKey? {
    var dice = SeededGenerator(seed: seed)
    let prefix: [UInt8] = [0x30, 0x2E, 2, 1, 0, 0x30, 5, 6, 3, 0x2B, 0x65, 0x70, 4, 0x22, 4, 0x20]
    let bytes = prefix + (0..<32).map { _ in UInt8(truncatingIfNeeded: dice.next()) }
    let text = "-----BEGIN PRIVATE KEY-----\n\(Base64.encoded(bytes))\n-----END PRIVATE KEY-----\n"
    return SigningKey(pem: Array(text.utf8))
  }

  /// The edition that a site should have been told of, at last.
  func newest(of site: SiteName) -> Int? { state.withLock { $0.newest[site]?.edition } }
  /// Whether the operator signed these files for the site, and meant them.
  func meant(_ document: FleetDocument, for site: SiteName) -> Bool {
    state.withLock { $0.allowed[site]?.contains("\(document.edition) \(document.digest)") ?? false }
  }
  func orders(to site: SiteName) -> Int { state.withLock { $0.orders[site] ?? 0 } }

  func listen() async {
    for await event in link.events {
      switch event {
      case .connected:
        for site in sites { link.send(.subscribe(FleetTopic.documentReport(site, id: SearchedSite.document).text)) }
        pushAgain()
      case .message(let message):
        guard case .documentReport(let site, _)? = FleetTopic(message.topic),
          let report = DocumentReport(payload: message.payload)
        else { continue }
        state.withLock { $0.reported[site] = report.edition }
      case .disconnected, .acknowledged, .denied: break
      }
    }
  }

  /// Publishes again what has not arrived, as far as is known.
  func pushAgain(all: Bool = false) {
    let messages = state.withLock { state in
      sites.compactMap { site in
        state.newest[site].flatMap { all || state.reported[site] != $0.edition ? $0.message : nil }
      }
    }
    for message in messages { link.send(.publish(message)) }
  }

  func push(_ kind: FleetScript.Push, to index: Int) {
    let site = sites[index % sites.count]
    let other = sites[(index + 1) % sites.count]
    guard let message = state.withLock({ state in message(kind, site, other, &state) }) else { return }
    link.send(.publish(message))
  }

  private func message(
    _ kind: FleetScript.Push, _ site: SiteName, _ other: SiteName, _ state: inout State
  ) -> BrokerMessage? {
    let newest = state.edition[site] ?? 0
    var edition = newest + 1
    switch kind {
    case .old: edition = max(1, newest - 1)
    case .changed: edition = max(1, newest)
    case .valid, .invalid, .removal, .unsigned, .otherKey, .otherSite: break
    }
    if newest == 0, !kind.counts, kind != .unsigned, kind != .otherKey, kind != .otherSite { return nil }
    var text = SearchedSite.text(edition: edition, isValid: kind != .invalid)
    if kind == .changed || kind == .old { text += "# another one\n" }
    let files = kind == .removal ? [] : [FleetDocument.File(name: "shop.yaml", text: text)]
    let document = FleetDocument(id: SearchedSite.document, edition: edition, issued: Int(unixTime()), files: files)
    let topic = FleetTopic.documentPut(site, id: document.id).text
    guard let body = document.body else { return nil }
    let payload: [UInt8]? =
      switch kind {
      case .unsigned: body
      case .otherKey: SignedEnvelope.sealed(body, for: topic, by: stranger)
      case .otherSite: SignedEnvelope.sealed(body, for: FleetTopic.documentPut(other, id: document.id).text, by: key)
      case .valid, .invalid, .removal, .old, .changed: SignedEnvelope.sealed(body, for: topic, by: key)
      }
    guard let payload else { return nil }
    let message = BrokerMessage(topic, payload, isRetained: true)
    if kind.counts {
      state.edition[site] = edition
      state.newest[site] = (message, edition)
      state.allowed[site, default: []].insert("\(edition) \(document.digest)")
    }
    return message
  }

  func order(_ verb: FleetOrder.Verb, to index: Int, copies: Int) {
    let site = sites[index % sites.count]
    let number = state.withLock { state in
      state.lastOrder += 1
      state.orders[site, default: 0] += 1
      return state.lastOrder
    }
    var order = FleetOrder(id: "order-\(number)", issued: Int(unixTime()), verb: verb)
    order.playlist = SearchedSite.document
    if verb == .fire { order.trigger = order.id }
    let topic = FleetTopic.orderPut(site, id: order.id).text
    guard let body = order.body, let payload = SignedEnvelope.sealed(body, for: topic, by: key) else { return }
    for _ in 0..<copies { link.send(.publish(BrokerMessage(topic, payload))) }
  }
}
