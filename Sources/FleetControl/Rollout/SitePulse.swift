package import FleetMessages

/// What a roll-out looks at while it judges whether a document is good for a site.
package struct SitePulse: Hashable, Sendable {
  package var isOnline: Bool
  /// Screens that show nothing although they should.
  package var dark: Int
  package var alerts: Set<SiteFacts.Place>

  package init(isOnline: Bool, dark: Int = 0, alerts: Set<SiteFacts.Place> = []) {
    (self.isOnline, self.dark, self.alerts) = (isOnline, dark, alerts)
  }

  /// `nil`: the site has not told whether it is there.
  package init?(_ site: SiteName, _ facts: SiteFacts) {
    guard let presence = facts.presence else { return nil }
    self.init(isOnline: presence == .online, dark: SiteRow(site, facts).dark, alerts: facts.alertPlaces)
  }
}
