import Testing

@testable import ScenarioLanguage

/// What is said of conditions that ask for what a field cannot be, and what is to be written
/// (docs/language/conditions.md "Matchers").
@Suite struct ConditionWordTests {
  typealias Case = (condition: String, words: String)

  static let nothing: [Case] = [
    ("{}", "K105: an expectation without a field | help: such as `{ player: playing }`"),
    ("{ player: }", "T210: `player` has no value | no value here"),
    ("{ player: {} }", "K105: `player` without a matcher"),
    ("{ player: { not: {} } }", "K105: `player` without a matcher"),
    ("{ volume: {} }", "K105: `volume` without a field | help: its fields: level, muted, control"),
    ("{ all: [] }", "T210: expected a list of conditions"),
    ("{ any: { player: idle } }", "T210: expected a list of conditions"),
    ("{ not: [] }", "T210: expected a map of status fields | help: such as `{ player: playing }`"),
    (
      "{ vars: {} }",
      "T210: expected a map of variables | no variable here | help: such as `vars: { n: { min: 3 } }`"
    ),
    (
      "{ vars: 3 }",
      "T210: expected a map of variables | no variable here | help: such as `vars: { n: { min: 3 } }`"
    ),
    (
      "{ device: {} }",
      "T210: expected a map of facts about the device | no fact here | help: such as `device: { model: Chromecast }`"
    ),
  ]

  static let fields: [Case] = [
    (
      "{ titel: x }",
      "K101: unknown field `titel` in the status | did you mean `title`? | help: fields here: active_input, active_tracks, app, break, breaks, commands, …"
    ),
    (
      "{ volume: { levle: 40% } }",
      "K101: unknown field `levle` in `volume` | did you mean `level`? | help: fields here: control, level, muted"
    ),
    ("{ player.state: idle }", "K101: unknown field `state` in `player` | help: `player` has no fields"),
    (
      "{ device: { nam: x } }",
      "K101: unknown fact `nam` about a device | did you mean `name`? | help: facts: name, id, model, ip"
    ),
    (
      "{ vars: { _sped: 3 } }",
      "N401: undefined variable `_sped` | did you mean `_speed`?"
    ),
    (
      "{ vars: { nope: 3 } }",
      "N401: undefined variable `nope` | help: declare it under `vars:`, or `save:` it before"
    ),
    (
      "{ volume: 40% }",
      "T220: `volume` is a structure | write `{ level: 40% }` | help: name its fields: level, muted, control"
    ),
    (
      "{ break: mid }",
      "T220: `break` is a structure or `none` | help: name its fields: id, clip, time, clip_time, skippable, skippable_at"
    ),
    ("{ raw: 3 }", "T220: `raw` is a structure | help: name its fields: media, receiver"),
    ("{ raw.media: 3 }", "T220: `raw.media` is a structure"),
    ("{ active_tracks: en }", "T210: `active_tracks` is a list of ids | help: `{ has: [en] }` or `{ only: [en] }`"),
    ("{ title: [a] }", "T210: `title` wants one value, found a list | help: one of several is `{ one_of: [a] }`"),
  ]

  static let values: [Case] = [
    (
      "{ player: plying }",
      "T205: `plying` is not a player state | did you mean `playing`? | help: idle, loading, buffering, playing, paused"
    ),
    (
      "{ idle_reason: { one_of: [finished, cancled] } }",
      "T205: `cancled` is not an idle reason | did you mean `cancelled`? | help: finished, cancelled, interrupted, error"
    ),
    (
      "{ volume: { level: { min: 40 } } }",
      "T207: volume.level is a percentage | did you mean `40%`? | note: the receiver counts from 0 to 1, people from 0 to 100; the % sign removes the doubt"
    ),
    (
      "{ text_style: { size: 1.5 } }",
      "T207: text_style.size is a percentage | did you mean `150%`? | note: the receiver counts from 0 to 1, people from 0 to 100; the % sign removes the doubt"
    ),
    (
      "{ volume: { muted: on } }",
      "T204: `on` is not true or false | write `true` | note: yes/no/on/off are booleans only in YAML 1.1; showcaller accepts `true` and `false`"
    ),
    (
      "{ position: 90 }",
      "T201: a duration needs a unit | 90 what? | help: `90s` for seconds, `90ms` for milliseconds, `90m` for minutes"
    ),
    (
      "{ rate: 1.5x }",
      "T221: `1.5x` is not a number | help: digits, with `.` between digits where decimals make sense"
    ),
    (
      "{ text_style: { color: pink } }",
      "T209: `pink` is not a color | help: `\"#RRGGBB\"` or `\"#RRGGBBAA\"` (alpha last, not first as on Android), or one of white, black, red, green, blue, yellow, cyan, magenta, gray, transparent"
    ),
  ]

