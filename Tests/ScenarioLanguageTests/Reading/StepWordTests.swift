import Testing

@testable import ScenarioLanguage

/// One mistake in a step is one message, which says what to write instead (docs/language/steps.md "Steps").
@Suite struct StepWordTests {
  typealias Case = (step: String, words: String)

  /// All that is said of a step, but not that a scenario of this step alone expects nothing.
  static func words(_ step: String) -> [String] {
    Compiling.outcome(Compiling.scenario(step)).diagnostics.filter { $0.code != .p610 }.map(\.words)
  }

  static let verbs: [Case] = [
    ("play: 3", "T210: expected nothing after `play:`, found one value | help: write `- play`"),
    (
      "play: _film",
      "T210: expected nothing after `play:`, found one value | help: `load: _film` loads it and plays it"
    ),
    (
      "play: https://e.com/a.mp4",
      "T210: expected nothing after `play:`, found one value | help: `load: https://e.com/a.mp4` loads it and plays it"
    ),
    (
      "pause: 5s",
      "T210: expected nothing after `pause:`, found one value | help: write `- pause`, and `- wait: 5s` to let time pass"
    ),
    ("stop: _film", "T210: expected nothing after `stop:`, found one value | help: write `- stop`"),
    ("stop_app: { force: true }", "T210: expected nothing after `stop_app:`, found one map | help: write `- stop_app`"),
    (
      "wait:",
      "K105: `wait` needs a value | nothing after it | help: `showcaller explain wait` shows what it takes"
    ),
    ("load: {}", "K105: `load` needs `media` | no `media` here | help: `showcaller explain load` shows all keys"),
    ("load: [a, b]", "T210: expected a media id or a URL, found a list"),
    ("seek: { to: 5s, by: +3s }", "K107: `to` and `by` exclude each other | leave one of them out"),
    ("seek: {}", "K105: `seek` needs `to` or `by` | no `to` here | help: `showcaller explain seek` shows all keys"),
    ("mute: {}", "T210: expected `true` or `false`, found one map"),
    ("queue: _film", "T210: expected a list of media, found one value | write `[_film]`"),
    ("tracks: en", "T210: expected a list of track ids, found one value | write `[en]`"),
    ("send: hello", "T210: expected a map of keys, found one value | help: `send: { namespace: …, message: … }`"),
    (
      "send: { namespace: urn:x-cast:a, message: hello }",
      "T210: expected a map, found one value | help: a message is a JSON object: `message: { type: hello }`"
    ),
    ("exec: ls", "T210: expected a map of keys, found one value | help: `exec: { command: [ls] }`"),
    ("exec: { command: ls }", "T210: expected a list of arguments, found one value | write `[ls]`"),
    (
      "exec: { command: ./notify.sh --to lobby }",
      "T210: expected a list of arguments, found one value | write `[./notify.sh, --to, lobby]`"
    ),
    (
      "exec: { command: \"say 'it is on' | tee log\" }",
      "T210: expected a list of arguments, found one value | one item for each argument"
    ),
  ]

  static let flow: [Case] = [
    ("group: [play, pause]", "T210: expected a map of keys, found a list | help: `group: { steps: […] }`"),
    ("group: { steps: play }", "T210: expected a list of steps, found one value | write `[play]`"),
    ("group: { steps: load }", "T210: expected a list of steps, found one value"),
    ("group: { steps: plya }", "T210: expected a list of steps, found one value"),
    (
      "group: { steps: { play: {}, wait: 3s } }",
      "T210: expected a list of steps, found one map | add `- ` in front | help: every step starts with a dash:\nsteps:\n  - play\n  - wait: 3s"
    ),
    (
      "group: { finally: [play] }",
      "K105: `group` needs `steps` | no `steps` here | help: `showcaller explain group` shows all keys"
    ),
    ("repeat: 3", "T210: expected a map of keys, found one value | help: `repeat: { times: 3, steps: […] }`"),
    ("repeat: [play]", "T210: expected a map of keys, found a list | help: `repeat: { steps: […], times: … }`"),
    (
      "repeat: { steps: [play] }",
      "K105: `repeat` needs `times` or `until` | no `times` here | help: `showcaller explain repeat` shows all keys"
    ),
    ("for_each: [1, 2]", "T210: expected a map of keys, found a list | help: `for_each: { item: […], steps: […] }`"),
    ("for_each: { item: 3, steps: [play] }", "T210: expected a list of values, found one value | write `[3]`"),
    (
      "choose: { if: { player: idle }, steps: [play] }",
      "T210: expected a list of choices, found one map | did you mean `[{ if: { player: idle }, steps: [play] }]`?"
    ),
    ("choose: play", "T210: expected a list of choices, found one value"),
    ("choose: [play]", "T210: expected a map, found one value | help: `- { steps: [play] }`"),
    (
      "choose: []",
      "K105: `choose` needs at least one entry | nothing to choose from | help: `- choose: [{ if: { player: idle }, steps: [play] }]`"
    ),
    ("parallel: [play, pause]", "T210: expected a map, found one value | help: `- { steps: [play] }`"),
    ("use: [a]", "T210: expected a block, found a list"),
    ("set: [n]", "T210: expected a map of variables, found a list"),
    (
      "save: position",
      "T210: expected a map of names, found one value | help: `save: { position: position }` keeps the position by this name"
    ),
    ("save: { p: [position] }", "T210: expected a status field, found a list"),
  ]

