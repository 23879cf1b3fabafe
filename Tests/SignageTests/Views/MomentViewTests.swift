import CastProtocol
import ScenarioLanguage
import Signage
import Testing

@Suite struct MomentViewTests {
  @Test(
    "A moment is a date and a time, and nothing else",
    arguments: [
      ("2026-12-24 18:30", "2026-12-24 18:30"), ("2026-12-24T18:30:15", "2026-12-24 18:30:15"),
      ("2026-12-24 24:00", "2026-12-25 00:00"), ("2028-02-29 00:00", "2028-02-29 00:00"),
      ("2027-02-29 00:00", nil), ("2026-12-24", nil), ("18:30", nil), ("12-24 18:30", nil), ("", nil), ("now", nil),
      ("2026-12-24 18:30 ", nil), ("2026-12-24 7:30", nil), ("9999999-12-24 18:30", nil),
    ])
  func written(text: String, expected: String?) throws {
    let wall = MomentView.wall(written: text)
    #expect(wall.map { "\(CivilDate(at: $0).iso) \(CivilDate.clock(at: $0))" } == expected)
  }

  @Test("A time that clocks jump over is explained at the jump, one that comes twice both times")
  func clocks() throws {
    let program = try Playlists.program("program: [{ during: { hours: 02:00-02:45 }, play: [a] }]\nfallback: b")
    let skipped = MomentView(program, at: try #require(MomentView.wall(written: "2027-03-28 02:30")))
    #expect(skipped.json["exists"] == "never")
    #expect(skipped.json["moments"]?.array?.map { $0["at"] } == ["2027-03-28T03:00:00+02:00"])
    #expect(
      skipped.text.contains("Clocks go forward on Sun 28 March 2027, from 02:00 to 03:00: 02:30 does not exist."),
      "\(skipped.text)")
    let twice = MomentView(program, at: try #require(MomentView.wall(written: "2026-10-25 02:30")))
    #expect(twice.json["exists"] == "twice")
    #expect(
      twice.json["moments"]?.array?.map { $0["at"] } == ["2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00"])
    #expect(twice.json["moments"]?.array?.map { $0["which"] } == ["first", "second"])
    #expect(
      twice.text.contains("02:30 comes twice. This is both.")
        && twice.text.contains("At 02:30 (second time), UTC+01:00:"))
    #expect(
      twice.text.contains("next change  Sun 25 October 2026 02:45 (first time), in 15m: fallback"), "\(twice.text)")
  }

  @Test(
    "Now, in an hour that comes twice, is one of the two, and says which",
    arguments: [
      (0, "once", nil), (3_599, "once", nil), (3_600, "twice", "first"), (5_400, "twice", "first"),
      (7_200, "twice", "second"), (10_799, "twice", "second"), (10_800, "once", nil),
    ])
  func now(seconds: Int, exists: String, which: String?) throws {
    let program = try Playlists.program("program: [{ play: [a] }]")
    let time = try Playlists.moment("2026-10-25 01:00", program) + seconds
    let view = MomentView(program, atTime: time)
    #expect(view.moments == [time])
    #expect(view.json["exists"]?.string == exists)
    #expect(view.json["moments"]?.array?.map { $0["which"]?.string } == [which])
    let words = which.map { "comes twice. This is the \($0) time.\n" }
    #expect(words.map { view.text.contains($0) } ?? !view.text.contains("Clocks go back"), "\(view.text)")
    #expect(view.text.contains("(\(which ?? "third") time), UTC") == (which != nil))
  }

  @Test("What never changes has no next change, in words and in JSON")
  func never() throws {
    let program = try Playlists.program("program: [{ play: [a] }]", zone: "UTC")
    let view = MomentView(program, at: try #require(MomentView.wall(written: "2026-12-24 18:30")))
    #expect(view.text.contains("next change  never\n") && !view.text.contains("interrupt"))
    #expect(view.json["moments"]?.array?.first?["next"] == nil && view.json["exists"] == "once")
  }

  @Test("An interrupt that is due at the very moment is the next one", arguments: [("18:30", 18), ("18:30:01", 19)])
  func due(clock: String, hour: Int) throws {
    let program = try Playlists.program(
      "program: [{ play: [a] }]\ninterrupts: [{ at: [\"18:30\", \"19:30\"], play: [b] }]", zone: "UTC")
    let view = MomentView(program, at: try #require(MomentView.wall(written: "2026-12-24 \(clock)")))
    #expect(view.text.contains("interrupt    Thu 24 December 2026 \(hour):30: b"), "\(view.text)")
    let interrupt = try #require(view.json["moments"]?.array?.first?["interrupt"])
    #expect(interrupt["at"]?.string?.contains("T\(hour):30:00") == true)
    #expect(interrupt["play"] == ["b"] && interrupt["line"] == 6)
  }
}
