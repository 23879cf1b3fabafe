import Dispatch
import Glibc
import Synchronization

/// A report's file that is written before ``write(_:)`` returns, however slow its reader: nothing else waits meanwhile.
final class AwaitedReportFile: ReportDestination {
  private let path: String
  /// `nil`: standard output, which is not ours to close.
  private let descriptor: Int32?
  private let writeOutput: @Sendable (String) throws(FileError) -> Void
  private let failure = Mutex<FileError?>(nil)

  /// Opens `path`, `-` being standard output. A pipe is waited for until it has a reader.
  /// - Throws: Where it cannot be opened.
  init(_ path: String, in surroundings: Surroundings) throws(WorkspaceError) {
    self.path = path
    writeOutput = surroundings.writeOutput
    if path == "-" {
      descriptor = nil
      return
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0o666)
    guard descriptor >= 0 else { throw WorkspaceError(writing: path, .last) }
    self.descriptor = descriptor
  }

  func write(_ text: String) {
    failure.withLock { failure in
      if failure != nil { return }
      do throws(FileError) {
        if let descriptor { try Descriptor.write(text, to: descriptor) } else { try writeOutput(text) }
      } catch {
        failure = error
      }
    }
  }

  func close(until deadline: DispatchTime) -> String? {
    failure.withLock { failure in
      // What standard output could not take is told at the end of the process.
      guard let descriptor else { return nil }
      if Glibc.close(descriptor) != 0, failure == nil { failure = .last }
      return failure.map { WorkspaceError(writing: path, $0).message }
    }
  }
}
