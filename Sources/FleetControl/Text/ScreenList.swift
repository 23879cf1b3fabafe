package import CastProtocol
package import FleetMessages

/// `fleet status`: a line for each screen, dark ones first.
package struct ScreenList: Sendable {
  private struct Row: Sendable {
    var site: SiteName
    var isReachable: Bool
    var report: ScreenReport

    /// Dark ones, then those of sites that are not there, then those that are not up.
    var order: Int { report.isDark && isReachable ? 0 : !isReachable ? 1 : report.isUp ? 3 : 2 }
  }

  private static let table = FleetTable([
    .init("SITE", cut: .middle), .init("SCREEN", cut: .middle), .init("IS"), .init("FOR", isNumber: true),
    .init("SHOWS", cut: .end), .init("NEXT", cut: .end),
  ])

  private let rows: [Row]
  private let summary: FleetSummary
  private let time: Int

  /// - Parameter time: Unix time.
  package init(_ view: FleetView, _ glob: SiteGlob?, at time: Int) {
    self.time = time
    summary = FleetSummary(view.rows(glob))
    rows = view.sites.filter { glob?.matches($0.key) ?? true }.flatMap { site, facts in
      facts.screens.values.map { Row(site: site, isReachable: facts.presence == .online, report: $0) }
    }.sorted {
      ($0.order, $0.site, $0.report.playlist, $0.report.screen) < (
        $1.order, $1.site, $1.report.playlist, $1.report.screen
      )
    }
  }

  package var isEmpty: Bool { rows.isEmpty }

  /// - Parameter most: As of ``SiteList/lines(width:most:)``.
  package func lines(width: Int, most: Int?) -> [String] {
    let problems = rows.prefix { $0.order < 3 }.count
    let shown = most.map { min(rows.count, max(problems, $0 - 3)) } ?? rows.count
    var lines = rows.isEmpty ? [] : Self.table.lines(rows.prefix(shown).map(cells), width: width)
    if shown < rows.count { lines.append("... and \(rows.count - shown) more without a problem: --all lists them") }
    lines.append(summary.text)
    return lines
  }

  private func cells(_ row: Row) -> [String] {
    let report = row.report
    let state = !row.isReachable ? "offline" : report.isDark ? "dark" : !report.isUp ? "away" : report.state
    return [
      row.site.text, report.screen, String(state.prefix(12)), Age.text(since: report.since, at: time),
      report.isDark ? report.why ?? report.problem ?? "" : report.title ?? report.item ?? report.why ?? "",
      report.next ?? "",
    ]
  }

  package var json: JSONValue {
    [
      "v": 1, "ok": true,
      "screens": .array(
        rows.map { row in
          var object = (try? JSONValue(encoding: row.report))?.object ?? JSONObject()
          // The topic says whose it is; the report could say anything.
          object["site"] = .string(row.site.text)
          object["reachable"] = .bool(row.isReachable)
          return .object(object)
        }), "summary": summary.json,
    ]
  }
}
