import Foundation
import ScenarioLanguage
import Testing
import Workspace

@testable import Signage

/// Chains on a disk, as serving writes them.
@Suite struct LedgerFilesTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "ledger-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func open() throws -> (file: LedgerFile, writer: LedgerWriter) {
    let zone = try Playlists.rules("Europe/Paris")
    let name = LedgerName("plays.jsonl", rotation: .daily, in: zone)
    let file = try LedgerFile(folder.appending(path: "plays.jsonl").path, format: name.format)
    let writer = LedgerWriter(
      name, after: file.end.flatMap { LedgerLine.link(of: $0.line) } ?? .start, in: file.end?.file,
      existing: file.files, zone: zone, write: file.append)
    return (file, writer)
  }

  private var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".jsonl") }.sorted()
    }
  }

  private func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: folder.appending(path: name))) }

  private func remove() { try? FileManager.default.removeItem(at: folder) }

  @Test("A chain goes over days and starts of the program; its lines are as the chain makes them")
  func days() throws {
    defer { remove() }
    let records = (0..<9).map { Ledgers.play("i\($0)", Double($0) * 40_000, Double($0) * 40_000 + 10) }
    for part in [records[..<4], records[4..<5], records[5...]] {
      let (file, writer) = try open()
      for record in part { writer.record(record) }
      #expect(file.close() == nil)
    }
    let names = try names
    #expect(names == (23...26).map { "plays-2026-11-\($0).jsonl" })
    let files = try names.map(bytes)
    #expect(files.flatMap(\.self) == Array(try Ledgers.lines(records).joined().utf8))
    let read = Ledgers.read(files)
    #expect(read.problems == [] && read.reader.count == 9 && read.lines.map(\.record) == records)
  }

  @Test("Cut at every byte of its last two lines and opened again, a chain is intact and goes on")
  func everyCut() throws {
    defer { remove() }
    let lines = try Ledgers.lines(5)
    let whole = Array(lines.joined().utf8)
    let start = lines[..<3].joined().utf8.count
    let url = folder.appending(path: "plays-2026-11-23.jsonl")
    for length in start...whole.count {
      try Data(whole[..<length]).write(to: url)
      let (file, writer) = try open()
      writer.record(Ledgers.play("next", 100, 110))
      #expect(file.close() == nil)
      let read = Ledgers.read([try bytes("plays-2026-11-23.jsonl")])
      let kept = whole[..<length].count { $0 == UInt8(ascii: "\n") }
      #expect(read.problems == [] && read.reader.count == kept + 1, "cut at \(length)")
    }
  }

  @Test("Cut at every byte of the first line of a new day, a chain goes on behind the day before")
  func newDay() throws {
    defer { remove() }
    let lines = try Ledgers.lines(4)
    let last = Array(lines[3].utf8)
    for length in 0...last.count {
      try Data(lines[..<3].joined().utf8).write(to: folder.appending(path: "plays-2026-11-22.jsonl"))
      try Data(last[..<length]).write(to: folder.appending(path: "plays-2026-11-23.jsonl"))
      let (file, writer) = try open()
      writer.record(Ledgers.play("next", 100, 110))
      #expect(file.close() == nil)
      let read = Ledgers.read(try names.map(bytes))
      #expect(read.problems == [] && read.reader.count == (length == last.count ? 5 : 4), "cut at \(length)")
    }
  }

  @Test("With another `rotate:` the chain goes on in other files")
  func otherRotation() throws {
    defer { remove() }
    let lines = try Ledgers.lines(5)
    try Data(lines[..<2].joined().utf8).write(to: folder.appending(path: "plays.jsonl"))
    try Data(lines[2...].joined().utf8).write(to: folder.appending(path: "plays-2026-11.jsonl"))
    let (file, writer) = try open()
    writer.record(Ledgers.play("next", 100, 110))
    #expect(file.close() == nil)
    let read = Ledgers.read(try ["plays.jsonl", "plays-2026-11.jsonl", "plays-2026-11-23.jsonl"].map(bytes))
    #expect(read.problems == [] && read.reader.count == 6)
  }
}

extension LedgerName {
  fileprivate var format: LedgerFile.Format {
    LedgerFile.Format(lineLimit: LedgerLine.byteLimit, files: files) { LedgerLine.link(of: $0)?.number }
  }
}
