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
    secret = surroundings.stateFolder.flatMap(Self.secret)
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

  private static func secret(in folder: String) -> [UInt8]? {
    let path = "\(folder)/media-secret"
    if let bytes = read(path) { return bytes }
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<secretBytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    do throws(FileError) {
      try Files.makeFolders(folder)
      try Files.replace(bytes, at: path, mode: 0o600)
    } catch {
      return nil
    }
    // Of two processes that begin at the same time the last one's counts.
    return read(path)
  }

  private static func read(_ path: String) -> [UInt8]? {
    guard let bytes = try? Files.read(path, limit: byteLimit, followsLink: false), bytes.count == secretBytes else {
      return nil
    }
    return bytes
  }
}
