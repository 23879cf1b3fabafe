import CastProtocol
import Synchronization
import Workspace

/// Notices that one of the files of a document was changed, or that somebody wants it to be read again.
final class FileWatch: Sendable {
  /// How often the files are looked at.
  private static let interval = Duration.seconds(1)

  private struct State {
    var files: [String]
    var marks: FileMarks
    var isAsked = false
  }
  private let state: Mutex<State>

  init(_ files: [String]) { state = Mutex(State(files: files, marks: FileMarks(of: files))) }

  /// Has the document read again, whatever its files look like.
  func ask() { state.withLock { $0.isAsked = true } }

  /// Looks until the task is cancelled, and calls `read` at each change.
  func follow(on clock: TimeSource, _ read: () async -> Void) async {
    while (try? await clock.sleep(for: Self.interval)) != nil {
      guard isDue() else { continue }
      // An editor may be in the middle of writing: what is read half is read again when it is whole.
      await read()
    }
  }

  /// These are its files from now on.
  func note(_ files: [String]) {
    state.withLock { state in
      guard files != state.files else { return }
      (state.files, state.marks) = (files, FileMarks(of: files))
    }
  }

  private func isDue() -> Bool {
    state.withLock { state in
      let marks = FileMarks(of: state.files)
      guard state.isAsked || marks != state.marks else { return false }
      (state.isAsked, state.marks) = (false, marks)
      return true
    }
  }
}
