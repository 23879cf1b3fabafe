import Testing

@testable import ScenarioLanguage

/// What `check` says of playlists, each as code and underlined text.
@Suite struct PlaylistCheckTests {
  static func source(_ body: String) -> SourceFile {
    SourceFile(
      "playlist: P\ntimezone: Europe/Paris\ndevices: [TV]\nmedia:\n  a: { url: https://e.com/a.jpg }\n"
        + "  live: { url: https://e.com/a.m3u8, stream: live }\n  _b: { url: https://e.com/b.jpg }\n" + body)
  }

  static let live = "interrupts: [{ at: \"09:00\", play: [{ media: live, for: 1m }] }]\n"
  static let day = "dayparts: { day: { hours: 08:00-20:00 }, _unused: { days: sun } }\n"

  static func program(_ rules: String) -> String { live + day + "fallback: a\nprogram: [\(rules)]\n" }

  static let rest = "{ during: day, play: [a] }"

  static let findings: [Example] = [
    Example(program("{ during: day, play: [a] }"), []),
    Example(program(""), ["P612 program"]),
    Example(program("{ play: [] }, \(rest)"), ["P612 play"]),
    Example(program("{ play: [{ media: live }] }, \(rest)"), ["P608 live"]),
    Example(program("{ play: [a], during: nite }, \(rest)"), ["N406 nite"]),
    Example(program("{ play: [clip] }, \(rest)"), ["N406 clip"]),
    Example(program("\(rest), { play: [{ media: a, for: 200ms }] }"), ["T213 200ms"]),
    Example(program("\(rest), { play: [{ media: a, weight: 2 }] }"), ["K107 weight"]),
    Example(program("\(rest), { order: shuffle, play: [{ media: a, weight: 2 }] }"), []),
    Example(program("\(rest), { play: [{ media: a, times: 0 }] }"), ["T213 0"]),
    // The first rule that matches wins; what may have nothing to show, or be over, hides nothing.
    Example(program("{ play: [a] }, \(rest)"), ["P611 day"]),
    Example(
      program("{ during: { hours: 07:00-12:00 }, play: [a] }, { during: { hours: 12:00-21:00 }, play: [a] }, \(rest)"),
      ["P611 day"]),
    Example(program("{ play: [{ media: a, valid: 05-01 }] }, \(rest)"), []),
    Example(program("{ play: [a], repeat: false }, \(rest)"), []),
    Example(program("{ during: { dates: 12-24 }, play: [a] }, \(rest)"), []),
    Example(
      program(
        "{ during: { dates: 12-24 }, play: [a] }, { during: { dates: 12-24, hours: 08:00-10:00 }, play: [a] }, \(rest)"),
      ["P611 { dates: 12-24, hours: 08:00-10:00 }"]),
    Example(
      program(
        "{ during: { dates: 12-24, hours: 08:00-10:00 }, play: [a] }, { during: { dates: 12-24 }, play: [a] }, \(rest)"),
      []),
    Example(
      program("\(rest), { during: { dates: 12-24, hours: 09:00-10:00 }, play: [a] }"),
      ["P611 { dates: 12-24, hours: 09:00-10:00 }"]),
    Example(program("{ during: { not: { dates: 12-24 } }, play: [a] }, \(rest)"), []),
    // Conditions that never hold.
    Example(program("{ during: { hours: 10:00-11:00, not: day }, play: [a] }, \(rest)"), ["P601 during"]),
    Example(program("{ during: { not: any_time }, play: [a] }, \(rest)"), ["P601 during"]),
    Example(program("{ during: { dates: 2026-12-24, days: sat }, play: [a] }, \(rest)"), ["P601 during"]),
    Example(program("{ during: { dates: 2026-12-24..2026-12-26, days: sat }, play: [a] }, \(rest)"), []),
    Example(program("{ during: { dates: 12-24, days: sat }, play: [a] }, \(rest)"), []),
    // Dates that are all over on 2026-11-21; the night of the last one ends a day later.
    Example(program("{ during: { dates: 2025-12-24..2025-12-26 }, play: [a] }, \(rest)"), ["P601 during"]),
    Example(program("{ during: { dates: [2025-12-24, 2026-11-19] }, play: [a] }, \(rest)"), ["P601 during"]),
    Example(program("{ during: { dates: [2025-12-24, 2026-11-20] }, play: [a] }, \(rest)"), []),
    Example(program("{ during: { dates: [2025-12-24, 12-24] }, play: [a] }, \(rest)"), []),
    Example(
      program("{ during: { calendar: closed }, play: [a] }, \(rest)") + "calendars: { closed: [2025-12-24] }\n",
      ["P601 during"]),
    // An item outside the dates of its rule.
    Example(
      program("{ during: { dates: 12-24..12-26 }, play: [a, { media: a, valid: 2027-01-01 }] }, \(rest)"),
      ["P601 2027-01-01"]),
    Example(
      program("{ during: { dates: 12-24..12-26 }, play: [a, { media: a, valid: 2026-12-26..2027-01-01 }] }, \(rest)"),
      []),
    // Interrupts.
    Example(program(rest) + "calendars: { c: [] }\n", ["N402 c"]),
    Example(day + "fallback: [live, a]\nprogram: [\(rest)]\n", ["P608 live"]),
    Example(day + "fallback: live\nprogram: [\(rest)]\n", []),
    Example(day + "fallback: []\nprogram: [\(rest), { play: [{ media: live, for: 1m }] }]\n", ["P612 fallback"]),
  ]

