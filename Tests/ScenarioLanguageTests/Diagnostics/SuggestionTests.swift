import Testing

@testable import ScenarioLanguage

/// What somebody meant: how near is near, and the words of other tools
/// (docs/language/codes.md "How a problem is told").
@Suite struct SuggestionTests {
  static let distances: [(a: String, b: String, distance: Int)] = [
    ("", "", 0), ("a", "a", 0), ("A", "a", 0), ("a", "", 1), ("", "abc", 3), ("ab", "ba", 1), ("abc", "acb", 1),
    ("load", "laod", 1), ("load", "lod", 1), ("load", "loads", 1), ("load", "lead", 1), ("abcd", "badc", 2),
    // A swap is not edited further: optimal string alignment.
    ("ca", "abc", 3), ("kitten", "sitting", 3), ("映画", "画映", 1), ("café", "cafe", 1),
    ("ÉTÉ", "été", 0),
  ]

  @Test("The distance counts what is added, left out, replaced and swapped", arguments: distances)
  func distance(a: String, b: String, distance: Int) {
    #expect(Suggestions.distance(a, b) == distance)
    #expect(Suggestions.distance(b, a) == distance)
  }

  static let near: [(word: String, candidate: String, isNear: Bool)] = [
    // One slip in up to five letters, two in up to eight, a third of the length beyond.
    ("plai", "play", true), ("plbi", "play", false), ("volme", "volume", true), ("vlme", "volume", false),
    ("duraton", "duration", true), ("duratn", "duration", true), ("dratn", "duration", false),
    ("queue_insrt", "queue_insert", true), ("qeue_ixxxrt", "queue_insert", false),
    ("expect_sequnece", "expect_sequence", true), ("plat", "plug", false), ("Living Rom TV", "Living Room TV", true),
    // Or one begins with the other, with three letters at least.
    ("dev", "device", true), ("de", "device", false), ("deviceses", "device", true),
    ("lunchtime", "lunch", true), ("ab", "abcdef", false),
    // What is the word itself is no suggestion.
    ("device", "device", false), ("DEVICE", "device", true), ("ÄÖÜ", "äöü", true),
    ("", "a", false),
    (String(repeating: "a", count: 80), String(repeating: "a", count: 79) + "b", true),
    (String(repeating: "a", count: 81), String(repeating: "a", count: 80) + "b", false),
  ]

  @Test("A word is near within its length's number of slips, or as a beginning", arguments: near)
  func checksNear(word: String, candidate: String, isNear: Bool) {
    #expect((Suggestions.nearest(to: word, among: [candidate]) != nil) == isNear)
  }

  @Test("Of several the nearest is offered, of equals the first, and a slip before a beginning")
  func best() {
    #expect(Suggestions.nearest(to: "plat", among: ["plot", "play"]) == "plot")
    #expect(Suggestions.nearest(to: "laod", among: ["log", "load"]) == "load")
    #expect(Suggestions.nearest(to: "devcie", among: ["devices", "device"]) == "device")
    #expect(Suggestions.nearest(to: "überblick", among: ["ÜBERBLICK TV", "ÜBERBLICK"]) == "ÜBERBLICK")
    #expect(Suggestions.nearest(to: "aaa", among: [String]()) == nil)
    #expect(Suggestions.nearest(to: "seeks", among: ["see", "seek"]) == "seek")
    #expect(Suggestions.nearest(to: "expect", among: ["expect_message", "except"]) == "except")
    #expect(Suggestions.nearest(to: "expect_m", among: ["expect_together", "expect_message"]) == "expect_message")
    #expect(Suggestions.nearest(to: "que", among: ["queue_insert", "queue_jump"]) == "queue_insert")
  }

  static let keys: [(word: String, among: [String], key: String?)] = [
    ("tz", ["timezone", "times"], "timezone"), ("retries", ["attempts", "wait"], "attempts"),
    ("delay", ["wait", "factor"], "wait"), ("interval", ["every", "at"], "every"), ("url", ["media", "app"], "media"),
    ("uri", ["url", "type"], "url"), ("LANG", ["language"], "language"), ("else", ["if", "otherwise"], "otherwise"),
    ("teardown", ["finally", "steps"], "finally"), ("fontSize", ["size"], "size"), ("when", ["during"], "during"),
    // Only what is valid there is offered.
    ("tz", ["days", "hours"], nil), ("delay", ["factor"], nil), ("urll", ["url"], "url"),
  ]

