import Testing

@testable import ScenarioLanguage

/// Mistakes of people who write their first documents: the cure of each message works when it is pasted.
@Suite struct CuresTests {
  struct Slip: Sendable, CustomTestStringConvertible {
    /// A whole document, or lines of steps.
    var text: String
    /// Code and underlined text of the only error.
    var finding: String
    /// Part of the message.
    var cure: String
    /// What is replaced by what the message says, which makes the document right; every line of it is in the message.
    var wrong: String?
    var right: String?
    var testDescription: String { TerminalText.escaped(text) }

    init(
      _ text: String, _ finding: String, _ cure: String = "", replacing wrong: String? = nil, by right: String? = nil
    ) {
      self.text = text
      self.finding = finding
      self.cure = cure
      self.wrong = wrong
      self.right = right
    }

    var document: String {
      if !text.hasPrefix("  - ") && !text.hasPrefix("  -") { return text + "\n" }
      return CuresTests.head + "steps:\n" + text + "\n  - expect: { player: playing }\n"
    }
  }

  static let head = """
    scenario: Hello
    device: TV
    media: { film: { url: https://cdn.example.com/film.mp4, duration: 10m } }

    """
  private static let play = "steps: [{ load: https://cdn.example.com/a.mp4 }, { expect: { player: playing } }]"

  private static func playlist(_ lines: String) -> String {
    """
    playlist: P
    device: TV
    timezone: UTC
    fallback: https://cdn.example.com/a.png
    media: { menu: { url: https://cdn.example.com/menu.png }, soup: { url: https://cdn.example.com/soup.png } }

    """ + lines
  }

  private static func ads(_ breaks: String) -> String {
    """
    scenario: Hello
    device: TV
    media:
      film:
        url: https://cdn.example.com/film.mp4
        duration: 10m
        clips: { car: { url: https://cdn.example.com/car.mp4, duration: 15s } }
        breaks:
    \(breaks)
    steps: [{ load: film }, { expect: { player: playing } }]
    """
  }

  private static let english = "{ kind: text, language: en, url: https://cdn.example.com/en.vtt }"
  private static let german = "{ kind: text, language: de, url: https://cdn.example.com/de.vtt }"

  private static func tracks(_ tracks: String) -> String {
    """
    scenario: Hello
    device: TV
    media:
      f:
        url: https://cdn.example.com/film.mp4
        tracks: \(tracks.replacing("\n", with: "\n    "))
    steps: [{ load: f }, { expect: { player: playing } }]
    """
  }

  private static func style(_ color: String) -> String {
    """
    scenario: Hello
    device: TV
    media: { film: { url: https://cdn.example.com/film.mp4 } }
    text_styles: { a: { color: \(color), size: 150% } }
    steps: [{ load: { media: film, text_style: a } }, { expect: { player: playing } }]
    """
  }

  static let characters: [Slip] = [
    Slip(
      "  - load: “https://cdn.example.com/a.mp4”", "T215 “https://cdn.example.com/a.mp4”",
      "`“` in column 11 is U+201C, a typographic quote", replacing: "“https://cdn.example.com/a.mp4”",
      by: "https://cdn.example.com/a.mp4"),
    Slip("  - wait: “5s”", "T203 “5s”", "U+201C", replacing: "“5s”", by: "5s"),
    Slip(
      "  -\u{A0}load: film\n  - play", "Y309 \u{A0}", "U+00A0, a no-break space", replacing: "-\u{A0}load", by: "- load"
    ),
    Slip(head + "steps:\n  -\u{A0}load: film", "T210 -\u{A0}load", "U+00A0", replacing: "-\u{A0}load", by: "- load"),
    Slip(head + "steps:\n  - load:\u{A0}film\n    name: x", "Y309 \u{A0}", "U+00A0"),
    Slip("scenario: x\ndevice:\u{A0}TV\n" + play, "Y309 \u{A0}", "U+00A0"),
    Slip("  - lоad: film", "K101 lоad", "column 6 is U+043E", replacing: "lоad", by: "load"),
    Slip("  - expect: { player: plаying }", "T205 plаying", "column 25 is U+0430", replacing: "plа", by: "pla"),
    Slip("  - load: fіlm", "N406 fіlm", "U+0456", replacing: "fіlm", by: "film"),
    Slip("  - wait: ５s", "T203 ５s", "U+FF15", replacing: "５s", by: "5s"),
    Slip("  - seek: { by: −10s }", "T203 −10s", "U+2212", replacing: "−10s", by: "-10s"),
    Slip("scenario: x\ndevice: TV\u{200B}\n" + play, "Y308 \u{200B}", "U+200B"),
    Slip("scenario: x\ndevice: \u{2060}TV\n" + play, "Y308 \u{2060}", "U+2060"),
    Slip("  - load: https://cdn.example.com/a.mp4\u{200B}", "Y308 \u{200B}", "U+200B"),
    Slip("  - load: https://cdn.example.com/a\u{200B}.mp4", "T215 \u{200B}", "U+200B"),
    Slip("  - \u{200B}load: film", "Y308 \u{200B}", "U+200B"),
    Slip("  - expect: { player: \"playing\u{200B}\" }", "Y308 \u{200B}", "U+200B"),
  ]

