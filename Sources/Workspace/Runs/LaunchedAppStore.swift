import Glibc

/// The app sessions that runs of this computer started and did not end, a small file for each device in
/// `$XDG_STATE_HOME/showcaller/sessions`.
///
/// What goes wrong with them is nobody's concern: then a session is left to whoever uses it.
package struct LaunchedAppStore: Sendable {
  static let byteLimit = 256

  private let folder: String?

  /// Those of whoever has these surroundings.
  package init(_ surroundings: Surroundings) { folder = surroundings.stateFolder.map { $0 + "/sessions" } }

  /// The session last started on a device and not ended since; `nil`: none.
  package func session(on device: String) -> String? {
    guard let path = path(of: device),
      let bytes = try? Files.read(path, limit: Self.byteLimit, followsLink: false), !bytes.isEmpty
    else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Keeps the session that was started on a device; `nil`: it is over, or meant to stay.
  package func record(_ session: String?, on device: String) {
    guard let folder, let path = path(of: device) else { return }
    guard let session, session.utf8.count <= Self.byteLimit, !session.isEmpty else {
      unlink(path)
      return
    }
    do throws(FileError) {
      try Files.makeFolders(folder)
      try Files.replace(Array(session.utf8), at: path, mode: 0o600, isDurable: false)
    } catch {
      // The session is left to whoever uses it.
    }
  }

  private func path(of device: String) -> String? {
    folder.flatMap { folder in Files.plainName(device).map { "\(folder)/\($0)" } }
  }
}
