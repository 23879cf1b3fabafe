import CastProtocol
import Dispatch
import Glibc
import RunReporting
import Synchronization
import TestSupport
import Testing

@testable import Workspace

/// The file of a run's journal: what is on the disk, and when (docs/runs.md "The journal").
@Suite struct JournalFileTests {
  private static func make(
    in folder: TemporaryFolder, past: JournaledRun? = nil, byteLimit: Int = JournalReader.byteLimit,
    prepare: @escaping @Sendable () -> String? = { nil }
  ) throws -> JournalFile {
    var begin = JournalEntry.Begin()
    (begin.file, begin.rows, begin.resumes) = ("a.yaml", 1, past?.run)
    return try JournalFile(
      in: folder.path, run: "01RUN", begin, past: past, elapsed: { 2 }, unixTime: { 100 }, byteLimit: byteLimit,
      prepare: prepare)
  }

  private static func start(_ number: Int) -> JournalEntry.Kind { .start(.init(key: "r0#1:steps/s\(number)")) }

  private static func read(_ folder: TemporaryFolder) throws -> JournalReader {
    try JournalReader(try Files.read(folder.path("journal.jsonl"), limit: JournalReader.byteLimit))
  }

  /// The journal of a run that died in its first step.
  private static func past() throws -> JournaledRun {
    let folder = try TemporaryFolder()
    let file = try make(in: folder)
    file.append(start(1), isDurable: true)
    #expect(file.close() == nil)
    return try #require(JournaledRun(try read(folder)))
  }

  @Test("Records are in the file in the order in which they came, from many at once, numbered without a hole")
  func order() async throws {
    let folder = try TemporaryFolder()
    let file = try Self.make(in: folder)
    for number in 1...500 { file.append(Self.start(number), isDurable: false) }
    #expect(await file.commit(.intent(.init())))
    // What is promised to be there is there, before the file is closed.
    let entries = try Self.read(folder).entries
    #expect(entries.count == 502)
    #expect(entries.dropFirst().dropLast().map(\.kind) == (1...500).map(Self.start))
    #expect(entries[1].elapsed == 2 && entries[1].wallTime == 100)
    #expect(file.close() == nil)
    #expect(await !file.commit(.intent(.init())), "nothing comes behind the end")
  }

  @Test("A run that goes on has all that was done before in its own file, and goes on counting the time")
  func carried() async throws {
    let past = try Self.past()
    let other = try TemporaryFolder()
    let second = try Self.make(in: other, past: past)
    second.append(Self.start(2), isDurable: true)
    #expect(second.close() == nil)
    let reader = try Self.read(other)
    #expect(reader.entries.dropFirst().map(\.kind) == [Self.start(1), Self.start(2)])
    #expect(reader.entries.map(\.elapsed) == [2, 2, 4])
    #expect(throws: WorkspaceError.self, "a journal is never written over") { try Self.make(in: other) }
  }