  static let matchers: [Case] = [
    ("{ title: { a: b } }", "K101: unknown matcher `a` | help: \(known)"),
    ("{ position: { gte: 5s } }", "K101: unknown matcher `gte` | did you mean `min`? | help: \(known)"),
    ("{ title: { regex: x } }", "K101: unknown matcher `regex` | did you mean `matches`? | help: \(known)"),
    (
      "{ player: { min: 3 } }",
      "T220: `min` is for numbers and durations, `player` is a player state | help: `player: idle`, or `player: { one_of: [idle, loading] }`"
    ),
    ("{ active_tracks: { min: 3 } }", "T220: `min` is for numbers and durations, `active_tracks` is a list"),
    ("{ player: { one_of: idle } }", "T210: `one_of` takes a list | help: `one_of: [idle]`"),
    ("{ active_tracks: { has: en } }", "T210: `has` takes a list | help: `has: [en]`"),
    (
      "{ active_tracks: { count: 3s } }",
      "T221: `3s` is not a whole number | help: digits, with `.` between digits where decimals make sense"
    ),
    ("{ position: { tolerance: 5s } }", "K105: `tolerance` needs `about`"),
    (
      "{ position: { plus: 5s } }",
      "K105: `plus` needs something to be added to | help: one of min, max, above, below, about"
    ),
    (
      "{ position: { advances: 4s } }",
      "T210: `advances` takes a map | help: `advances: { at_least: 4s, over: 5s }`"
    ),
    (
      "{ position: { advances: {} } }",
      "K105: `advances` needs `at_least` | help: `advances: { at_least: 4s, over: 5s }`"
    ),
    (
      "{ position: { advances: { at_least: 4s } } }",
      "K105: `advances` needs `over` | help: `advances: { at_least: 4s, over: 5s }`"
    ),
    (
      "{ position: { advances: { at_lest: 4s, over: 5s } } }",
      "K101: unknown key `at_lest` in `advances` | did you mean `at_least`? | help: keys allowed here: at_least, over"
    ),
    ("{ title: { matches: \"(\" } }", "T216: this is not a regular expression | a group is not closed"),
    ("{ rate: { contains: a } }", "T220: `contains` is for text, `rate` is a number"),
    ("{ tracks: { count: { contains: 1 } } }", "T220: `contains` is for text, `tracks` is a whole number"),
    ("{ device: { name: { changed: true } } }", "T220: `changed` is for status fields, `device.name` is text"),
    (
      "{ title: { changed: yes } }",
      "T204: `yes` is not true or false | write `true` | note: yes/no/on/off are booleans only in YAML 1.1; showcaller accepts `true` and `false`"
    ),
    (
      "{ custom: { level: yes } }",
      "T212: `yes` means different things to different YAML tools | quote it or write `true`"
    ),
    ("{ title: { matches: \"a{2\" } }", "T216: this is not a regular expression | this repetition is not closed"),
  ]
  static let known = "matchers: about, above, advances, below, changed, contains, …"

  @Test("What is wrong in a condition is said once, with its cure", arguments: [nothing, fields, values, matchers])
  func condition(cases: [Case]) {
    for (condition, words) in cases { #expect(StepWordTests.words("expect: \(condition)") == [words], "\(condition)") }
  }

  @Test(
    "The same condition says the same wherever one stands", arguments: ["wait_until", "always", "never", "if", "until"])
  func places(place: String) {
    for (condition, words) in Self.values + Self.matchers {
      let step =
        switch place {
        case "if": "{ play: {}, if: \(condition) }"
        case "until": "repeat: { until: \(condition), at_most: 3, steps: [play] }"
        case "wait_until": "wait_until: \(condition)"
        default: "{ \(place): \(condition), during: 5s }"
        }
      #expect(StepWordTests.words(step) == [words], "\(step)")
    }
  }

  static let messages: [(message: String, words: [String])] = [
    ("{ type: SCORE }", []), ("{ points: { min: 3 }, player.name: { matches: \"^A\" } }", []),
    (
      "{}", ["K105: a message without a member to look at | help: such as `{ type: SCORE, points: { min: 3 } }`"]
    ),
    ("{ a: { matches: \"(\" } }", ["T216: this is not a regular expression | a group is not closed"]),
    ("{ .: 3 }", ["K101: `.` names no member"]),
  ]

  @Test("The members of a message are named by their paths", arguments: messages)
  func message(message: String, words: [String]) {
    let step = "expect_message: { namespace: urn:x-cast:com.example, message: \(message) }"
    #expect(StepWordTests.words(step) == words)
  }
}
