import CastProtocol
import ScenarioLanguage
import RunReporting
import Signage
import Workspace

/// Reads a playlist again when one of its files was changed, or when it is asked to; an invalid edit changes nothing on the
/// screens.
final class PlaylistEdits: Sendable {
  private let loader: DocumentLoader
  private let choose: @Sendable (PlaylistPlan) throws(WorkspaceError) -> PlaylistPlan
  private let replace: @Sendable (Program) async -> Void
  private let judged: @Sendable (String?) -> Void
  private let watch: FileWatch

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
    watch = FileWatch(loaded.files)
  }

  /// Has it read again, whatever its files look like.
  func ask() { watch.ask() }

  /// Looks for edits until the task is cancelled.
  func follow(on clock: TimeSource) async { await watch.follow(on: clock) { await take() } }

  private func take() async {
    do throws(DocumentProblems) {
      let loaded = try loader.loadPlaylist()
      watch.note(loaded.files)
      loader.tell(loaded.diagnostics, loaded.sources)
      do {
        await replace(Program(try choose(loaded.plan), in: try loaded.clocks()))
        judged(nil)
      } catch { keep(error.message, error.help) }
    } catch {
      watch.note(error.files)
      loader.tell(error.diagnostics, error.sources)
      keep(error.failure?.message ?? "\(loader.file) has errors", error.failure?.help)
    }
  }

  private func keep(_ message: String, _ help: String?) {
    judged(message)
    Terminal.tell("\(message); the screens go on with the playlist as it was", help: help)
  }
}
