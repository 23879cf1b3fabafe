import CastTransport
import MediaServer
import Workspace

extension MediaServer.Memory {
  private static let digits = 32

  /// The addresses of a playlist's files survive a restart: what the last process left on a screen is known again.
  static func kept(in store: MediaAddressStore) -> Self {
    MediaServer.Memory(
      token: { content in
        guard let secret = store.secret, let inner = Digest.sha256Bytes(secret + Array(content.utf8)) else {
          return nil
        }
        return Digest.sha256(secret + inner).map { String($0.prefix(digits)) }
      }, port: { store.port($0) }, keepPort: { store.keepPort($0, $1) })
  }
}
