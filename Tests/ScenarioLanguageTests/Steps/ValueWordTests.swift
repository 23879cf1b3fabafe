import Testing

@testable import ScenarioLanguage

/// What is said of values that a step cannot have, on both sides of each limit.
@Suite struct ValueWordTests {
  typealias Case = (step: String, words: [String])

  static let zero = "C507: playback rate must be above zero | to stand still use `pause` | help: 0.5 to 2"
  static let backwards =
    "C507: playback rate must be above zero | Cast cannot play backwards | help: 0.5 to 2; to go back use `seek: { by: -10s }`"
  static func unusual(_ rate: String) -> String {
    "C507: many receivers refuse a playback rate of \(rate) | help: 0.5 to 2 is what all of them accept"
  }

  static let rates: [(rate: String, words: [String])] = [
    ("-1", [backwards]), ("0", [zero]), ("0.001", [unusual("0.001")]), ("0.49", [unusual("0.49")]), ("0.5", []),
    ("1", []), ("2", []), ("2.01", [unusual("2.01")]), ("16", [unusual("16")]),
  ]

  @Test("A rate is judged alike where media is loaded and where it plays", arguments: rates)
  func rate(rate: String, words: [String]) {
    #expect(StepWordTests.words("rate: \(rate)") == words)
    #expect(StepWordTests.words("load: { media: _film, rate: \(rate) }") == words)
  }

  static let starts: [Case] = [
    ("load: { media: _film, start: 9m59.999s }", []), ("load: { media: _film, start: start }", []),
    ("load: { media: _film, start: 10m }", ["C512: `start` is beyond the end of `_film` | it lasts 10m"]),
    (
      "load: { media: { url: https://e.com/a.mp4, duration: 1m }, start: 61s }",
      ["C512: `start` is beyond the end of this media | it lasts 1m"]
    ),
    (
      "load: { media: _film, start: end }",
      ["C512: `start: end` leaves nothing to play | help: a duration from the start, such as `start: 1m30s`"]
    ),
  ]

  static let tracks: [Case] = [
    (
      "load: { media: { url: https://e.com/a.mp4, tracks: [{ id: en, kind: text }] } }",
      ["K105: text track `en` has no `url` | help: for a track inside the stream add `inband: true`"]
    ),
    ("load: { media: { url: https://e.com/a.mp4, tracks: [{ id: en, kind: text, inband: true }] } }", []),
    ("load: { media: { url: https://e.com/a.mp4, tracks: [{ id: en, kind: text, number: 3 }] } }", []),
    ("load: { media: { url: https://e.com/a.mp4, tracks: [{ id: en, kind: audio }] } }", []),
  ]

  static let names: [Case] = [
    (
      "load: flim.mp4",
      [
        "N406: unknown media `flim.mp4` | help: `file:flim.mp4` is a file next to this document, which `run` refuses as yet; a media id is defined under `media:`"
      ]
    ),
    ("load: _flim", ["N406: unknown media `_flim` | did you mean `_film`?"]),
    ("load: poster", ["N406: unknown media `poster` | help: define it under `media:`"]),
    ("launch: a1b2c3d4", ["N406: unknown app `a1b2c3d4` | did you mean `A1B2C3D4`?"]),
    ("launch: defualt", ["N406: unknown app `defualt` | did you mean `default`?"]),
    (
      "launch: x",
      [
        "N406: unknown app `x` | help: an app id has eight digits and capitals (`CC1AD845`); others are defined under `apps:`"
      ]
    ),
    (
      "load: { media: _film, text_style: bigg }",
      ["N406: unknown text style `bigg` | help: define it under `text_styles:`"]
    ),
    ("text_style: _bgi", ["N406: unknown text style `_bgi` | did you mean `_big`?"]),
    (
      "{ play: {}, role: left }", ["N406: unknown role `left` | help: define it under `roles:`"]
    ),
  ]

