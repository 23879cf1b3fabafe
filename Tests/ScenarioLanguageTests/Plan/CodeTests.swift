import Testing

@testable import ScenarioLanguage

/// Every C and P code with a document that earns it and one, nearly the same, that does not.
@Suite struct CodeTests {
  static func scenario(_ body: String) -> String {
    "scenario: Codes\ndevice: TV\n" + body
      + (body.contains("expect") ? "" : "watch: [{ never: { idle_reason: error } }]\n")
  }

  static func film(_ keys: String, load: String = "film") -> String {
    scenario("media:\n  film: { url: \"https://cdn.example.com/a.mp4\", \(keys) }\nsteps: [{ load: \(load) }]\n")
  }

  static func steps(_ steps: String) -> String { scenario("steps: [\(steps)]\n") }

  static func playlist(_ body: String) -> String {
    "playlist: Codes\ntimezone: Europe/Paris\ndevices: [TV]\n" + body
  }

  static let url = "\"https://cdn.example.com/a.jpg\""
  static let text = "kind: text, url: \"https://cdn.example.com/a.vtt\""
  static let live = "media: { news: { url: \"https://cdn.example.com/a.m3u8\", stream: live } }\n"
  static let day = "dayparts: { day: { hours: 08:00-20:00 }, _noon: { hours: 12:00-13:00 } }\n"

