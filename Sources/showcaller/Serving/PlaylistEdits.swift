import CastProtocol
import ScenarioLanguage
import RunReporting
import Signage
import Synchronization
import Workspace

/// Reads a playlist again when one of its files was changed, or when it is asked to; an invalid edit changes nothing on the
/// screens.
final class PlaylistEdits: Sendable {
  /// How often the files are looked at.
  private static let interval = Duration.seconds(1)

  private let loader: DocumentLoader
  private let choose: @Sendable (PlaylistPlan) throws(WorkspaceError) -> PlaylistPlan
  private let replace: @Sendable (Program) async -> Void
  private let judged: @Sendable (String?) -> Void
  private let state: Mutex<State>

  private struct State {
    var files: [String]
    var marks: FileMarks
    var isAsked = false
  }

  /// - Parameters:
  ///   - loaded: What is served.
  ///   - choose: Puts the devices of the command line into the plan.
  ///   - replace: Takes an edit that is valid.
  ///   - judged: Learns of each edit why it is not valid; `nil`: it is.
  init(
    _ loader: DocumentLoader, _ loaded: LoadedPlaylist,
    choose: @escaping @Sendable (PlaylistPlan) throws(WorkspaceError) -> PlaylistPlan,
    replace: @escaping @Sendable (Program) async -> Void, judged: @escaping @Sendable (String?) -> Void
  ) {
    self.loader = loader
    self.choose = choose
    self.replace = replace
    self.judged = judged
    state = Mutex(State(files: loaded.files, marks: FileMarks(of: loaded.files)))
  }

  /// Has it read again, whatever its files look like.
  func ask() { state.withLock { $0.isAsked = true } }

  /// Looks for edits until the task is cancelled.
  func follow(on clock: TimeSource) async {
    while (try? await clock.sleep(for: Self.interval)) != nil {
      guard isDue() else { continue }
      // An editor may be in the middle of writing: what is read half is read again when it is whole.
      await take()
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

  private func take() async {
    do throws(PlaylistProblems) {
      let loaded = try loader.loadPlaylist()
      note(loaded.files)
      loader.tell(loaded.diagnostics, loaded.sources)
      do {
        await replace(Program(try choose(loaded.plan), in: try loaded.clocks()))
        judged(nil)
      } catch { keep(error.message, error.help) }
    } catch {
      note(error.files)
      loader.tell(error.diagnostics, error.sources)
      keep(error.failure?.message ?? "\(loader.file) has errors", error.failure?.help)
    }
  }

  private func note(_ files: [String]) {
    state.withLock { state in
      guard files != state.files else { return }
      (state.files, state.marks) = (files, FileMarks(of: files))
    }
  }

  private func keep(_ message: String, _ help: String?) {
    judged(message)
    Terminal.tell("\(message); the screens go on with the playlist as it was", help: help)
  }
}
