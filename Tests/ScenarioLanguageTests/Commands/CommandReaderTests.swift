import CastProtocol
import Testing

@testable import ScenarioLanguage

/// Words behind a command become typed steps, and what is wrong with them is told where they stand.
@Suite struct CommandReaderTests {
  /// What a command makes of its words.
  struct Command: Sendable, CustomTestStringConvertible {
    var line: String
    var read: @Sendable (inout CommandReader) -> Void
    var testDescription: String { line }

    init(_ line: String, _ read: @escaping @Sendable (inout CommandReader) -> Void) {
      self.line = line
      self.read = read
    }

    init(_ line: String, _ verb: String, _ value: CommandValue) { self.init(line) { $0.add(verb, value) } }

    var reading: CommandReader.Reading {
      var reader = CommandReader(
        CommandLineText(line.split(separator: " ").map(String.init)), timeouts: Plan.Timeouts())
      read(&reader)
      return reader.finished
    }
  }

  private static func seek(_ text: String) -> Plan.SeekAction.Target? {
    let key = text.hasPrefix("+") || text.hasPrefix("-") ? "by" : "to"
    let reading = Command("seek \(text)", "seek", .map([(key, .word(text))])).reading
    guard case .seek(let seek)? = reading.steps.first?.action, reading.problems.isEmpty else { return nil }
    return seek.target
  }

  static let positions: [(String, Plan.SeekAction.Target)] = [
    ("1m30s", .to(.literal(90))), ("1:30", .to(.literal(90))), ("1:02:03", .to(.literal(3_723))),
    ("90:00", .to(.literal(5_400))), ("start", .toStart), ("end", .toEnd), ("+30s", .by(30)), ("-10s", .by(-10)),
    ("-0:45", .by(-45)), ("+1:00", .by(60)),
  ]

