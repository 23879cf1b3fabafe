import ScenarioLanguage
import ScenarioRunner
import Signage
import Workspace

/// A playlist as `serve` finds it when it begins.
struct PlaylistStart {
  /// How what is read becomes a program for the screens of this process.
  typealias Preparation = @Sendable (LoadedPlaylist) throws(WorkspaceError) -> Program

  let loader: DocumentLoader
  /// What people know it by.
  let name: String
  let prepare: Preparation
  let secrets: ServedSecrets
  /// `nil` where it cannot be served as it is.
  private(set) var program: Program?
  /// Why not, and the same in a line for people who do not see the log.
  private(set) var failure: (reason: WorkspaceError, summary: String)?
  /// Whether what failed may go well later, although no file of it is changed.
  private(set) var isTriedAgain = false
  /// What it was read from.
  let files: [String]
  private let loaded: LoadedPlaylist?

  /// Prepares it.
  /// - Parameter name: What people know it by; `nil`: the name of its file.
  init(
    _ loader: DocumentLoader, called name: String? = nil, _ loaded: Result<LoadedPlaylist, DocumentProblems>,
    _ secrets: ServedSecrets,
    prepare: @escaping Preparation
  ) {
    self.loader = loader
    self.name = name ?? loader.file
    self.prepare = prepare
    self.secrets = secrets
    self.loaded = try? loaded.get()
    switch loaded {
    case .success(let playlist):
      files = playlist.files
      do throws(WorkspaceError) { program = try prepare(playlist) } catch { failure = (error, error.message) }
    case .failure(let problems):
      (failure, files) = ((problems.reason, problems.summary(of: loader.file)), problems.files)
    }
  }

  /// The same with the secrets of each read; one that cannot be had, or is slow, holds up no other playlist.
  /// - Parameter inTurn: Whether one after the other reads them.
  /// - Throws: After a signal.
  static func withSecrets(
    _ starts: [PlaylistStart], inTurn: Bool, _ line: InterruptionLine
  ) async throws -> [PlaylistStart] {
    var all = starts
    if inTurn {
      for place in all.indices { try await all[place].readSecrets(until: line) }
      return all
    }
    return try await withThrowingTaskGroup(of: (Int, PlaylistStart).self) { group in
      for (place, start) in starts.enumerated() where start.program != nil {
        group.addTask {
          var start = start
          try await start.readSecrets(until: line)
          return (place, start)
        }
      }
      for try await (place, start) in group { all[place] = start }
      return all
    }
  }

  private mutating func readSecrets(until line: InterruptionLine) async throws {
    guard program != nil, let loaded else { return }
    do throws(PlaylistRefusal) {
      secrets.take(try await secrets.read(for: loaded, until: line))
    } catch {
      if case .stopped(let error) = error { throw error }
      guard let reason = error.reason else { throw error }
      (program, failure, isTriedAgain) = (nil, (reason, reason.message), true)
    }
  }
}
