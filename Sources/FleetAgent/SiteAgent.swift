package import CastProtocol
package import CastTransport
package import FleetMessages

/// A site on a broker: tells what its screens show, and takes documents and orders of the operator (docs/fleet.md "What
/// a site tells and takes").
///
/// It only looks on: no screen waits for it, or for the broker.
package actor SiteAgent {
  private let site: SiteName
  private let host: SiteHost
  private let keys: [VerifyingKey]
  private let options: SiteAgentOptions
  private let clock: TimeSource
  private let unixTime: @Sendable () -> Double

  /// - Parameters:
  ///   - keys: Of the operators; without any no document and no signed order is taken.
  ///   - unixTime: Of the site, by which orders are late.
  package init(
    site: SiteName, host: SiteHost, keys: [VerifyingKey], options: SiteAgentOptions = SiteAgentOptions(),
    clock: TimeSource, unixTime: @escaping @Sendable () -> Double
  ) {
    self.site = site
    self.host = host
    self.keys = keys
    self.options = options
    self.clock = clock
    self.unixTime = unixTime
  }

  /// What the broker is to publish when the connection of a site is lost: for ``BrokerConfiguration/will``.
  package static func lastWill(of site: SiteName) -> BrokerMessage { availability(of: site, isOnline: false) }

  static func availability(of site: SiteName, isOnline: Bool) -> BrokerMessage {
    BrokerMessage(FleetTopic.availability(site).text, Array((isOnline ? "online" : "offline").utf8), isRetained: true)
  }

  /// Speaks on a link until the task is cancelled or the link ends; then says that the site is offline, and closes it.
  package func run(on link: any BrokerLink) async {
    for await event in link.events where event == .connected {
      link.send(.publish(Self.availability(of: site, isOnline: true)))
    }
    link.send(.publish(Self.availability(of: site, isOnline: false)))
    await link.close()
  }
}
