import CastProtocol
import ScenarioLanguage
import RunReporting
import Signage
import Workspace

/// Reads a playlist again when one of its files was changed, or when it is asked to; an invalid edit changes nothing on the
/// screens.
final class PlaylistEdits: Sendable {
  private let loader: DocumentLoader
  private let playlist: ServedPlaylist
  private let judged: @Sendable (String?) -> Void
  private let watch: FileWatch

  /// - Parameters:
  ///   - files: Those that it was read from last.
  ///   - judged: Learns of each edit why it is not valid; `nil`: it is.
  init(
    _ loader: DocumentLoader, _ playlist: ServedPlaylist, files: [String], judged: @escaping @Sendable (String?) -> Void
  ) {
    self.loader = loader
    self.playlist = playlist
    self.judged = judged
    watch = FileWatch(files)
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
      keep(
        error.failure?.message ?? "\(loader.file) has errors", error.summary(of: loader.file), error.failure?.help)
    }
  }

  private func take(_ loaded: LoadedPlaylist) async {
    do throws(PlaylistRefusal) {
      try await playlist.take(loaded)
      judged(nil)
    } catch {
      if let reason = error.reason { keep(reason.message, reason.message, reason.help) }
    }
  }

  /// - Parameter reason: What is told to people who do not see the log.
  private func keep(_ message: String, _ reason: String, _ help: String?) {
    judged(reason)
    Terminal.tell("\(message); \(playlist.whatGoesOn)", help: help)
  }
}
