import ScenarioLanguage
import ScenarioRunner
import Signage
import Workspace

/// A playlist of the command line as `serve` finds it when it begins.
struct PlaylistStart {
  /// How what is read becomes a program for the screens of this process.
  typealias Preparation = @Sendable (LoadedPlaylist) throws(WorkspaceError) -> Program

  let loader: DocumentLoader
  let prepare: Preparation
  let secrets: ServedSecrets
  /// `nil` where it cannot be served as it is.
  let program: Program?
  /// Why not, and the same in a line for people who do not see the log.
  let failure: (reason: WorkspaceError, summary: String)?
  /// What it was read from.
  let files: [String]

  /// Prepares it and reads its secrets; one that cannot be had keeps no other playlist from being served.
  /// - Throws: After a signal.
  init(
    _ loader: DocumentLoader, _ loaded: Result<LoadedPlaylist, DocumentProblems>, _ secrets: ServedSecrets,
    prepare: @escaping Preparation, until line: InterruptionLine
  ) async throws {
    self.loader = loader
    self.prepare = prepare
    self.secrets = secrets
    switch loaded {
    case .success(let playlist):
      files = playlist.files
      do {
        let prepared = try prepare(playlist)
        secrets.take(try await secrets.read(for: playlist, until: line))
        (program, failure) = (prepared, nil)
      } catch let error as WorkspaceError {
        (program, failure) = (nil, (error, error.message))
      } catch PlaylistRefusal.stopped(let error) {
        throw error
      } catch let refusal as PlaylistRefusal {
        guard let reason = refusal.reason else { throw refusal }
        (program, failure) = (nil, (reason, reason.message))
      }
    case .failure(let problems):
      (program, failure, files) = (nil, (problems.reason, problems.summary(of: loader.file)), problems.files)
    }
  }
}
