/// Counts the messages that are not obeyed, says a few of them, and notices a flood (docs/security.md F4).
struct Refusals: Sendable {
  /// More refused messages than this within ``window`` are a flood.
  static let most = 200
  static let window = Duration.seconds(60)
  /// From one line for the log to the next.
  static let linePause = Duration.seconds(10)
  private static let longestLine = 300

  /// Since the site began.
  private(set) var count = 0
  /// The newest, in words.
  private(set) var last: String?
  private var begin: Duration?
  private var inWindow = 0
  private var told: Duration?
  private var untold = 0
  private var lines: [String] = []

  /// - Returns: Whether there were so many that the connection is to end for a time.
  mutating func note(_ what: String, at time: Duration) -> Bool {
    count = count == .max ? count : count + 1
    last = Self.short(what)
    say(what, at: time)
    if begin.map({ time - $0 >= Self.window }) ?? true { (begin, inWindow) = (time, 0) }
    inWindow += 1
    guard inWindow >= Self.most else { return false }
    (begin, inWindow) = (nil, 0)
    return true
  }

  /// Says something in the log, where not much was said before it.
  mutating func say(_ what: String, at time: Duration) {
    if told.map({ time - $0 < Self.linePause }) ?? false {
      untold += 1
    } else {
      let what = Self.short(what)
      lines.append(untold > 0 ? "\(what) (and \(untold) before it)" : what)
      (told, untold) = (time, 0)
    }
  }

  private static func short(_ text: String) -> String {
    text.unicodeScalars.prefix(longestLine).reduce(into: "") { $0.unicodeScalars.append($1) }
  }

  /// What is to be told now, each line once.
  mutating func takeLines() -> [String] {
    defer { lines = [] }
    return lines
  }
}
