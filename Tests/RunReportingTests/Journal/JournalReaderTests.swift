import CastProtocol
import TestSupport
import Testing

@testable import RunReporting

/// What a journal says after whatever a crash, a disk or a hand did to it (docs/security.md 5, R3 and R4).
@Suite struct JournalReaderTests {
  /// The records of a run of twenty items.
  static let entries: [JournalEntry] = {
    var begin = JournalEntry.Begin()
    (begin.file, begin.sha256, begin.rows) = ("night.yaml", "00ff", 1)
    var kinds: [JournalEntry.Kind] = [.begin(begin), .scenario(.init(key: "r0#1"))]
    for item in 1...20 {
      var intent = JournalEntry.Intent()
      intent.key = "r0#1:steps/s\(item)"
      (intent.device, intent.play) = (0, "01RUN-\(item)")
      intent.changesApp = true
      var done = JournalEntry.Done()
      (done.key, done.step, done.device, done.result) = (intent.key, "s\(item)", "Lobby TV", .passed)
      done.told = ["result": "passed", "name": .string("a title with \"crc\", {\"seq\":1} and ü \(item)")]
      done.set = ["seen": .array([.int(item), .null, ["seq": 3]])]
      kinds += [.intent(intent), .done(done)]
    }
    kinds.append(.end(.init(result: .passed, exit: 0)))
    return kinds.enumerated().map { JournalEntry(wallTime: 1_795_251_600, elapsed: Double($0.offset), $0.element) }
  }()

  static let lines = entries.enumerated().map { JournalLine.bytes($0.element, number: $0.offset + 1, run: "01RUN") }
  static let bytes = Array(lines.joined())

  @Test("The checksum is CRC-32C")
  func checksum() {
    #expect(CRC32C.value(of: "123456789".utf8) == 0xE306_9283)
    #expect(CRC32C.value(of: [UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
  }

  @Test("What is written is read again, record by record")
  func whole() throws {
    let reader = try JournalReader(Self.bytes)
    #expect(reader.entries == Self.entries && reader.run == "01RUN")
    #expect(reader.tornLine == nil && reader.size == Self.bytes.count)
  }

  @Test("R3: cut at every byte offset it can be read, and at most the last record is lost")
  func cut() throws {
    var ends: [Int] = []
    for line in Self.lines { ends.append((ends.last ?? 0) + line.count) }
    for length in 0...Self.bytes.count {
      let reader = try JournalReader(Array(Self.bytes.prefix(length)))
      let whole = ends.prefix { $0 <= length }.count
      #expect(reader.entries.count == whole, "cut at \(length)")
      #expect(reader.size == (whole == 0 ? 0 : ends[whole - 1]))
      #expect((reader.tornLine == nil) == (reader.size == length))
    }
    print("R3: \(Self.bytes.count + 1) prefixes of \(Self.lines.count) records read, at most the last one lost")
  }

  @Test("R4: a byte that is changed is named with its line, and only in the last record is it the end")
  func flip() throws {
    var random = SeededGenerator(seed: 14)
    let count = 1000 * Effort.factor
    var named = 0
    for _ in 0..<count {
      let offset = Int(random.next() % UInt64(Self.bytes.count))
      var bytes = Self.bytes
      bytes[offset] ^= UInt8(truncatingIfNeeded: 1 << (random.next() % 8))
      let line = Self.bytes[..<offset].count { $0 == UInt8(ascii: "\n") } + 1
      do throws(JournalReader.Damage) {
        let reader = try JournalReader(bytes)
        #expect(line == Self.lines.count && reader.tornLine == line, "line \(line), offset \(offset)")
        #expect(reader.entries == Self.entries.dropLast(), "offset \(offset)")
      } catch {
        // Where the break between two lines is damaged, the first of them is the one.
        #expect(error.line == line, "line \(line), offset \(offset): \(error)")
        named += 1
      }
    }
    print("R4: \(named) of \(count) changed bytes named with their line, \(count - named) in the last record")
  }

