import CastProtocol
import ScenarioLanguage
import Signage
import Testing

/// What a command line may say of a moment.
@Suite struct MomentTextTests {
  /// 18:30 UTC on 24 December 2026.
  private static let evening = CivilDate(year: 2026, month: 12, day: 24).at(second: 66_600)

  static let texts: [(text: String, moment: MomentText?)] = [
    ("now", .now), ("18:30", .today(second: 66_600)), ("00:00", .today(second: 0)), ("24:00", .today(second: 86_400)),
    ("2026-12-24 18:30", .wall(evening)), ("2026-12-24T18:30:01", .wall(evening + 1)),
    ("2026-12-24T18:30:00Z", .time(evening)), ("2026-12-24 18:30Z", .time(evening)),
    ("2026-12-24T18:30:00+01:00", .time(evening - 3_600)), ("2026-12-24T18:30:00-05:30", .time(evening + 19_800)),
    ("2026-12-24T18:30:00.123Z", .time(evening)), ("2026-12-24T24:00:00Z", .time(evening + 19_800)),
    ("2026-12-24", nil), ("2026-12-24Z", nil), ("2026-12-24+01:00", nil), ("12-24 18:30", nil), ("18:30Z", nil),
    ("2026-12-24T18:30:00+1:00", nil), ("2026-12-24T18:30:00+24:00", nil), ("2026-12-24T18:30:00Z+01:00", nil),
    ("2026-12-24T18:30:00.Z", nil), ("2026-12-24T18:30:00.xZ", nil), ("2026-02-29T18:30:00Z", nil),
    ("tomorrow", nil), ("", nil), ("Z", nil), ("2026-12-24T18:30:00+", nil), ("7:30", nil),
  ]

  @Test("A moment is a reading of the playlist's clocks, a time of today, one with an offset, or now", arguments: texts)
  func written(text: String, moment: MomentText?) { #expect(MomentText(written: text) == moment) }

  @Test("Whatever it is, the playlist's clocks tell it")
  func views() throws {
    let program = try Playlists.program("program: [{ play: [a] }]", zone: "Europe/Paris")
    // It is the 25th there already.
    let now = Self.evening + 5 * 3_600
    for (text, at) in [
      ("now", "2026-12-25T00:30:00+01:00"), ("18:30", "2026-12-25T18:30:00+01:00"),
      ("2026-12-24 18:30", "2026-12-24T18:30:00+01:00"), ("2026-12-24T18:30:00Z", "2026-12-24T19:30:00+01:00"),
    ] {
      let view = MomentView(program, at: try #require(MomentText(written: text)), now: now)
      #expect(view.json["moments"]?.array?.map { $0["at"] } == [.string(at)], "\(text)")
      // What it prints it reads.
      #expect(MomentView(program, at: try #require(MomentText(written: at)), now: now).json == view.json)
    }
  }
}
