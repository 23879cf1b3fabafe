import CastProtocol
import RunReporting
package import ScenarioLanguage

/// Keeps what is wrong, and says who is to be told of it when: one message for an incident, and one when it is over
/// (docs/language/playlist.md "Whom to tell").
///
/// A value without I/O; times are Unix times.
package struct IncidentBook: Sendable {
  /// More that is wrong at the same time is not told apart any more.
  private static let mostIncidents = 1_000

  private struct Open: Sendable {
    var since: Double
    var detail: String
    /// From when on it counts without a break; `nil`: it does not count now.
    var counting: Double?
    /// Whether it was asked before whether it counts.
    var isLookedAt = false
    /// When each notification was told last, by its place.
    var told: [Int: Double] = [:]
  }

  private var notifications: [PlaylistPlan.Notification]
  private var zone: TimeZoneRules
  private var open: [Incident: Open] = [:]
  private var ended: [IncidentMessage] = []

  /// - Parameter zone: By whose clock `during` is read.
  package init(_ notifications: [PlaylistPlan.Notification], in zone: TimeZoneRules) {
    self.notifications = notifications
    self.zone = zone
  }

  /// Takes those of an edited playlist: what is wrong still is, and is told anew where they changed.
  package mutating func replace(_ notifications: [PlaylistPlan.Notification], in zone: TimeZoneRules) {
    self.zone = zone
    if notifications == self.notifications { return }
    self.notifications = notifications
    for incident in open.keys { open[incident]?.told = [:] }
  }

  /// Something is wrong; where it was wrong already its detail is told from now on.
  package mutating func begin(_ incident: Incident, _ detail: String, at time: Double) {
    guard open[incident] == nil else {
      open[incident]?.detail = detail
      return
    }
    guard open.count < Self.mostIncidents else { return }
    open[incident] = Open(since: time, detail: detail)
  }

  /// Whether it is wrong already.
  package func isOpen(_ incident: Incident) -> Bool { open[incident] != nil }

  /// It is over; those who were told of it are told so.
  package mutating func end(_ incident: Incident, at time: Double) {
    guard let over = open.removeValue(forKey: incident) else { return }
    for number in over.told.keys.sorted() {
      ended.append(message(number, incident, over, .over, at: time))
    }
  }

  /// What is to be told now; each message is given once.
  /// - Parameter counts: Whether an incident is one at this moment: a screen that rests need not show anything.
  package mutating func due(at time: Double, counts: (Incident) -> Bool = { _ in true }) -> [IncidentMessage] {
    var messages = ended
    ended = []
    for (incident, entry) in open {
      open[incident]?.counting = counts(incident) ? entry.counting ?? (entry.isLookedAt ? time : entry.since) : nil
      open[incident]?.isLookedAt = true
    }
    for (number, notification) in notifications.enumerated() {
      let wall = zone.wallTime(at: Int(time.rounded(.down)))
      guard notification.during.condition.isOn(at: wall) else { continue }
      for incident in open.keys.sorted(by: { ($0.occasion.rawValue, $0.subject) < ($1.occasion.rawValue, $1.subject) })
      where notification.occasions.contains(incident.occasion) {
        guard var entry = open[incident], let from = entry.counting, time - from >= notification.lasting.seconds else {
          continue
        }
        if let told = entry.told[number] {
          guard let again = notification.again, time - told >= again.seconds else { continue }
        }
        let state: IncidentMessage.State = entry.told[number] == nil ? .begun : .goesOn
        entry.told[number] = time
        open[incident] = entry
        messages.append(message(number, incident, entry, state, at: time))
      }
    }
    return messages
  }

  /// What is wrong now, with the Unix time since which.
  package var incidents: [(incident: Incident, since: Double, detail: String)] {
    open.map { ($0.key, $0.value.since, $0.value.detail) }.sorted { $0.since < $1.since }
  }

  private func message(
    _ number: Int, _ incident: Incident, _ entry: Open, _ state: IncidentMessage.State, at time: Double
  ) -> IncidentMessage {
    IncidentMessage(
      notification: number, incident: incident, state: state, detail: entry.detail,
      since: max(entry.since, entry.counting ?? entry.since), at: time)
  }
}

extension ScreenEvent {
  /// Whether a screen is dark from here on although it should not be, and why; `nil`: that does not change.
  package var darkness: (isDark: Bool, why: String)? {
    switch self {
    case .unreachable(let failure): (true, failure.message)
    case .lost(let reason): (true, reason)
    case .notShown(_, _, goesOn: true): nil
    case .notShown(let showing, let failure, goesOn: false):
      (true, "\(showing.name) will not load: \(failure.message)")
    case .showing, .adopted, .yielded, .lent, .endedByTakeover, .resting, .nothing: (false, "")
    case .found, .connected, .back, .stuck, .returned, .reloaded, .ordered, .refused, .note: nil
    }
  }
}
