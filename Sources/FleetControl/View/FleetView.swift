package import FleetMessages

/// What an operator knows of all sites, made of the messages that the broker keeps.
///
/// The messages may be anything: those that cannot be read are passed over, and what is kept has limits.
package struct FleetView: Sendable {
  package enum Limit {
    package static let sites = 100_000
    /// Of each kind, of one site.
    package static let screens = 1_000
    package static let alerts = 1_000
    package static let documents = 200
    package static let ledgers = 5_000
    /// A report that is larger is not read.
    package static let reportBytes = 256 << 10
    /// Of all reports that are kept.
    package static let bytes = 512 << 20
  }

  /// All that is known of each site.
  package private(set) var sites: [SiteName: SiteFacts] = [:]
  /// Messages that were no reports, or more than is kept.
  package private(set) var dropped = 0
  private var bytes = 0

  package init() {}

  /// Takes what came on a topic.
  /// - Returns: What is different from now on; `nil`: nothing, or nothing that is looked at.
  @discardableResult
  package mutating func receive(_ message: BrokerMessage) -> FleetTopic? {
    guard let topic = FleetTopic(message.topic), Self.isLookedAt(topic) else { return nil }
    guard message.payload.count <= Limit.reportBytes else {
      dropped += 1
      return nil
    }
    let isNew = sites[topic.site] == nil
    // What removes something says nothing of a site that nobody knows.
    if isNew, message.payload.isEmpty { return nil }
    guard !isNew || sites.count < Limit.sites else {
      dropped += 1
      return nil
    }
    var facts = sites.removeValue(forKey: topic.site) ?? SiteFacts()
    let before = facts.bytes
    let outcome = facts.receive(message.payload, on: topic, room: Limit.bytes - bytes)
    bytes += facts.bytes - before
    if outcome == .dropped { dropped += 1 }
    if !facts.isEmpty { sites[topic.site] = facts }
    return outcome == .changed ? topic : nil
  }

  /// Forgets what was kept, as all of it comes again on a new connection.
  package mutating func forgetAll() { self = FleetView() }

  private static func isLookedAt(_ topic: FleetTopic) -> Bool {
    switch topic {
    case .availability, .health, .screenState, .alert, .documentReport, .ledger: true
    case .screenEvent, .screenSet, .documentPut, .documentPrevious, .orderPut, .orderReport: false
    }
  }
}
