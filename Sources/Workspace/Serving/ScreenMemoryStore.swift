package import CastProtocol

/// What a screen goes on with after a restart, a small file for each in `$XDG_STATE_HOME/showcaller/screens`.
///
/// What goes wrong with them is no reason for a dark screen: then its playlist begins anew.
package struct ScreenMemoryStore: Sendable {
  static let byteLimit = 256 << 10

  private let folder: String?

  /// Those of one playlist, for whoever has these surroundings.
  package init(playlist: String, _ surroundings: Surroundings) {
    folder = surroundings.stateFolder.map { "\($0)/screens/\(Files.uniqueName(playlist))" }
  }

  /// What was stored last; `nil` where nothing was, or it is damaged.
  package func recall(_ screen: String) -> JSONValue? {
    guard let path = path(of: screen), let bytes = try? Files.read(path, limit: Self.byteLimit, followsLink: false)
    else {
      return nil
    }
    return try? JSONValue(parsing: bytes)
  }

  /// Stores it whole or not at all.
  package func remember(_ screen: String, _ memory: JSONValue) {
    let bytes = Array(memory.serialized().utf8)
    guard let folder, let path = path(of: screen), bytes.count <= Self.byteLimit else { return }
    do throws(FileError) {
      try Files.makeFolders(folder)
      try Files.replace(bytes, at: path, mode: 0o600, isDurable: false)
    } catch {
      // The playlist begins anew.
    }
  }

  private func path(of screen: String) -> String? {
    folder.map { "\($0)/\(Files.uniqueName(screen)).json" }
  }
}
