import CastProtocol
import Synchronization

/// What keeps the addresses of served files as they are over a restart: a secret of this computer, and the ports that a
/// playlist's files were served at; `$XDG_STATE_HOME/showcaller/media-secret` and `media/`.
///
/// Where nothing can be kept, the addresses of each process are its own.
package final class MediaAddressStore: Sendable {
  private static let secretBytes = 32
  private static let byteLimit = 64 << 10

  /// 256 bits that nobody else knows; `nil` where they cannot be kept.
  package let secret: [UInt8]?
  private let path: String?
  private let ports: Mutex<JSONObject>

  /// Those of one playlist, for whoever has these surroundings.
  package init(playlist: String, _ surroundings: Surroundings) {
    secret = surroundings.stateFolder.flatMap {
      try? Files.keptSecret(at: "\($0)/media-secret", bytes: Self.secretBytes)
    }
    let path = surroundings.stateFolder.map { "\($0)/media/\(Files.uniqueName(playlist)).json" }
    self.path = path
    let bytes = path.flatMap { try? Files.read($0, limit: Self.byteLimit, followsLink: false) }
    guard let bytes, case .object(let object)? = try? JSONValue(parsing: bytes) else {
      ports = Mutex([:])
      return
    }
    ports = Mutex(object)
  }

  /// The port that an address of this computer had last.
  package func port(_ host: String) -> Int? {
    ports.withLock { $0[host]?.int.flatMap { (1...65_535).contains($0) ? $0 : nil } }
  }

  package func keepPort(_ host: String, _ port: Int) {
    let object = ports.withLock { ports in
      ports[host] = .int(port)
      return ports
    }
    guard let path else { return }
    do throws(FileError) {
      try Files.makeFolders(Files.folder(of: path))
      try Files.replace(Array(JSONValue.object(object).serialized().utf8), at: path, mode: 0o600, isDurable: false)
    } catch {
      // The next process takes another port.
    }
  }
}