  @Test("What a run needs that goes on is on the disk before its journal is there, which ends the part before")
  func preparedFirst() async throws {
    let past = try Self.past()
    let other = try TemporaryFolder()
    let journal = other.path("journal.jsonl")
    let calls = Mutex(0)
    let second = try Self.make(in: other, past: past) {
      calls.withLock { $0 += 1 }
      return access(journal, F_OK) == 0 ? "the journal is there already" : nil
    }
    #expect(await second.commit(Self.start(2)))
    #expect(second.close() == nil && calls.withLock { $0 } == 1)
    let full = try TemporaryFolder()
    #expect(throws: WorkspaceError(.notWritten, "no room")) {
      try Self.make(in: full, past: past) { "no room" }
    }
    #expect(access(full.path("journal.jsonl"), F_OK) != 0)
  }

  @Test("What cannot be written ends the journal: nobody is promised anything, whoever listens is told, once")
  func failure() async throws {
    let folder = try TemporaryFolder()
    let file = try Self.make(in: folder) { "cannot write x: No space left on device" }
    let told = Mutex(0)
    file.onFailure { told.withLock { $0 += 1 } }
    file.append(Self.start(1), isDurable: false)
    #expect(await !file.commit(.intent(.init())))
    #expect(await !file.commit(.intent(.init())))
    #expect(file.close() == "cannot write x: No space left on device")
    #expect(told.withLock { $0 } == 1)
    // Whole records only.
    #expect(try Self.read(folder).tornLine == nil)
  }

  @Test("A journal that has become too long is removed, and the run goes on")
  func tooLong() async throws {
    let folder = try TemporaryFolder()
    let file = try Self.make(in: folder, byteLimit: 1000)
    for number in 1...50 { file.append(Self.start(number), isDurable: false) }
    #expect(await file.commit(.intent(.init())))
    #expect(!(try folder.names(".")).contains("journal.jsonl"))
    #expect(file.close() == nil)
  }

  @Test("A record that nobody could read again ends the journal, and says which step kept so much")
  func longRecord() async throws {
    let folder = try TemporaryFolder()
    let file = try Self.make(in: folder)
    var done = JournalEntry.Done()
    done.key = "r0#1:steps/s7"
    done.step = "s7"
    done.reply = .string(String(repeating: "x", count: JournalLine.byteLimit))
    #expect(await !file.commit(.done(done)))
    let failure = try #require(file.close())
    #expect(failure.contains("4 MiB") && failure.contains("step s7"), "\(failure)")
    #expect(try Self.read(folder).entries.count == 1)
  }

  /// What of a journal's file is on the disk.
  private final class DiskImage: Sendable {
    private struct State {
      var bytes: [UInt8] = []
      var order: [String] = []
    }
    private let state = Mutex(State())
    let path: String

    init(of path: String) { self.path = path }

    /// All that was in the file when it was last brought there, and nothing more.
    var bytes: [UInt8] { state.withLock { $0.bytes } }
    var order: [String] { state.withLock { $0.order } }
    func note(_ word: String) { state.withLock { $0.order.append(word) } }

    var disk: JournalFile.Disk {
      JournalFile.Disk(
        sync: { descriptor throws(FileError) in
          try JournalFile.sync(descriptor)
          let bytes = try Files.read(self.path, limit: JournalReader.byteLimit)
          self.state.withLock { state in
            state.bytes = bytes
            state.order.append("sync")
          }
        },
        syncFolder: { path throws(FileError) in
          try JournalFile.syncFolder(path)
          self.note("folder \(path.split(separator: "/").last ?? "")")
        })
    }
  }

  @Test("R19: what somebody was promised to be on the disk is there after a power cut, whatever of the rest is lost")
  func powerCut() async throws {
    let folder = try TemporaryFolder()
    let image = DiskImage(of: folder.path("journal.jsonl"))
    var begin = JournalEntry.Begin()
    (begin.file, begin.rows) = ("a.yaml", 1)
    let file = try JournalFile(
      in: folder.path, run: "01RUN", begin, past: nil, elapsed: { 2 }, unixTime: { 100 },
      byteLimit: JournalReader.byteLimit, on: image.disk
    ) {
      image.note("prepared")
      return nil
    }
    file.append(Self.start(1), isDurable: false)
    // Whoever has done nothing yet waits for no disk.
    #expect(image.order.isEmpty, "\(image.order)")
    #expect(await file.commit(Self.start(2)))
    // Without its name in its folder, and that in its own, a file is not there after a power cut.
    #expect(
      image.order.map { $0.prefix { $0 != " " } } == ["prepared", "sync", "folder", "folder"], "\(image.order)")
    var random = SeededGenerator(seed: 19)
    var number = 2
    let count = 200
    for point in 1...count {
      for _ in 0..<(random.next() % 4) {
        number += 1
        file.append(Self.start(number), isDurable: random.next().isMultiple(of: 5))
      }
      number += 1
      #expect(await file.commit(Self.start(number)))
      let promised = image.bytes
      // Of what comes behind it anything may be lost: records, a part of one, or all but the length of the file.
      file.append(Self.start(number + 1), isDurable: false)
      let written = try Files.read(folder.path("journal.jsonl"), limit: JournalReader.byteLimit)
      let kept = promised.count + Int(random.next() % UInt64(max(1, written.count - promised.count + 1)))
      let zeros = [UInt8](repeating: 0, count: point.isMultiple(of: 3) ? 100 : 0)
      let reader = try JournalReader(Array(written.prefix(kept)) + zeros)
      number += 1
      let found = reader.entries.dropFirst().map(\.kind)
      #expect(found.count >= number - 1 && found == (1...found.count).map(Self.start), "point \(point)")
    }
    #expect(file.close() == nil)
    #expect(image.order.count { $0 == "prepared" } == 1)
    print("R19: \(count) power cuts: every promised record was on the disk, nothing behind it was damage")
  }

  @Test("Only what goes to no disk need not be on one: any other failure counts")
  func sync() {
    #expect(JournalFile.hasNoDisk(EINVAL))
    for code in [EIO, EROFS, ENOSPC, EDQUOT] { #expect(!JournalFile.hasNoDisk(code)) }
  }

  @Test("While a run goes on its journal is locked, and no longer")
  func locked() throws {
    let folder = try TemporaryFolder()
    let file = try Self.make(in: folder)
    func isFree() throws -> Bool {
      let other = try Files.open(folder.path("journal.jsonl"), O_RDONLY)
      return try Descriptor.lock(other.descriptor, .shared)
    }
    #expect(try !isFree())
    #expect(file.close() == nil)
    #expect(try isFree())
  }
}