  static let syntax: [Slip] = [
    Slip(
      "scenario x\ndevice: TV\n" + play, "Y309  ", "write `scenario: x`", replacing: "scenario x", by: "scenario: x"),
    Slip(
      "scenario: x\ndevice: TV\ntimeout 5m\n" + play, "Y309  ", "write `timeout: 5m`", replacing: "timeout 5m",
      by: "timeout: 5m"),
    Slip("// JSON5\nscenario: x\ndevice: TV\n" + play, "Y309 //", "begins with `#`", replacing: "//", by: "#"),
    Slip("scenario: x\n// of mine\ndevice: TV\n" + play, "Y309 //", "begins with `#`", replacing: "//", by: "#"),
    Slip("// JSON5\n{ scenario: 'x', device: 'TV', \(play) }", "Y309 //", "begins with `#`", replacing: "//", by: "#"),
    Slip(
      "  - load: film\n  - expect: { player: playing }   within: 20s", "Y309 w",
      "put `within:` on a line of its own", replacing: "  - expect: { player: playing }   within: 20s",
      by: "  - expect: { player: playing }\n    within: 20s"),
    Slip(
      "  - load: film timeout: 20s", "Y309 :", "put `timeout:` on a line of its own",
      replacing: "  - load: film timeout: 20s", by: "  - load: film\n    timeout: 20s"),
    Slip(
      "  - expect: { title: 'Bob's film' }", "Y309 '", "is written `''`", replacing: "'Bob's film'", by: "'Bob''s film'"
    ),
    Slip("  - log: 'Bob's film'", "Y309 '", "is written `''`", replacing: "'Bob's film'", by: "'Bob''s film'"),
    Slip(
      "  - expect: { title: What? Yes: no }", "Y309 :", "a second `: `", replacing: "What? Yes: no",
      by: "\"What? Yes: no\""),
    Slip(
      "  - load: film\n  -expect: { player: playing }", "Y309 -", "write `- expect", replacing: "-expect",
      by: "- expect"),
    Slip(
      playlist("program:\n  - play: [https://cdn.example.com/c.jpg # two, https://cdn.example.com/d.jpg]"), "Y309 #",
      "a comment"),
  ]

