package import Dispatch
import Glibc
import Synchronization

/// The file of a report that is whole at every moment: each text that is written replaces what was there.
package final class ReplacedFile: ReportDestination {
  private struct State {
    var error: FileError?
    var isWritten = false
  }

  private let path: String
  private let mode: UInt32
  private let state = Mutex(State())
  private let thread = DispatchQueue(label: "showcaller.replaced-file")
  private let work = DispatchGroup()

  /// A file at `path` that holds `text` at first.
  /// - Parameter mode: The permissions of a new file, less what the umask takes.
  /// - Throws: Where it cannot be written.
  package init(_ path: String, mode: UInt32, holding text: String) throws(WorkspaceError) {
    self.path = path
    self.mode = mode
    do throws(FileError) {
      try Self.replace(path, with: text, mode: mode)
    } catch {
      throw WorkspaceError(writing: path, error)
    }
  }

  /// Whether there is a file, or could be one; a pipe, a device and standard output are written to instead.
  package static func canBe(at path: String) -> Bool {
    path != "-" && DescriptorPath.number(of: path) == nil && Files.kind(of: path).map { $0 == .regular } ?? true
  }

  /// Makes the file at `path` hold `text` alone.
  /// - Parameter isOurs: Whether it holds an earlier text of this run, which stays where it cannot be replaced; what is of
  ///   another run is emptied.
  package static func replace(
    _ path: String, with text: String, mode: UInt32, isOurs: Bool = false
  ) throws(FileError) {
    let bytes = Array(text.utf8)
    do throws(FileError) {
      try Files.replace(bytes, at: path, mode: mode)
    } catch {
      // A file that may be written in a folder that may not, or one that is mounted by itself.
      if [EACCES, EPERM, EROFS, EBUSY].contains(error.code), access(path, W_OK) == 0 {
        return try Files.store(bytes, at: path, mode: mode)
      }
      // An empty file is told from a report; one of an earlier run is not told from ours.
      if !isOurs { _ = truncate(path, 0) }
      throw error
    }
  }

  /// Has the file replaced by one that holds `text`, without waiting for it.
  package func write(_ text: String) {
    thread.async(group: work) { [self] in
      do throws(FileError) {
        try Self.replace(path, with: text, mode: mode, isOurs: true)
        state.withLock { $0 = State(isWritten: true) }
      } catch {
        state.withLock { $0 = State(error: error, isWritten: true) }
      }
    }
  }

  /// Waits for the last text, at most until `deadline`.
  /// - Returns: Why it is not there, or `nil`.
  package func close(until deadline: DispatchTime) -> String? {
    let isInTime = work.wait(timeout: deadline) == .success
    return state.withLock { state in
      if let error = state.error { return "cannot write \(path): \(error.message)" }
      return isInTime && state.isWritten ? nil : "cannot write \(path): its disk is too slow, the report is missing"
    }
  }
}
