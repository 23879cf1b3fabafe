import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Workspace

/// The secrets of one served playlist, whose values are read when serving begins and each time the playlist is read again.
///
/// The only owner of the values: devices get them through ``forScreens``, web servers through ``web``.
struct ServedSecrets: Sendable {
  private let values = Secrets()
  private let loader: DocumentLoader
  private let allowsCommands: Bool
  private let given: GivenSecrets
  /// What the screens of the playlist send.
  let forScreens: Secrets

  /// - Parameters:
  ///   - loader: Reads the playlist.
  ///   - allowsCommands: Whether `command:` may start programs.
  ///   - given: What was given to other documents, too.
  ///   - namesStandIn: Whether screens are sent names in place of values: virtual ones only.
  init(_ loader: DocumentLoader, allowsCommands: Bool, given: GivenSecrets, namesStandIn: Bool) {
    self.loader = loader
    self.allowsCommands = allowsCommands
    self.given = given
    forScreens = namesStandIn ? Secrets().withStandIns : values
    LogOutput.hide(values)
  }

  /// The web as the playlist asks it.
  var web: SecretWeb { SecretWeb(values) }

  /// Reads the values that a playlist needs. They count once ``take(_:)`` has them.
  /// - Parameters:
  ///   - reader: What read the playlist; `nil`: what reads it first.
  ///   - isQuiet: Whether nobody is told why one cannot be had.
  func read(
    for playlist: LoadedPlaylist, by reader: DocumentLoader? = nil, isQuiet: Bool = false,
    until line: InterruptionLine? = nil
  ) async throws(PlaylistRefusal) -> SecretLoader.Loaded {
    var loader = reader ?? loader
    if isQuiet { loader.tell = { _, _ in } }
    given.forgetFiles()
    do {
      return try await loader.values(
        of: playlist.plan.secrets, in: playlist.sources, allowsCommands: allowsCommands, remembering: given,
        until: line)
    } catch let error as WorkspaceError {
      throw error.code == .told ? .secretMissing(loader.file) : .other(error)
    } catch {
      throw .stopped(error)
    }
  }

  /// From now on these are sent; what was sent before stays hidden.
  func take(_ loaded: SecretLoader.Loaded) {
    for (name, value) in loaded.values.sorted(by: { $0.key < $1.key }) { values.set(value, for: name) }
  }
}