  static let judging: [Case] = [
    ("expect: playing", "T210: expected a map of status fields, found one value | help: `{ player: playing }`"),
    ("expect: PAUSED", "T210: expected a map of status fields, found one value | help: `{ player: paused }`"),
    ("expect: soon", "T210: expected a map of status fields, found one value | help: such as `{ player: playing }`"),
    (
      "wait_until: [player]",
      "T210: expected a map of status fields, found a list | help: all of them: `{ player: playing, rate: 1 }`, any of them: `{ any: […] }`"
    ),
    (
      "expect: { player: [idle, playing] }",
      "T210: `player` wants one value, found a list | help: one of several is `{ one_of: [idle, playing] }`"
    ),
    (
      "expect: { player: { idle: true } }",
      "K101: unknown matcher `idle` | help: matchers: about, above, advances, below, changed, contains, …"
    ),
    ("expect_sequence: playing", "T210: expected a list of conditions, found one value"),
    (
      "expect_sequence: { player: idle }",
      "T210: expected a list of conditions, found one map | did you mean `[{ player: idle }]`?"
    ),
    ("expect_sequence: []", "K105: `expect_sequence` needs a list of conditions"),
  ]

  static let shapes: [Case] = [
    ("[play, pause]", "T210: expected a step, found a list | help: steps within a step are `- group: { steps: […] }`"),
    (
      "{ name: x, timeout: 5s }",
      "K105: a step without a verb | says how, but not what | help: steps are: always, choose, connect, disconnect, discover, exec, … (`showcaller explain steps`)"
    ),
    ("plya", "K101: unknown step `plya` | did you mean `play`?"),
    ("SkipAd", "K101: unknown step `SkipAd` | did you mean `skip_ad`?"),
    ("{ name: x, plya: {} }", "K101: unknown step `plya` | did you mean `play`?"),
    (
      "{ play: {}, seek: 90s, name: x }",
      "K102: one step, two verbs: `play` and `seek` | second verb | help: a step does one thing; start a new step:\n  - play\n  - seek: 90s"
    ),
    ("{ play: {}, retries: 3 }", "K101: unknown key `retries` in a step | did you mean `retry`? | \(keys)"),
    ("{ play: {}, when: { player: idle } }", "K101: unknown key `when` in a step | did you mean `if`? | \(keys)"),
    ("{ play: {}, seke: 3s }", "K101: unknown key `seke` in a step | did you mean `seek`? | \(keys)"),
    ("{ play: {}, colour: red }", "K101: unknown key `colour` in a step | \(keys)"),
    (
      "{ load: _film, autoplay: false }",
      "K101: unknown key `autoplay` in a step | belongs inside `load:` | help: `load: { …, autoplay: false }`"
    ),
    ("{ play: {}, skip: }", "T210: expected a text, `true` or `false`, found nothing | no value here"),
    (
      "{ play: {}, id: Big Step }",
      "T219: `Big Step` is not an id | not allowed as its first letter | help: write `big_step`"
    ),
    ("{ play: {}, tags: smoke }", "T210: expected a list of tags, found one value | write `[smoke]`"),
  ]
  static let keys = "help: keys allowed here: id, if, if_fails, name, on_resume, retry, … (`showcaller explain steps`)"

