import CastProtocol
import TestSupport
import Testing

@testable import RunReporting

/// Stored streams of a killed run, of a full disk, of another program.
@Suite struct StoredStreamTests {
  private static func read(_ bytes: [UInt8]) -> (reader: StoredEventReader, events: [Event]) {
    var reader = StoredEventReader()
    var events: [Event] = []
    reader.read(bytes) { events.append($0) }
    reader.end { events.append($0) }
    return (reader, events)
  }

  private static func damages(_ reader: StoredEventReader) -> [String] {
    reader.damages.map { "\($0.line): \($0.text)" }
  }

  private static let lines = SampleRun.events.prefix(5).map { EventRecord($0).jsonLine }

  @Test("A stream cut at any byte has its whole lines, and says of the last one that it is cut off")
  func cut() {
    let bytes = Array(Self.lines.prefix(2).joined(separator: "\n").utf8)
    let first = Self.lines[0].utf8.count
    for length in 0...bytes.count {
      let (reader, events) = Self.read(Array(bytes[..<length]))
      let isWhole = length == 0 || length == first || length == first + 1 || length == bytes.count
      #expect(events.count == (length < first ? 0 : length < bytes.count ? 1 : 2), "\(length)")
      #expect(Self.damages(reader) == (isWhole ? [] : ["\(length < first ? 1 : 2): it is cut off"]), "\(length)")
    }
  }

