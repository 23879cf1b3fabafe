import Testing

@testable import ScenarioLanguage

/// What is said of a value whose shape its field does not take; of steps `StepWordTests` tells more.
@Suite struct ShapeWordTests {
  private static let tracks = "media: { film: { url: https://e.com/a.mp4, tracks:"
  private static let trackLines = "media:\n  film:\n    url: https://e.com/a.mp4\n    tracks:\n      "

  static let values: [(lines: String, words: String)] = [
    // One value where a map is needed.
    ("media: film", "expected a map of media, found one value"),
    ("media: { film: film.mp4 }", "expected a map, found one value"),
    (
      "media: { film: https://e.com/a.mp4 }",
      "expected a map, found one value | help: write `{ url: https://e.com/a.mp4 }`"
    ),
    ("inventory: { tv: Living Room }", "expected a map, found one value | help: write `{ name: Living Room }`"),
    ("blocks: { b: play }", "expected a map, found one value"),
    (
      "watch: [{ always: playing }]",
      "expected a map of status fields, found one value | help: `{ player: playing }`"
    ),
    // One value where a list is needed.
    ("matrix: { a: 1 }", "expected a list of values, found one value | write `[1]`"),
    ("include: kit.yaml", "expected a list of files, found one value | write `[kit.yaml]`"),
    ("schedule: 07:00", "expected a list of schedules, found one value"),
    ("\(tracks) en } }", "expected a list of tracks, found one value"),
    // A list where a map is needed.
    ("media: [film]", "expected a map of media, found a list"),
    (
      "media: [{ film: { url: u } }]",
      "expected a map of media, found a list | help: a map has no dashes: `film: …`"
    ),
    (
      "media: [{ id: film, url: u }]",
      "expected a map of media, found a list | help: the name comes first, without a dash: `film: { … }`"
    ),
    ("vars: [{ a: 1 }]", "expected a map of variables, found a list | help: a map has no dashes: `a: …`"),
    ("defaults: { retry: [1] }", "expected a whole number or a map, found a list"),
    (
      "watch: [{ always: [a] }]",
      "expected a map of status fields, found a list | help: all of them: `{ player: playing, rate: 1 }`, any of them: `{ any: […] }`"
    ),
    // A list or a map where one value is needed.
    ("description: [a]", "expected a text, found a list"), ("timeout: { a: 1 }", "expected a duration, found one map"),
    ("schedule: [{ at: { a: 1 }, timezone: UTC }]", "expected a time of day, found one map"),
    ("schedule: [{ at: [[07:00]], timezone: UTC }]", "expected a time of day, found a list"),
    (
      "schedule: [{ at: 07:00, timezone: UTC, days: [sat, sun] }]",
      "expected days of the week, found a list | help: write `\"sat,sun\"`"
    ),
    (
      "schedule: [{ at: 07:00, timezone: UTC, days: [saturday] }]",
      "expected days of the week, found a list | help: such as `\"sat,sun\"`"
    ),
    // A map where a list is needed.
    (
      "watch: { always: { player: idle } }",
      "expected a list of monitors, found one map | did you mean `[{ always: { player: idle } }]`?"
    ),
    (
      "\(tracks) { en: { language: en, url: u } } } }",
      "expected a list of tracks, found one map | write `[{ id: en, language: en, url: u }]`"
    ),
    ("\(trackLines)en:\n        language: en", "expected a list of tracks, found one map | write `- id: en`"),
    ("\(trackLines)id: en\n      language: en", "expected a list of tracks, found one map | add `- ` in front"),
    (
      "setup: {}",
      "expected a list of steps, found one map | add `- ` in front | help: every step starts with a dash:"
    ),
  ]

  @Test("A value of the wrong shape is told what is expected, what is there and how to write it", arguments: values)
  func value(lines: String, words: String) {
    let problems = DocumentReader.read(scenario("\(lines)\nsteps: [play]\n"), inputs: .init()).diagnostics.finished()
    #expect(problems.map(\.words) == ["T210: " + words])
  }

  static let devices: [(line: String, words: String)] = [
    ("device: [A, B]", "expected a text or a map, found a list | help: several devices are `devices: […]`"),
    ("devices: A", "expected a list of devices or a map, found one value | write `[A]`"),
    ("roles: [{ left: A }]", "expected a map of roles, found a list | help: a map has no dashes: `left: …`"),
  ]

  @Test("Devices in the wrong shape are told which key takes it", arguments: devices)
  func device(line: String, words: String) {
    let source = SourceFile("scenario: S\n\(line)\nsteps: [play]\n")
    let problems = DocumentReader.read(source, inputs: .init()).diagnostics.finished()
    #expect(problems.map(\.words) == ["T210: " + words])
  }
}