  @Test("What is wrong in a step is said once, with its cure", arguments: [verbs, flow, judging, shapes])
  func step(cases: [Case]) { for (step, words) in cases { #expect(Self.words(step) == [words], "\(step)") } }

  static let owners = "`expect`, `expect_sequence`, `expect_together`, `expect_message`"

  static let times: [Case] = [
    // Each verb is told the time that it takes, if it takes any.
    ("{ play: {}, within: 3s }", misplaced("within", owners, "play", help: "the time one try may take is `timeout:`")),
    (
      "{ group: { steps: [play] }, within: 3s }",
      misplaced("within", owners, "group", help: "the time one try may take is `timeout:`")
    ),
    (
      "{ wait_until: { player: idle }, within: 3s }",
      misplaced("within", owners, "wait_until", help: "the time one try may take is `timeout:`")
    ),
    (
      "{ always: { player: idle }, within: 3s }",
      misplaced("within", owners, "always", help: "the window of `always` is `during:`")
    ),
    (
      "{ always: { player: idle }, during: 9s, for: 3s }",
      misplaced("for", "`expect`, `never`", "always", help: "the window of `always` is `during:`")
    ),
    (
      "{ expect: { player: idle }, during: 3s }",
      misplaced("during", "`always`, `never`", "expect", help: "how long it may take is `within:`")
    ),
    (
      "{ expect_sequence: [{ player: idle }], for: 3s }",
      misplaced("for", "`expect`, `never`", "expect_sequence", help: "how long it may take is `within:`")
    ),
    // What takes no time, and what is no time, has nothing to offer.
    ("{ wait: 3s, within: 3s }", misplaced("within", owners, "wait")),
    ("{ log: x, during: 3s }", misplaced("during", "`always`, `never`", "log")),
    ("{ play: {}, gaps: none }", misplaced("gaps", "`expect_sequence`", "play")),
    ("{ expect: { player: idle }, since: s1 }", misplaced("since", "`expect_sequence`, `expect_message`", "expect")),
    // The verb's own way to say it.
    (
      "{ wait: 3s, timeout: 5s }",
      "K107: `wait` takes no `timeout` | not allowed here | help: leave it out"
    ),
    (
      "{ expect: { player: idle }, timeout: 2s }",
      "K107: `expect` takes no `timeout` | not allowed here | help: use `within: …`"
    ),
    (
      "{ never: { player: idle }, during: 3s, timeout: 2s }",
      "K107: `never` takes no `timeout` | not allowed here | help: use `during: …`"
    ),
    (
      "{ wait: 3s, retry: 2 }",
      "P607: `retry` on `wait` | not allowed here | help: only actions such as `launch` and `load` can be tried again"
    ),
    (
      "{ expect: { player: idle }, retry: 2 }",
      "P607: `retry` on an expectation | not allowed here | help: use `within: 30s` to wait longer"
    ),
    (
      "{ never: { player: idle }, during: 3s, retry: 2 }",
      "P607: `retry` on an expectation | not allowed here | help: use `during:` for a longer window"
    ),
    (
      "{ parallel: [{ steps: [play] }], retry: 2 }",
      "P607: `retry` on `parallel` | not allowed here | help: a `group` around its steps can be tried again"
    ),
    (
      "{ play: {}, retry: { errors: [expectation] } }",
      "P607: `expectation` is no error of an action | help: it is for `retry` of a group or of the whole scenario"
    ),
  ]

  private static func misplaced(_ key: String, _ owners: String, _ verb: String, help: String? = nil) -> String {
    "K103: `\(key)` belongs to \(owners), this step is `\(verb)` | not for `\(verb)`"
      + (help.map { " | help: \($0)" } ?? "")
  }

  @Test("A time of another verb is sent to the one that this verb takes", arguments: times)
  func time(step: String, words: String) { #expect(Self.words(step) == [words]) }

  @Test(
    "What allows `timeout` is told of it, and takes it; what refuses it is not",
    arguments: LanguageSchema.verbs.map(\.name))
  func timeout(name: String) throws {
    let verb = try #require(LanguageSchema.verb(name))
    let steps = [
      "connect": "connect: Bar", "launch": "launch: acme", "volume": "volume: 40%", "mute": "mute: true",
      "load": "load: _film", "transfer": "transfer: { to: Bar }", "seek": "seek: 3s", "rate": "rate: 1.5",
      "queue": "queue: [_film]", "queue_insert": "queue_insert: [_film]", "queue_remove": "queue_remove: [_film]",
      "queue_jump": "queue_jump: next", "tracks": "tracks: [en]", "text_style": "text_style: _big",
      "send": "send: { namespace: urn:x-cast:a, message: { a: 1 } }", "wait": "wait: 3s",
      "wait_until": "wait_until: { player: idle }", "mark": "mark: a", "expect": "expect: { player: idle }",
      "always": "always: { player: idle }, during: 3s", "never": "never: { player: idle }, during: 3s",
      "expect_sequence": "expect_sequence: [{ player: idle }]", "fail": "fail: a, if: { player: idle }",
      "set": "set: { n: 2 }", "save": "save: { p: position }", "log": "log: a", "group": "group: { steps: [play] }",
      "use": "use: one", "choose": "choose: [{ if: { player: idle }, steps: [play] }]",
      "repeat": "repeat: { times: 2, steps: [play] }", "for_each": "for_each: { item: [1], steps: [play] }",
      "parallel": "parallel: [{ steps: [play] }]", "exec": "exec: { command: [ls] }",
      "expect_message": "expect_message: { namespace: urn:x-cast:a, message: { type: x } }", "skip_ad": "skip_ad: {}",
    ]
    guard let step = steps[name] ?? (verb.isBareAllowed ? "\(name): {}" : nil) else { return }
    let source = Compiling.scenario("{ \(step), timeout: 30s }", top: "blocks: { one: { steps: [play] } }")
      .replacing("{ _speed: 1.5 }", with: "{ _speed: 1.5, n: 1 }")
    let found = Compiling.outcome(source).diagnostics.filter { $0.message.contains("takes no `timeout`") }
    #expect(found.isEmpty == verb.takesTimeout)
  }
}
