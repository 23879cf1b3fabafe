import MediaServer
import ScenarioLanguage
import Signage
import Synchronization
import Workspace

/// A playlist of the command line or of the fleet: it is served from the moment on at which it is valid, and goes on by its last valid edit.
final class ServedPlaylist: Sendable {
  /// What serving it takes.
  struct Parts: Sendable {
    let server: PlaylistServer
    let ledger: PlaylistLedger
    let shown: ShownRecord
    let outside: ServedOutside
    let media: MediaServer
    let web: SecretWeb
  }

  /// A playlist as it was read, with all that its screens need to show it.
  struct Prepared: Sendable {
    let program: Program
    let secrets: SecretLoader.Loaded
  }

  /// How what was read becomes a program for these screens.
  private let prepare: @Sendable (LoadedPlaylist) throws(WorkspaceError) -> Program
  private let secrets: ServedSecrets
  /// Makes what serving takes.
  private let make: @Sendable (Program) throws(WorkspaceError) -> Parts
  private let state = Mutex<Parts?>(nil)
  /// The parts for the screens, once there are any.
  private let forScreens = AsyncStream<Parts>.makeStream()
  /// The same for all that goes on beside the screens.
  private let forFollowers = AsyncStream<Parts>.makeStream()

  init(
    _ secrets: ServedSecrets, prepare: @escaping @Sendable (LoadedPlaylist) throws(WorkspaceError) -> Program,
    make: @escaping @Sendable (Program) throws(WorkspaceError) -> Parts
  ) {
    self.secrets = secrets
    self.prepare = prepare
    self.make = make
  }

  /// `nil` while it is not valid yet.
  var parts: Parts? { state.withLock { $0 } }

  /// What the screens do after an edit that is not valid.
  var whatGoesOn: String {
    parts == nil ? "it is served as soon as it is valid" : "the screens go on with the playlist as it was"
  }

  /// Takes what was read: an edit, or the playlist that is served from now on.
  /// - Parameters:
  ///   - reader: What read it.
  ///   - isAgain: Whether what failed is only tried again, which nobody is told.
  ///   - isOverdue: Whether something newer was taken meanwhile: then nothing changes.
  /// - Throws: Where it cannot be served; then nothing changes.
  func take(
    _ loaded: LoadedPlaylist, by reader: DocumentLoader, isAgain: Bool = false, unless isOverdue: () -> Bool
  ) async throws(PlaylistRefusal) {
    let prepared = try await prepared(loaded, by: reader, isAgain: isAgain)
    if !isOverdue() { try await take(prepared) }
  }

  /// Looks whether what was read can be served; nothing changes yet.
  func prepared(
    _ loaded: LoadedPlaylist, by reader: DocumentLoader, isAgain: Bool = false
  ) async throws(PlaylistRefusal) -> Prepared {
    let program: Program
    do throws(WorkspaceError) { program = try prepare(loaded) } catch { throw .other(error) }
    return Prepared(program: program, secrets: try await secrets.read(for: loaded, by: reader, isQuiet: isAgain))
  }

  /// Serves what was prepared: as an edit, or from now on.
  func take(_ prepared: Prepared) async throws(PlaylistRefusal) {
    secrets.take(prepared.secrets)
    guard let parts else {
      do throws(WorkspaceError) { return try begin(prepared.program) } catch { throw .other(error) }
    }
    await parts.server.replace(prepared.program)
    await parts.outside.replace(prepared.program)
  }

  /// Serves a program from now on.
  func begin(_ program: Program) throws(WorkspaceError) {
    let parts = try make(program)
    state.withLock { $0 = parts }
    for stream in [forScreens, forFollowers] { stream.continuation.yield(parts) }
  }

  /// Runs its screens, as soon as there are any, until the task is cancelled.
  func serve() async {
    for await parts in forScreens.stream { return await parts.server.run() }
  }

  /// Does what goes on beside the screens, as soon as there are any.
  func follow(_ body: (Parts) async -> Void) async {
    for await parts in forFollowers.stream { return await body(parts) }
  }
}
