import CastProtocol
import Testing

@testable import ScenarioLanguage

@Suite struct CalendarCompilerTests {
  private static func playlist(_ calendars: String) -> SourceFile {
    SourceFile(
      """
      playlist: P
      timezone: Europe/Paris
      devices: [TV]
      calendars: { holidays: \(calendars) }
      program: [{ during: { calendar: holidays }, play: [https://e.com/a.jpg] }]
      fallback: https://e.com/b.jpg
      """)
  }

  private static func inputs(_ files: [String: String]) -> PlanCompiler.Inputs {
    OwnGolden.inputs(files: files.mapValues { Array($0.utf8) }, environment: [:])
  }

  private static let christmas = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261224T233000Z\nEND:VEVENT\nEND:VCALENDAR\n"

  @Test("A calendar has the days of its file, in the playlist's zone; the plan names the file and the days")
  func plan() throws {
    let outcome = PlanCompiler.compile(
      Self.playlist("{ file: a.ics }"), inputs: Self.inputs(["a.ics": Self.christmas]))
    guard case .playlist(let plan)? = outcome.document else {
      Issue.record("\(outcome.diagnostics)")
      return
    }
    #expect(outcome.diagnostics == [])
    #expect(outcome.sources.map(\.name) == ["lobby.yaml", "a.ics"])
    let condition = plan.program[0].during.condition
    #expect(condition.text == "calendar holidays")
    #expect(
      condition.json == ["calendar": ["name": "holidays", "file": "a.ics", "dates": ["2026-12-25"]]])
    #expect(condition.isOn(at: try TimeConditionTests.wall("2026-12-25 12:00")))
    #expect(!condition.isOn(at: try TimeConditionTests.wall("2026-12-24 23:59")))
    #expect(!condition.isOn(at: try TimeConditionTests.wall("2026-12-26 00:00")))
  }

  @Test("A calendar on the web has the days of its copy, and none before there is one")
  func web() throws {
    let url = "https://e.com/a.ics"
    let source = Self.playlist("{ ics: \"\(url)\", every: 1h }")
    var inputs = Self.inputs([:])
    func plan() throws -> (PlaylistPlan, [Diagnostic]) {
      let outcome = PlanCompiler.compile(source, inputs: inputs)
      guard case .playlist(let plan)? = outcome.document else { throw Compiling.NoPlan() }
      return (plan, outcome.diagnostics)
    }
    let (before, notes) = try plan()
    #expect(before.calendarFeeds == [.init(url: url, every: .seconds(3_600))])
    #expect(before.program[0].during.condition.calendar?.days == [])
    #expect(notes.map { "\($0.severity) \($0.code)" } == ["note N413"], "\(notes)")
    inputs.calendarCopy = { $0 == url ? SourceFile(name: "copy.ics", bytes: Array(Self.christmas.utf8)) : nil }
    let (after, none) = try plan()
    #expect(after.program[0].during.condition.json["calendar"]?["dates"] == ["2026-12-25"] && none == [])
  }

  static let addresses: [(calendar: String, code: String)] = [
    ("{ ics: \"webcal://e.com/a.ics\" }", "T215"), ("{ ics: \"https://e.com/a.ics\", every: 59s }", "T213"),
    ("{ ics: \"https://e.com/a.ics\", file: a.ics }", "K107"), ("{ file: a.ics, every: 1h }", "K107"), ("{}", "K105"),
  ]

  @Test("A calendar is one file or one web address, fetched once a minute at most", arguments: addresses)
  func wrongAddresses(calendar: String, code: String) {
    let outcome = PlanCompiler.compile(Self.playlist(calendar), inputs: Self.inputs(["a.ics": Self.christmas]))
    #expect(
      outcome.diagnostics.filter { $0.severity == .error }.map(\.code.rawValue) == [code], "\(outcome.diagnostics)")
  }

  @Test("Without a zone of its own a playlist has the days of the computer's clock, also of one without a name")
  func localClock() throws {
    let source = Self.playlist("{ file: a.ics }")
    let text = String(decoding: source.bytes, as: UTF8.self).replacing("timezone: Europe/Paris\n", with: "")
    var inputs = Self.inputs(["a.ics": Self.christmas])
    for (zone, day) in [("Europe/Paris", "2026-12-25"), ("America/New_York", "2026-12-24")] {
      inputs.localClock = { ZoneFiles.rules(zone) }
      guard case .playlist(let plan)? = PlanCompiler.compile(SourceFile(text), inputs: inputs).document else {
        throw Compiling.NoPlan()
      }
      #expect(plan.program[0].during.condition.json["calendar"]?["dates"] == [.string(day)])
    }
  }

  @Test("Of very many days the plan lists the first 2000 stretches and says how many more there are")
  func longPlan() throws {
    let text = Self.christmas.replacing("END:VEVENT", with: "RRULE:FREQ=WEEKLY\nEND:VEVENT")
    let outcome = PlanCompiler.compile(Self.playlist("{ file: a.ics }"), inputs: Self.inputs(["a.ics": text]))
    guard case .playlist(let plan)? = outcome.document else { throw Compiling.NoPlan() }
    let calendar = plan.program[0].during.condition.json["calendar"]
    #expect(calendar?["dates"]?.array?.count == 2_000)
    #expect(calendar?["more"] == .int((plan.program[0].during.condition.calendar?.days.count ?? 0) - 2_000))
  }

  static let refused: [(calendar: String, words: String)] = [
    (
      "{ file: b.ics }",
      "N409: calendar file `b.ics` is not there | not found | help: paths are relative to the file that names them"
    ),
    (
      "{ file: /srv/a.ics }",
      "N409: the path of a calendar is relative to its file | begins with `/` | help: write it from the folder of this document, such as `holidays.ics`"
    ),
    (
      "{ file: \"https://e.com/a.ics\" }",
      "N409: `https://e.com/a.ics` is not a path | help: write `ics:` for `file:`, or save it beside this document, as `holidays.ics`"
    ),
    (
      "{ file: html.ics }",
      "N413: `html.ics` is no calendar | help: export it as iCalendar (.ics); what a browser saves is often a page about it"
    ),
    ("{ file: cut.ics }", "N413: `cut.ics` is damaged: a part of it has no end | help: fetch or export it again"),
    (
      "{ file: tasks.ics }",
      "N413: `tasks.ics` has no day from 1970 to 2099 | help: days come from events (`BEGIN:VEVENT`) that are not cancelled"
    ),
    (
      "{ file: odd.ics }",
      "N413: 7 lines of `odd.ics` are not understood | note: and 2 more | help: mend these lines or export the calendar again; all other events count, and so do these as said"
    ),
    (
      "{ file: many.ics }",
      "Y311: the rules of calendars name too many days | more than 2000000 days to look at, up to 2099 | help: export only what the playlist needs, or give rules an end"
    ),
    ("{}", "K105: a calendar needs `file` or `ics`"),
    ("2026-12-25", "T210"),
  ]

  @Test("A calendar that cannot be had says why, where it is named", arguments: refused)
  func refusal(calendar: String, words: String) {
    let files = [
      "a.ics": Self.christmas, "html.ics": "<html>", "cut.ics": "BEGIN:VCALENDAR\n",
      "tasks.ics": "BEGIN:VCALENDAR\nEND:VCALENDAR\n",
      "odd.ics": Self.christmas.replacing("END:VEVENT", with: String(repeating: "?\n", count: 7) + "END:VEVENT"),
      "many.ics": "BEGIN:VCALENDAR\n"
        + String(repeating: "BEGIN:VEVENT\nDTSTART:19700101\nDTEND:99991231\nEND:VEVENT\n", count: 50)
        + "END:VCALENDAR\n",
    ]
    let outcome = PlanCompiler.compile(Self.playlist(calendar), inputs: Self.inputs(files))
    let found = outcome.diagnostics.filter { $0.severity != .note }
    #expect(found.map(\.words).allSatisfy { $0.hasPrefix(words) } && found.count == 1, "\(found.map(\.words))")
    #expect(found.first?.primary.span.line == 4)
  }

  static let problems: [(problem: FileProblem, words: String)] = [
    (
      .outside(root: "/srv/show"),
      "N409: `x.ics` lies outside the project | leads out of `/srv/show` | help: move it below that folder, or allow its own with `--allow-path FOLDER`"
    ),
    (.symbolicLink, "N409: `x.ics` is a link, and links are not followed | help: name the file that it leads to"),
    (.notRegular("a folder"), "N409: `x.ics` is a folder, not a file | help: name the calendar file itself"),
    (
      .tooLarge(1 << 20), "Y311: calendar file `x.ics` is larger than 1 MiB | help: export only what the playlist needs"
    ),
    (.unreadable("Permission denied"), "N409: calendar file `x.ics` cannot be read: Permission denied"),
  ]

  @Test("A file that cannot be read says why", arguments: problems)
  func unreadable(problem: FileProblem, words: String) {
    var inputs = Golden.inputs
    inputs.includedFile = { _, _ in .failure(problem) }
    #expect(PlanCompiler.compile(Self.playlist("{ file: x.ics }"), inputs: inputs).diagnostics.map(\.words) == [words])
  }

  @Test("The path of a calendar cannot come from a variable, and nothing is opened")
  func variable() {
    var inputs = Golden.inputs
    inputs.includedFile = { path, _ in
      Issue.record("opened \(path)")
      return .failure(.notFound)
    }
    let source = SourceFile(
      String(decoding: Self.playlist("{ file: \"${f}\" }").bytes, as: UTF8.self) + "\nvars: { f: a.ics }\n")
    #expect(PlanCompiler.compile(source, inputs: inputs).diagnostics.map(\.code.rawValue) == ["T219"])
  }

  @Test("The calendar of a library lies beside the library; one file is read once; a library alone is checked, too")
  func library() {
    let library = "library: L\ncalendars: { closed: { file: a.ics }, same: { file: a.ics } }\n"
    nonisolated(unsafe) var asked: [String] = []
    var inputs = Golden.inputs
    inputs.includedFile = { path, file in
      asked.append("\(path) in \(file)")
      return .success(SourceFile(path.hasSuffix(".ics") ? Self.christmas : library, name: "lib/\(path)"))
    }
    let source = SourceFile(
      """
      playlist: P
      timezone: Europe/Paris
      devices: [TV]
      include: [{ file: l.yaml, as: l }]
      program:
        - { during: { calendar: l.closed }, play: [https://e.com/a.jpg] }
        - { during: { days: mon, calendar: l.same }, play: [https://e.com/c.jpg] }
      fallback: https://e.com/b.jpg
      """)
    let outcome = PlanCompiler.compile(source, inputs: inputs)
    #expect(outcome.diagnostics.map(\.words) == [])
    #expect(asked == ["l.yaml in lobby.yaml", "a.ics in lib/l.yaml", "a.ics in lib/l.yaml"])
    #expect(outcome.sources.map(\.name) == ["lobby.yaml", "lib/l.yaml", "lib/a.ics"])
    inputs.includedFile = { _, _ in .failure(.notFound) }
    let alone = PlanCompiler.compile(SourceFile(library), inputs: inputs)
    #expect(alone.diagnostics.map(\.code.rawValue) == ["N409", "N409"])
  }

  @Test("The calendars of a scenario are read, too: it may share them with playlists")
  func scenario() {
    let source = SourceFile(
      """
      scenario: S
      device: TV
      calendars: { a: { file: a.ics }, b: { file: b.ics }, c: { file: tasks.ics }, d: [2026-12-24] }
      matrix: { word: [one, two] }
      steps: [{ log: "${matrix.word}" }, { expect: { player: playing } }]
      """)
    let files = ["a.ics": Self.christmas, "tasks.ics": "BEGIN:VCALENDAR\nEND:VCALENDAR\n"]
    let outcome = PlanCompiler.compile(source, inputs: Self.inputs(files))
    #expect(outcome.diagnostics.map(\.code.rawValue) == ["N409", "N413"] && outcome.plans.isEmpty)
    #expect(outcome.sources.map(\.name).contains("a.ics"))
    let sound = SourceFile(String(decoding: source.bytes, as: UTF8.self).replacing("b: { file: b.ics },", with: ""))
    #expect(PlanCompiler.compile(sound, inputs: Self.inputs(files)).plans.count == 2)
  }

  @Test("A document names at most 16 calendar files")
  func manyFiles() {
    var inputs = Golden.inputs
    inputs.includedFile = { path, _ in .success(SourceFile(Self.christmas, name: path)) }
    let calendars = (0..<17).map { "_c\($0): { file: c\($0).ics }" }.joined(separator: ", ")
    let source = SourceFile(
      "playlist: P\ntimezone: UTC\ndevices: [TV]\ncalendars: { \(calendars) }\nprogram: [{ play: [https://e.com/a.jpg] }]\n"
    )
    #expect(PlanCompiler.compile(source, inputs: inputs).diagnostics.map(\.code.rawValue) == ["Y311"])
  }
}
