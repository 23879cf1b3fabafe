/// Other words that people use for keys, verbs and matchers, from other tools and from the wire.
extension Suggestions {
  private static let keys: [String: [String]] = [
    "tz": ["timezone"], "time_zone": ["timezone"], "zone": ["timezone"],
    "count": ["attempts", "times"], "tries": ["attempts", "retry"], "retries": ["attempts", "retry"],
    "max_attempts": ["attempts", "retry"],
    "times": ["attempts"], "delay": ["wait"], "interval": ["wait", "every"], "backoff": ["factor"],
    "max_delay": ["max_wait"], "position": ["at"], "offset": ["at"], "lang": ["language"], "locale": ["language"],
    "url": ["media"], "uri": ["url", "media"], "href": ["url"], "src": ["url"], "content_type": ["type"],
    "mime": ["type"], "mimetype": ["type"], "length": ["duration"], "else": ["otherwise"], "default": ["otherwise"],
    "then": ["steps"], "do": ["steps"], "list": ["item", "items"], "values": ["item", "choices"], "args": ["with"],
    "arguments": ["with"], "params": ["with"], "fontsize": ["size"], "font_size": ["size"], "bg": ["background"],
    "ip": ["host"], "address": ["host"], "subtitles": ["tracks"], "weekdays": ["days"], "priority": ["weight"],
    "ads": ["breaks"], "files": ["include"], "variables": ["vars"], "env": ["vars"], "imports": ["include"],
    "import": ["include"], "teardown": ["finally"], "cleanup": ["finally"], "before": ["setup"], "after": ["finally"],
    "title": ["name"], "loop": ["repeat"], "attempts": ["retry"], "on_error": ["if_fails"], "when": ["if", "during"],
    "unless": ["if"],
  ]

  private static let verbs: [String: String] = [
    "sleep": "wait", "delay": "wait", "assert": "expect", "verify": "expect", "check": "expect", "should": "expect",
    "resume": "play", "unpause": "play", "start": "launch", "open": "launch", "cast": "load", "set_volume": "volume",
    "unmute": "mute: false", "close": "stop_app", "quit": "stop_app", "kill": "stop_app", "next": "queue_jump: next",
    "previous": "queue_jump: previous", "echo": "log", "print": "log", "message": "send", "subtitles": "tracks",
    "captions": "tracks", "speed": "rate", "set_rate": "rate", "playback_rate": "rate", "enqueue": "queue",
    "wait_for": "wait_until", "loop": "repeat", "shell": "exec", "run": "exec", "command": "exec", "call": "use",
    "status": "refresh", "jump": "seek",
  ]

  /// The key meant, among those that are valid where it stands.
  static func key(_ word: String, among names: [String]) -> String? {
    other(word, among: names) ?? nearest(to: word, among: names)
  }

  /// The key that another tool, or the wire, has this word for.
  static func other(_ word: String, among names: [String]) -> String? {
    keys[word.lowercased()]?.first(where: names.contains)
  }

  /// The step meant by a word, perhaps with its value.
  static func verb(_ word: String) -> String? { spaced(word) ?? verbs[word.lowercased()] ?? nearest(word) }

  private static func nearest(_ word: String) -> String? { nearest(to: word, among: LanguageSchema.verbNames) }

  /// The matcher meant by a word.
  static func matcher(_ word: String) -> String? {
    let same = MatcherName.allCases.first { $0.spec.synonyms.contains(word.lowercased()) }
    return same?.rawValue ?? nearest(to: word, among: MatcherName.allCases.map(\.rawValue))
  }

  /// `load:film` and `load film` as `load: film`.
  private static func spaced(_ word: String) -> String? {
    guard word.utf8.count <= 200, let end = word.firstIndex(where: { $0 == ":" || $0 == " " }) else { return nil }
    let verb = String(word[..<end])
    let rest = word[word.index(after: end)...].drop { $0 == " " }
    guard !rest.isEmpty, let spec = LanguageSchema.verb(verb) else { return nil }
    if case .bare = spec.form { return nil }
    return "\(verb): \(ScalarText.shown(rest))"
  }

  /// `player:playing` as `player: playing`, where `player` is one of the names.
  static func spaced(_ word: String, among names: [String]) -> String? {
    guard word.utf8.count <= 200, let colon = word.firstIndex(of: ":"), names.contains(String(word[..<colon])) else {
      return nil
    }
    let rest = word[word.index(after: colon)...]
    return rest.isEmpty ? nil : "\(word[..<colon]): \(ScalarText.shown(rest))"
  }
}
