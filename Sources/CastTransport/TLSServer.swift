/// A listening TLS socket of a virtual receiver.
package final class TLSServer: Sendable {
  /// The port in use; of interest when 0 was asked for.
  package let port: Int

  /// Listens on `host`:`port` with a certificate made for this call (P-256, self-signed, 3 days).
  ///
  /// `accept` gets each connection after its handshake; at most `maximumConnections` are open at once, the rest are refused.
  package static func listen(
    host: String, port: Int, maximumConnections: Int = 64, accept: @escaping @Sendable (any ByteChannel) -> Void
  ) async throws(TransportError) -> TLSServer { preconditionFailure() }

  init(port: Int) { self.port = port }

  /// Stops listening and closes what is open.
  package func close() async { preconditionFailure() }
}