  @Test("A record that is missing, twice there or another run's is damage; two without a break are no torn end")
  func order() {
    func damage(_ lines: [[UInt8]]) -> JournalReader.Damage? {
      do throws(JournalReader.Damage) {
        _ = try JournalReader(Array(lines.joined()))
        return nil
      } catch {
        return error
      }
    }
    var lines = Self.lines
    lines.remove(at: 3)
    #expect(damage(lines)?.line == 4)
    #expect(damage(Array(Self.lines.prefix(3)) + Array(Self.lines.dropFirst(2)))?.line == 4)
    let foreign = JournalLine.bytes(Self.entries[2], number: 3, run: "01OTHER")
    #expect(damage(Array(Self.lines.prefix(2)) + [foreign])?.text.contains("01OTHER") == true)
    var joined = Self.lines
    joined[joined.count - 2].removeLast()
    #expect(damage(joined)?.line == joined.count - 1)
  }

  @Test("A journal of another version is refused; an end that cannot be read is no success")
  func version() {
    var begin = JournalEntry.Begin()
    for version in [2, nil] {
      begin.version = version
      let line = JournalLine.bytes(JournalEntry(wallTime: 0, elapsed: 0, .begin(begin)), number: 1, run: "01RUN")
      do throws(JournalReader.Damage) {
        _ = try JournalReader(line)
        Issue.record("it is read")
      } catch {
        #expect(error.line == 1 && error.text.contains("version"))
      }
    }
    #expect(JournalEntry.End(fields: ["exit": "none"]).exit == 8)
  }

  @Test("Zeros behind the last record, as a disk leaves them after a power cut, are its end")
  func zeros() throws {
    let reader = try JournalReader(Self.bytes + [UInt8](repeating: 0, count: 4096))
    #expect(reader.entries.count == Self.entries.count && reader.tornLine == Self.lines.count + 1)
  }

  @Test("Bytes of any kind end in records or in damage")
  func noise() {
    var random = SeededGenerator(seed: 3)
    for length in 0..<400 {
      let bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      _ = try? JournalReader(bytes)
      _ = try? JournalReader(Array(Self.lines[0]) + bytes)
    }
  }

  @Test("A run is known by what it had done, and by what was under way")
  func run() throws {
    let reader = try JournalReader(Array(Self.lines.prefix(2 + 2 * 7 + 1).joined()))
    let run = try #require(JournaledRun(reader))
    #expect(run.run == "01RUN" && run.end == nil && run.work.counts == (7, 1))
    #expect(run.work.done("r0#1:steps/s7")?.result == .passed && run.work.done("r0#1:steps/s8") == nil)
    #expect(run.work.intent("r0#1:steps/s8")?.play == "01RUN-8")
    #expect(run.work.leavesAppOpen(on: 0, in: "r0#1") && !run.work.leavesAppOpen(on: 0, in: "r1#1"))
    #expect(run.work.hasStarted("r0#1:steps/s8") && !run.work.hasStarted("r0#1:steps/s9"))
    // Where the last step is done, none is under way.
    let between = try #require(JournaledRun(JournalReader(Array(Self.lines.prefix(2 + 2 * 7).joined()))))
    #expect(between.work.counts == (7, 0) && !between.work.leavesAppOpen(on: 0, in: "r0#1"))
    #expect(run.work.dones(inside: "r0#1").map(\.step) == (1...7).map { "s\($0)" })
    #expect(run.work.spent(in: "r0#1") == 15)
    #expect(JournaledRun(try JournalReader([])) == nil)
  }

  @Test(
    "What ran before a load is read as it was written; it is unsure only where it says so",
    arguments: [
      ("{}", "", nil, false), (#"{"session":"a"}"#, "a", nil, false),
      (#"{"session":"a","media":3}"#, "a", 3, false), (#"{"session":"a","unsure":true}"#, "a", nil, true),
    ] as [(String, String, Int?, Bool)])
  func before(text: String, session: String, media: Int?, isUnsure: Bool) throws {
    let running = try #require(RunningMedia(json: JSONValue(parsing: text)))
    #expect(running.session == session && running.media == media && running.isUnsure == isUnsure)
    #expect(JSONValue.object(running.fields).serialized() == text)
  }
}
