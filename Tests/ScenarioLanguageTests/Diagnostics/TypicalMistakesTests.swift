import Testing

@testable import ScenarioLanguage

/// Slips that people make in documents: each is told once, at its place, with a cure that works.
@Suite struct TypicalMistakesTests {
  struct Mistake: Sendable, CustomTestStringConvertible {
    /// Lines of steps, or of a whole document.
    var text: String
    /// Code and underlined text.
    var finding: String
    /// Part of what stands below it.
    var cure: String
    var testDescription: String { TerminalText.escaped(text) }

    init(_ text: String, _ finding: String, _ cure: String = "") {
      self.text = text
      self.finding = finding
      self.cure = cure
    }

    var document: String {
      if ["scenario", "Scenario", "playlist"].contains(where: text.hasPrefix) { return text + "\n" }
      if !text.hasPrefix("-") { return TypicalMistakesTests.head + text + TypicalMistakesTests.film + "steps:\n" + end }
      let steps = text.split(separator: "\n").map { "  \($0)\n" }.joined()
      return TypicalMistakesTests.head + TypicalMistakesTests.film + "steps:\n  - load: film\n" + steps + end
    }

    private var end: String { "  - expect: { app: none }\n" }
  }

  static let head = "scenario: Hello\ndevice: Living Room TV\n"
  static let film = """
    media:
      film:
        url: https://cdn.example.com/film.mp4
        duration: 10m
        tracks: [{ id: en, kind: text, language: en, url: https://cdn.example.com/en.vtt }]

    """

  /// A media whose clips or breaks are wrong.
  private static func ads(_ lines: String) -> String {
    let media = "media:\n  film:\n    url: https://cdn.example.com/film.mp4\n\(lines)\n"
    return head + media + "steps: [{ load: film }, { expect: { player: playing } }]"
  }

  private static func playlist(_ lines: String) -> String {
    "playlist: P\ndevice: TV\ntimezone: UTC\nfallback: https://cdn.example.com/a.png\n" + lines
  }

