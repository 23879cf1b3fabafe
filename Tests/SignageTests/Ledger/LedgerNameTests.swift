import ScenarioLanguage
import Synchronization
import Testing

@testable import Signage

@Suite struct LedgerNameTests {
  private static func name(
    _ rotation: PlaylistPlan.Ledger.Rotation, _ file: String = "plays.jsonl", zone: String = "Europe/Paris"
  ) throws -> LedgerName {
    LedgerName(file, rotation: rotation, in: try Playlists.rules(zone))
  }

  @Test("A new file is begun with the day, the week or the month of the playlist's zone")
  func rotation() throws {
    // 00:30 in Paris on Monday, still Sunday in New York.
    let time = Ledgers.midnight + 1_800
    #expect(try Self.name(.never).file(at: time) == "plays.jsonl")
    #expect(try Self.name(.daily).file(at: time) == "plays-2026-11-23.jsonl")
    #expect(try Self.name(.weekly).file(at: time) == "plays-2026-W48.jsonl")
    #expect(try Self.name(.monthly).file(at: time) == "plays-2026-11.jsonl")
    #expect(try Self.name(.daily, zone: "America/New_York").file(at: time) == "plays-2026-11-22.jsonl")
    #expect(try Self.name(.weekly, zone: "America/New_York").file(at: time) == "plays-2026-W47.jsonl")
    #expect(try Self.name(.daily, "plays").file(at: time) == "plays-2026-11-23")
    #expect(try Self.name(.daily, ".plays").file(at: time) == ".plays-2026-11-23")
    #expect(try Self.name(.daily, "a.b.jsonl").file(at: time) == "a.b-2026-11-23.jsonl")
  }

  @Test(
    "A week is of the year that its Thursday is in",
    arguments: [
      ("2027-01-01", "2026-W53"), ("2026-01-01", "2026-W01"), ("2024-12-30", "2025-W01"), ("2023-01-01", "2022-W52"),
      ("2028-01-03", "2028-W01"),
    ])
  func weeks(day: String, week: String) throws {
    let date = try #require(CivilDate(written: day))
    let time = Double(date.dayNumber * 86_400 + 43_200)
    #expect(try Self.name(.weekly, zone: "UTC").file(at: time) == "plays-\(week).jsonl")
  }

  @Test("Its own files are found among others, the newest of each kind first")
  func files() throws {
    let names = [
      "plays-2026-11-22.jsonl", "plays-2026-11-23.jsonl", "plays.jsonl", ".plays.jsonl.lock", "plays-old.jsonl",
      "plays-2026-11.jsonl", "plays-2026-W48.jsonl", "plays-2026-W47.jsonl", "other-2026-11-23.jsonl",
      "plays-2026-11-23.jsonl.bak", "plays-2026-11-2३.jsonl", "plays",
    ]
    let groups = Set(try Self.name(.daily).files(among: names))
    #expect(
      groups == [
        ["plays-2026-11-23.jsonl", "plays-2026-11-22.jsonl"], ["plays.jsonl"], ["plays-2026-11.jsonl"],
        ["plays-2026-W48.jsonl", "plays-2026-W47.jsonl"],
      ])
  }

  @Test("A file that was left is not written to again, whatever the clock or the playlist says")
  func back() throws {
    let daily = try Self.name(.daily)
    let files: Set = ["plays-2026-11-22.jsonl", "plays-2026-11-23.jsonl"]
    func file(_ day: Double, after current: String?, _ name: LedgerName) -> String {
      name.file(at: Ledgers.midnight + day * 86_400, after: current, existing: files)
    }
    #expect(file(0, after: nil, daily) == "plays-2026-11-23.jsonl")
    #expect(file(1, after: "plays-2026-11-23.jsonl", daily) == "plays-2026-11-24.jsonl")
    #expect(file(-1, after: "plays-2026-11-23.jsonl", daily) == "plays-2026-11-23.jsonl")
    #expect(file(-9_000, after: "plays-2026-11-23.jsonl", daily) == "plays-2026-11-23.jsonl")
    #expect(file(0, after: "plays-2026-11-23.jsonl", try Self.name(.never)) == "plays.jsonl")
    #expect(file(0, after: "plays.jsonl", daily) == "plays.jsonl")
    #expect(file(1, after: "plays.jsonl", daily) == "plays-2026-11-24.jsonl")
  }

  @Test("A writer numbers on behind the end it was given, over files; what is not taken is no part of the chain")
  func writer() throws {
    let written = Mutex<[(line: String, file: String)]>([])
    let isFull = Mutex(false)
    let zone = try Playlists.rules("Europe/Paris")
    let writer = LedgerWriter(try Self.name(.daily), zone: zone) { line, file in
      if isFull.withLock({ $0 }) { return false }
      written.withLock { $0.append((line, file)) }
      return true
    }
    writer.record(Ledgers.play("a", 0, 10))
    isFull.withLock { $0 = true }
    writer.record(Ledgers.play("b", 10, 20))
    isFull.withLock { $0 = false }
    writer.record(Ledgers.gap(.quiet, 20, 86_400))
    writer.record(Ledgers.play("c", 86_300, 86_310))
    let found = written.withLock { $0 }
    #expect(found.map(\.file) == ["plays-2026-11-23.jsonl", "plays-2026-11-24.jsonl", "plays-2026-11-24.jsonl"])
    #expect(writer.missed == 1 && Ledgers.problems(found.map(\.line)) == [])
  }
}
