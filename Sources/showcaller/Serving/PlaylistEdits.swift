import CastProtocol
import ScenarioLanguage
import RunReporting
import Signage
import Workspace

/// Reads a playlist again when one of its files was changed, or when it is asked to; an invalid edit changes nothing on the
/// screens.
final class PlaylistEdits: Sendable {
  private let loader: DocumentLoader
  private let secrets: ServedSecrets
  private let choose: @Sendable (PlaylistPlan) throws(WorkspaceError) -> PlaylistPlan
  private let replace: @Sendable (Program) async -> Void
  private let judged: @Sendable (String?) -> Void
  private let watch: FileWatch

  /// - Parameters:
  ///   - loaded: What is served.
  ///   - secrets: Its secrets, whose values may have changed, too.
  ///   - choose: Puts the devices of the command line into the plan.
  ///   - replace: Takes an edit that is valid.
  ///   - judged: Learns of each edit why it is not valid; `nil`: it is.
  init(
    _ loader: DocumentLoader, _ loaded: LoadedPlaylist, _ secrets: ServedSecrets,
    choose: @escaping @Sendable (PlaylistPlan) throws(WorkspaceError) -> PlaylistPlan,
    replace: @escaping @Sendable (Program) async -> Void, judged: @escaping @Sendable (String?) -> Void
  ) {
    self.loader = loader
    self.secrets = secrets
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
      await take(loaded)
    } catch {
      watch.note(error.files)
      loader.tell(error.diagnostics, error.sources)
      keep(error.failure?.message ?? "\(loader.file) has errors", error.failure?.help)
    }
  }

  private func take(_ loaded: LoadedPlaylist) async {
    do {
      let program = Program(try choose(loaded.plan), in: try loaded.clocks())
      secrets.take(try await secrets.read(for: loaded))
      await replace(program)
      judged(nil)
    } catch let error as WorkspaceError where error.code != .told {
      keep(error.message, error.help)
    } catch {
      // Where serving ends there is nobody to tell.
      if !Task.isCancelled { keep("\(loader.file) has a secret without a value", nil) }
    }
  }

  private func keep(_ message: String, _ help: String?) {
    judged(message)
    Terminal.tell("\(message); the screens go on with the playlist as it was", help: help)
  }
}