  static let mistakes: [Mistake] = [
    // Spaces, dashes and colons.
    Mistake("- load:film", "K101 load:film", "did you mean `load: film`?"),
    Mistake("- load film", "K101 load film", "did you mean `load: film`?"),
    Mistake("- expect: { player:playing }", "K101 player:playing", "did you mean `player: playing`?"),
    Mistake("scenario:Hello\ndevice: TV\nsteps: [play]", "Y309 :", "write `scenario: Hello`"),
    Mistake("scenario: Hello\ndevice:TV\nsteps: [play]", "Y309 :", "write `device: TV`"),
    Mistake(head + film + "steps:\n  -load: film\n  - play", "Y309 -", "write `- load: film`"),
    Mistake(head + film + "steps:\n\u{A0} - load: film\n  - play: {}", "Y309 \u{A0}", "replace it by a space"),
    Mistake("- load: film\n  play", "Y309 p", "a new step is `- play`"),
    Mistake("-", "K105 ", "nothing after the dash"),
    Mistake("- text_style: { color: #FFFF00, size: 120% }", "T208 color", "quote it, `\"#FFFF00\"`"),
    Mistake("- load: {{film}}", "Y307 {", "put in by `${name}`"),
    Mistake("- load: https://a.example/a.mp4\n    play", "T215 line 10", "line 11 is indented deeper"),
    // Words of other tools.
    Mistake("- sleep: 5s", "K101 sleep", "did you mean `wait`?"),
    Mistake("- assert: { player: playing }", "K101 assert", "did you mean `expect`?"),
    Mistake("- resume", "K101 resume", "did you mean `play`?"),
    Mistake("- unmute", "K101 unmute", "did you mean `mute: false`?"),
    Mistake("- set_volume: 40%", "K101 set_volume", "did you mean `volume`?"),
    Mistake("- skipAd", "K101 skipAd", "did you mean `skip_ad`?"),
    Mistake("- play: {}\n  retry: { count: 3 }", "K101 count", "did you mean `attempts`?"),
    Mistake("- play: {}\n  retry: { attempts: 3, delay: 1s }", "K101 delay", "did you mean `wait`?"),
    Mistake("- expect: { position: { gte: 5s } }", "K101 gte", "did you mean `min`?"),
    Mistake("- expect: { title: { regex: a } }", "K101 regex", "did you mean `matches`?"),
    Mistake("- load: { url: https://a.example/a.mp4 }", "K101 url", "did you mean `media`?"),
    Mistake("- choose: [{ if: { player: idle }, steps: [play] }, { else: [pause] }]", "K101 else", "`otherwise`"),
    Mistake("schedule: [{ cron: \"0 0 * * *\", tz: UTC }]\n", "K101 tz", "did you mean `timezone`?"),
    // Shapes.
    Mistake("- expect: playing", "T210 playing", "`{ player: playing }`"),
    Mistake("- play: film", "T210 film", "`load: film` loads it"),
    Mistake("- pause: 5s", "T210 5s", "write `- pause`, and `- wait: 5s`"),
    Mistake("- repeat: 3\n  steps: [pause, play]", "T210 3", "`repeat: { times: 3, steps: […] }`"),
    Mistake("- for_each: [1, 2]\n  steps: [pause]", "T210 [1, 2]", "`for_each: { item: […], steps: […] }`"),
    Mistake("- group: [pause, play]", "T210 [pause, play]", "`group: { steps: […] }`"),
    Mistake("- parallel: [pause, play]", "T210 pause", "`- { steps: [pause] }`"),
    Mistake("scenario: A\ndevice: [A, B]\nsteps: [{ expect: { app: none } }]", "T210 [A, B]", "`devices: […]`"),
    Mistake(
      head + "media:\n  - film: { url: https://a.example/a.mp4 }\nsteps: [{ load: film }]",
      "T210 - film: { url: https://a.example/a.mp4 }", "no dashes: `film: …`"),
    Mistake(
      head + "media:\n  - { id: film, url: https://a.example/a.mp4 }\nsteps: [{ load: film }]",
      "T210 - { id: film, url: https://a.example/a.mp4 }", "without a dash: `film: { … }`"),
    Mistake(
      ads("    clips: [{ id: car, url: https://a.example/c.mp4 }]\n    breaks: [{ id: mid, at: 1m, clips: [car] }]"),
      "T210 [{ id: car, url: https://a.example/c.mp4 }]", "`car: { … }`"),
    Mistake(
      ads("    clips: { car: { url: https://a.example/c.mp4 } }\n    breaks: { mid: { at: 1m, clips: [car] } }"),
      "T210 { mid: { at: 1m, clips: [car] } }", "write `[{ id: mid, at: 1m, clips: [car] }]`"),
    Mistake(
      playlist("program: [{ during: { days: [sat, sun] }, play: [https://a.example/a.png] }]"), "T210 [sat, sun]",
      "\"sat,sun\""),
    Mistake(
      playlist("program: [{ during: { hours: [] }, play: [https://a.example/a.png] }]"), "T210 []", "leave `hours` out"),
    // Keys further down, and what hangs on them.
    Mistake(
      ads("    clisp: { car: { url: https://a.example/c.mp4 } }\n    breaks: [{ id: mid, at: 1m, clips: [car] }]"),
      "K101 clisp", "did you mean `clips`?"),
    Mistake(
      ads(
        "    clips: { car: { url: https://a.example/c.mp4, duraton: 15s } }\n    breaks: [{ id: mid, at: 1m, clips: [car] }]"
      ),
      "K101 duraton", "did you mean `duration`?"),
    Mistake(
      ads(
        "    clips: { car: { url: https://a.example/c.mp4 } }\n    breaks: [{ id: mid, position: 1m, clips: [car] }]"),
      "K101 position", "did you mean `at`?"),
    Mistake("- load: { meda: film }", "K101 meda", "did you mean `media`?"),
    Mistake(
      "- for_each: { item: [1s, 2s], step: [{ wait: \"${item}\" }] }", "K101 step", "did you mean `steps`?"),
    Mistake("- launch: { app: default, parms: { a: 1 } }", "K101 parms", "did you mean `params`?"),
    Mistake("- play: {}\n  save: { p: positon }\n- log: ${p}", "T205 positon", "did you mean `position`?"),
    Mistake(
      "blocks: { b: { prams: { a: { type: text } }, steps: [{ log: \"${a}\" }] } }\nsetup: [{ use: { block: b, with: { a: x } } }]\n",
      "K101 prams", "did you mean `params`?"),
    Mistake(
      "blocks: { b: { params: { a: { tpye: text } }, steps: [{ log: \"${a}\" }] } }\nsetup: [{ use: { block: b, with: { a: x } } }]\n",
      "K101 tpye", "did you mean `type`?"),
    Mistake(
      "blocks: { b: { params: { a: { type: text } }, steps: [{ log: \"${a}\" }] } }\nsetup: [{ use: { block: b, wth: { a: x } } }]\n",
      "K101 wth", "did you mean `with`?"),
    Mistake(
      "vars: { n: { typ: int, default: 3 } }\nsetup: [{ launch: default, retry: \"${n}\" }]\n", "K101 typ",
      "did you mean `type`?"),
    Mistake(
      "matrix: { lang: [en, no], exlude: [{ lang: no }] }\nsetup: [{ log: \"${matrix.lang}\" }]\n", "K101 exlude",
      "did you mean `exclude`?"),
    Mistake("include: [nowhere.yaml]\nsetup: [{ load: logo }]\n", "N409 nowhere.yaml"),
    Mistake("- load: *b", "Y301 b"),
    Mistake(
      head + "media: { a: &a { url: https://a.example/a.mp4 }, b: { <<: *a } }\nsteps: [{ load: a }, { load: b }]",
      "Y303 <<", "`like: a`"),
    Mistake("- \"${verb}\": {}", "K101 \"${verb}\"", "verbs and keys are written out"),
    Mistake("vars: { b: \"${a}x\", a: y }\nsetup: [{ log: \"${a}${b}\" }]\n", "N401 a", "move this one down"),
    Mistake("- log: ${env.CDN}", "N401 env.CDN", "`vars: { cdn: { env: CDN } }`"),
    Mistake(
      "- repeat: { times: 3, until: { player: idle }, at_most: 3, steps: [pause] }", "K107 until", "leave one of them"),
    // Values.
    Mistake("- seek: -10s", "T213 -10s", "`seek: { by: -10s }`"),
    Mistake("- seek: begin", "T203 begin", "did you mean `start`?"),
    Mistake("- seek: 00:01:30", "T202 00:01:30", "write `1m30s`"),
    Mistake("- wait: 5 minutes", "T203 5 minutes", "write `5m`"),
    Mistake("- wait: .5s", "T203 .5s", "write `0.5s`"),
    Mistake("- volume: 40 %", "T207 40 %", "did you mean `40%`?"),
    Mistake("- volume: 1", "T207 1", "1% or 100%?"),
    Mistake("- rate: { by: 110% }", "T221 110%", "did you mean `1.1x`?"),
    Mistake("- expect: { volume: 40% }", "T220 40%", "write `{ level: 40% }`"),
    Mistake("- expect: { player: playing, within: 5s }", "K101 within", "goes next to the verb"),
    Mistake("- text_style: { color: yellow/75 }", "T209 yellow/75", "did you mean `yellow/75%`?"),
    Mistake("- text_style: { color: 112233 }", "T209 112233", "did you mean `\"#112233\"`?"),
    Mistake("- launch: defalt", "N406 defalt", "did you mean `default`?"),
    Mistake("- launch: { app: default, language: en_GB }", "T222 en_GB", "did you mean `en-GB`?"),
    Mistake("- load: media.example.com/a.mp4", "T215 media.example.com/a.mp4", "`https://media.example.com/a.mp4`?"),
    Mistake("- load: https//a.example/a.mp4", "T215 https//a.example/a.mp4", "did you mean `https://a.example/a.mp4`?"),
    Mistake("- load: http:/a.example/a.mp4", "T215 http:/a.example/a.mp4", "did you mean `http://a.example/a.mp4`?"),
    Mistake("- load: ./a.mp4", "T215 ./a.mp4", "did you mean `file:a.mp4`?"),
    Mistake("- load: $cdn/a.mp4", "T215 $cdn/a.mp4", "put in by `${name}`"),
    Mistake("- load: http://127.1/a.mp4", "C502 127.1", "file:a.mp4"),
    Mistake(
      "schedule: [{ cron: \"*/90 * * * *\", timezone: UTC }]\n", "T217 */90", "`every: 90m` instead of `cron`"),
    Mistake(
      playlist("dayparts: { d: { days: sat sun } }\nprogram: [{ during: d, play: [https://a.example/a.png] }]"),
      "T214 sat sun", "`\"sat,sun\"`?"),
    Mistake(
      playlist("dayparts: { d: { hours: allday } }\nprogram: [{ during: d, play: [https://a.example/a.png] }]"),
      "T214 allday", "`all-day`?"),
    Mistake(
      playlist(
        "dayparts: { d: { dates: 2026-12-24 - 2026-12-26 } }\nprogram: [{ during: d, play: [https://a.example/a.png] }]"
      ),
      "T214 2026-12-24 - 2026-12-26", "`2026-12-24..2026-12-26`?"),
  ]

