import Glibc

/// Where a person or a pipe reads what we say.
enum Terminal {
  /// Whether a person watches standard error; progress is redrawn only then.
  static var errorIsTTY: Bool { isatty(STDERR_FILENO) == 1 && environment("TERM") != "dumb" }
  static var outputIsTTY: Bool { isatty(STDOUT_FILENO) == 1 && environment("TERM") != "dumb" }

  /// Colour only for people who did not refuse it (no-color.org).
  static func usesColor(on isTTY: Bool) -> Bool { isTTY && (environment("NO_COLOR") ?? "").isEmpty }

  static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// The width of the terminal behind standard error in columns; 80 where there is none.
  static var width: Int {
    var size = winsize()
    return ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  static func say(_ text: String) { FileOutput.standardError.write(text + "\n") }
  static func print(_ text: String) { FileOutput.standardOutput.write(text + "\n") }
}

/// A file descriptor to write text to, whole and in order.
struct FileOutput: Sendable {
  static let standardOutput = FileOutput(descriptor: STDOUT_FILENO)
  static let standardError = FileOutput(descriptor: STDERR_FILENO)

  let descriptor: Int32

  /// Writes all of `text`; returns the error number of a failed write, or `nil`.
  @discardableResult
  func write(_ text: String) -> Int32? {
    var text = text
    return text.withUTF8 { buffer in
      var done = 0
      while done < buffer.count {
        let count = Glibc.write(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
        if count > 0 {
          done += count
        } else if errno == EAGAIN {
          // The other end is not ours to set to blocking.
          var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&waiting, 1, -1)
        } else if errno != EINTR {
          return errno
        }
      }
      return nil
    }
  }
}
