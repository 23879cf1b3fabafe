import CastProtocol
import TestSupport
import Testing

@testable import RunReporting

@Suite struct StoredEventReaderTests {
  private static func line(_ number: Int, _ type: EventType = .log, _ members: String = #""text":"a""#) -> String {
    Samples.line(type, members).replacing(#""n":7"#, with: #""n":\#(number)"#)
  }

  private static func end(_ number: Int) -> String {
    line(number, .runFinished, Samples.all.first { $0.type == .runFinished }?.members ?? "")
  }

  private static func read(_ text: String, pieces: Int = 1 << 20) -> (reader: StoredEventReader, numbers: [Int]) {
    var reader = StoredEventReader()
    var numbers: [Int] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      reader.read(rest.prefix(pieces)) { numbers.append($0.number) }
      rest = rest.dropFirst(pieces)
    }
    reader.end { numbers.append($0.number) }
    return (reader, numbers)
  }

  @Test("Lines are read wherever the pieces end", arguments: [1, 7, 100, 1 << 20])
  func pieces(length: Int) {
    let (reader, numbers) = Self.read("\(Self.line(1))\n\(Self.line(2))\r\n\n\(Self.end(3))\n", pieces: length)
    #expect(numbers == [1, 2, 3])
    #expect(reader.damages.isEmpty && reader.isFinished && reader.count == 3)
  }

  static let damaged: [(lines: [String], numbers: [Int], damages: [String])] = [
    ([line(1), #"{"v":1,"n":2"#], [1], ["2: it is cut off"]),
    ([line(1), "oops", line(3), ""], [1, 3], ["2: it is no JSON"]),
    ([line(1), "oops", line(4), ""], [1, 4], ["2: it is no JSON", "3: events before it are missing"]),
    ([line(1), "[]", ""], [1], ["2: it is no event of a run"]),
    (
      [line(1), line(2).replacing(#""v":1"#, with: #""v":2"#), ""], [1],
      ["2: it has version 2 of the events, and this tool reads 1"]
    ),
    ([line(1), line(2).replacing("2026-", with: "late "), ""], [1], ["2: it is no event of a run"]),
    (
      [line(2), line(1), ""], [2, 1],
      [
        "1: events before it are missing", "2: it stands behind an event with a higher number",
      ]
    ),
    (
      [line(.max), line(1), ""], [.max, 1],
      [
        "1: events before it are missing", "2: it stands behind an event with a higher number",
      ]
    ),
    ([line(1), line(2).replacing(#""type":"log""#, with: #""type":"x.new""#), line(3), ""], [1, 3], []),
    (["", "\u{0}\u{1}", ""], [], ["2: it is no JSON"]),
    ([], [], []),
  ]

  @Test("What is damaged is told by its line, and the rest is read", arguments: damaged)
  func damage(lines: [String], numbers: [Int], damages: [String]) {
    let (reader, found) = Self.read(lines.joined(separator: "\n"))
    #expect(found == numbers)
    #expect(reader.damages.map { "\($0.line): \($0.text)" } == damages)
    #expect(reader.damageCount == damages.count && !reader.isFinished)
  }

  @Test("Of very many damages the first are told, and all are counted") func many() {
    let (reader, _) = Self.read(String(repeating: "x\n", count: 1000))
    #expect(reader.damages.count == StoredEventReader.damageLimit && reader.damageCount == 1000)
  }

  @Test("A run without an end is an error in JUnit, and its console report says so") func unfinished() throws {
    let events = [Samples.all[0], Samples.all[5], Samples.all[6]].compactMap { sample in
      (try? JSONValue(parsing: Samples.line(sample.type, sample.members))).flatMap { EventRecord(json: $0)?.event }
    }
    for (kind, text) in [(ReportKind.junit, #"errors="1""#), (.console, "the run did not finish\n")] {
      let written = WrittenText()
      let report = kind.make([:]) { written.write($0) }
      for event in events { report.record(event) }
      #expect(!written.text.contains(text))
      report.endOfStream()
      #expect(written.text.contains(text), "\(written.text)")
    }
  }

  @Test("Kinds of reports have names of their own, and help has them all") func kinds() {
    #expect(Set(ReportKind.all.map(\.name)).count == ReportKind.all.count)
    for kind in ReportKind.all { #expect(ReportKind(named: kind.name) == kind && ReportKind.names.contains(kind.name)) }
    #expect(ReportKind(named: "xls") == nil)
    #expect(ReportKind.list(["a"]) == "a" && ReportKind.list(["a", "b", "c"]) == "a, b or c")
  }

  static let names: [(file: String, stored: [String], name: String?)] = [
    ("qa/ads.yaml", ["ads.yaml", "1-ads.yaml"], "ads.yaml"),
    ("lib/kit.yaml", ["ads.yaml", "1-kit.yaml"], "1-kit.yaml"),
    ("lib/kit.yaml", ["ads.yaml", "kit.yaml"], nil), ("a/kit.yaml", ["1-kit.yaml", "2-kit.yaml"], nil),
    ("lib/3-kit.yaml", ["1-3-kit.yaml", "2-kit.yaml"], "1-3-kit.yaml"), ("", ["ads.yaml"], nil),
  ]

  @Test(
    "A file of a run is found in its folder by its last name; one of two with the same name is not guessed",
    arguments: names)
  func sources(file: String, stored: [String], name: String?) throws {
    var sources = StoredSources()
    let start = try JSONValue(parsing: Samples.line(.runStarted, Samples.all[0].members))
    sources.record(try #require(EventRecord(json: start)?.event))
    #expect(sources.files == ["qa/ads.yaml", "b.yaml"])
    #expect(sources.name(of: file, among: stored) == name)
  }
}