  static let shapes: [Slip] = [
    Slip(
      "scenario: x\ndevice: TV\nmedia: { menu: https://cdn.example.com/a.png }\nsteps: [{ load: menu }, { expect: { player: playing } }]",
      "T210 https://cdn.example.com/a.png", "", replacing: "https://cdn.example.com/a.png",
      by: "{ url: https://cdn.example.com/a.png }"),
    Slip(
      "scenario: x\ndevice: tv\ninventory: { tv: TV }\n" + play, "T210 TV", "", replacing: "TV", by: "{ name: TV }"),
    Slip(
      playlist("program:\n  - play:\n      - menu\n        for: 30s"), "Y309 :", "",
      replacing: "- menu\n        for: 30s", by: "- { media: menu, for: 30s }"),
    Slip(
      playlist("program:\n  - play:\n      - https://cdn.example.com/c.jpg\n        for: 30s"), "Y309 :", "",
      replacing: "- https://cdn.example.com/c.jpg\n        for: 30s",
      by: "- { media: https://cdn.example.com/c.jpg, for: 30s }"),
    Slip(
      playlist("program:\n  - play:\n      - menu:\n        for: 30s"), "K101 menu", "`media: menu`",
      replacing: "menu:\n", by: "media: menu\n"),
    Slip(
      playlist("program:\n  - play:\n      - soup: 20s"), "K101 soup: 20s", "", replacing: "soup: 20s",
      by: "{ media: soup, for: 20s }"),
    Slip(
      playlist("program:\n  - play:\n      - soup for 20s"), "N406 soup for 20s", "", replacing: "soup for 20s",
      by: "{ media: soup, for: 20s }"),
    Slip(
      playlist("program:\n  - play:\n      - https://cdn.example.com/c.jpg for 10s"),
      "T215 https://cdn.example.com/c.jpg for 10s", "", replacing: "https://cdn.example.com/c.jpg for 10s",
      by: "{ media: https://cdn.example.com/c.jpg, for: 10s }"),
    Slip(
      playlist("program: [{ play: [\"https://cdn.example.com/c.jpg # two\"] }]"),
      "T215  ", "a comment stands outside the quotes"),
    Slip(
      playlist("program: [{ during: fri, play: [menu] }]"), "N406 fri", "", replacing: "fri", by: "{ days: fri }"),
    Slip(
      playlist("program: [{ during: 12:00-14:00, play: [menu] }]"), "N406 12:00-14:00", "", replacing: "12:00-14:00",
      by: "{ hours: 12:00-14:00 }"),
    Slip(
      playlist("program: [{ during: mon-fri 12:00-14:00, play: [menu] }]"), "N406 mon-fri 12:00-14:00", "",
      replacing: "mon-fri 12:00-14:00", by: "{ days: mon-fri, hours: 12:00-14:00 }"),
    Slip(
      playlist("program: [{ during: weekday, play: [menu] }]"), "N406 weekday", "", replacing: "weekday",
      by: "{ days: weekdays }"),
    Slip(
      playlist("program: [{ during: \"sat,sun\", play: [menu] }]"), "N406 \"sat,sun\"", "", replacing: "\"sat,sun\"",
      by: "{ days: \"sat,sun\" }"),
    Slip(
      playlist("program: [{ during: always, play: [menu] }]"), "N406 always", "", replacing: "always", by: "any_time"),
    Slip(
      playlist("program: [{ play: [menu] }, { at: \"12:00\", play: [soup] }]"), "K101 at", "belongs under `interrupts:`"
    ),
    Slip(
      playlist("program: [{ play: [menu] }]\ninterrupts: { at: \"12:00\", play: [soup] }"),
      "T210 { at: \"12:00\", play: [soup] }", "", replacing: "{ at: \"12:00\", play: [soup] }",
      by: "[{ at: \"12:00\", play: [soup] }]"),
    Slip(
      "scenario: x\ndevice: TV\nwatch: { never: { player: paused } }\n" + play, "T210 { never: { player: paused } }",
      "",
      replacing: "{ never: { player: paused } }", by: "[{ never: { player: paused } }]"),
    Slip(
      "scenario: x\ndevice: TV\nsteps: { expect: { app: none } }", "T210 { expect: { app: none } }", "",
      replacing: "{ expect: { app: none } }", by: "[{ expect: { app: none } }]"),
    Slip(
      "scenario: x\ndevice: TV\nmedia: { f: { url: https://cdn.example.com/a.mp4, tracks: { en: { kind: audio } } } }\nsteps: [{ load: f }, { expect: { player: playing } }]",
      "T210 { en: { kind: audio } }", "", replacing: "{ en: { kind: audio } }", by: "[{ id: en, kind: audio }]"),
    Slip(
      tracks("{ en: \(english), de: \(german) }"), "T210 { en: \(english), de: \(german) }", "",
      replacing: "{ en: \(english), de: \(german) }",
      by: "[{ id: en, \(english.dropFirst(2)), { id: de, \(german.dropFirst(2))]"),
    Slip(
      tracks("\n      en: \(english)"), "T210 en", "", replacing: "en: \(english)",
      by: "- { id: en, \(english.dropFirst(2))"),
    Slip(
      tracks("\n      en:\n        kind: audio"), "T210 en", "", replacing: "en:", by: "- id: en"),
    Slip(
      "  - load: { media: film, tracks: { en: on } }", "T210 { en: on }", "write `[en]`"),
    Slip(
      "  - exec: [touch, x]", "T210 [touch, x]", "", replacing: "exec: [touch, x]", by: "exec: { command: [touch, x] }"),
    Slip(
      "  - exec: [sh, \"-c\", \"a, b\"]", "T210 [sh, \"-c\", \"a, b\"]", "", replacing: "exec: [sh, \"-c\", \"a, b\"]",
      by: "exec: { command: [sh, \"-c\", \"a, b\"] }"),
    Slip(
      "  - exec:\n      - touch\n      - x", "T210 line 6", "", replacing: "exec:\n      - touch\n      - x",
      by: "exec: { command: [touch, x] }"),
    Slip(
      playlist("calendars: { holidays: holidays.ics }\nprogram: [{ play: [menu] }]"), "T210 holidays.ics",
      "write `{ file: holidays.ics }`"),
    Slip(
      playlist("calendars: { holidays: \"our days/2026, all.ics\" }\nprogram: [{ play: [menu] }]"),
      "T210 \"our days/2026, all.ics\"", "write `{ file: \"our days/2026, all.ics\" }`"),
    Slip(
      playlist("calendars: { holidays: 2026-12-25 }\nprogram: [{ play: [menu] }]"), "T210 2026-12-25", "",
      replacing: "2026-12-25", by: "[2026-12-25]"),
    Slip("  - exec: touch x", "T210 touch x", "", replacing: "exec: touch x", by: "exec: { command: [touch, x] }"),
    Slip("  - save: p0", "T210 p0", "", replacing: "save: p0", by: "save: { p0: position }"),
    Slip(
      "  - send: { namespace: \"urn:x-cast:com.acme\", message: hello }", "T210 hello", "JSON object",
      replacing: "message: hello", by: "message: { type: hello }"),
    Slip(
      "- load: https://cdn.example.com/a.mp4", "T210 - load: https://cdn.example.com/a.mp4",
      "begin with `scenario: title`"),
    Slip("  - - load: film", "T210 - load: film", "one dash", replacing: "- - load", by: "- load"),
    Slip(
      "  - expect: { title: [a, b] }", "T210 [a, b]", "", replacing: "[a, b]", by: "{ one_of: [a, b] }"),
    Slip(
      "  - expect: { position: { between: [1s, 2s] } }", "K101 between", "", replacing: "between: [1s, 2s]",
      by: "min: 1s, max: 2s"),
    Slip(
      "  - wait: { player: playing }", "K101 player", "", replacing: "wait: { player: playing }",
      by: "wait_until: { player: playing }"),
    Slip("  - skip_ad: true", "T210 true", "", replacing: "skip_ad: true", by: "skip_ad"),
    Slip(
      ads(
        "      - { id: pre, at: start, clips: [car] }\n      - { id: mid, at: 1m, clips: [car] }\n      - { at: 2m, clips: [car] }"
      ),
      "K105 at", "a break needs `id`"),
    Slip(
      ads("      - { id: mid, at: 1m, clips: [car] }\n      - { id: mid, at: 2m, clips: [car] }"), "C506 mid",
      "break `mid` is declared twice"),
  ]

