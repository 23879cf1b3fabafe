package import CastProtocol
import FleetMessages

/// `fleet sites`: a line for each site, those with problems first.
package struct SiteList: Sendable {
  private static let table = FleetTable([
    .init("SITE", cut: .middle), .init("IS"), .init("SCREENS", isNumber: true), .init("DARK", isNumber: true),
    .init("ALERTS", isNumber: true), .init("HEARD", isNumber: true), .init("WHY", cut: .end),
  ])

  private let rows: [SiteRow]
  /// Unix time.
  private let time: Int

  package init(_ rows: [SiteRow], at time: Int) { (self.rows, self.time) = (rows, time) }

  /// - Parameters:
  ///   - most: How many lines there is room for: sites that are all right are left out beyond it; `nil`: none is.
  package func lines(width: Int, most: Int?) -> [String] {
    guard !rows.isEmpty else { return [] }
    let problems = rows.prefix { $0.condition.isProblem }.count
    // The head, the summary and what says that some are left out.
    let shown = most.map { min(rows.count, max(problems, $0 - 3)) } ?? rows.count
    var lines = Self.table.lines(rows.prefix(shown).map(cells), width: width)
    if shown < rows.count { lines.append("... and \(rows.count - shown) more without a problem: --all lists them") }
    lines.append(FleetSummary(rows).text)
    return lines
  }

  private func cells(_ row: SiteRow) -> [String] {
    [
      row.site.text, row.condition.rawValue, "\(row.screens)", row.dark == 0 ? "" : "\(row.dark)",
      row.alerts == 0 ? "" : "\(row.alerts)", Age.text(since: row.heard, at: time), row.why ?? "",
    ]
  }

  package var json: JSONValue {
    ["v": 1, "ok": true, "sites": .array(rows.map(\.json)), "summary": FleetSummary(rows).json]
  }
}