  @Test("A program is checked rule by rule", arguments: findings)
  func program(example: Example) { expect(example) }

  static func interrupts(_ entries: String, _ more: String = "") -> String {
    day + "program: [{ play: [a, { media: live, for: 1m }] }]\ninterrupts: [\(entries)]\n"
      + (more.contains("quiet") ? more : more + "quiet: { hours: 20:30-07:00, days: mon-sat }\n")
      + "fallback: a\n"
  }

  static let cutting: [Example] = [
    // What cuts at once does not compete with what comes on the clock after an item.
    Example(
      interrupts("{ at: \"12:00\", during: day, play: [a], cut: immediately }, { every: 30m, during: day, play: [a] }"),
      []),
    Example(
      interrupts(
        "{ at: \"12:00\", during: day, play: [a], cut: immediately }, { at: \"12:00\", during: day, play: [a] }"),
      ["P614 \"12:00\""]),
    Example(interrupts("{ at: \"12:00\", during: day, play: [a] }"), []),
    Example(interrupts("{ at: \"12:00\", during: day, play: [] }"), ["P612 play"]),
    Example(interrupts("{ at: \"12:00\", during: day, play: [live] }"), ["P608 live"]),
    Example(interrupts("{ at: \"24:00\", during: day, play: [a] }"), ["T214 \"24:00\""]),
    Example(interrupts("{ every: 30s, during: day, play: [a] }"), ["T213 30s"]),
    Example(interrupts("{ at: \"12:00\", every: 1h, during: day, play: [a] }"), ["K107 every"]),
    Example(interrupts("{ during: day, play: [a] }"), ["K105 during"]),
    Example(interrupts("{ at: \"21:00\", during: day, play: [a] }"), ["P601 \"21:00\""]),
    Example(
      interrupts("{ at: \"12:00\", during: day, play: [a] }, { at: [\"09:00\", \"12:00\"], play: [a] }"),
      ["P614 [\"09:00\", \"12:00\"]"]),
    Example(
      interrupts("{ at: \"12:00\", during: day, play: [a] }, { at: \"12:00:30\", play: [a] }"), ["P614 \"12:00:30\""]),
    Example(interrupts("{ at: \"12:00\", during: day, play: [a] }, { at: \"12:01\", play: [a] }"), []),
    Example(interrupts("{ every: 1h, during: day, play: [a] }, { every: 25m, play: [a] }"), ["P614 25m"]),
    Example(interrupts("{ at: \"12:00\", during: day, play: [a] }, { every: 7h, play: [a] }"), []),
    Example(
      interrupts(
        "{ at: \"12:00\", during: { days: mon }, play: [a] }, { at: \"12:00\", during: { days: tue, not: day }, play: [a] }, { at: \"12:00\", during: { days: tue }, play: [a] }"
      ), ["P601 \"12:00\""]),
    Example(
      interrupts("{ at: \"12:00\", during: day, play: [a] }, { at: \"12:00\", during: { dates: 05-01 }, play: [a] }"),
      []),
    Example(interrupts("{ at: \"02:30\", play: [a] }, { at: \"12:00\", during: day, play: [a] }"), []),
    Example(
      interrupts("{ at: \"02:30\", during: { days: mon-sat }, play: [a] }, { at: \"12:00\", during: day, play: [a] }"),
      []),
    Example(
      interrupts(
        "{ at: \"02:30\", play: [a] }, { at: \"12:00\", during: day, play: [a] }",
        "quiet: { hours: 01:00-05:00, screen: keep }\n"), ["P606 \"02:30\""]),
    Example(
      interrupts("{ at: \"12:00\", during: day, play: [a] }", "quiet: { hours: all-day }\n"),
      ["P601 \"12:00\"", "P601 quiet", "P611 play"]),
  ]

