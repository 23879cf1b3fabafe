import CastProtocol
import Testing

@testable import ScenarioLanguage

/// Words behind a command are read as typed values, and what is wrong with them is told where they stand.
@Suite struct CommandReaderTests {
  /// What a command makes of its words.
  struct Command: Sendable, CustomTestStringConvertible {
    var line: String
    /// Answers whether there is a value.
    var read: @Sendable (inout CommandReader) -> Bool
    var testDescription: String { line }

    init<Value>(_ line: String, _ read: @escaping @Sendable (inout CommandReader) -> Value?) {
      self.line = line
      self.read = { read(&$0) != nil }
    }
  }

  private static func reader(_ line: String) -> CommandReader {
    CommandReader(CommandLineText(line.split(separator: " ").map(String.init)))
  }

  /// What is read where nothing is wrong.
  private static func value<Value>(_ line: String, _ read: (inout CommandReader) -> Value?) -> Value? {
    var reader = reader(line)
    let value = read(&reader)
    return reader.findings.problems.isEmpty ? value : nil
  }

  static let positions: [(String, PositionScalar)] = [
    ("1m30s", .at(.seconds(90))), ("1:30", .at(.seconds(90))), ("1:02:03", .at(.seconds(3_723))),
    ("90:00", .at(.seconds(5_400))), ("start", .start), ("end", .end),
  ]

  @Test("A position is written as in documents, or as players show it", arguments: positions)
  func position(text: String, position: PositionScalar) {
    #expect(Self.value("seek \(text)") { $0.position(text) } == position)
  }

  static let offsets: [(String, Duration)] = [
    ("+30s", .seconds(30)), ("-10s", .seconds(-10)), ("-0:45", .seconds(-45)), ("+1:00", .seconds(60)),
  ]

  @Test("So is how far to go, with a sign", arguments: offsets)
  func offset(text: String, offset: Duration) {
    #expect(Self.value("seek \(text)") { $0.offset(text) } == offset)
  }