  static let cases: [(code: String, wrong: String, right: String)] = [
    ("C501", steps("{ load: \"rtsp://cdn.example.com/a.mp4\" }"), steps("{ load: \"http://cdn.example.com/a.mp4\" }")),
    (
      "C501", film("clips: { ad: { url: \"ftp://example.com/a.mp4\" } }"),
      film("clips: { ad: { url: \"https://example.com/a.mp4\" } }")
    ),
    ("C502", steps("{ load: \"http://127.0.0.1/a.mp4\" }"), steps("{ load: \"file:a.mp4\" }")),
    (
      "C503", film("tracks: [{ id: en, \(text) }]", load: "{ media: film, tracks: [de] }"),
      film("tracks: [{ id: en, \(text) }]", load: "{ media: film, tracks: [en] }")
    ),
    (
      "C503", film("tracks: [{ id: en, \(text) }, { id: en, \(text) }]"),
      film("tracks: [{ id: en, \(text) }, { id: de, \(text) }]")
    ),
    (
      "C504", film("breaks: [{ id: mid, at: 30s, clips: [ad] }]"),
      film("clips: { ad: { url: \(url) } }, breaks: [{ id: mid, at: 30s, clips: [ad] }]")
    ),
    (
      "C505", film("clips: { ad: { url: \(url), duration: 5s, skippable_after: 5s } }"),
      film("clips: { ad: { url: \(url), duration: 6s, skippable_after: 5s } }")
    ),
    (
      "C506", film("duration: 1m, clips: { ad: { url: \(url) } }, breaks: [{ id: b, at: 61s, clips: [ad] }]"),
      film("duration: 1m, clips: { ad: { url: \(url) } }, breaks: [{ id: b, at: end, clips: [ad] }]")
    ),
    (
      "C506",
      film(
        "clips: { ad: { url: \(url) } }, breaks: [{ id: b, at: 9s, clips: [ad] }, { id: a, at: start, clips: [ad] }]"),
      film(
        "clips: { ad: { url: \(url) } }, breaks: [{ id: a, at: start, clips: [ad] }, { id: b, at: 9s, clips: [ad] }]")
    ),
    (
      "C506", film("clips: { ad: { url: \(url) } }, breaks: [{ id: b, at: 9s, clips: [ad], embedded: true }]"),
      film("clips: { ad: { url: \(url), duration: 9s } }, breaks: [{ id: b, at: 9s, clips: [ad], embedded: true }]")
    ),
    ("C507", steps("{ rate: 0 }"), steps("{ rate: 0.5 }")),
    ("C507", steps("{ rate: 2.5 }"), steps("{ rate: 2 }")),
    (
      "C508", steps("{ load: { media: \(url), custom: { a: \"\(String(repeating: "x", count: 66_000))\" } } }"),
      steps("{ load: { media: \(url), custom: { a: \"\(String(repeating: "x", count: 60_000))\" } } }")
    ),
    (
      "C509", steps("{ load: \"https://cdn.example.com/live\" }"),
      steps("{ load: { media: { url: \"https://cdn.example.com/live\", type: video/mp4 } } }")
    ),
    (
      "C510", film("tracks: [{ id: en, \(text) }, { id: de, \(text) }]", load: "{ media: film, tracks: [en, de] }"),
      film(
        "tracks: [{ id: en, \(text) }, { id: de, kind: audio, inband: true }]",
        load: "{ media: film, tracks: [en, de] }"
      )
    ),
    (
      "C512", film("duration: 1m", load: "{ media: film, start: 1m }"),
      film("duration: 1m", load: "{ media: film, start: 59s }")
    ),
    (
      "C513", steps("{ text_style: { window: normal, window_radius: 8 } }"),
      steps("{ text_style: { window: rounded, window_radius: 8 } }")
    ),
    ("C515", steps("{ text_style: { color: \"#FF112200\" } }"), steps("{ text_style: { color: \"#112200FF\" } }")),
    ("P601", steps("{ fail: a }, play"), steps("{ fail: a, if_fails: continue }, play")),
    (
      "P603", scenario("timeout: 1m\nsteps: [{ wait: 50s }, { expect: { player: idle }, within: 6s }]\n"),
      scenario("timeout: 1m\nsteps: [{ wait: 50s }, { expect: { player: idle }, within: 5s }]\n")
    ),
    (
      "P603", scenario("steps: [play]\nfinally: [{ stop: {}, timeout: 31s }]\n"),
      scenario("steps: [play]\nfinally: [{ stop: {}, timeout: 30s }]\n")
    ),
    ("P607", steps("{ wait: 1s, retry: 2 }"), steps("{ play: {}, retry: 2 }")),
    ("P607", steps("{ play: {}, retry: { attempts: 2, errors: [expectation] } }"), steps("{ play: {}, retry: 2 }")),
    ("P610", "scenario: Codes\ndevice: TV\nsteps: [play]\n", steps("{ expect: { player: playing } }")),
    ("P615", steps("{ never: { player: idle } }"), steps("{ never: { player: idle }, during: 5s }")),
    ("K107", steps("{ expect: { player: idle }, timeout: 5s }"), steps("{ expect: { player: idle }, within: 5s }")),
    (
      "N402", scenario("text_styles: { big: { size: 150% } }\nsteps: [play]\n"),
      scenario("text_styles: { _big: { size: 150% } }\nsteps: [play]\n")
    ),
    (
      "N406", steps("play, { expect_sequence: [{ player: idle }], since: s9 }"),
      steps("play, { expect_sequence: [{ player: idle }], since: s1 }")
    ),
    ("N406", steps("{ load: flim }"), film("duration: 1m")),
    (
      "N407", steps("{ wait: \"${p0}\" }, { play: {}, save: { p0: position } }"),
      steps("{ play: {}, save: { p0: position } }, { wait: \"${p0}\" }")
    ),
    ("N410", steps("{ play: {}, id: a }, { pause: {}, id: a }"), steps("{ play: {}, id: a }, { pause: {}, id: b }")),
    (
      "P605", playlist("\(day)program: [{ during: day, play: [\(url)] }]\n"),
      playlist("\(day)program: [{ during: day, play: [\(url)] }]\nquiet: { hours: 20:00-08:00 }\n")
    ),
    (
      "P605", playlist("\(day)program: [{ during: day, play: [\(url)] }]\n"),
      playlist("\(day)program: [{ during: day, play: [\(url)] }]\nfallback: \(url)\n")
    ),
    (
      "P608", playlist("\(live)program: [{ play: [news] }]\n"),
      playlist("\(live)program: [{ play: [{ media: news, for: 30m }] }]\n")
    ),
    (
      "P611", playlist("\(day)program: [{ play: [\(url)] }, { during: day, play: [\(url)] }]\n"),
      playlist("\(day)program: [{ during: day, play: [\(url)] }, { play: [\(url)] }]\n")
    ),
    ("P612", playlist("program: []\n"), playlist("program: [{ play: [\(url)] }]\n")),
    (
      "T218", "playlist: Codes\ndevices: [TV]\nprogram: [{ play: [\(url)] }]\n",
      playlist("program: [{ play: [\(url)] }]\n")
    ),
  ]

  @Test("A code is given where it is earned, alone, and nowhere else", arguments: cases)
  func earned(code: String, wrong: String, right: String) {
    #expect(Compiling.codes(wrong) == [code])
    #expect(Compiling.codes(right) == [])
  }

  @Test("A value that a variable brings is refused at its own place, with the place that uses it")
  func substituted() throws {
    let problem = try #require(
      Compiling.outcome("scenario: S\ndevice: TV\nvars:\n  speed: -1\nsteps:\n  - rate: ${speed}\n").diagnostics.first)
    #expect(problem.code == .c507)
    #expect(problem.primary.span.line == 4)
    #expect(problem.related.map(\.span.line) == [6])
  }

  @Test("A missing file is only a warning")
  func missingFile() {
    var inputs = PlanCompiler.Inputs()
    inputs.fileExists = { $0 != "gone.mp4" }
    let source = SourceFile(name: "a.yaml", bytes: Array(Self.steps("{ load: \"file:gone.mp4\" }").utf8))
    let outcome = PlanCompiler.compile(source, inputs: inputs)
    #expect(outcome.diagnostics.map(\.code.rawValue) == ["N409"])
    #expect(outcome.document != nil)
  }
}
