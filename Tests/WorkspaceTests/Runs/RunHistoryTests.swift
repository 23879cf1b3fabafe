import CastProtocol
import Foundation
import RunReporting
import Synchronization
import Testing

@testable import Workspace

/// What is kept of the runs of a folder.
@Suite struct RunHistoryTests {
  private static let ids = ["01M8F2H8EYPARZP1S1WVBAHRJA", "01M8F2H8EYPARZP1S1WVBAHRJB", "01M8F2H8EYPARZP1S1WVBAHRJC"]

  private func history(_ folder: TemporaryFolder, byteLimit: Int = RunHistory.usualByteLimit) -> RunHistory {
    RunHistory(in: folder.path("r"), byteLimit: byteLimit)
  }

  private func surroundings(_ folder: TemporaryFolder) -> Surroundings { .living(in: folder) }

  private func add(_ id: String, to history: RunHistory, in folder: TemporaryFolder) throws {
    try history.add(StoredRun(id, in: folder.path("r"), surroundings: surroundings(folder)))
  }

  /// What is read, and what was told meanwhile.
  private func read(_ history: RunHistory, _ folder: TemporaryFolder) -> (ids: [String], told: [String]) {
    var told: [String] = []
    let runs = history.read(surroundings: surroundings(folder)) { told.append($0) }
    return (runs.map(\.run), told)
  }

  @Test("A run stays in the history when its folder is gone; its owner alone can read it")
  func kept() throws {
    let folder = try TemporaryFolder()
    for id in Self.ids {
      try folder.leaveRun(id, of: "a.yaml", exit: 0, rows: [([:], .passed)])
      try add(id, to: history(folder), in: folder)
      try FileManager.default.removeItem(atPath: folder.path("r/\(id)"))
    }
    #expect(read(history(folder), folder) == (Self.ids, []))
    #expect(folder.mode("r/.history.jsonl") == 0o600)
  }

  @Test("Runs that it does not have are read from their folders, and are in it from then on")
  func rebuilt() throws {
    let folder = try TemporaryFolder()
    for id in Self.ids { try folder.leaveRun(id, of: "a.yaml", exit: 1) }
    #expect(read(history(folder), folder) == (Self.ids, []))
    #expect(folder.text("r/.history.jsonl")?.split(separator: "\n").count == 3)
    for id in Self.ids { try FileManager.default.removeItem(atPath: folder.path("r/\(id)")) }
    #expect(read(history(folder), folder) == (Self.ids, []))
  }

  @Test("A run that is told twice is there once, as it was told last")
  func twice() throws {
    let folder = try TemporaryFolder()
    try folder.leaveRun(Self.ids[0], of: "a.yaml", exit: nil)
    try add(Self.ids[0], to: history(folder), in: folder)
    try folder.leaveRun(Self.ids[0], of: "a.yaml", exit: 3)
    try add(Self.ids[0], to: history(folder), in: folder)
    let runs = history(folder).read(surroundings: surroundings(folder)) { _ in }
    #expect(runs.map(\.exitCode) == [3])
  }

  @Test("A line that was cut costs that line alone: what is added behind it is whole, and the cut run is read again")
  func cut() throws {
    let folder = try TemporaryFolder()
    for id in Self.ids {
      try folder.leaveRun(id, of: "a.yaml", exit: 0)
      try add(id, to: history(folder), in: folder)
    }
    let text = try #require(folder.text("r/.history.jsonl"))
    for length in [1, 20, text.utf8.count - 2, text.utf8.count - 1] {
      try folder.write("r/.history.jsonl", String(text.prefix(length)), mode: 0o600)
      try add(Self.ids[0], to: history(folder), in: folder)
      let (ids, _) = read(history(folder), folder)
      #expect(ids == Self.ids, "\(length)")
    }
  }

