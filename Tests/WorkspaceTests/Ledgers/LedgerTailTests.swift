import Foundation
import Testing

@testable import Workspace

/// The ends of ledgers.
@Suite struct LedgerTailTests {
  /// What is read of files, the newest first.
  private static func read(_ paths: [String], before change: () throws -> Void = {}) throws -> (
    text: String, isAll: Bool
  ) {
    let tail = LedgerTail(paths)
    try change()
    var text = ""
    let isAll = tail.read({ text += String(decoding: $0, as: UTF8.self) }, endFile: { text += "|" })
    return (text, isAll)
  }

  @Test("Files are read from the oldest to the newest, and as they were at the beginning")
  func order() throws {
    let folder = try TemporaryFolder()
    let old = try folder.write("plays-1.jsonl", "1\n2\n")
    let new = try folder.write("plays-2.jsonl", "3\n")
    let read = try Self.read([new, old, folder.path("none.jsonl")]) { try folder.write("plays-2.jsonl", "3\n4\n5\n") }
    #expect(read.text == "1\n2\n|3\n|" && read.isAll)
  }

  @Test("Of a long ledger only the end is read, from the beginning of a line")
  func limit() throws {
    let folder = try TemporaryFolder()
    let line = String(repeating: "x", count: 1_023) + "\n"
    let count = LedgerTail.byteLimit / 1_024
    let path = try folder.write("plays.jsonl", "first\n" + String(repeating: line, count: count))
    let older = try folder.write("plays-1.jsonl", "older\n")
    let read = try Self.read([path, older])
    #expect(!read.isAll && read.text.hasPrefix("xxx") && !read.text.contains("first") && !read.text.contains("older"))
    #expect(read.text.utf8.count == (count - 1) * 1_024 + 1)
  }

  @Test("What is no file, or is gone by then, is passed over")
  func gone() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("plays.jsonl", "1\n")
    #expect(try Self.read([path, folder.path("")]) { try FileManager.default.removeItem(atPath: path) }.text == "|")
  }
}