  @Test("A position is written as in documents, or as players show it", arguments: positions)
  func position(text: String, target: Plan.SeekAction.Target) { #expect(Self.seek(text) == target) }

  @Test("Documents write no clock times, and a time with digits that no clock shows is none")
  func noClock() {
    #expect(throws: ScalarProblem.self) { try PositionScalar.read("1:30") }
    #expect(throws: ScalarProblem.self) { try DurationScalar.read("1:30") }
    for text in ["1:3", "1:75", "1:", ":30", "1:2:03", "1:60:00", "1234:00", "1:30s", "+", "--1:00"] {
      #expect(Self.seek(text) == nil, "\(text)")
    }
  }

  static let actions: [(Command, Plan.Action)] = [
    (Command("mute", "mute", .fixed("true")), .mute(true)),
    (Command("rate 1.5", "rate", .map([("to", .word("1.5"))])), .rate(.to(.literal(1.5)))),
    (Command("rate --by 1.1x", "rate", .map([("by", .word("1.1x"))])), .rate(.by(1.1))),
    (Command("tracks en 2", "tracks", .list([.word("en"), .word("2")])), .tracks(["en", "2"])),
    (Command("tracks off", "tracks", .list([])), .tracks([])),
    (Command("next", "queue_jump", .fixed("next")), .queueJump(.next)),
    (Command("queue jump 3", "queue_jump", .word("3")), .queueJump(.item(.number(3)))),
    (
      Command("queue remove 1 2", "queue_remove", .list([.word("1"), .word("2")])),
      .queueRemove([.number(1), .number(2)])
    ),
    (Command("skip-ad", "skip_ad", .map([("force", .fixed("true"))])), .skipAd(force: true)),
    (Command("pause") { $0.add("pause") }, .pause), (Command("stop-app") { $0.add("stop_app") }, .stopApp),
  ]

  @Test("What a command means by its words is the action of the step of that name", arguments: actions)
  func action(command: Command, action: Plan.Action) {
    let reading = command.reading
    #expect(reading.problems.isEmpty && reading.steps.map(\.action) == [action])
  }

  @Test("Words are texts whatever they look like: no variable, no number, no comment")
  func texts() {
    let words = ["yes", "0x10", "${x}", "# no", "null", "\"a\""]
    for word in words {
      let media: CommandValue = .map([
        ("url", .fixed("https://x/y.mp4")), ("metadata", .map([("title", .word(word))])),
      ])
      let reading = Command("load", "load", .map([("media", media)])).reading
      guard case .load(let load)? = reading.steps.first?.action else {
        Issue.record("\(word): \(reading.problems)")
        continue
      }
      #expect(load.request.media.metadata?["title"] == .string(word))
    }
  }

  @Test("Free data goes as it is given, with the types of JSON")
  func freeData() throws {
    let text = #"{"a":[1,-2.5,{"b":null}],"c":true,"d":"yes","e":"1","f":12345678901234}"#
    let json = try JSONValue(parsing: Array(text.utf8))
    let command = Command(
      "send", "send", .map([("namespace", .fixed("urn:x-cast:com.example")), ("message", .json(json))]))
    guard case .send(let send)? = command.reading.steps.first?.action else {
      Issue.record("\(command.reading.problems)")
      return
    }
    #expect(send.message == json)
  }

  static let changes: [(String, Double?)] = [
    ("+5%", 5), ("-5%", -5), ("+0.5%", 0.5), ("+100%", 100), ("+101%", nil), ("+5", nil), ("+", nil), ("-x", nil),
    ("++5%", nil),
  ]

  @Test("A change in percent points has a sign, and its cure has it, too", arguments: changes)
  func change(text: String, points: Double?) {
    var reader = CommandReader(CommandLineText(["volume", text]), timeouts: Plan.Timeouts())
    #expect(reader.change(text, of: "volume") == points)
    #expect(reader.finished.isSound == (points != nil))
    if text == "+5" { #expect(reader.finished.problems.first?.primary.text == "did you mean `+5%`?") }
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

  private static func load(_ url: String, _ more: [(key: String, value: CommandValue)] = []) -> Command {
    let line = (["load", url] + more.compactMap { if case .word(let word) = $0.value { word } else { nil } })
    return Command(
      line.joined(separator: " "), "load",
      .map([("media", .map([("url", .word(url))])), ("app", .fixed("default"))] + more))
  }

  static let wrong: [Wrong] = [
    Wrong(Command("seek 90", "seek", .map([("to", .word("90"))])), "T201", 17..<19, "`90s` for seconds"),
    Wrong(Command("seek 10x", "seek", .map([("to", .word("10x"))])), "T203", 19..<20, "units are ms"),
    Wrong(Command("seek +10x", "seek", .map([("by", .word("+10x"))])), "T203", 20..<21, "units are ms"),
    Wrong(Command("seek 1:75", "seek", .map([("to", .word("1:75"))])), "T202", 17..<21, "positions may be `1:30`, too"),
    Wrong(Command("rate 0", "rate", .map([("to", .word("0"))])), "C507", 17..<18, "0.5 to 2"),
    Wrong(Command("rate -1", "rate", .map([("to", .word("-1"))])), "C507", 17..<19, ""),
    Wrong(Command("launch x", "launch", .map([("app", .word("x"))])), "N406", 19..<20, "eight hexadecimal digits"),
    Wrong(Command("queue remove a", "queue_remove", .list([.word("a")])), "N406", 25..<26, "named by their number"),
    Wrong(Command("queue jump nxt", "queue_jump", .word("nxt")), "N406", 23..<26, "named by their number"),
    Wrong(
      Command("style size=big", "text_style", .typedMap([("size", .word("big"))])), "T207", 23..<26, "a number and %"),
    Wrong(
      Command("style colour=red", "text_style", .typedMap([("colour", .word("red"))])), "K101", 18..<24, "keys allowed"),
    Wrong(
      Command("style window_radius=5", "text_style", .typedMap([("window_radius", .word("5"))])), "C513", 18..<31, ""),
    Wrong(
      Command("style size=50% size=60%", "text_style", .typedMap([("size", .word("50%")), ("size", .word("60%"))])),
      "K104",
      18..<22, ""),
    Wrong(load("https://x/film"), "C509", 17..<31, "add `--type`"),
    Wrong(load("https://x/film.html"), "C509", 17..<36, "plays the file itself"),
    Wrong(load("http://localhost/a.mp4"), "C502", 24..<33, "in the device's network"),
    Wrong(load("ftp://x/a.mp4"), "C501", 17..<20, ""),
    Wrong(load("https://x/a.mp4", [("start", .word("end"))]), "C512", 33..<36, ""),
    Wrong(
      Command(
        "send urn:x-cast:com.google.cast.tp.x", "send",
        .map([("namespace", .word("urn:x-cast:com.google.cast.tp.x")), ("message", .json([:]))])), "T222", 17..<48, ""),
    Wrong(Command("pause --timeout 5") { _ = $0.duration("5", of: "timeout") }, "T201", 28..<29, "`5s` for seconds"),
    Wrong(Command("volume +10") { _ = $0.change("+10", of: "volume") }, "T207", 19..<22, ""),
  ]

  @Test(
    "A wrong word has the code that it has in a document, its own place, and a cure of the command line",
    arguments: wrong)
  func wrongWord(wrong: Wrong) throws {
    let reading = wrong.command.reading
    #expect(!reading.isSound && reading.problems.count == 1, "\(reading.problems)")
    let problem = try #require(reading.problems.first)
    #expect(problem.code == wrong.code)
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
    var reader = CommandReader(CommandLineText(["queue", "load", "--file", "a.m3u"]), timeouts: Plan.Timeouts())
    reader.note(list)
    let span = SourceSpan(file: "a.m3u", line: 2, column: 1, endLine: 2, endColumn: 15)
    reader.add("queue", .map([("items", .list([.map([("url", .listed("htps://x/z.mp4", span))])]))]))
    let problem = try #require(reader.finished.problems.first)
    #expect(problem.code == "C501" && problem.primary.span.file == "a.m3u" && problem.primary.span.line == 2)
    #expect(reader.finished.sources.map(\.name) == [SourceSpan.commandLine, "a.m3u"] && !reader.finished.isSound)
  }

  @Test("What is watched to its end waits as long as the user allows, through broken connections")
  func end() {
    for limit in [Duration.seconds(5), nil] {
      let reading = Command("play --until finished") { reader in
        reader.add("play")
        reader.addWaitForTheEnd(atMost: limit)
      }.reading
      #expect(reading.isSound && reading.steps.map(\.verb) == ["play", "wait_until", "expect"])
      #expect(reading.steps[1].timeout == limit ?? .seconds(30 * 86_400))
      #expect(reading.steps[1].retry.attempts > 1 && reading.steps[1].retry.errors == [.connectionLost])
      guard case .expect(let expect) = reading.steps[2].action else { continue }
      #expect(expect.within == .zero)
    }
  }
}
