package import CastProtocol
package import FleetMessages

/// `fleet alerts`: what is wrong anywhere, the oldest first.
package struct AlertList: Sendable {
  private static let table = FleetTable([
    .init("SITE", cut: .middle), .init("FOR", isNumber: true), .init("WHAT", cut: .end), .init("WHERE", cut: .middle),
    .init("DETAIL", cut: .end),
  ])

  private let alerts: [(site: SiteName, place: SiteFacts.Place, report: AlertReport)]
  private let time: Int

  /// - Parameter time: Unix time.
  package init(_ view: FleetView, _ glob: SiteGlob?, at time: Int) {
    self.time = time
    alerts = view.sites.filter { glob?.matches($0.key) ?? true }.flatMap { site, facts in
      facts.alerts.map { (site: site, place: $0.key, report: $0.value) }
    }.sorted { ($0.report.since, $0.site, $0.place) < ($1.report.since, $1.site, $1.place) }
  }

  package var isEmpty: Bool { alerts.isEmpty }

  package func lines(width: Int) -> [String] {
    guard !isEmpty else { return ["nothing is wrong"] }
    return Self.table.lines(
      alerts.map { alert in
        [
          alert.site.text, Age.text(since: alert.report.since, at: time), alert.report.occasion, alert.report.subject,
          alert.report.detail,
        ]
      }, width: width)
  }

  package var json: JSONValue {
    ["v": 1, "ok": true, "alerts": .array(alerts.map { Self.json($0.report, of: $0.site) })]
  }

  static func json(_ report: AlertReport, of site: SiteName) -> JSONValue {
    var object = (try? JSONValue(encoding: report))?.object ?? JSONObject()
    object["site"] = .string(site.text)
    return .object(object)
  }
}
