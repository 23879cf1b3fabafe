@testable import ScenarioLanguage

/// What people write who know other tools, or slip.
extension CuresTests {
  private static let typicalHead = "scenario: Hello\ndevice: Living Room TV\n"
  private static let film = """
    media:
      film:
        url: https://cdn.example.com/film.mp4
        duration: 10m
        tracks: [{ id: en, kind: text, language: en, url: https://cdn.example.com/en.vtt }]

    """

  /// A slip in lines of steps, in top-level keys, or in a whole document.
  private static func typical(_ text: String, _ finding: String, _ cure: String = "") -> Slip {
    let end = "  - expect: { app: none }"
    var document = text
    if text.hasPrefix("-") {
      let steps = text.split(separator: "\n").map { "  \($0)\n" }.joined()
      document = typicalHead + film + "steps:\n  - load: film\n" + steps + end
    } else if !["scenario", "Scenario", "playlist"].contains(where: text.hasPrefix) {
      document = typicalHead + text + film + "steps:\n" + end
    }
    return Slip(document, finding, cure)
  }

  /// A media whose clips or breaks are wrong.
  private static func clips(_ lines: String) -> String {
    let media = "media:\n  film:\n    url: https://cdn.example.com/film.mp4\n\(lines)\n"
    return typicalHead + media + "steps: [{ load: film }, { expect: { player: playing } }]"
  }

  private static func plain(_ lines: String) -> String {
    "playlist: P\ndevice: TV\ntimezone: UTC\nfallback: https://cdn.example.com/a.png\n" + lines
  }

