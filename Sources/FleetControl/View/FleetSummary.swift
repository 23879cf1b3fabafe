package import CastProtocol

/// All sites in one line: `1000 sites: 3 offline, 2 dark, 5 screens dark of 4000`.
package struct FleetSummary: Hashable, Sendable {
  package private(set) var sites = 0
  package private(set) var screens = 0
  package private(set) var darkScreens = 0
  package private(set) var counts: [SiteRow.Condition: Int] = [:]

  package init(_ rows: [SiteRow]) {
    sites = rows.count
    for row in rows {
      counts[row.condition, default: 0] += 1
      screens += row.screens
      darkScreens += row.dark
    }
  }

  package var text: String {
    var parts = SiteRow.Condition.allCases.compactMap { condition in
      condition == .ok ? nil : counts[condition].map { "\($0) \(Self.word(condition, $0))" }
    }
    if parts.isEmpty { parts.append("all ok") }
    parts.append(
      darkScreens == 0
        ? "\(screens) \(screens == 1 ? "screen" : "screens")"
        : "\(darkScreens) \(darkScreens == 1 ? "screen" : "screens") dark of \(screens)")
    return "\(sites) \(sites == 1 ? "site" : "sites"): \(parts.joined(separator: ", "))"
  }

  private static func word(_ condition: SiteRow.Condition, _ count: Int) -> String {
    condition == .alert ? "with \(count == 1 ? "an alert" : "alerts")" : condition.rawValue
  }

  package var json: JSONValue {
    var object: JSONObject = ["sites": .int(sites), "screens": .int(screens), "dark_screens": .int(darkScreens)]
    for condition in SiteRow.Condition.allCases { object[condition.rawValue] = .int(counts[condition] ?? 0) }
    return .object(object)
  }
}
