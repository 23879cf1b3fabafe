import CastProtocol
import ScenarioLanguage
import RunReporting
import Signage
import Synchronization
import Workspace

/// Reads a playlist again when one of its files was changed, or when it is asked to; an invalid edit changes nothing on the
/// screens.
final class PlaylistEdits: Sendable {
  /// What reads it, and how often that was replaced.
  private let reader: Mutex<(loader: DocumentLoader, number: Int)>
  private let playlist: ServedPlaylist
  private let judged: @Sendable (String?) -> Void
  private let watch: FileWatch
  /// What was told last of what is tried again.
  private let told = Mutex<String?>(nil)

  /// - Parameters:
  ///   - files: Those that it was read from last.
  ///   - judged: Learns of each edit why it is not valid; `nil`: it is.
  init(
    _ loader: DocumentLoader, _ playlist: ServedPlaylist, files: [String], judged: @escaping @Sendable (String?) -> Void
  ) {
    reader = Mutex((loader, 0))
    self.playlist = playlist
    self.judged = judged
    watch = FileWatch(files)
  }

  /// Has it read again, whatever its files look like.
  func ask() { watch.ask() }

  /// Reads another file from now on; what was read from the one before counts for nothing any more.
  func replace(_ loader: DocumentLoader, files: [String]) {
    reader.withLock { $0 = (loader, $0.number + 1) }
    watch.note(files)
    watch.settle()
    told.withLock { $0 = nil }
  }

  /// Has it read again in a while.
  /// - Parameter failure: What was told already.
  func tryAgain(after failure: String) {
    told.withLock { $0 = failure }
    watch.tryAgain()
  }

  /// Looks for edits until the task is cancelled.
  func follow(on clock: TimeSource) async { await watch.follow(on: clock) { await take(isAgain: $0) } }

  /// - Parameter isAgain: Whether what could not be had is only tried again.
  private func take(isAgain: Bool) async {
    if !isAgain {
      watch.settle()
      told.withLock { $0 = nil }
    }
    let (loader, number) = reader.withLock { $0 }
    let isOverdue = { self.reader.withLock { $0.number != number } }
    do throws(DocumentProblems) {
      let loaded = try loader.loadPlaylist()
      if isOverdue() { return }
      watch.note(loaded.files)
      if !isAgain { loader.tell(loaded.diagnostics, loaded.sources) }
      await take(loaded, by: loader, isAgain: isAgain, unless: isOverdue)
    } catch {
      if isOverdue() { return }
      watch.note(error.files)
      loader.tell(error.diagnostics, error.sources)
      keep(
        error.failure?.message ?? "\(loader.file) has errors", error.summary(of: loader.file), error.failure?.help)
    }
  }

  private func take(
    _ loaded: LoadedPlaylist, by loader: DocumentLoader, isAgain: Bool, unless isOverdue: () -> Bool
  ) async {
    do throws(PlaylistRefusal) {
      try await playlist.take(loaded, by: loader, isAgain: isAgain, unless: isOverdue)
      if isOverdue() { return }
      watch.settle()
      judged(nil)
    } catch {
      if isOverdue() { return }
      if let reason = error.reason { keepAndTryAgain(reason.message, reason.help) }
    }
  }

  /// Keeps what is served until it can be had: no file of it has to be changed for that.
  private func keepAndTryAgain(_ message: String, _ help: String?) {
    let isNews = told.withLock { told in
      defer { told = message }
      return told != message
    }
    watch.tryAgain()
    if isNews { keep(message, message, help) }
  }

  /// - Parameter reason: What is told to people who do not see the log.
  private func keep(_ message: String, _ reason: String, _ help: String?) {
    judged(reason)
    Terminal.tell("\(message); \(playlist.whatGoesOn)", help: help)
  }
}
