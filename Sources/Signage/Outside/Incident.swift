package import CastProtocol
package import ScenarioLanguage

/// Something that people are to be told of while it lasts.
package struct Incident: Hashable, Sendable {
  package var occasion: PlaylistPlan.Notification.Occasion
  /// What it is about: a screen, a file, a host.
  package var subject: String

  package init(_ occasion: PlaylistPlan.Notification.Occasion, _ subject: String) {
    self.occasion = occasion
    self.subject = subject
  }
}

/// What one channel of a playlist is to be told of one incident.
package struct IncidentMessage: Hashable, Sendable {
  package enum State: String, Hashable, Sendable {
    case begun
    case goesOn = "goes_on"
    case over
  }

  /// The place of the entry in `notify`, from 0.
  package var notification: Int
  package var incident: Incident
  package var state: State
  /// What is wrong, in words.
  package var detail: String
  /// Unix times: when the incident began, and of this message.
  package var since: Double
  package var at: Double

  /// One line for people.
  package var text: String {
    let subject = incident.subject
    let minutes = max(0, Int((at - since) / 60))
    let lasted = minutes > 0 ? " (after \(minutes) min)" : ""
    switch (incident.occasion, state) {
    case (.dark, .over): return "\(subject) shows its program again\(lasted)"
    case (.dark, _): return "\(subject) is dark\(minutes > 0 ? " for \(minutes) min" : ""): \(detail)"
    case (.invalid, .over): return "\(subject) can be read again\(lasted)"
    case (.invalid, _): return "\(subject) has errors: \(detail)"
    case (.ledgerGap, .over): return "the proof of play of \(subject) is written again\(lasted)"
    case (.ledgerGap, _): return "the proof of play of \(subject) has a gap: \(detail)"
    case (.certificateEnds, .over): return "the certificate of \(subject) was renewed"
    case (.power, .over): return "the screens of \(subject) are switched as they should be\(lasted)"
    case (.power, _): return "the screens of \(subject) could not be switched: \(detail)"
    case (.certificateEnds, _): return "see to the certificate of \(subject): \(detail)"
    }
  }

  /// The object that a webhook gets, and a program on its standard input.
  package func json(playlist: String, in zone: TimeZoneRules) -> JSONValue {
    let clock = ClockText(zone: zone)
    return [
      "v": 1, "playlist": .string(playlist), "occasion": .string(incident.occasion.rawValue),
      "subject": .string(incident.subject), "state": .string(state.rawValue), "text": .string(text),
      "detail": .string(detail), "since": .string(clock.stamp(Int(since.rounded(.down)))),
      "t": .string(clock.stamp(Int(at.rounded(.down)))),
    ]
  }
}
