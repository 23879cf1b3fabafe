import ScenarioLanguage

extension LedgerSum {
  /// Two tables: what was shown, and what became of the time of each screen.
  package var text: String {
    if rows.isEmpty, clocks.isEmpty { return "nothing was recorded\n" }
    return [playTable, clockTable].filter { $0.count > 1 }.map(Self.lines).joined(separator: "\n")
  }

  private var playTable: [[String]] {
    let head = (period == nil ? [] : [period?.rawValue ?? ""]) + [grouping.rawValue, "plays", "shown", "planned"]
    let hasSkips = rows.values.contains { $0.skips > 0 }
    return [head + (hasSkips ? ["skips"] : [])]
      + rows.sorted { $0.key < $1.key }.map { key, row in
        start(of: key) + ["\(row.plays)", Self.time(row.shown), Self.time(row.planned)]
          + (hasSkips ? ["\(row.skips)"] : [])
      }
  }

  private var clockTable: [[String]] {
    let reasons = LedgerRecord.GapReason.allCases.filter { reason in clocks.values.contains { $0.gaps[reason] != nil } }
    let hasTwice = clocks.values.contains { $0.twice > 0 }
    let head =
      (period == nil ? [] : [period?.rawValue ?? ""]) + ["screen", "clock", "shown", "unproven"]
      + reasons.map(\.rawValue) + ["unrecorded"] + (hasTwice ? ["twice"] : [])
    return [head]
      + clocks.sorted { $0.key < $1.key }.map { key, clock in
        let parts =
          [clock.shown, clock.unproven] + reasons.map { clock.gaps[$0] ?? 0 } + [clock.unrecorded]
          + (hasTwice ? [clock.twice] : [])
        return start(of: key) + [Self.time(clock.total)] + parts.map { Self.time($0, of: clock.total) }
      }
  }

  private func start(of key: Key) -> [String] {
    (text(ofPeriod: key.period).map { [$0] } ?? []) + [TerminalText.escaped(key.name)]
  }

  private static func time(_ milliseconds: Int) -> String {
    milliseconds == 0 ? "-" : Duration.milliseconds(milliseconds).spelled
  }

  /// `1h30m 6.3%`.
  private static func time(_ milliseconds: Int, of total: Int) -> String {
    guard milliseconds > 0, total > 0 else { return time(milliseconds) }
    let percent = Double(milliseconds) / Double(total) * 100
    return "\(time(milliseconds)) \(percent < 0.05 ? "<0.1" : percent.decimals(1, padded: true))%"
  }

  /// Names to the left, everything else to the right.
  private static func lines(_ table: [[String]]) -> String {
    let names = table[0].firstIndex(of: "plays") ?? table[0].firstIndex(of: "clock") ?? 0
    let widths = table[0].indices.map { column in table.map { $0[column].count }.max() ?? 0 }
    return table.map { row in
      row.indices.map { column in
        let space = String(repeating: " ", count: widths[column] - row[column].count)
        return column < names ? row[column] + space : space + row[column]
      }.joined(separator: "  ") + "\n"
    }.joined()
  }
}