  static let mistakes: [Slip] = [
    // Spaces, dashes and colons.
    typical("- load:film", "K101 load:film", "did you mean `load: film`?"),
    typical("- load film", "K101 load film", "did you mean `load: film`?"),
    typical("- expect: { player:playing }", "K101 player:playing", "did you mean `player: playing`?"),
    typical("scenario:Hello\ndevice: TV\nsteps: [play]", "Y309 :", "write `scenario: Hello`"),
    typical("scenario: Hello\ndevice:TV\nsteps: [play]", "Y309 :", "write `device: TV`"),
    typical(typicalHead + film + "steps:\n  -load: film\n  - play", "Y309 -", "write `- load: film`"),
    typical(typicalHead + film + "steps:\n\u{A0} - load: film\n  - play: {}", "Y309 \u{A0}", "replace it by a space"),
    typical("- load: film\n  play", "Y309 p", "a new step is `- play`"),
    typical("-", "K105 ", "nothing after the dash"),
    typical("- text_style: { color: #FFFF00, size: 120% }", "T208 color", "quote it, `\"#FFFF00\"`"),
    typical("- load: {{film}}", "Y307 {", "put in by `${name}`"),
    typical("- load: https://a.example/a.mp4\n    play", "T215 line 10", "line 11 is indented deeper"),
    // Words of other tools.
    typical("- sleep: 5s", "K101 sleep", "did you mean `wait`?"),
    typical("- assert: { player: playing }", "K101 assert", "did you mean `expect`?"),
    typical("- resume", "K101 resume", "did you mean `play`?"),
    typical("- unmute", "K101 unmute", "did you mean `mute: false`?"),
    typical("- set_volume: 40%", "K101 set_volume", "did you mean `volume`?"),
    typical("- skipAd", "K101 skipAd", "did you mean `skip_ad`?"),
    typical("- play: {}\n  retry: { count: 3 }", "K101 count", "did you mean `attempts`?"),
    typical("- play: {}\n  retry: { attempts: 3, delay: 1s }", "K101 delay", "did you mean `wait`?"),
    typical("- expect: { position: { gte: 5s } }", "K101 gte", "did you mean `min`?"),
    typical("- expect: { title: { regex: a } }", "K101 regex", "did you mean `matches`?"),
    typical("- load: { url: https://a.example/a.mp4 }", "K101 url", "did you mean `media`?"),
    typical("- choose: [{ if: { player: idle }, steps: [play] }, { else: [pause] }]", "K101 else", "`otherwise`"),
    typical("schedule: [{ cron: \"0 0 * * *\", tz: UTC }]\n", "K101 tz", "did you mean `timezone`?"),
    // Shapes.
    typical("- expect: playing", "T210 playing", "`{ player: playing }`"),
    typical("- play: film", "T210 film", "`load: film` loads it"),
    typical("- pause: 5s", "T210 5s", "write `- pause`, and `- wait: 5s`"),
    typical("- repeat: 3\n  steps: [pause, play]", "T210 3", "`repeat: { times: 3, steps: […] }`"),
    typical("- for_each: [1, 2]\n  steps: [pause]", "T210 [1, 2]", "`for_each: { item: […], steps: […] }`"),
    typical("- group: [pause, play]", "T210 [pause, play]", "`group: { steps: […] }`"),
    typical("- parallel: [pause, play]", "T210 pause", "`- { steps: [pause] }`"),
    typical("scenario: A\ndevice: [A, B]\nsteps: [{ expect: { app: none } }]", "T210 [A, B]", "`devices: […]`"),
    typical(
      typicalHead + "media:\n  - film: { url: https://a.example/a.mp4 }\nsteps: [{ load: film }]",
      "T210 - film: { url: https://a.example/a.mp4 }", "no dashes: `film: …`"),
    typical(
      typicalHead + "media:\n  - { id: film, url: https://a.example/a.mp4 }\nsteps: [{ load: film }]",
      "T210 - { id: film, url: https://a.example/a.mp4 }", "without a dash: `film: { … }`"),
    typical(
      clips("    clips: [{ id: car, url: https://a.example/c.mp4 }]\n    breaks: [{ id: mid, at: 1m, clips: [car] }]"),
      "T210 [{ id: car, url: https://a.example/c.mp4 }]", "`car: { … }`"),
    typical(
      clips("    clips: { car: { url: https://a.example/c.mp4 } }\n    breaks: { mid: { at: 1m, clips: [car] } }"),
      "T210 { mid: { at: 1m, clips: [car] } }", "write `[{ id: mid, at: 1m, clips: [car] }]`"),
    typical(
      plain("program: [{ during: { days: [sat, sun] }, play: [https://a.example/a.png] }]"), "T210 [sat, sun]",
      "\"sat,sun\""),
    typical(
      plain("program: [{ during: { hours: [] }, play: [https://a.example/a.png] }]"), "T210 []", "leave `hours` out"),
    // Keys further down, and what hangs on them.
    typical(
      clips("    clisp: { car: { url: https://a.example/c.mp4 } }\n    breaks: [{ id: mid, at: 1m, clips: [car] }]"),
      "K101 clisp", "did you mean `clips`?"),
    typical(
      clips(
        "    clips: { car: { url: https://a.example/c.mp4, duraton: 15s } }\n    breaks: [{ id: mid, at: 1m, clips: [car] }]"
      ),
      "K101 duraton", "did you mean `duration`?"),
    typical(
      clips(
        "    clips: { car: { url: https://a.example/c.mp4 } }\n    breaks: [{ id: mid, position: 1m, clips: [car] }]"),
      "K101 position", "did you mean `at`?"),
    typical("- load: { meda: film }", "K101 meda", "did you mean `media`?"),
    typical(
      "- for_each: { item: [1s, 2s], step: [{ wait: \"${item}\" }] }", "K101 step", "did you mean `steps`?"),
    typical("- launch: { app: default, parms: { a: 1 } }", "K101 parms", "did you mean `params`?"),
    typical("- play: {}\n  save: { p: positon }\n- log: ${p}", "T205 positon", "did you mean `position`?"),
    typical(
      "blocks: { b: { prams: { a: { type: text } }, steps: [{ log: \"${a}\" }] } }\nsetup: [{ use: { block: b, with: { a: x } } }]\n",
      "K101 prams", "did you mean `params`?"),
    typical(
      "blocks: { b: { params: { a: { tpye: text } }, steps: [{ log: \"${a}\" }] } }\nsetup: [{ use: { block: b, with: { a: x } } }]\n",
      "K101 tpye", "did you mean `type`?"),
    typical(
      "blocks: { b: { params: { a: { type: text } }, steps: [{ log: \"${a}\" }] } }\nsetup: [{ use: { block: b, wth: { a: x } } }]\n",
      "K101 wth", "did you mean `with`?"),
    typical(
      "vars: { n: { typ: int, default: 3 } }\nsetup: [{ launch: default, retry: \"${n}\" }]\n", "K101 typ",
      "did you mean `type`?"),
    typical(
      "matrix: { lang: [en, no], exlude: [{ lang: no }] }\nsetup: [{ log: \"${matrix.lang}\" }]\n", "K101 exlude",
      "did you mean `exclude`?"),
    typical("include: [nowhere.yaml]\nsetup: [{ load: logo }]\n", "N409 nowhere.yaml"),
    typical("- load: *b", "Y301 b"),
    typical(
      typicalHead
        + "media: { a: &a { url: https://a.example/a.mp4 }, b: { <<: *a } }\nsteps: [{ load: a }, { load: b }]",
      "Y303 <<", "`like: a`"),
    typical("- \"${verb}\": {}", "K101 \"${verb}\"", "verbs and keys are written out"),
    typical("vars: { b: \"${a}x\", a: y }\nsetup: [{ log: \"${a}${b}\" }]\n", "N401 a", "move this one down"),
    typical("- log: ${env.CDN}", "N401 env.CDN", "`vars: { cdn: { env: CDN } }`"),
    typical(
      "- repeat: { times: 3, until: { player: idle }, at_most: 3, steps: [pause] }", "K107 until", "leave one of them"),
    // Values.
    typical("- seek: -10s", "T213 -10s", "`seek: { by: -10s }`"),
    typical("- seek: begin", "T203 begin", "did you mean `start`?"),
    typical("- seek: 00:01:30", "T202 00:01:30", "write `1m30s`"),
    typical("- wait: 5 minutes", "T203 5 minutes", "write `5m`"),
    typical("- wait: .5s", "T203 .5s", "write `0.5s`"),
    typical("- volume: 40 %", "T207 40 %", "did you mean `40%`?"),
    typical("- volume: 1", "T207 1", "1% or 100%?"),
    typical("- rate: { by: 110% }", "T221 110%", "did you mean `1.1x`?"),
    typical("- expect: { volume: 40% }", "T220 40%", "write `{ level: 40% }`"),
    typical("- expect: { player: playing, within: 5s }", "K101 within", "goes next to the verb"),
    typical("- text_style: { color: yellow/75 }", "T209 yellow/75", "did you mean `yellow/75%`?"),
    typical("- text_style: { color: 112233 }", "T209 112233", "did you mean `\"#112233\"`?"),
    typical("- launch: defalt", "N406 defalt", "did you mean `default`?"),
    typical("- launch: { app: default, language: en_GB }", "T222 en_GB", "did you mean `en-GB`?"),
    typical("- load: media.example.com/a.mp4", "T215 media.example.com/a.mp4", "`https://media.example.com/a.mp4`?"),
    typical("- load: https//a.example/a.mp4", "T215 https//a.example/a.mp4", "did you mean `https://a.example/a.mp4`?"),
    typical("- load: http:/a.example/a.mp4", "T215 http:/a.example/a.mp4", "did you mean `http://a.example/a.mp4`?"),
    typical("- load: ./a.mp4", "T215 ./a.mp4", "did you mean `file:a.mp4`?"),
    typical("- load: $cdn/a.mp4", "T215 $cdn/a.mp4", "put in by `${name}`"),
    typical("- load: http://127.1/a.mp4", "C502 127.1", "file:a.mp4"),
    typical(
      "schedule: [{ cron: \"*/90 * * * *\", timezone: UTC }]\n", "T217 */90", "`every: 90m` instead of `cron`"),
    typical(
      plain("dayparts: { d: { days: sat sun } }\nprogram: [{ during: d, play: [https://a.example/a.png] }]"),
      "T214 sat sun", "`\"sat,sun\"`?"),
    typical(
      plain("dayparts: { d: { hours: allday } }\nprogram: [{ during: d, play: [https://a.example/a.png] }]"),
      "T214 allday", "`all-day`?"),
    typical(
      plain(
        "dayparts: { d: { dates: 2026-12-24 - 2026-12-26 } }\nprogram: [{ during: d, play: [https://a.example/a.png] }]"
      ),
      "T214 2026-12-24 - 2026-12-26", "`2026-12-24..2026-12-26`?"),
  ]
}
