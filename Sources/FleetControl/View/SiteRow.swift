package import CastProtocol
package import FleetMessages

/// How a site is, in one line.
package struct SiteRow: Hashable, Sendable {
  /// The first that holds, in this order, is what a site counts as (docs/fleet.md "For operators").
  package enum Condition: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Its connection to the broker is lost, or it said goodbye.
    case offline
    /// A screen shows nothing although it should.
    case dark
    /// A document is not served, or the last one was refused.
    case invalid
    /// Something else is wrong there.
    case alert
    /// It says nothing that can be read of whether it is there, or how it is.
    case unknown
    case starting
    case ok

    package static func < (left: Condition, right: Condition) -> Bool { left.order < right.order }

    private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    /// Whether somebody should look.
    package var isProblem: Bool { self != .ok && self != .starting }
  }

  package var site: SiteName
  package var condition: Condition
  package var screens: Int
  package var dark: Int
  package var alerts: Int
  /// Unix time of its newest report; `nil`: it has none.
  package var heard: Int?
  package var version: String?
  /// Edition that is on of each document that the fleet gave, in the order of their ids.
  package var editions: [Edition]
  /// What is wrong, in a few words.
  package var why: String?

  package struct Edition: Hashable, Sendable {
    package var id: String
    package var edition: Int?
    package var state: DocumentReport.State
  }

  package init(_ site: SiteName, _ facts: SiteFacts) {
    self.site = site
    let health = facts.health
    // Two sources say how many screens are dark; the larger number counts.
    dark = min(max(facts.darkScreens, max(0, health?.dark ?? 0)), FleetView.Limit.screens)
    screens = min(max(facts.screenCount, max(0, health?.screens ?? 0)), FleetView.Limit.screens)
    alerts = facts.alertPlaces.count
    heard = health?.time
    version = health?.version
    let documents = facts.documents.sorted { $0.key < $1.key }
    editions = documents.compactMap { id, report in
      report.state == .removed ? nil : Edition(id: id, edition: report.shown, state: report.state)
    }
    condition = Self.condition(facts, dark: dark)
    why = Self.why(condition, facts)
  }

  private static func condition(_ facts: SiteFacts, dark: Int) -> Condition {
    switch facts.presence {
    case .offline: return .offline
    case .unreadable, nil: return .unknown
    case .online: break
    }
    if dark > 0 || facts.health?.status == .dark { return .dark }
    if facts.health?.status == .invalid || facts.documents.values.contains(where: { $0.state == .refused }) {
      return .invalid
    }
    if !facts.alertPlaces.isEmpty { return .alert }
    switch facts.health?.status {
    case .ok, .dark, .invalid: return .ok
    case .starting: return .starting
    case .unknown, nil: return .unknown
    }
  }

  private static func why(_ condition: Condition, _ facts: SiteFacts) -> String? {
    switch condition {
    case .ok, .starting: return nil
    case .offline: return facts.health == nil ? "never said how it is" : nil
    case .unknown:
      return facts.presence == nil
        ? "does not say whether it is there" : facts.health == nil ? "does not say how it is" : nil
    case .dark:
      let dark = facts.screens.filter(\.value.isDark).sorted { $0.key < $1.key }
      guard let first = dark.first else { return nil }
      let more = dark.count > 1 ? ", and \(dark.count - 1) more" : ""
      return "\(first.value.screen)\((first.value.why ?? first.value.problem).map { ": \($0)" } ?? "")\(more)"
    case .invalid:
      let refused = facts.documents.filter { $0.value.state == .refused }.min { $0.key < $1.key }
      return refused.map { "\($0.key) was refused\($0.value.why.map { ": \($0)" } ?? "")" }
    case .alert:
      let alert = facts.alerts.min { $0.value.since < $1.value.since }?.value
      return alert.map { "\($0.occasion): \($0.subject)" }
    }
  }

  package var json: JSONValue {
    var object: JSONObject = [
      "site": .string(site.text), "condition": .string(condition.rawValue), "screens": .int(screens),
      "dark": .int(dark), "alerts": .int(alerts),
    ]
    object["heard"] = heard.map(JSONValue.int)
    object["version"] = version.map(JSONValue.string)
    object["why"] = why.map(JSONValue.string)
    object["documents"] = .array(
      editions.map { edition in
        var item: JSONObject = ["id": .string(edition.id), "state": .string(edition.state.rawValue)]
        item["edition"] = edition.edition.map(JSONValue.int)
        return .object(item)
      })
    return .object(object)
  }
}

extension FleetView {
  /// The sites that a glob means, those with problems first, then by name.
  package func rows(_ glob: SiteGlob?) -> [SiteRow] {
    sites.compactMap { site, facts in glob?.matches(site) ?? true ? SiteRow(site, facts) : nil }
      .sorted { ($0.condition, $0.site) < ($1.condition, $1.site) }
  }
}
