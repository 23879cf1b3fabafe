import CastProtocol
import DeviceControl
import ScenarioLanguage
import Signage
import Simulation
import Testing

/// A playlist that is served in a simulation, and what came of it.
struct Serving {
  let outcome: PlaylistSimulation.Outcome
  private let start: Double

  /// - Parameters:
  ///   - lines: Those of a playlist for `TV` with still media `a` to `f`, films `x` and `y` of 60 s, and `radio` that is live.
  ///   - clock: When it begins, such as `2026-12-24 18:30` in UTC.
  init(
    _ lines: String, at clock: String = "2026-11-23 12:00", for length: Duration,
    change: (inout PlaylistSimulation) throws -> Void = { _ in }
  ) throws {
    let program = try Self.program(lines)
    start = Double(try Playlists.moment(clock, program))
    var simulation = PlaylistSimulation(from: start, for: length)
    try change(&simulation)
    outcome = try simulation.run(program)
  }

  static func program(_ lines: String) throws -> Program {
    let stills = "abcdef".map { "\($0): { url: https://e.com/\($0).jpg }" }
    let films = "xy".map { "\($0): { url: https://e.com/\($0).mp4, duration: 60s }" }
    let live = "radio: { url: https://e.com/radio.m3u8, stream: live }"
    let broken = "broken: { url: https://e.com/broken.bin, type: application/x-none }"
    let device = lines.contains("devices:") ? "" : "device: TV"
    let yaml = """
      playlist: Shop
      timezone: UTC
      \(device)
      media: { \((stills + films + [live, broken]).joined(separator: ", ")) }
      \(lines)
      """
    return Program(try Playlists.plan(yaml), in: try Playlists.rules("UTC"))
  }

  /// What each record says: `a 10.0 duration`, `gap quiet`, `skip b load_failed`.
  var records: [String] { outcome.records.map { Self.words($0.kind) } }

  var plays: [LedgerRecord.Play] {
    outcome.records.compactMap { if case .play(let play) = $0.kind { play } else { nil } }
  }

  var gaps: [LedgerRecord.Gap] {
    outcome.records.compactMap { if case .gap(let gap) = $0.kind { gap } else { nil } }
  }

  /// What the screens told, in words.
  var told: [String] {
    outcome.moments.map { "\($0.event.json($0.screen, at: $0.time, in: .utc)["event"]?.string ?? "")" }
  }

  /// Where a screen's records do not follow each other without a hole, from the first moment to the last.
  var holes: [String] {
    var holes: [String] = []
    for screen in Set(outcome.records.map(\.screen)).sorted() {
      var last = start
      for record in outcome.records where record.screen == screen {
        let (begin, end): (Double, Double)
        switch record.kind {
        case .play(let play): (begin, end) = (play.start, play.end)
        case .gap(let gap): (begin, end) = (gap.start, gap.end)
        case .skip: continue
        }
        if abs(begin - last) > 1e-6 { holes.append("\(screen): \(seconds(last)) to \(seconds(begin))") }
        last = end
      }
    }
    return holes
  }

  /// Seconds since the begin.
  func seconds(_ time: Double) -> Double { ((time - start) * 10).rounded() / 10 }

  static func words(_ kind: LedgerRecord.Kind) -> String {
    switch kind {
    case .play(let play): "\(play.item) \(Int(play.shown.rounded())) \(play.endReason.rawValue)"
    case .gap(let gap): "gap \(Int((gap.end - gap.start).rounded())) \(gap.reason.rawValue)"
    case .skip(let skip): "skip \(skip.item) \(skip.reason)"
    }
  }
}
