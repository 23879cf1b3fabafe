import Glibc
import DeviceControl
import RunReporting
import ScenarioRunner
import Workspace

/// The sessions that runs started, a small file for each device in `$XDG_STATE_HOME/showcaller/sessions`.
///
/// What goes wrong with them is nobody's concern: then a session is left to whoever uses it.
enum StartedSessionFiles {
  private static let byteLimit = 256

  static let standard = StartedSessions(session: read, note: write)

  private static var folder: String? {
    if let state = Terminal.environment("XDG_STATE_HOME"), state.hasPrefix("/") {
      return state + "/showcaller/sessions"
    }
    guard let home = Terminal.environment("HOME"), home.hasPrefix("/") else { return nil }
    return home + "/.local/state/showcaller/sessions"
  }

  /// A file name that no device can make into a path.
  private static func path(of device: String) -> String? {
    let name = device.utf8.prefix(100).map { byte in
      let isPlain = (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
      return isPlain || byte == 0x2D ? Character(UnicodeScalar(byte)) : "_"
    }
    return name.isEmpty ? nil : folder.map { "\($0)/\(String(name))" }
  }

  @Sendable private static func read(_ device: String) -> String? {
    guard let path = path(of: device) else { return nil }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: byteLimit + 1)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count > 0, count <= byteLimit else { return nil }
    return String(validating: bytes.prefix(count), as: UTF8.self)
  }

  @Sendable private static func write(_ session: String?, _ device: String) {
    guard let folder, let path = path(of: device) else { return }
    guard let session, session.utf8.count <= byteLimit, !session.isEmpty else {
      unlink(path)
      return
    }
    var made = ""
    for part in folder.split(separator: "/") {
      made += "/" + part
      if mkdir(made, 0o700) != 0, errno != EEXIST, errno != EISDIR { return }
    }
    _ = FileReplacement.put(Array(session.utf8), at: path, mode: 0o600, isDurable: false)
  }
}