  static let values: [Slip] = [
    Slip(
      "  - load: https://cdn.example.com/film", "C509 https://cdn.example.com/film", "",
      replacing: "load: https://cdn.example.com/film",
      by: "load: { media: { url: https://cdn.example.com/film, type: video/mp4 } }"),
    Slip(
      "  - queue: [https://cdn.example.com/clip]", "C509 https://cdn.example.com/clip", "",
      replacing: "https://cdn.example.com/clip",
      by: "{ url: https://cdn.example.com/clip, type: video/mp4 }"),
    Slip(
      playlist("program: [{ play: [https://cdn.example.com/film] }]"), "C509 https://cdn.example.com/film",
      "under `media:`"),
    Slip(
      "scenario: x\ndevice: TV\nmedia: { f: { url: https://cdn.example.com/film } }\nsteps: [{ load: f }, { expect: { player: playing } }]",
      "C509 https://cdn.example.com/film", "add `type: video/mp4`"
    ),
    Slip(
      "scenario: x\ndevice: TV\nmedia: { f: { url: https://cdn.example.com/a.mp4, tracks: [{ id: en, language: en, url: https://cdn.example.com/en.srt }] } }\nsteps: [{ load: f }, { expect: { player: playing } }]",
      "C509 https://cdn.example.com/en.srt", "convert it to WebVTT"),
    Slip(
      "  - load: https://www.youtube.com/watch?v=dQw4w9WgXcQ", "C509 https://www.youtube.com/watch?v=dQw4w9WgXcQ",
      "a page, not a media file"),
    Slip("  - load: https://cdn.example.com/a.html", "C509 https://cdn.example.com/a.html", "a page, not a media file"),
    Slip("  - load: film\n  - volume: +5%", "T207 +5%", "`showcaller volume +5%`"),
    Slip(
      playlist("program: [{ play: [menu] }]\ninterrupts: [{ at: 25:00, play: [soup] }]"), "T214 25:00",
      "hours are 00 to 24"),
    Slip("  - wait: 1,5s", "T203 1,5s", "", replacing: "1,5s", by: "1.5s"),
    Slip("  - wait: 1m30", "T203 1m30", "", replacing: "1m30", by: "1m30s"),
    Slip("  - wait: PT30S", "T203 PT30S", "", replacing: "PT30S", by: "30s"),
    Slip("  - wait: PT1M30S", "T203 PT1M30S", "", replacing: "PT1M30S", by: "1m30s"),
    Slip(style("rgb(1,2,3)"), "T209 rgb(1,2,3)", "", replacing: "rgb(1,2,3)", by: "\"#010203\""),
    Slip(style("hsl(1,2,3)"), "T209 hsl(1,2,3)", "\"#RRGGBB\""),
    Slip(style("orange"), "T209 orange", "white, black, red, green, blue, yellow, cyan, magenta, gray, transparent"),
  ]

