import Dispatch
import Glibc
import Synchronization
import Testing

@testable import Workspace

@Suite struct ReportFileTests {
  @Test("Texts are there in their order when the file is closed, which may be done twice")
  func order() throws {
    let folder = try TemporaryFolder()
    try folder.write("report", "of an earlier run")
    let file = try ReportFile(folder.path("report"), mode: 0o600, in: .living(in: folder))
    let lines = (0..<500).map { "line \($0)\n" }
    for line in lines { file.write(line) }
    #expect(file.close() == nil)
    #expect(folder.text("report") == lines.joined())
    file.write("too late\n")
    #expect(file.close() == nil)
    #expect(folder.text("report") == lines.joined())
  }

  @Test("A new file gets the mode asked for")
  func mode() throws {
    let folder = try TemporaryFolder()
    let file = try ReportFile(folder.path("events"), mode: 0o600, in: .living(in: folder))
    #expect(file.close() == nil)
    #expect(folder.mode("events") == 0o600)
  }

  @Test("A file that cannot be made is told of before anything is written")
  func unwritable() throws {
    let folder = try TemporaryFolder()
    try folder.write("file", "")
    for (path, reason) in [
      (folder.path("missing/report"), "No such file or directory"), (folder.path("file/report"), "Not a directory"),
      (folder.path, "Is a directory"),
    ] {
      #expect(throws: WorkspaceError(.notWritten, "cannot write \(path): \(reason)")) {
        try ReportFile(path, mode: 0o600, in: .living(in: folder))
      }
    }
  }

  @Test("A disk that is full is told of at the end")
  func full() throws {
    let folder = try TemporaryFolder()
    let file = try ReportFile("/dev/full", mode: 0o600, in: .living(in: folder))
    file.write("text\n")
    #expect(file.close() == "cannot write /dev/full: No space left on device")
  }

  @Test("A pipe without a reader is waited for, but not for ever")
  func nobody() throws {
    let folder = try TemporaryFolder()
    try folder.pipe("pipe")
    #expect(
      throws: WorkspaceError(
        .notWritten, "cannot write \(folder.path("pipe")): nobody reads this pipe", help: "start its reader first")
    ) {
      try ReportFile(folder.path("pipe"), mode: 0o600, in: .living(in: folder), patience: .milliseconds(50))
    }
  }

  @Test("Whoever asks for an end is not held up by a pipe without a reader")
  func interrupted() throws {
    let folder = try TemporaryFolder()
    try folder.pipe("pipe")
    var surroundings = Surroundings.living(in: folder)
    surroundings.isInterrupted = { true }
    #expect(throws: WorkspaceError(.interrupted, "interrupted before the run began")) {
      try ReportFile(folder.path("pipe"), mode: 0o600, in: surroundings, patience: .seconds(60))
    }
  }

  @Test(
    "A reader that does not read loses lines, and how many is told",
    arguments: [(ReportFile.WhenFull.leavesOut, 3), (.leavesOut, 1), (.stops, 3)])
  func slow(whenFull: ReportFile.WhenFull, missed: Int) throws {
    let folder = try TemporaryFolder()
    try folder.pipe("pipe")
    let path = folder.path("pipe")
    let reader = try Files.open(path, O_RDONLY)
    let file = try ReportFile(path, mode: 0o600, in: .living(in: folder), byteLimit: 10, whenFull: whenFull)
    // More than a pipe holds: its writer waits, and behind it there is room for nothing.
    let first = String(repeating: "x", count: 200_000) + "\n"
    file.write(first)
    for _ in 0..<missed { file.write("one more line\n") }
    let reason = file.close(until: .now() + .milliseconds(50))
    // The line that is being written is missing, too.
    let start = whenFull == .stops ? "the last " : ""
    #expect(reason == "cannot write \(path): its reader is too slow, \(start)\(missed + 1) lines are missing")
    // So that its thread ends.
    #expect(try Descriptor.read(reader.descriptor, atMost: first.utf8.count).count == first.utf8.count)
  }

  @Test("Where nothing follows a gap, what there would be room for again is missing, too")
  func stops() throws {
    let folder = try TemporaryFolder()
    try folder.pipe("pipe")
    let path = folder.path("pipe")
    let reader = try Files.open(path, O_RDONLY)
    let file = try ReportFile(path, mode: 0o600, in: .living(in: folder), byteLimit: 10, whenFull: .stops)
    let first = String(repeating: "x", count: 200_000) + "\n"
    file.write(first)
    file.write("one\n" + String(repeating: "y", count: 20))
    #expect(try Descriptor.read(reader.descriptor, atMost: first.utf8.count).count == first.utf8.count)
    file.write("two\n")
    #expect(file.close() == "cannot write \(path): its reader is too slow, the last 2 lines are missing")
    #expect(try Descriptor.read(reader.descriptor, atMost: 100).isEmpty)
  }

  @Test("A dash is standard output, as the surroundings have it")
  func standardOutput() throws {
    let folder = try TemporaryFolder()
    let written = Written()
    var surroundings = Surroundings.living(in: folder)
    surroundings.writeOutput = { text throws(FileError) in written.add(text) }
    let file = try ReportFile("-", mode: 0o600, in: surroundings)
    file.write("one\n")
    file.write("two\n")
    #expect(file.close() == nil)
    #expect(written.text == "one\ntwo\n")
    surroundings.writeOutput = { _ throws(FileError) in throw .system(ENOSPC) }
    let broken = try ReportFile("-", mode: 0o600, in: surroundings)
    broken.write("one\n")
    #expect(broken.close() == "cannot write standard output: No space left on device")
  }

  @Test("A file that is locked stays so when it is closed")
  func lock() throws {
    let folder = try TemporaryFolder()
    let file = try ReportFile(folder.path("events"), mode: 0o600, in: .living(in: folder))
    let other = try Files.open(folder.path("events"), O_RDONLY)
    #expect(flock(other.descriptor, LOCK_SH | LOCK_NB) == 0)
    #expect(flock(other.descriptor, LOCK_UN) == 0)
    file.lock()
    #expect(file.close() == nil)
    #expect(flock(other.descriptor, LOCK_SH | LOCK_NB) == -1 && errno == EWOULDBLOCK)
  }
}

/// Text that was written, from any thread.
final class Written: Sendable {
  private let all = Mutex("")
  var text: String { all.withLock { $0 } }
  func add(_ text: String) { all.withLock { $0 += text } }

  @Test(
    "A single line that is missing is told as one, and as the last where nothing follows it",
    arguments: [(ReportFile.WhenFull.leavesOut, "1 line is"), (.stops, "the last line is")])
  func single(whenFull: ReportFile.WhenFull, words: String) throws {
    let folder = try TemporaryFolder()
    try folder.pipe("pipe")
    let path = folder.path("pipe")
    let reader = try Files.open(path, O_RDONLY)
    let file = try ReportFile(path, mode: 0o600, in: .living(in: folder), byteLimit: 10, whenFull: whenFull)
    let first = String(repeating: "x", count: 200_000) + "\n"
    file.write(first)
    file.write("one more line\n")
    #expect(try Descriptor.read(reader.descriptor, atMost: first.utf8.count).count == first.utf8.count)
    let reason = file.close(until: .now() + .seconds(10))
    #expect(reason == "cannot write \(path): its reader is too slow, \(words) missing")
    #expect(file.close() == reason, "it can be asked for again")
  }
}
