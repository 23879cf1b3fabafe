import CastProtocol
import ScenarioLanguage
import Signage
import Testing

/// When runs begin by a schedule, whatever overlaps, was missed, or happens to the clock.
@Suite struct ScheduleKeeperTests {
  private static let noon = "2026-11-23 12:00"

  static let overlaps: [(overlap: String, length: Double, told: [String])] = [
    (
      "skip", 90,
      ["12:01 start 12:01", "12:02 skip 12:02, 12:01 goes on", "12:03 start 12:03", "12:04 skip 12:04, 12:03 goes on"]
    ),
    (
      "queue", 90,
      [
        "12:01 start 12:01", "12:02 12:02 waits for 12:01", "12:02:30 start 12:02", "12:03 12:03 waits for 12:02",
        "12:04 start 12:03", "12:04 12:04 waits for 12:03",
      ]
    ),
    (
      "replace", 90,
      [
        "12:01 start 12:01", "12:02 end 12:01 for 12:02", "12:02:02 start 12:02", "12:03 end 12:02 for 12:03",
        "12:03:02 start 12:03", "12:04 end 12:03 for 12:04",
      ]
    ),
  ]

  @Test("A run that still goes on has the next one skipped, wait, or take its place", arguments: overlaps)
  func overlap(overlap: String, length: Double, told: [String]) throws {
    var keeping = try Keeping("{ every: 1m, overlap: \(overlap) }", at: Self.noon, runs: length)
    keeping.pass(241)
    #expect(keeping.told == told)
  }

  @Test("No more than a few runs wait, and what replaces another that never began is told")
  func bounded() throws {
    var keeping = try Keeping("{ every: 1m, overlap: queue }", at: Self.noon, runs: 3_600)
    keeping.pass(3_000)
    #expect(keeping.told.count { $0.contains("waits") } == ScheduleKeeper.mostWaiting)
    #expect(keeping.told.last == "12:50 skip 12:50, full")
    var replacing = try Keeping(
      "{ every: 1m, overlap: replace }, { at: \"12:02:01\", timezone: UTC, overlap: replace }", at: Self.noon, runs: 90)
    replacing.pass(130)
    #expect(replacing.told.contains("12:02:01 skip 12:02 for 12:02:01"), "\(replacing.told)")
    #expect(replacing.told.last == "12:02:02 start 12:02:01")
  }

  static let missed: [(keys: String, off: Double, told: [String])] = [
    ("missed: skip", 7_200, ["12:30 start 12:30", "15:00 missed 14:30", "15:30 start 15:30"]),
    ("missed: run_once", 7_200, ["12:30 start 12:30", "15:00 start 14:30 late", "15:30 start 15:30"]),
    ("missed: run_once, within: 10m", 7_200, ["12:30 start 12:30", "15:00 missed 14:30", "15:30 start 15:30"]),
    ("missed: run_once, within: 30m", 7_200, ["12:30 start 12:30", "15:00 start 14:30 late", "15:30 start 15:30"]),
    // What is late by a moment is not late.
    ("missed: skip", 1_830, ["12:30 start 12:30", "13:30:30 start 13:30", "14:30 start 14:30"]),
    // Nothing fell into it.
    ("missed: run_once", 600, ["12:30 start 12:30", "13:30 start 13:30", "14:30 start 14:30"]),
    // Years later it is still one run, and soon found.
    ("missed: run_once", 3 * 365 * 86_400, ["12:30 start 12:30", "13:00 start 12:30 late", "13:30 start 13:30"]),
  ]

  @Test("Of what was missed while nobody served one run is made up for, if it is not too late", arguments: missed)
  func off(keys: String, off: Double, told: [String]) throws {
    var keeping = try Keeping("{ cron: \"30 * * * *\", timezone: UTC, \(keys) }", at: Self.noon)
    keeping.pass(3_600)
    keeping.beOff(off)
    keeping.pass(off == 600 || off == 1_830 ? 6_000 - off : 2_000)
    #expect(Array(keeping.told.prefix(3)) == told)
  }

  @Test("The first time that a scenario is served nothing was missed, and a run that waited when it ended was")
  func restarts() throws {
    var first = try Keeping("{ every: 1h, missed: run_once, within: 24h }", at: "2026-11-23 12:10")
    first.pass(60)
    #expect(first.told.isEmpty)
    var waiting = try Keeping("{ every: 10m, overlap: queue, missed: run_once }", at: Self.noon, runs: 900)
    waiting.pass(1_300)
    waiting.beOff(10)
    waiting.pass(1)
    #expect(waiting.told.suffix(2) == ["12:20 12:20 waits for 12:10", "12:21:50 start 12:20 late"])
    // A second restart does not run it again.
    waiting.beOff(10)
    waiting.pass(1)
    #expect(waiting.told.last == "12:21:50 start 12:20 late" && waiting.told.count == 3)
  }

