import Glibc
import RunReporting
import ScenarioLanguage
import Synchronization
import Workspace

/// Where a person or a pipe reads what we say.
enum Terminal {
  /// Whether a person watches standard error; progress is redrawn only then.
  static var errorIsTTY: Bool { isatty(STDERR_FILENO) == 1 && canRedraw }
  static var outputIsTTY: Bool { isatty(STDOUT_FILENO) == 1 && canRedraw }

  static var inputIsTTY: Bool { isatty(STDIN_FILENO) == 1 }

  /// Without a TERM nobody knows what the terminal makes of colours and moves.
  private static var canRedraw: Bool {
    let kind = environment("TERM") ?? ""
    return !kind.isEmpty && kind != "dumb"
  }

  /// Colour only for people who did not refuse it (no-color.org).
  static func usesColor(on isTTY: Bool) -> Bool { isTTY && (environment("NO_COLOR") ?? "").isEmpty }

  static func environment(_ name: String) -> String? {
    Surroundings.process.environment[name]
  }

  /// The width of the terminal behind standard error in columns; 80 where there is none.
  static var width: Int { width(of: STDERR_FILENO) }

  static func width(of descriptor: Int32) -> Int {
    var size = winsize()
    return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  /// The rows of the terminal behind standard error; 24 where there is none.
  static var height: Int {
    var size = winsize()
    return ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_row > 0 ? Int(size.ws_row) : 24
  }

  /// `09:30:05`, by the clock of this place.
  static var timeOfDay: String {
    var now = time(nil)
    var parts = tm()
    _ = localtime_r(&now, &parts)
    return [parts.tm_hour, parts.tm_min, parts.tm_sec].map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: ":")
  }

  /// Tells a failure and its cure in a line each; names of files in them cannot do anything to a terminal.
  static func tell(_ message: String, help: String? = nil) {
    say("error: \(TerminalText.escaped(message))")
    if let help { say("help: \(TerminalText.escaped(help))") }
  }

  static func say(_ text: String) {
    if let board = board.withLock({ $0 }) { board.tell(text) } else { StandardStream.error.write(text + "\n") }
  }

  /// What runs at the same time are told on.
  private static let board = Mutex<LiveBoard?>(nil)

  /// Has lines told above the block of this board, until it is `nil`.
  static func use(_ board: LiveBoard?) { Self.board.withLock { $0 = board } }
  static func print(_ text: String) { StandardStream.output.write(text + "\n") }
}
