import CastProtocol
import Testing

@testable import Signage

/// Ledgers for tests, of a screen in Paris.
enum Ledgers {
  /// 2026-11-23 at midnight in Paris.
  static let midnight = 1_795_388_400.0

  static func play(
    _ item: String, _ start: Double, _ end: Double, shown: Double? = nil, screen: String = "window-tv",
    ids: JSONObject? = nil
  ) -> LedgerRecord {
    LedgerRecord(
      screen: screen,
      .play(
        LedgerRecord.Play(
          item: item, content: "https://e.com/\(item).jpg", rule: "program[0] any_time", start: midnight + start,
          end: midnight + end, planned: end - start, shown: shown ?? end - start, endReason: .duration,
          evidence: .init(session: 1, playingAt: midnight + start, statuses: 2), ids: ids)))
  }

  static func gap(
    _ reason: LedgerRecord.GapReason, _ start: Double, _ end: Double, screen: String = "window-tv"
  ) -> LedgerRecord {
    LedgerRecord(screen: screen, .gap(.init(start: midnight + start, end: midnight + end, reason: reason)))
  }

  static func lines(_ records: [LedgerRecord], after last: LedgerChain.Link = .start) throws -> [String] {
    var chain = LedgerChain(after: last, in: try Playlists.rules("Europe/Paris"))
    return try records.map { record in
      let line = chain.line(record)
      return try #require(line)
    }
  }

  /// A ledger of so many lines of all kinds.
  static func lines(_ count: Int) throws -> [String] {
    try lines(
      (0..<count).map { index in
        let start = Double(index) * 10
        switch index % 4 {
        case 0: return gap(.deviceOff, start, start + 10)
        case 1: return LedgerRecord(screen: "window-tv", .skip(.init(at: midnight + start, item: "a", reason: "tls")))
        default: return play("croissant \"\(index)\" é", start, start + 10.125, shown: 9.5)
        }
      })
  }

  /// What comes of reading files, one after the other.
  static func read(_ files: [[UInt8]]) -> (reader: LedgerReader, problems: [LedgerProblem], lines: [LedgerLine]) {
    var reader = LedgerReader()
    var problems: [LedgerProblem] = []
    var lines: [LedgerLine] = []
    func take(_ step: LedgerReader.Step) {
      if let problem = step.problem { problems.append(problem) }
      if let line = step.line { lines.append(line) }
    }
    for file in files {
      reader.read(file, take)
      reader.endFile(take)
    }
    return (reader, problems, lines)
  }

  static func problems(_ lines: [String]) -> [LedgerProblem] { read([Array(lines.joined().utf8)]).problems }
}
