import CastTransport
import FleetMessages
import ScenarioLanguage
import Signage

/// Which of what is wrong at a site is told to the fleet: what has lasted for a while.
///
/// A value without I/O; times are Unix times.
struct AlertBook: Sendable {
  /// For so long something is wrong before anybody is told.
  static let patience = 30.0
  /// More at the same time are not told apart.
  static let most = 500

  private struct Key: Hashable {
    var playlist: String
    var incident: Incident
  }

  private struct Entry {
    /// From when on it counts without a break; `nil`: it does not count now.
    var counting: Double?
    /// What was told of it last.
    var told: AlertReport?
  }

  private let site: SiteName
  private var entries: [Key: Entry] = [:]
  /// What was told and is over, to be said once.
  private var ended: [Key: AlertReport] = [:]

  init(site: SiteName) { self.site = site }

  /// Those that are open and told.
  var open: [BrokerMessage] {
    entries.compactMap { key, entry in entry.told.map { BrokerMessage(topic(key), $0.payload, isRetained: true) } }
  }

  /// Takes what is wrong now.
  mutating func look(_ view: SiteView) {
    let time = view.time
    var present: Set<Key> = []
    for playlist in view.playlists {
      let isExpected = playlist.isExpected(at: time)
      for incident in playlist.incidents {
        let key = Key(playlist: playlist.program.plan.id, incident: incident.incident)
        guard entries[key] != nil || entries.count < Self.most else { continue }
        present.insert(key)
        take(incident, as: key, counts: incident.incident.occasion != .dark || isExpected, at: time)
      }
    }
    for (key, entry) in entries where !present.contains(key) {
      if let told = entry.told { end(key, told, at: time) }
      entries[key] = nil
    }
  }

  private mutating func take(_ incident: SiteView.OpenIncident, as key: Key, counts: Bool, at time: Double) {
    var entry = entries[key] ?? Entry(counting: counts ? incident.since : nil)
    defer { entries[key] = entry }
    guard counts else {
      // A screen that is dark when its quiet hours begin need not show anything any more.
      if let told = entry.told { end(key, told, at: time) }
      entry = Entry()
      return
    }
    let since = entry.counting ?? time
    entry.counting = since
    guard time - since >= Self.patience, entry.told?.detail != incident.detail else { return }
    entry.told = AlertReport(
      site: site.text, playlist: key.playlist, occasion: key.incident.occasion.rawValue,
      subject: key.incident.subject, detail: incident.detail, state: .open, since: ScreenReport.whole(since),
      time: ScreenReport.whole(time))
    ended[key] = nil
  }

  private mutating func end(_ key: Key, _ told: AlertReport, at time: Double) {
    var report = told
    (report.state, report.time) = (.over, ScreenReport.whole(time))
    ended[key] = report
  }

  /// The last words on what is over, each once.
  mutating func takeEnded() -> [BrokerMessage] {
    defer { ended = [:] }
    return ended.map { BrokerMessage(topic($0.key), $0.value.payload) }.sorted { $0.topic < $1.topic }
  }

  /// The Unix time at which the next one is to be told; `nil`: none waits.
  var nextDue: Double? {
    entries.values.compactMap { $0.told == nil ? $0.counting.map { $0 + Self.patience } : nil }.min()
  }

  private func topic(_ key: Key) -> String {
    let name = Digest.sha256(Array("\(key.incident.occasion.rawValue)\n\(key.incident.subject)".utf8)) ?? ""
    return FleetTopic.alert(site, playlist: TopicLevel.of(key.playlist), key: String(name.prefix(16))).text
  }
}

extension SiteView.Playlist {
  /// Whether its screens are to show anything at a Unix time.
  func isExpected(at time: Double) -> Bool {
    switch program.decision(at: ScreenReport.whole(time)).content {
    case .quiet, .nothing: false
    case .rule, .fallback: true
    }
  }
}
