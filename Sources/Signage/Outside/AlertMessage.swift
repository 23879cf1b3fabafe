package import CastProtocol
package import ScenarioLanguage

/// A message of a public authority in the Common Alerting Protocol (OASIS CAP 1.2), as far as a trigger needs it.
package struct AlertMessage: Hashable, Sendable {
  /// What is told in one language, or of one event.
  package struct Info: Hashable, Sendable {
    package var severity: PlaylistPlan.AlertFeed.Severity
    /// Unix times; `nil`: not said.
    package var effective: Double?
    package var expires: Double?
    /// For people: the headline, or the event.
    package var headline: String

    package init(
      severity: PlaylistPlan.AlertFeed.Severity, effective: Double? = nil, expires: Double? = nil, headline: String = ""
    ) {
      self.severity = severity
      self.effective = effective
      self.expires = expires
      self.headline = headline
    }
  }

  /// Whether it asks people to do something: exercises, tests and drafts do not.
  package var isActual: Bool
  /// Whether it takes back what it refers to, and says nothing else.
  package var isCancel: Bool
  /// Its sender and identifier, by which others refer to it.
  package var key: String
  /// Unix time; `nil`: not said.
  package var sent: Double?
  /// The keys of the messages that it replaces or takes back.
  package var references: [String]
  package var infos: [Info]

  /// How long a message counts that does not say when it expires, from when it was sent.
  package static let longest = 86_400.0

  /// Reads an `alert`, or an entry of a feed that has the elements of one.
  /// - Returns: `nil` where it is an acknowledgement or an error report, or says nothing of what it is.
  package init?(_ element: XMLElement) {
    let type = element.text("msgType") ?? "Alert"
    guard ["Alert", "Update", "Cancel"].contains(type) else { return nil }
    guard let identifier = element.text("identifier") ?? element.text("id"), !identifier.isEmpty else { return nil }
    isActual = element.text("status").map { $0 == "Actual" } ?? true
    isCancel = type == "Cancel"
    key = "\(element.text("sender") ?? ""),\(identifier)"
    sent = (element.text("sent") ?? element.text("published")).flatMap { try? TimeScalar.timestamp($0) }
    // Each reference is `sender,identifier,sent`.
    references = (element.text("references") ?? "").split(whereSeparator: \.isWhitespace).map { reference in
      reference.split(separator: ",", omittingEmptySubsequences: false).prefix(2).joined(separator: ",")
    }
    let parts = element.name == "alert" ? element.all("info") : [element]
    infos = parts.compactMap { info in
      guard let severity = info.text("severity") else { return nil }
      return Info(
        severity: .init(rawValue: severity.lowercased()) ?? .unknown,
        effective: info.text("effective").flatMap { try? TimeScalar.timestamp($0) },
        expires: info.text("expires").flatMap { try? TimeScalar.timestamp($0) },
        headline: info.text("headline") ?? info.text("title") ?? info.text("event") ?? "")
    }
  }

  /// What makes it count at a time, for a trigger of these severities; `nil`: nothing.
  package func counts(_ severities: [PlaylistPlan.AlertFeed.Severity], at time: Double) -> Info? {
    guard isActual, !isCancel else { return nil }
    return infos.first { info in
      let end = info.expires ?? sent.map { $0 + Self.longest } ?? .infinity
      return severities.contains(info.severity) && (info.effective ?? -.infinity) <= time && time < end
    }
  }
}

/// The alerts of one feed, as it was read last.
///
/// A value without I/O; times are Unix times.
package struct AlertBook: Sendable {
  private var messages: [AlertMessage] = []

  package init() {}

  /// Takes all messages of the feed: what it does not have any more is over.
  package mutating func take(_ messages: [AlertMessage]) { self.messages = messages }

  /// The alert that fires a trigger now; `nil`: none.
  package func alert(_ severities: [PlaylistPlan.AlertFeed.Severity], at time: Double) -> AlertMessage.Info? {
    let replaced = Set(messages.filter(\.isActual).flatMap(\.references))
    for message in messages where !replaced.contains(message.key) {
      if let info = message.counts(severities, at: time) { return info }
    }
    return nil
  }
}
