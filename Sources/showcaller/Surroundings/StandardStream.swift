import Glibc
import Synchronization
import Workspace

/// Standard output or standard error of this process.
struct StandardStream: Sendable {
  static let output = StandardStream(descriptor: STDOUT_FILENO)
  static let error = StandardStream(descriptor: STDERR_FILENO)

  private static let firstFailure = Mutex<FileError?>(nil)

  /// Why standard output is not whole; `nil` when it is, or when its reader went away and has seen enough.
  static var outputFailure: String? {
    firstFailure.withLock { $0 }.flatMap { $0.code == EPIPE ? nil : $0.message }
  }

  let descriptor: Int32

  /// Writes all of `text`; returns why a write failed, or `nil`. What goes to standard error after
  /// ``StandardError/queue()`` is written soon, and its failure told to nobody.
  @discardableResult
  func write(_ text: String) -> FileError? {
    if descriptor == STDERR_FILENO, StandardError.tell(text) { return nil }
    return writeNow(text)
  }

  /// Writes all of `text` before it returns, however long its reader takes.
  func writeNow(_ text: String) -> FileError? { writeNow(Array(text.utf8)) }

  /// Writes all of `bytes` before it returns, however long their reader takes.
  @discardableResult
  func writeNow(_ bytes: [UInt8]) -> FileError? {
    do throws(FileError) {
      try Descriptor.write(bytes, to: descriptor)
      return nil
    } catch {
      if descriptor == STDOUT_FILENO { Self.firstFailure.withLock { $0 = $0 ?? error } }
      return error
    }
  }

  /// Keeps the numbers of standard streams that were handed over closed from going to the next file that is opened:
  /// what is meant for a person would be written into it.
  static func reserveAll() {
    for (number, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
    where fcntl(number, F_GETFD) < 0 {
      // The lowest free number is this one; every use of it fails as it would on a closed stream.
      _ = open("/dev/null", mode)
    }
  }
}
