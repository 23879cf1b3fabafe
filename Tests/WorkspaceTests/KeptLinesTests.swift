import Foundation
import Synchronization
import Testing

@testable import Workspace

/// Lines that are kept while something goes on.
@Suite struct KeptLinesTests {
  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  private func lines(_ path: String) throws -> [String] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  @Test("A file is its owner's alone, also one that was open to others; what it held stays until the first line")
  func file() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("lines", "what was there\n", mode: 0o644)
    let kept = try KeptLines(path) { _ in }
    #expect(try mode(path) == 0o644)
    #expect(try lines(path) == ["what was there"])
    for line in ["one", "two"] { kept.add(line) { "\($0) lost" } }
    #expect(kept.close() == nil)
    #expect(try mode(path) == 0o600)
    #expect(try lines(path) == ["one", "two"])
    kept.add("three") { "\($0) lost" }
    #expect(kept.close() == nil)
    #expect(try lines(path) == ["one", "two"])
  }

  @Test("A file of which nothing was told holds what it held")
  func untouched() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("lines", "what was there\n")
    #expect(try KeptLines(path) { _ in }.close() == nil)
    #expect(try lines(path) == ["what was there"])
  }

  @Test("Who gives up before the first line leaves all as it was")
  func abandoned() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("lines", "what was there\n", mode: 0o644)
    for file in [path, folder.path("new")] { try KeptLines(file) { _ in }.abandon() }
    #expect(try lines(path) == ["what was there"] && mode(path) == 0o644)
    #expect(!FileManager.default.fileExists(atPath: folder.path("new")))
  }

  @Test("Nobody else keeps lines in the same file, until it is closed")
  func locked() throws {
    let folder = try TemporaryFolder()
    let kept = try KeptLines(folder.path("lines")) { _ in }
    kept.add("one") { "\($0) lost" }
    let error = #expect(throws: WorkspaceError.self) { try KeptLines(folder.path("lines")) { _ in } }
    #expect(error?.code == .busy && error?.message.contains("another process is writing it") == true)
    #expect(kept.close() == nil)
    #expect(try lines(folder.path("lines")) == ["one"])
    #expect(try KeptLines(folder.path("lines")) { _ in }.close() == nil)
  }

  @Test("A file is free at once when it is closed, also while a program is being started that has a copy of it")
  func copiedDescriptor() throws {
    let folder = try TemporaryFolder()
    let kept = try KeptLines(folder.path("lines")) { _ in }
    let copy = try folder.copyOfDescriptor("lines")
    #expect(kept.close() == nil)
    #expect(try KeptLines(folder.path("lines")) { _ in }.close() == nil)
    _ = copy.descriptor
  }

  @Test("A full disk is told once, when it is, and at the end")
  func fullDisk() throws {
    let told = Mutex<[String]>([])
    let kept = try KeptLines("/dev/full") { error in told.withLock { $0.append(error.message) } }
    for _ in 0..<10 { kept.add("line") { "\($0) lost" } }
    let problem = try #require(kept.close())
    #expect(problem.hasPrefix("cannot write /dev/full: "))
    #expect(told.withLock { $0 } == [problem])
  }

  @Test("What is no file to write is refused", arguments: ["/", "/proc/none/lines", ""])
  func refused(path: String) {
    #expect(throws: WorkspaceError.self) { try KeptLines(path) { _ in } }
  }
}
