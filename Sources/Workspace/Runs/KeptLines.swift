package import Dispatch
import Glibc
import ScenarioLanguage
import Synchronization

/// A file of lines that is written while something goes on, by a thread of its own, and readable by its owner only.
///
/// A file that is there stays as it is until the first line comes: a command that does not get that far destroys nothing,
/// and leaves no file behind. No other process can keep lines in the same file meanwhile.
package final class KeptLines: Sendable {
  /// What may wait for a slow disk, in bytes.
  private static let byteLimit = 16 << 20

  private let path: String
  private let queue: TextQueue
  private let isOpen = Mutex(true)
  private let descriptor: Int32
  /// Whether it was not there before.
  private let isOurs: Bool

  /// - Parameter failed: Told once, by the thread that writes, when the file cannot be written any more.
  /// - Throws: Where it cannot be opened, is a folder, or another process keeps its lines there.
  package init(_ path: String, failed: @escaping @Sendable (WorkspaceError) -> Void) throws(WorkspaceError) {
    self.path = path
    do throws(FileError) {
      let wasThere = Files.kind(of: path) != nil
      let file = try Files.open(path, O_WRONLY | O_CREAT, mode: 0o600)
      let isRegular = FileKind(try file.status()) == .regular
      isOurs = isRegular && !wasThere
      // Some file systems know no locks: there nobody can be kept out.
      if isRegular, (try? Descriptor.lock(file.descriptor, .exclusive)) == false { throw .system(EWOULDBLOCK) }
      let descriptor = file.release()
      self.descriptor = descriptor
      let isEmpty = Mutex(!isRegular)
      queue = TextQueue(byteLimit: Self.byteLimit) { text throws(FileError) in
        do throws(FileError) {
          let isFirst = isEmpty.withLock { isEmpty in
            defer { isEmpty = true }
            return !isEmpty
          }
          // It may have been there, and open to others.
          if isFirst, fchmod(descriptor, 0o600) != 0 || ftruncate(descriptor, 0) != 0 { throw .last }
          try Descriptor.write(text, to: descriptor)
        } catch {
          failed(WorkspaceError(writing: path, error))
          throw error
        }
      }
    } catch {
      if error.code == EWOULDBLOCK {
        throw WorkspaceError(
          .busy, "cannot write \(path): another process is writing it",
          help: "choose another file, or end that process: `fuser \(ShellWord.quoted(path))` tells which it is")
      }
      throw WorkspaceError(writing: path, error)
    }
  }

  /// Gives up before the first line: a file that was there stays as it was, and one that was not is gone again.
  package func abandon() {
    if isOurs { unlink(path) }
    _ = close()
  }

  /// Has a line written at once, without waiting for it; where there is no room it is left out, and the next one says so.
  /// - Parameter note: That line without its end, for a number of lines.
  package func add(_ line: String, noting note: (Int) -> String) {
    isOpen.withLock { if $0 { queue.tell(line + "\n", noting: note) } }
  }

  /// Waits for what is not written yet, at most until `deadline`, and closes the file.
  /// - Returns: Why it is not whole, or `nil`.
  package func close(until deadline: DispatchTime = .now() + .seconds(5)) -> String? {
    let wasOpen = isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    guard wasOpen else { return nil }
    let unwritten = queue.drain(until: deadline)
    if let failure = queue.failure { return "cannot write \(path): \(failure.message)" }
    // Its thread still writes there.
    if unwritten > 0 { return "cannot write \(path): its disk is too slow, the last \(unwritten) lines are missing" }
    Descriptor.unlock(descriptor)
    return Glibc.close(descriptor) == 0 ? nil : "cannot write \(path): \(FileError.last.message)"
  }
}