  static let broken: [(bytes: [UInt8], text: String)] = [
    (Array(#"{"v":1,"n":2,"x":""#.utf8) + [0xFF, 0xFE] + Array(#""}"#.utf8), "it is no JSON"),
    (Array(#"{"v":1,"n":2,"x":""#.utf8) + [0xC3] + Array(#""}"#.utf8), "it is no JSON"),
    (Array(#"{"v":1,"n":2,"x":""#.utf8) + [0xED, 0xA0, 0x80] + Array(#""}"#.utf8), "it is no JSON"),
    ([0, 0, 0, 0], "it is no JSON"), (Array("{}{}".utf8), "it is no JSON"), (Array("\t".utf8), "it is no JSON"),
    (Array(#"{"v":1,"n":1e400}"#.utf8), "it is no JSON"), (Array("nul".utf8), "it is no JSON"),
    (Array(String(repeating: "[", count: 100).utf8) + Array(String(repeating: "]", count: 100).utf8), "it is no JSON"),
    (Array(#"{"v":1,"n":2}"#.utf8), "it is no event of a run"),
    (Array(#"{"n":2,"type":"log"}"#.utf8), "it has an unknown version of the events, and this tool reads 1"),
    (Array(#"{"v":0,"n":2,"type":"log"}"#.utf8), "it has version 0 of the events, and this tool reads 1"),
    (Array(#"{"v":"2","n":2,"type":"log"}"#.utf8), "it has an unknown version of the events, and this tool reads 1"),
    (Array(#"{"v":1,"n":2.5,"type":"log"}"#.utf8), "it is no event of a run"),
    (Array("null".utf8), "it is no event of a run"),
  ]

  @Test("A line that is none of ours is told and passed over; that it stood there is no gap besides", arguments: broken)
  func oneLine(bytes: [UInt8], text: String) {
    let newline: [UInt8] = [0x0A]
    let (reader, events) = Self.read(
      Array(Self.lines[0].utf8) + newline + bytes + newline + Array(Self.lines[2].utf8) + newline)
    #expect(events.map(\.number) == [1, 3])
    #expect(Self.damages(reader) == ["2: \(text)"])
  }

  static let gaps: [(numbers: [Int], damages: [String])] = [
    ([1, 2, 3], []), ([1, 3], ["2: events before it are missing"]), ([2, 3], ["1: events before it are missing"]),
    ([1, 1, 2], ["2: it stands behind an event with a higher number"]),
    (
      [1, 3, 2, 4],
      [
        "2: events before it are missing", "3: it stands behind an event with a higher number",
        "4: events before it are missing",
      ]
    ),
    ([0, 1], ["1: it stands behind an event with a higher number"]),
    ([-5, 1], ["1: it stands behind an event with a higher number", "2: events before it are missing"]),
  ]

  @Test("A hole in the numbers is told where it ends, and an order that is not theirs", arguments: gaps)
  func numbers(numbers: [Int], damages: [String]) {
    let text = numbers.map { number in
      var event = SampleRun.events[6]
      event.number = number
      return EventRecord(event).jsonLine
    }
    let (reader, events) = Self.read(Array(text.joined(separator: "\n").utf8))
    #expect(events.map(\.number) == numbers)
    #expect(Self.damages(reader) == damages)
  }

  @Test(
    "Two lines that are lost hide a hole of two, and no larger one",
    arguments: [
      (2, ["2: it is no JSON", "3: it is no JSON"]),
      (3, ["2: it is no JSON", "3: it is no JSON", "4: events before it are missing"]),
    ])
  func lost(missing: Int, damages: [String]) {
    var event = SampleRun.events[6]
    event.number = 2 + missing
    let text = [Self.lines[0], "x", "y", EventRecord(event).jsonLine, ""].joined(separator: "\n")
    #expect(Self.damages(Self.read(Array(text.utf8)).reader) == damages)
  }

  @Test("A line without end is not kept, and the one behind it is read")
  func huge() {
    let limit = 4096
    func read(_ length: Int) -> (StoredEventReader, count: Int) {
      var (reader, count) = (StoredEventReader(lineLimit: limit), 0)
      let line = Array((Self.lines[0] + String(repeating: " ", count: length - Self.lines[0].utf8.count) + "\n").utf8)
      // As a file is read, piece by piece.
      for start in stride(from: 0, to: line.count, by: 100) {
        reader.read(line[start..<min(start + 100, line.count)]) { _ in count += 1 }
      }
      reader.read(Array((Self.lines[1] + "\n").utf8)) { _ in count += 1 }
      return (reader, count)
    }
    let (longest, both) = read(limit)
    #expect(both == 2 && Self.damages(longest).isEmpty)
    let (longer, one) = read(limit + 1)
    #expect(one == 1 && Self.damages(longer) == ["1: it is too long to be an event"])
  }

  @Test(
    "A run is finished when its last event says so, whatever stands behind it",
    arguments: [
      ([RunVerdict.passed], true), ([nil], false), ([RunVerdict.failed, nil], false), ([nil, RunVerdict.failed], true),
      ([], false),
    ] as [([RunVerdict?], Bool)])
  func finished(ends: [RunVerdict?], isFinished: Bool) {
    let text = ends.enumerated().map { index, end in
      let kind: EventKind = end == nil ? .log(.init("a")) : .runFinished(.init())
      return EventRecord(Event(number: index + 1, wallTime: 0, elapsed: 0, kind: kind)).jsonLine
    }
    #expect(Self.read(Array(text.joined(separator: "\n").utf8)).reader.isFinished == isFinished)
    #expect(Self.read(Array((text + ["oops"]).joined(separator: "\n").utf8)).reader.isFinished == isFinished)
  }

  @Test("What reads the events may fail; the reader goes on behind the line that it failed at")
  func throwing() throws {
    struct Full: Error {}
    var reader = StoredEventReader()
    do {
      try reader.read(Array((Self.lines[0] + "\n").utf8)) { _ in throw Full() }
      #expect(Bool(false), "it did not fail")
    } catch {}
    var numbers: [Int] = []
    reader.read(Array((Self.lines[1] + "\n").utf8)) { numbers.append($0.number) }
    #expect(numbers == [2] && reader.damages.isEmpty && reader.count == 2)
  }

  @Test(
    "Any stream, damaged anywhere, is read to its end, and no event is made up",
    arguments: 1...10 as ClosedRange<UInt64>)
  func damaged(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let whole = SampleRun.events.map { EventRecord($0).jsonLine }
    for _ in 0..<20 {
      var bytes = Array(whole.joined(separator: "\n").utf8)
      for _ in 0...random.next(below: 6) {
        let place = random.next(below: bytes.count)
        switch random.next(below: 3) {
        case 0: bytes[place] = UInt8(random.next(below: 256))
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + random.next(below: 300)))
        default: bytes.insert(UInt8(ascii: "\n"), at: place)
        }
      }
      let (reader, events) = Self.read(bytes)
      #expect(reader.count == events.count && reader.damages.count <= StoredEventReader.damageLimit)
      let told = Set(whole)
      // What was not touched is read as it was.
      let untouched = bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }.filter(told.contains)
      #expect(untouched.allSatisfy { line in events.contains { EventRecord($0).jsonLine == line } })
    }
  }
}