  private static func outcome(_ text: String) -> PlanCompiler.Outcome {
    PlanCompiler.compile(SourceFile(text), inputs: Golden.inputs)
  }

  private static func errors(_ outcome: PlanCompiler.Outcome) -> [String] {
    outcome.diagnostics.filter { $0.severity == .error }.map { "\($0.code) \($0.message)" }
  }

  @Test(
    "A slip is told once, at its place, with a cure that works",
    arguments: characters + syntax + shapes + values + mistakes)
  func told(slip: Slip) {
    let outcome = Self.outcome(slip.document)
    let errors = outcome.diagnostics.filter { $0.severity == .error }
    let text = SourceText(outcome.sources[0])
    let found = errors.map { problem in
      "\(problem.code) \(text.text(at: problem.primary.span) ?? "line \(problem.primary.span.line)")"
    }
    let rendered = DiagnosticRenderer(sources: outcome.sources).render(outcome.diagnostics)
    let words = errors.map(\.words).joined(separator: "\n")
    #expect(found == [slip.finding], "\(rendered)")
    #expect(words.contains(slip.cure), "\(rendered)")
    guard let wrong = slip.wrong, let right = slip.right else { return }
    for line in right.split(separator: "\n") {
      let part = line.drop { $0 == " " }
      // What is named by its letters alone is not spelled out.
      #expect(words.contains(part) || slip.finding.hasPrefix("Y309"), "\(part) in \(rendered)")
    }
    let cured = slip.document.replacing(wrong, with: right, maxReplacements: 1)
    #expect(Self.errors(Self.outcome(cured)) == [], "\(cured)")
  }

  @Test("What a label says was meant compiles when it is pasted", arguments: mistakes)
  func pasted(slip: Slip) throws {
    let problem = try #require(Self.outcome(slip.document).diagnostics.first { $0.severity == .error })
    let parts = problem.primary.text.split(separator: "`", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "did you mean ", !parts[1].hasPrefix("file:") else { return }
    let span = problem.primary.span
    var lines = slip.document.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var line = Array(lines[span.line - 1].unicodeScalars)
    line.replaceSubrange(span.column - 1..<span.endColumn - 1, with: parts[1].unicodeScalars)
    lines[span.line - 1] = String(String.UnicodeScalarView(line))
    let outcome = Self.outcome(lines.joined(separator: "\n"))
    #expect(Self.errors(outcome) == [], "\(lines.joined(separator: "\n"))")
  }

  @Test("A text between typographic quotes is warned of: they are part of it")
  func quotedTitle() {
    let document = "scenario: “Hello”\ndevice: TV\n" + Self.play + "\n"
    let outcome = Self.outcome(document)
    #expect(
      outcome.diagnostics.map { "\($0.severity) \($0.code) \($0.primary.text)" } == ["warning Y308 write `\"Hello\"`"])
    #expect(Self.outcome(document.replacing("“Hello”", with: "\"Hello\"")).diagnostics == [])
    #expect(Self.outcome(document.replacing("“Hello”", with: "\"“Hello”\"")).diagnostics == [])
  }

  @Test(
    "Characters that only look strange are left alone where they are text",
    arguments: [
      "Caf\u{E9} de la Gare", "Пётр", "Bob’s film", "Family \u{1F468}\u{200D}\u{1F469}",
      "\u{5E9}\u{5DC}\u{5D5}\u{5DD}!\u{200F}",
      "Film\u{A0}! Suite", "\u{E2A}\u{E27}\u{E31}\u{E2A}\u{200B}\u{E14}\u{E35}",
    ])
  func text(title: String) {
    #expect(Self.outcome("scenario: \(title)\ndevice: \(title)\n" + Self.play + "\n").diagnostics == [])
  }

  @Test(
    "Files that devices play have their type by their ending",
    arguments: [
      ("mkv", "video/x-matroska"), ("mov", "video/quicktime"), ("ogg", "audio/ogg"), ("oga", "audio/ogg"),
      ("opus", "audio/ogg"), ("wav", "audio/wav"), ("flac", "audio/flac"), ("aac", "audio/aac"), ("ts", "video/mp2t"),
    ])
  func types(ending: String, type: String) {
    #expect(MediaType.ofMedia(at: "https://cdn.example.com/a.\(ending)?x=1") == type)
  }
}