  static let saved: [Case] = [
    ("{ play: {}, save: { p: volume.level, q: break.id } }", []),
    ("{ play: {}, save: { p: positon } }", ["T205: `positon` is not a status field | did you mean `position`?"]),
    ("{ play: {}, save: { p: volume.levle } }", ["T205: `volume.levle` is not a status field | did you mean `level`?"]),
    ("{ play: {}, save: { p: player.x } }", ["T205: `player.x` is not a status field"]),
    (
      "{ play: {}, save: { p: nope.x } }",
      [
        "T205: `nope.x` is not a status field | help: fields here: active_input, active_tracks, app, break, breaks, commands, … (`showcaller explain fields`)"
      ]
    ),
    // What a loop puts there is said as it is put there.
    (
      "for_each: { item: [volume.levle], steps: [{ play: {}, save: { p: \"${item}\" } }] }",
      ["T205: `volume.levle` is not a status field | did you mean `level`?"]
    ),
    // And what reads it is right all the same.
    (
      "group: { steps: [{ play: {}, save: { p: positon } }, { expect: { position: { min: \"${p}\" } } }, { log: \"${p}\" }] }",
      ["T205: `positon` is not a status field | did you mean `position`?"]
    ),
  ]

  @Test("What a step cannot have is said once", arguments: [starts, tracks, names, saved])
  func value(cases: [Case]) { for (step, words) in cases { #expect(StepWordTests.words(step) == words, "\(step)") } }

  static let branches: [Case] = [
    ("parallel: [{ steps: [play] }, { steps: [{ wait: 3s }] }]", []),
    ("parallel: [{ steps: [play] }, { steps: [pause] }]", [twice]),
    // However deep what acts stands in it.
    ("parallel: [{ steps: [{ wait: 3s }] }, { steps: [{ group: { steps: [{ group: { steps: [pause] } }] } }] }]", []),
    (
      "parallel: [{ steps: [{ group: { steps: [play] } }] }, { steps: [{ repeat: { times: 2, steps: [{ group: { steps: [pause] } }] } }] }]",
      [twice]
    ),
    (
      "parallel: [{ steps: [{ group: { steps: [{ wait: 1s }], finally: [play] } }] }, { steps: [{ choose: [{ if: { player: idle }, steps: [pause] }] }] }]",
      [twice]
    ),
  ]
  static let twice =
    "K107: two branches act on the same device | acts on it at the same time | help: name the devices under `roles:` and give each branch a `role:`"

  @Test("Two branches may not act on one device, however deep the steps that do", arguments: branches)
  func branch(step: String, words: [String]) { #expect(StepWordTests.words(step) == words) }

  static let tops: [(lines: String, words: [String])] = [
    (
      "vars: { p: 1 }\nsteps: [{ play: {}, save: { p: position } }, { log: \"${p}\" }]",
      ["N411: `p` is both a variable and a saved value | saved here"]
    ),
    (
      "vars: { p: { env: P_X } }\nsteps: [{ log: \"${p}\" }]",
      [
        "N401: variable `p` has no value | no default, and nothing set it | help: `--set p=…`, or `export P_X=…`"
      ]
    ),
    (
      "vars: { p: { type: int } }\nsteps: [{ log: \"${p}\" }]",
      ["N401: variable `p` has no value | no default, and nothing set it | help: `--set p=…`"]
    ),
    (
      "text_styles: { _x: { color: pink } }\nsteps: [play]",
      [
        "T209: `pink` is not a color | help: `\"#RRGGBB\"` or `\"#RRGGBBAA\"` (alpha last, not first as on Android), or one of white, black, red, green, blue, yellow, cyan, magenta, gray, transparent"
      ]
    ),
  ]

  @Test("What the top of a document cannot have is said once", arguments: tops)
  func top(lines: String, words: [String]) {
    let found = PlanCompiler.compile(scenario(lines + "\n")).diagnostics.filter { $0.severity == .error }
    #expect(found.map(\.words) == words)
  }

  static let volumes: [(volume: String, words: [String])] = [
    ("keep", []), ("0%", []), ("100%", []),
    ("kepe", ["T205: `kepe` is not `keep` or a percentage | did you mean `keep`?"]),
    ("100.1%", ["T213: `100.1%` is out of range | from 0% to 100%"]),
    ("-1%", ["T213: `-1%` is out of range | from 0% to 100%"]),
  ]

  @Test("A field that takes a word or a value is asked for either", arguments: volumes)
  func volume(volume: String, words: [String]) {
    let source = SourceFile(
      "playlist: P\ntimezone: UTC\ndevice: TV\nvolume: \(volume)\nfallback: \"https://e.com/a.jpg\"\nprogram: [{ play: [\"https://e.com/a.jpg\"] }]\n"
    )
    #expect(PlanCompiler.compile(source).diagnostics.map(\.words) == words)
  }
}