  static let clocks: [(day: String, dst: String, times: [String])] = [
    ("2027-03-28", "", ["03:00"]), ("2027-03-28", ", dst: { missing: skip }", []), ("2027-10-31", "", ["02:30"]),
    ("2027-10-31", ", dst: { repeated: twice }", ["02:30", "02:30"]), ("2027-03-27", "", ["02:30"]),
  ]

  @Test("On the nights when clocks change a time runs as `dst` says", arguments: clocks)
  func dst(day: String, dst: String, times: [String]) throws {
    var keeping = try Keeping("{ at: \"02:30\", timezone: Europe/Paris\(dst) }", at: "\(day) 00:30")
    keeping.pass(5 * 3_600)
    #expect(keeping.told == times.map { "\($0) start \($0)" })
    if times.count == 2 { #expect(keeping.starts[1].at - keeping.starts[0].at == 3_600) }
  }

  @Test("Jitter delays each run by another time up to what it says, the same after a restart, not past the next one")
  func jitter() throws {
    func delays(_ schedule: String, seed: UInt64, isCut: Bool = false) throws -> [Double] {
      var keeping = try Keeping(schedule, at: Self.noon, seed: seed)
      for _ in 0..<20 {
        keeping.pass(3_600)
        if isCut { keeping.beOff(1) }
      }
      return keeping.starts.map { $0.at - Double($0.time) }
    }
    let hourly = "{ every: 1h, jitter: 10m }"
    let some = try delays(hourly, seed: 1)
    #expect(some.allSatisfy { (0..<600).contains($0) } && (some.max() ?? 0) > 300 && Set(some).count == some.count)
    #expect(try delays(hourly, seed: 1) == some)
    #expect(try delays(hourly, seed: 2) != some)
    let cut = try delays(hourly, seed: 1, isCut: true)
    #expect(zip(cut, some).allSatisfy { $0 - $1 < 2 } && cut.count >= some.count - 1, "\(cut) \(some)")
    let long = try delays("{ every: 1h, jitter: 24h }", seed: 1)
    #expect(long.count > 15 && long.allSatisfy { (0..<3_600).contains($0) })
    let both = try delays("{ every: 1h, jitter: 10m }, { cron: \"30 * * * *\", timezone: UTC, jitter: 10m }", seed: 1)
    #expect(Set(both).count == both.count)
  }

  static let jumps: [(keys: String, set: [Double], told: [String])] = [
    // Set forward over a time: it runs right after, once, however it treats what was missed.
    ("", [2_400], ["12:30 start 12:30", "13:40 start 13:30 late", "14:30 start 14:30"]),
    ("", [9_600], ["12:30 start 12:30", "15:40 start 15:30 late", "16:30 start 16:30"]),
    // Set back over one: it has run.
    ("", [-3_000], ["12:30 start 12:30", "13:30 start 13:30"]),
    // Another time: what lies between was missed.
    ("", [36_000], ["12:30 start 12:30", "23:00 missed 22:30", "23:30 start 23:30"]),
    ("missed: run_once, ", [35_400], ["12:30 start 12:30", "22:50 start 22:30 late", "23:30 start 23:30"]),
    // A clock that was wrong for a while brings nothing twice.
    ("missed: run_once, within: 24h, ", [-86_400, 86_400], ["12:30 start 12:30", "13:30 start 13:30"]),
    ("missed: run_once, within: 24h, ", [-1_000_000_000, 1_000_000_000], ["12:30 start 12:30", "13:30 start 13:30"]),
    // One that was wrong far ahead does not keep it from running.
    ("", [86_400 * 400, -86_400 * 400], ["12:30 start 12:30", "13:00 missed 12:30", "13:30 start 13:30"]),
  ]

  @Test("A clock that is set makes nothing run twice, and takes nothing away", arguments: jumps)
  func clockSet(keys: String, set: [Double], told: [String]) throws {
    var keeping = try Keeping("{ cron: \"30 * * * *\", \(keys)timezone: UTC }", at: Self.noon)
    keeping.pass(3_600)
    for seconds in set {
      keeping.set(by: seconds)
      keeping.pass(0)
    }
    keeping.pass(6_600)
    #expect(Array(keeping.told.prefix(told.count)) == told, "\(keeping.told)")
  }

  @Test("What was stored by nobody, or is damaged, is as if nothing were stored")
  func damaged() throws {
    for text in [
      "{}", "7", "{\"v\":1,\"schedules\":7}", "{\"v\":2,\"schedules\":[{\"schedule\":\"every 1h\",\"until\":0}]}",
      "{\"v\":1,\"schedules\":[{\"schedule\":\"every 1h\",\"until\":-9000000000000000000}]}",
    ] {
      var keeping = try Keeping("{ every: 1h, missed: run_once }", at: "2026-11-23 12:10")
      keeping.restore(try JSONValue(parsing: text))
      keeping.pass(60)
      #expect(keeping.told.isEmpty, "\(text)")
    }
  }
}

extension Keeping {
  mutating func restore(_ json: JSONValue) { changeKeeper { $0.restore(json) } }
}