  @Test("Interrupts are checked against each other, their window and quiet", arguments: cutting)
  func interrupts(example: Example) { expect(example, sortedByPlace: false) }

  static func settings(_ text: String) -> String {
    "program: [{ play: [a, { media: live, for: 1m }] }]\n" + text
  }

  static let setting: [Example] = [
    Example(settings("keep_awake: 5m\n"), []), Example(settings("keep_awake: 2s\n"), ["T213 2s"]),
    Example(settings("keep_awake: always\n"), ["T203 always"]),
    Example(settings("watchdog: { stalled_after: 0s }\n"), ["T213 0s"]),
    Example(settings("watchdog: { then: reboot }\n"), ["T205 reboot"]),
    Example(settings("takeover: { policy: stop, resume_after: 5m }\n"), ["K107 resume_after"]),
    Example(settings("takeover: { resume_after: 5m }\n"), []),
    Example(settings("volume: 40\n"), ["T207 40"]), Example(settings("volume: keep\n"), []),
    Example(settings("app: Signage\n"), ["N406 Signage"]), Example(settings("app: A1B2C3D4\n"), []),
    Example(settings("ledger: { rotate: hourly }\n"), ["T205 hourly"]),
    Example(settings("quiet: { days: sun }\n"), ["K105 quiet"]),
    Example(settings("quiet: { hours: 25:00-07:00 }\n"), ["T214 25:00-07:00"]),
    Example(settings("dayparts: { any_time: {}, _x: {} }\n"), ["N411 any_time"]),
    Example(settings("dayparts: { _x: { not: _y }, _y: { not: _z }, _z: { not: _x } }\n"), ["N412 _x"]),
    Example(settings("dayparts: { _x: { not: _x } }\n"), ["N412 _x"]),
    Example(settings("dayparts: { _x: { calendar: nope } }\n"), ["N406 nope"]),
    Example(settings("calendars: { c: [2026-02-30] }\n"), ["T214 2026-02-30"]),
  ]

  @Test("Settings, dayparts and calendars are checked", arguments: setting)
  func settings(example: Example) { expect(example) }

  private func expect(_ example: Example, sortedByPlace: Bool = true) {
    let source = Self.source(example.text)
    let outcome = PlanCompiler.compile(source, inputs: Golden.inputs)
    let text = SourceText(source)
    let found = outcome.diagnostics.map { "\($0.code) \(text.text(at: $0.primary.span) ?? "")" }
    #expect(
      sortedByPlace ? found == example.expected : found.sorted() == example.expected.sorted(),
      "\(DiagnosticRenderer(sources: outcome.sources).render(outcome.diagnostics))")
  }

  @Test("A chain of exceptions ends before it becomes a puzzle")
  func chain() {
    let links = (0..<40).map { "_p\($0): { not: _p\($0 + 1) }" }.joined(separator: ", ")
    let outcome = PlanCompiler.compile(
      Self.source(Self.settings("dayparts: { \(links), _p40: { days: sun } }\n")), inputs: Golden.inputs)
    #expect(outcome.diagnostics.contains { $0.code == .n412 && $0.message.hasPrefix("more than 16 dayparts") })
  }

  @Test("Without a timezone the computer's own is named, and only a usable name")
  func localZone() {
    var inputs = Golden.inputs
    let source = SourceFile("playlist: P\ndevices: [TV]\nprogram: [{ play: [https://e.com/a.jpg] }]\n")
    for (zone, label, help) in [
      (
        "Europe/Berlin", "follows the clock of the computer it runs on, here Europe/Berlin", "`timezone: Europe/Berlin`"
      ),
      ("../x", "follows the clock of the computer it runs on", "such as `timezone: Europe/Paris`"),
    ] {
      inputs.localZone = zone
      let problem = PlanCompiler.compile(source, inputs: inputs).diagnostics.first
      #expect(problem?.code == .t218)
      #expect(problem?.primary.text == label)
      #expect(problem?.footers == [.help(help)])
    }
  }
}