  @Test("Lines that are none of ours are left out and counted")
  func damaged() throws {
    let folder = try TemporaryFolder()
    try folder.write("r/.history.jsonl", "{}\nnonsense\n\u{0}\n[\(String(repeating: "[", count: 100_000))\n")
    let (ids, told) = read(history(folder), folder)
    #expect(ids.isEmpty && told.count == 1 && told.first?.contains("has 4 lines that showcaller did not write") == true)
  }

  @Test("A history that is too long loses its older half, and does not get it back from folders that are still there")
  func long() throws {
    let folder = try TemporaryFolder()
    let ids = (0..<60).map { "01M8F2H8EYPARZP1S1WVBAH\(String(format: "%03d", $0))" }
    for id in ids {
      try folder.leaveRun(id, of: "a.yaml", exit: 0)
      try add(id, to: history(folder, byteLimit: 2000), in: folder)
    }
    let (kept, told) = read(history(folder, byteLimit: 2000), folder)
    #expect(told.isEmpty && kept.count < 50 && kept.count > 5 && kept == Array(ids.suffix(kept.count)))
    #expect(try #require(folder.status("r/.history.jsonl")).st_size <= 2200)
  }

  @Test("A history that is far too long is read from its end, and made shorter by the next run")
  func farTooLong() throws {
    let folder = try TemporaryFolder()
    try folder.write("r/.history.jsonl", String(repeating: "x", count: 100_000), mode: 0o600)
    for id in Self.ids {
      try folder.leaveRun(id, of: "a.yaml", exit: 0)
      try add(id, to: history(folder, byteLimit: 2000), in: folder)
    }
    let (ids, _) = read(history(folder, byteLimit: 2000), folder)
    #expect(ids == Self.ids)
    #expect(try #require(folder.status("r/.history.jsonl")).st_size <= 2200)
  }

  @Test("A run with more to tell than a line may hold is remembered without its steps, once")
  func longRun() throws {
    let folder = try TemporaryFolder()
    let rows = (0..<40).map { number in
      (
        values: ["text": .string(String(repeating: "x", count: 150_000)), "n": .int(number)] as JSONObject,
        result: RunVerdict.passed
      )
    }
    try folder.leaveRun(Self.ids[0], of: "a.yaml", exit: 0, rows: rows)
    for _ in 0..<3 { #expect(read(history(folder), folder) == ([Self.ids[0]], [])) }
    #expect(try #require(folder.status("r/.history.jsonl")).st_size < 1 << 20)
  }

  @Test("Runs that end at the same time are all in it")
  func together() async throws {
    let folder = try TemporaryFolder()
    let ids = (0..<40).map { "01M8F2H8EYPARZP1S1WVBAH\(String(format: "%03d", $0))" }
    for id in ids { try folder.leaveRun(id, of: "a.yaml", exit: 0) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for id in ids {
        group.addTask { try add(id, to: history(folder, byteLimit: 1 << 20), in: folder) }
      }
      try await group.waitForAll()
    }
    for id in ids { try FileManager.default.removeItem(atPath: folder.path("r/\(id)")) }
    #expect(Set(read(history(folder), folder).ids) == Set(ids))
  }

  @Test("Where it cannot be written, reading goes on with what the folders tell")
  func readOnly() throws {
    let folder = try TemporaryFolder()
    try folder.leaveRun(Self.ids[0], of: "a.yaml", exit: 0)
    try folder.folder("r/.history.lock")
    let (ids, told) = read(history(folder), folder)
    #expect(ids == [Self.ids[0]] && told.count == 1 && told.first?.contains("cannot write") == true)
    #expect(throws: WorkspaceError.self) { try add(Self.ids[0], to: history(folder), in: folder) }
  }

  @Test("A run that still runs is not in it yet; a folder without runs has none")
  func running() throws {
    let folder = try TemporaryFolder()
    #expect(read(history(folder), folder) == ([], []))
    try folder.leaveRun(Self.ids[0], of: "a.yaml", exit: nil)
    let events = try Files.open(folder.path("r/\(Self.ids[0])/events.jsonl"), O_RDONLY)
    #expect(try Descriptor.lock(events.descriptor, .exclusive))
    #expect(read(history(folder), folder) == ([], []))
    Descriptor.unlock(events.descriptor)
    #expect(read(history(folder), folder) == ([Self.ids[0]], []))
  }
}
