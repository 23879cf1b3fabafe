import CastProtocol
import Glibc
import Synchronization

/// A file, or standard output, that a report is written to. Remembers the first failure for the end of the run.
final class OutputFile: Sendable {
  private struct State {
    var failure: String?
    var isOpen = true
  }

  let path: String
  private let output: FileOutput
  private let state = Mutex(State())

  /// Opens `path` for writing, `-` being standard output.
  /// - Throws: A failure with exit code 8, before the run begins.
  init(_ path: String) throws(CommandFailure) {
    self.path = path
    if path == "-" {
      output = .standardOutput
      return
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CommandFailure(.reportNotWritten, "cannot write \(path): \(String(cString: strerror(errno)))")
    }
    output = FileOutput(descriptor: descriptor)
  }

  /// Writes at once: what is written is on disk as far as the system lets us know.
  func write(_ text: String) {
    state.withLock { state in
      guard state.isOpen, state.failure == nil else { return }
      if let error = output.write(text) { state.failure = String(cString: strerror(error)) }
    }
  }

  /// Closes the file; returns why it is not whole, or `nil`.
  func close() -> String? {
    state.withLock { state in
      guard state.isOpen else { return state.failure }
      state.isOpen = false
      if path != "-", Glibc.close(output.descriptor) != 0, state.failure == nil {
        state.failure = String(cString: strerror(errno))
      }
      return state.failure.map { "cannot write \(path): \($0)" }
    }
  }
}
