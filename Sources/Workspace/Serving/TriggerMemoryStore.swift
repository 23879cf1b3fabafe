package import CastProtocol

/// Which webhook triggers of a playlist are fired, a small file in `$XDG_STATE_HOME/showcaller/triggers`.
package struct TriggerMemoryStore: Sendable {
  static let byteLimit = 1 << 20

  private let path: String?

  /// Those of one playlist, for whoever has these surroundings.
  package init(playlist: String, _ surroundings: Surroundings) {
    path = surroundings.stateFolder.map { "\($0)/triggers/\(Files.uniqueName(playlist)).json" }
  }

  /// What was stored last; `nil` where nothing was, or it is damaged.
  package func recall() -> JSONValue? {
    guard let path, let bytes = try? Files.read(path, limit: Self.byteLimit, followsLink: false) else { return nil }
    return try? JSONValue(parsing: bytes)
  }

  /// Stores it whole or not at all, so that it is there after a power cut.
  package func remember(_ memory: JSONValue) throws(WorkspaceError) {
    guard let path else {
      throw WorkspaceError(.notWritten, "neither XDG_STATE_HOME nor HOME names a folder")
    }
    do throws(FileError) {
      try Files.makeFolders(Files.folder(of: path))
      try Files.replace(Array(memory.serialized().utf8), at: path, mode: 0o600)
    } catch {
      throw WorkspaceError(writing: path, error)
    }
  }
}
