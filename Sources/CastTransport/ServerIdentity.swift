import Glibc
import Synchronization

/// The certificate of listening sockets: P-256, self-signed, good for 3 days. Senders refuse one that is old or lives long,
/// so it is made anew each day.
package final class ServerIdentity: Sendable {
  /// How old a certificate is at most when a connection begins, in seconds: it is then good for nearly two days more.
  private static let renewal = 24 * 60 * 60

  private struct Made {
    var context: TLSContext
    var certificateDER: [UInt8]
    var at: Int
  }

  private let made: Mutex<Made>
  private let commonName: String
  private let now: @Sendable () -> Int

  /// - Parameter now: Tells Unix time.
  /// - Throws: ``TransportError/Code/setupFailed``.
  package init(
    commonName: String = "Showcaller (virtual)", now: @escaping @Sendable () -> Int = { time(nil) }
  ) throws(TransportError) {
    self.commonName = commonName
    self.now = now
    made = Mutex(try Self.make(commonName, at: now()))
  }

  var certificateDER: [UInt8] { made.withLock { $0.certificateDER } }

  /// What the next connection is served with; the old one where no new one can be made.
  func context() -> TLSContext {
    let now = now()
    return made.withLock { made in
      // A clock that was set back makes a certificate of the future.
      if !(made.at..<made.at + Self.renewal).contains(now), let new = try? Self.make(commonName, at: now) { made = new }
      return made.context
    }
  }

  private static func make(_ commonName: String, at now: Int) throws(TransportError) -> Made {
    let certificate = try Certificate(commonName: commonName, now: now)
    return Made(context: try TLSContext.forServer(certificate), certificateDER: certificate.der, at: now)
  }
}
