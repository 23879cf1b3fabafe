import CastProtocol
import FleetControl
import FleetMessages
import Testing

/// Sites as tests make them up.
enum Fleet {
  static func site(_ name: String) throws -> SiteName { try #require(SiteName(name)) }

  static func message(_ topic: FleetTopic, _ report: some FleetReport) -> BrokerMessage {
    BrokerMessage(topic.text, report.payload, isRetained: true)
  }

  static func availability(_ site: SiteName, _ text: String = "online") -> BrokerMessage {
    BrokerMessage(FleetTopic.availability(site).text, Array(text.utf8), isRetained: true)
  }

  static func health(
    _ site: SiteName, _ status: SiteHealth.Status = .ok, screens: Int = 4, dark: Int = 0, time: Int = 1_000
  ) -> BrokerMessage {
    message(
      .health(site),
      SiteHealth(
        site: site.text, status: status, version: "0.1.0", started: 0, time: time, screens: screens, dark: dark,
        alerts: 0, playlists: [], refused: 0))
  }

  static func screen(
    _ site: SiteName, _ name: String, title: String? = nil, isDark: Bool = false, why: String? = nil
  ) -> BrokerMessage {
    var report = ScreenReport(
      site: site.text, playlist: "cafe", screen: name, state: "playing", phase: "showing", since: 900)
    (report.title, report.isDark, report.isUp, report.why) = (title, isDark, true, why)
    return message(.screenState(site, screen: TopicLevel.of(name)), report)
  }

  static func alert(_ site: SiteName, _ key: String, _ state: AlertReport.State = .open) -> BrokerMessage {
    message(
      .alert(site, playlist: "cafe", key: key),
      AlertReport(
        site: site.text, playlist: "cafe", occasion: "host", subject: key, detail: "does not answer", state: state,
        since: 500, time: 900))
  }

  static func report(
    _ site: SiteName, edition: Int, _ state: DocumentReport.State = .on, why: String? = nil, digest: String? = nil
  ) -> DocumentReport {
    var report = DocumentReport(site: site.text, id: "cafe", edition: edition, state: state, time: 1)
    (report.why, report.digest, report.shown) = (why, digest, state == .on ? edition : nil)
    return report
  }

  /// A view that took these messages.
  static func view(_ messages: [BrokerMessage]) -> FleetView {
    var view = FleetView()
    for message in messages { view.receive(message) }
    return view
  }
}