  @Test("A key of another tool is known for ours where ours can stand", arguments: keys)
  func key(word: String, among: [String], key: String?) { #expect(Suggestions.key(word, among: among) == key) }

  @Test(
    "Every word for a verb, a matcher or a choice leads to one that exists",
    arguments: [
      "sleep", "assert", "resume", "start", "cast", "set_volume", "unmute", "close", "next", "previous", "echo",
      "captions", "speed",
      "enqueue", "wait_for", "shell", "call", "status", "jump",
    ])
  func verbs(word: String) throws {
    let step = try #require(Suggestions.verb(word))
    #expect(LanguageSchema.verb(String(step.prefix { $0 != ":" })) != nil, "\(step)")
    #expect(Suggestions.verb(word.uppercased()) == step)
  }

  static let spaced: [(word: String, step: String?)] = [
    ("load:film", "load: film"), ("load film", "load: film"), ("wait  5s", "wait: 5s"), ("load:", nil), ("load ", nil),
    ("play film", nil), ("film load", nil), ("seek:a:b", "seek: a:b"),
  ]

  @Test("A verb without the space behind its colon is put right, unless it takes no value", arguments: spaced)
  func checksSpaced(word: String, step: String?) {
    let found = Suggestions.verb(word)
    #expect(step == nil ? found?.contains(": ") != true : found == step, "\(found ?? "nothing")")
  }

  @Test(
    "A matcher of other tools is known for ours",
    arguments: [
      ("gte", "min"), ("at_most", "max"), ("GT", "above"), ("less_than", "below"), ("neq", "not"), ("in", "one_of"),
      ("regex", "matches"), ("includes", "contains"), ("size", "count"), ("present", "exists"),
      ("prefix", "starts_with"),
      ("suffix", "ends_with"), ("approx", "about"), ("contians", "contains"),
    ])
  func matcher(word: String, matcher: String) {
    #expect(Suggestions.matcher(word) == matcher)
    #expect(MatcherName(rawValue: matcher) != nil)
  }

  static let choices: [(word: String, among: [String], choice: String?)] = [
    ("off", ["none", "all"], "none"), ("off", ["all", "office"], "office"), ("no", ["auto", "never"], "never"),
    ("random", ["none", "shuffle"], "shuffle"),
    ("abort", ["stop", "continue"], "stop"), ("stopped", ["idle", "playing"], "idle"),
    ("vod", ["buffered", "live"], "buffered"),
    ("Film", ["movie", "tv"], "movie"), ("skip", ["stop", "continue", "ignore"], "ignore"),
    ("skip", ["stop", "continue"], "continue"),
    ("off", ["on_air"], nil), ("plaing", ["playing", "paused"], "playing"),
  ]

  @Test("A usual other word for a choice counts where that choice can be made", arguments: choices)
  func choice(word: String, among: [String], choice: String?) {
    #expect(Suggestions.choice(word, among: among) == choice)
  }

  @Test(
    "A unit is known by its usual names",
    arguments: [
      ("sec", "s"), ("Seconds", "s"), ("mins", "m"), ("MINUTE", "m"), ("hrs", "h"), ("hour", "h"), ("days", "d"),
      ("millis", "ms"),
      ("S", "s"), ("MS", "ms"), ("weeks", nil), ("", nil), ("y", nil), ("month", nil),
    ])
  func unit(word: String, unit: String?) { #expect(Suggestions.unit(word) == unit) }

  @Test(
    "A truth value is known by what YAML 1.1 and people write",
    arguments: [("Y", true), ("on", true), ("1", true), ("No", false), ("OFF", false), ("maybe", nil)])
  func bool(word: String, value: Bool?) { #expect(Suggestions.bool(word) == value) }

  @Test("Names beyond the first thousand are not looked at, so that a huge document costs no time")
  func bounded() {
    let names = (0..<1_000).map { "name\($0)x" } + ["playing"]
    #expect(Suggestions.nearest(to: "plaing", among: names) == nil)
    #expect(Suggestions.nearest(to: "plaing", among: names.suffix(1)) == "playing")
  }
}