  @Test("Documents write no clock times, and a time with digits that no clock shows is none")
  func noClock() {
    #expect(throws: ScalarProblem.self) { try PositionScalar.read("1:30") }
    #expect(throws: ScalarProblem.self) { try DurationScalar.read("1:30") }
    for text in ["1:3", "1:75", "1:", ":30", "1:2:03", "1:60:00", "1234:00", "1:30s"] {
      #expect(Self.value("seek \(text)") { $0.position(text) } == nil, "\(text)")
    }
    for text in ["+", "--1:00", "1:00"] { #expect(Self.value("seek \(text)") { $0.offset(text) } == nil, "\(text)") }
  }

  @Test("Each kind of word is the value that a document's would be")
  func values() {
    #expect(Self.value("rate 1.5") { $0.rate("1.5") } == 1.5)
    #expect(Self.value("rate --by 1.1x") { $0.factor("1.1x") } == 1.1)
    #expect(Self.value("volume 40%") { $0.percent("40%", of: "volume") } == 40)
    #expect(Self.value("tracks en 2") { $0.tracks(["en", "2"]) } == ["en", "2"])
    #expect(Self.value("seek 1s --then pause") { $0.resumeState("pause") } == .pause)
    #expect(Self.value("launch --join only") { $0.joinRule("only") } == .only)
    #expect(Self.value("launch") { $0.app("default") } == "CC1AD845")
    #expect(Self.value("launch A1B2C3D4") { $0.app("A1B2C3D4") } == "A1B2C3D4")
    #expect(Self.value("launch --language pt-BR") { $0.language("pt-BR") } == "pt-BR")
    #expect(Self.value("queue jump next") { $0.jump("next") } == .next)
    #expect(Self.value("queue jump 3") { $0.jump("3") } == .item(.number(3)))
    #expect(Self.value("queue jump +2") { $0.distance("+2") } == 2)
    #expect(Self.value("queue jump -1") { $0.distance("-1") } == -1)
    #expect(Self.value("queue remove 1 2") { $0.items(["1", "2"]) } == [.number(1), .number(2)])
    #expect(Self.value("queue jump https://x/a.mp4") { $0.item("https://x/a.mp4") } != nil)
    #expect(Self.value("style size=150%") { $0.textStyle([("size", "150%")]) }?.fontScale == 1.5)
  }

  @Test("Words are texts whatever they look like: no variable, no number, no comment")
  func texts() {
    for word in ["yes", "0x10", "${x}", "# no", "null", "\"a\""] {
      var words = LoadWords(url: "https://x/y.mp4")
      words.title = word
      let load = Self.value("load") { $0.load(words) }
      #expect(load?.request.media.metadata?["title"] == .string(word), "\(word)")
    }
  }

  @Test("Free data goes as it is given, with the types of JSON")
  func freeData() throws {
    let text = #"{"a":[1,-2.5,{"b":null}],"c":true,"d":"yes","e":"1","f":12345678901234}"#
    let json = try JSONValue(parsing: Array(text.utf8))
    #expect(Self.value("send") { $0.json(json) } == json)
    var words = LoadWords(url: "https://x/y.mp4")
    words.custom = json
    #expect(Self.value("load") { $0.load(words) }?.request.customData == json)
  }

  static let changes: [(String, Double?)] = [
    ("+5%", 5), ("-5%", -5), ("+0.5%", 0.5), ("+100%", 100), ("+101%", nil), ("+5", nil), ("+", nil), ("-x", nil),
    ("++5%", nil),
  ]

  @Test("A change in percent points has a sign, and its cure has it, too", arguments: changes)
  func change(text: String, points: Double?) {
    var reader = Self.reader("volume \(text)")
    #expect(reader.change(text, of: "volume") == points)
    #expect(reader.findings.isSound == (points != nil))
    if text == "+5" { #expect(reader.findings.problems.first?.primary.text == "did you mean `+5%`?") }
  }

  /// A problem that a line has.
  struct Wrong: Sendable, CustomTestStringConvertible {
    var command: Command
    var code: String
    /// Where it is underlined.
    var columns: Range<Int>
    /// What it says to do; empty: nothing.
    var cure: String
    var testDescription: String { command.line }

    init(_ command: Command, _ code: String, _ columns: Range<Int>, _ cure: String) {
      (self.command, self.code, self.columns, self.cure) = (command, code, columns, cure)
    }
  }

  private static func load(_ url: String, start: String? = nil) -> Command {
    Command((["load", url] + [start].compactMap { $0 }).joined(separator: " ")) { reader in
      var words = LoadWords(url: url)
      words.start = start
      return reader.load(words)
    }
  }

  private static func style(_ entries: [(key: String, value: String)]) -> Command {
    Command("style " + entries.map { "\($0.key)=\($0.value)" }.joined(separator: " ")) { $0.textStyle(entries) }
  }

  static let wrong: [Wrong] = [
    Wrong(Command("seek 90") { $0.position("90") }, "T201", 17..<19, "`90s` for seconds"),
    Wrong(Command("seek 10x") { $0.position("10x") }, "T203", 19..<20, "units are ms"),
    Wrong(Command("seek +10x") { $0.offset("+10x") }, "T203", 20..<21, "units are ms"),
    Wrong(Command("seek 1:75") { $0.position("1:75") }, "T202", 17..<21, "positions may be `1:30`, too"),
    Wrong(Command("seek paus") { $0.resumeState("paus") }, "T205", 17..<21, "keep, play, pause"),
    Wrong(Command("rate 0") { $0.rate("0") }, "C507", 17..<18, "0.5 to 2"),
    Wrong(Command("rate -1") { $0.rate("-1") }, "C507", 17..<19, ""),
    Wrong(Command("launch x") { $0.app("x") }, "N406", 19..<20, "eight hexadecimal digits"),
    Wrong(Command("queue remove a") { $0.items(["a"]) }, "N406", 25..<26, "named by their number"),
    Wrong(Command("queue remove 12 12") { $0.items(["12", "12"]) }, "T213", 25..<27, ""),
    Wrong(
      Command("queue reorder 2 --before 3") { $0.item("3", behind: [.number(3)]) }, "T213", 37..<38, ""),
    Wrong(Command("queue jump nxt") { $0.jump("nxt") }, "N406", 23..<26, "named by their number"),
    Wrong(style([("size", "big")]), "T207", 23..<26, "a number and %"),
    Wrong(style([("colour", "red")]), "K101", 18..<24, "keys allowed"),
    Wrong(style([("window_radius", "5")]), "C513", 18..<31, ""),
    Wrong(style([("size", "50%"), ("size", "60%")]), "K104", 18..<22, ""),
    Wrong(load("https://x/film"), "C509", 17..<31, "add `--type`"),
    Wrong(load("https://x/film.html"), "C509", 17..<36, "plays the file itself"),
    Wrong(load("http://localhost/a.mp4"), "C502", 24..<33, "in the device's network"),
    Wrong(load("ftp://x/a.mp4"), "C501", 17..<20, ""),
    Wrong(load("https://x/a.mp4", start: "end"), "C512", 33..<36, ""),
    Wrong(
      Command("send urn:x-cast:com.google.cast.tp.x") { $0.namespace("urn:x-cast:com.google.cast.tp.x", for: [:]) },
      "T222", 17..<48, ""),
    Wrong(Command("pause --timeout 5") { $0.duration("5") }, "T201", 28..<29, "`5s` for seconds"),
    Wrong(Command("volume +10") { $0.change("+10", of: "volume") }, "T207", 19..<22, ""),
  ]

  @Test(
    "A wrong word has the code that it has in a document, its own place, and a cure of the command line",
    arguments: wrong)
  func wrongWord(wrong: Wrong) throws {
    var reader = Self.reader(wrong.command.line)
    #expect(!wrong.command.read(&reader))
    let reading = reader.findings
    #expect(!reading.isSound && reading.problems.count == 1, "\(reading.problems)")
    let problem = try #require(reading.problems.first)
    #expect(problem.code.rawValue == wrong.code)
    let span = problem.primary.span
    #expect(span.file == SourceSpan.commandLine && span.line == 1 && span.column..<span.endColumn == wrong.columns)
    let helps = problem.footers.compactMap { if case .help(let text) = $0 { text } else { nil } }
    #expect(wrong.cure.isEmpty ? helps.isEmpty : helps.first?.contains(wrong.cure) == true, "\(helps)")
    #expect(!helps.contains { $0.contains(": ") && $0.contains("{") }, "a piece of a document: \(helps)")
    #expect(problem.related.isEmpty)
  }

  @Test("In a document the same mistakes keep the cures of documents")
  func documents() throws {
    let text = "scenario: x\ndevice: TV\nsteps:\n- load: https://x/film\n- seek: 1:30\n- launch: x\n"
    let outcome = PlanCompiler.compile(SourceFile(name: "x.yaml", bytes: Array(text.utf8)))
    let helps = outcome.diagnostics.flatMap(\.footers).compactMap { if case .help(let text) = $0 { text } else { nil } }
    #expect(helps.contains { $0.contains("write `load: { media: {") }, "\(helps)")
    #expect(
      helps.contains { $0.contains("write `1m30s` (or `1h30m`)") } && helps.contains { $0.contains("under `apps:`") })
    #expect(!helps.contains { $0.contains("--type") })
  }

  @Test("A word of a list is told at its line, and the list is quoted")
  func lists() throws {
    let list = SourceFile(name: "a.m3u", bytes: Array("#EXTM3U\nhtps://x/z.mp4\n".utf8))
    var reader = CommandReader(CommandLineText(["queue", "load", "--file", "a.m3u"]))
    reader.note(list)
    let span = SourceSpan(file: "a.m3u", line: 2, column: 1, endLine: 2, endColumn: 15)
    #expect(reader.queue([AddressEntry("htps://x/z.mp4", at: span)], QueueWords()) == nil)
    let findings = reader.findings
    let problem = try #require(findings.problems.first)
    #expect(problem.code == .c501 && problem.primary.span.file == "a.m3u" && problem.primary.span.line == 2)
    #expect(findings.sources.map(\.name) == [SourceSpan.commandLine, "a.m3u"] && !findings.isSound)
  }
}
