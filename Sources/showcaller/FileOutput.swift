import Glibc
import Synchronization

/// A file descriptor to write text to, whole and in order.
struct FileOutput: Sendable {
  static let standardOutput = FileOutput(descriptor: STDOUT_FILENO)
  static let standardError = FileOutput(descriptor: STDERR_FILENO)

  private static let firstFailure = Mutex<Int32?>(nil)

  /// Why standard output is not whole; `nil` when it is, or when its reader went away and has seen enough.
  static var standardOutputFailure: String? {
    firstFailure.withLock { $0 }.flatMap { $0 == EPIPE ? nil : String(cString: strerror($0)) }
  }

  let descriptor: Int32

  /// Writes all of `text`; returns the error number of a failed write, or `nil`. What goes to standard error after
  /// ``StandardError/queue()`` is written soon, and its failure told to nobody.
  @discardableResult
  func write(_ text: String) -> Int32? {
    if descriptor == STDERR_FILENO, StandardError.tell(text) { return nil }
    return writeNow(text)
  }

  /// Writes all of `text` before it returns, however long its reader takes.
  func writeNow(_ text: String) -> Int32? {
    var text = text
    let failure = text.withUTF8(writeAll)
    if let failure, descriptor == STDOUT_FILENO { Self.firstFailure.withLock { $0 = $0 ?? failure } }
    return failure
  }

  /// Writes all of `bytes` before it returns; returns the error number of a failed write, or `nil`.
  func writeNow(_ bytes: [UInt8]) -> Int32? { bytes.withUnsafeBufferPointer(writeAll) }

  private func writeAll(_ buffer: UnsafeBufferPointer<UInt8>) -> Int32? {
    var done = 0
    while done < buffer.count {
      let count = Glibc.write(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
      if count > 0 {
        done += count
      } else if count == 0 {
        return ENOSPC
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

  /// Keeps the numbers of standard streams that were handed over closed from going to the next file that is opened:
  /// what is meant for a person would be written into it.
  static func reserveStandardStreams() {
    for (number, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
    where fcntl(number, F_GETFD) < 0 {
      // The lowest free number is this one; every use of it fails as it would on a closed stream.
      _ = open("/dev/null", mode)
    }
  }
}