  private static func outcome(_ text: String) -> PlanCompiler.Outcome {
    PlanCompiler.compile(SourceFile(text), inputs: Golden.inputs)
  }

  @Test("A mistake is told once, at its place, with its cure", arguments: mistakes)
  func told(mistake: Mistake) {
    let outcome = Self.outcome(mistake.document)
    let errors = outcome.diagnostics.filter { $0.severity == .error }
    let text = SourceText(SourceFile(mistake.document))
    let found = errors.map { problem in
      "\(problem.code) \(text.text(at: problem.primary.span) ?? "line \(problem.primary.span.line)")"
    }
    let rendered = DiagnosticRenderer(sources: outcome.sources).render(outcome.diagnostics)
    #expect(found == [mistake.finding], "\(rendered)")
    #expect(rendered.contains(mistake.cure), "\(rendered)")
  }

  @Test("What a label says was meant compiles when it is pasted", arguments: mistakes)
  func pasted(mistake: Mistake) throws {
    let problem = try #require(Self.outcome(mistake.document).diagnostics.first { $0.severity == .error })
    let parts = problem.primary.text.split(separator: "`", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "did you mean ", !parts[1].hasPrefix("file:") else { return }
    let span = problem.primary.span
    var lines = mistake.document.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var line = Array(lines[span.line - 1].unicodeScalars)
    line.replaceSubrange(span.column - 1..<span.endColumn - 1, with: parts[1].unicodeScalars)
    lines[span.line - 1] = String(String.UnicodeScalarView(line))
    let outcome = Self.outcome(lines.joined(separator: "\n"))
    let errors = outcome.diagnostics.filter { $0.severity == .error }
    #expect(errors.map { "\($0.code) \($0.message)" } == [], "\(lines.joined(separator: "\n"))")
  }
}
