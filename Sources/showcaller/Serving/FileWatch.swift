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
    /// How often it is looked at the files before it is tried again; `nil`: it is not.
    var looksLeft: Int?
    var wait = FileWatch.firstWait
  }
  /// Looks until what failed is tried again, first and at most.
  private static let firstWait = 10, longestWait = 60

  private let state: Mutex<State>

  init(_ files: [String]) { state = Mutex(State(files: files, marks: FileMarks(of: files))) }

  /// Has the document read again, whatever its files look like.
  func ask() { state.withLock { $0.isAsked = true } }

  /// Has the document read again in a while, each time later than before.
  func tryAgain() {
    state.withLock { state in
      state.looksLeft = state.wait
      state.wait = min(2 * state.wait, Self.longestWait)
    }
  }

  /// Nothing is to be tried again.
  func settle() { state.withLock { ($0.looksLeft, $0.wait) = (nil, Self.firstWait) } }

  /// Looks until the task is cancelled, and calls `read` at each change, or when something is tried again.
  func follow(on clock: TimeSource, _ read: (_ isAgain: Bool) async -> Void) async {
    while (try? await clock.sleep(for: Self.interval)) != nil {
      guard let isAgain = due() else { continue }
      // An editor may be in the middle of writing: what is read half is read again when it is whole.
      await read(isAgain)
    }
  }

  /// These are its files from now on.
  func note(_ files: [String]) {
    state.withLock { state in
      guard files != state.files else { return }
      (state.files, state.marks) = (files, FileMarks(of: files))
    }
  }

  /// - Returns: Whether it is only tried again; `nil`: nothing is due.
  private func due() -> Bool? {
    state.withLock { state in
      let marks = FileMarks(of: state.files)
      if state.isAsked || marks != state.marks {
        (state.isAsked, state.marks) = (false, marks)
        return false
      }
      guard let left = state.looksLeft else { return nil }
      state.looksLeft = left > 1 ? left - 1 : nil
      return left > 1 ? nil : true
    }
  }
}
