import Glibc
import DeviceControl
import RunReporting
import ScenarioRunner
import Synchronization

/// The terminal of this process while a screen is drawn on it: its keys come one by one. ``ShowcallerCommand`` gives it
/// back when it ends the process.
enum ScreenTerminal {
  private struct State {
    var saved: termios?
    var isDrawn = false
  }

  private static let state = Mutex(State())

  /// Screen of our own, no cursor, long lines cut and not wrapped; and back.
  private static let begin = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J\u{1B}[H"
  private static let end = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// Begins to draw, or begins again after somebody else had the terminal.
  /// - Parameter takesKeys: Standard input is the terminal: keys come at once and are not shown.
  static func enter(takesKeys: Bool) {
    state.withLock { state in
      if takesKeys {
        var mode = termios()
        if tcgetattr(STDIN_FILENO, &mode) == 0 {
          if state.saved == nil { state.saved = mode }
          mode.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
          mode.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR)
          // Ctrl-C stays a signal. One that dumps core would leave the terminal like this, and Ctrl-Z is a key, so that
          // the terminal can be given back before this process stops.
          withUnsafeMutableBytes(of: &mode.c_cc) { codes in
            codes[Int(VMIN)] = 1
            codes[Int(VTIME)] = 0
            codes[Int(VQUIT)] = 0
            codes[Int(VSUSP)] = 0
          }
          _ = tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
        }
      }
      state.isDrawn = true
      StandardStream.output.write(begin)
    }
  }

  /// Gives the terminal back as it was; does nothing where it was not taken.
  static func leave() {
    state.withLock { state in
      if state.isDrawn { StandardStream.output.write(end) }
      state.isDrawn = false
      if var saved = state.saved { _ = tcsetattr(STDIN_FILENO, TCSADRAIN, &saved) }
      state.saved = nil
    }
  }

  /// As ``leave()``, without waiting for a terminal that takes nothing more.
  static func leaveNow() {
    _ = state.withLockIfAvailable { state in
      var ready = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
      if state.isDrawn, poll(&ready, 1, 0) == 1 { StandardStream.output.write(end) }
      if var saved = state.saved { _ = tcsetattr(STDIN_FILENO, TCSANOW, &saved) }
    }
  }

  /// Stands still until the shell lets this process go on; returns at once where no shell could.
  static func stopProcess() {
    var stop = sigset_t()
    var before = sigset_t()
    sigemptyset(&stop)
    sigaddset(&stop, SIGTSTP)
    // To this very thread, which may have it blocked: one that another thread takes would let this one run on for a while.
    pthread_sigmask(SIG_UNBLOCK, &stop, &before)
    pthread_kill(pthread_self(), SIGTSTP)
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  static var size: WatchScreen.Size {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return WatchScreen.Size(columns: 80, rows: 24)
    }
    return WatchScreen.Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// What to write so that `lines` stand on the screen and nothing else does.
  ///
  /// Each line is cleared before it is written: behind a full one the cursor stands on its last letter.
  static func drawing(_ lines: [String], rows: Int) -> String {
    let text = "\u{1B}[H" + lines.map { "\u{1B}[K\($0)" }.joined(separator: "\r\n")
    return lines.count < rows ? text + "\r\n\u{1B}[J" : text
  }
}
