import CastProtocol

/// Plays as a table for other programs: comma-separated values (RFC 4180), one play a row.
///
/// The first columns are those that proof-of-play services ask for, in their words and with times in UTC; what else a
/// record has follows.
package enum LedgerTable {
  private static let columns = [
    "device_id", "site_id", "screen_id", "creative_id", "campaign_id", "started_at", "duration_s", "play_mode",
    "app_version", "hash", "n", "item", "content", "rule", "ended_at", "planned_s", "end_reason", "ids",
  ]

  /// The names of the columns.
  package static var head: String { row(columns) }

  /// The row of a line; `nil` where it is about no play.
  package static func row(_ line: LedgerLine) -> String? {
    guard let record = line.record, case .play(let play) = record.kind else { return nil }
    func id(_ name: String) -> String? { play.ids?[name].flatMap(text) }
    func time(_ seconds: Double) -> String { LedgerTime.utc(LedgerTime.milliseconds(seconds)) }
    func number(_ seconds: Double) -> String { JSONValue(LedgerTime.rounded(seconds)).serialized() }
    return row([
      record.screen, id("site") ?? "", id("screen") ?? record.screen, id("creative") ?? play.item,
      id("campaign") ?? "", time(play.start), number(play.shown), mode(play.rule), "", line.link.hash,
      "\(line.link.number)", play.item, play.content, play.rule, time(play.end), play.planned.map(number) ?? "",
      play.endReason.rawValue, play.ids?.serialized() ?? "",
    ])
  }

  /// `program`, `interrupt` or `fallback`.
  private static func mode(_ rule: String) -> String {
    let word = rule.prefix { $0.isLetter && $0.isASCII }
    return word == "interrupts" ? "interrupt" : String(word)
  }

  /// An id as text, whatever the playlist has it as.
  static func text(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text
    case .int, .double, .bool: value.serialized()
    default: nil
    }
  }

  private static func row(_ cells: [String]) -> String {
    cells.map { cell in
      let needsQuotes = cell.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
      return needsQuotes ? "\"\(cell.replacing("\"", with: "\"\""))\"" : cell
    }.joined(separator: ",") + "\r\n"
  }
}
