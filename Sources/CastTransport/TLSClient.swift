/// Opens TLS connections to devices.
package enum TLSClient {
  /// Connects by TCP and TLS, each within its own limit; TCP_NODELAY is set. Does not verify the certificate (see
  /// security.md 1.2: a device proves itself by device authentication, not by TLS).
  package static func connect(
    host: String, port: Int, tcpTimeout: Duration = .seconds(5), tlsTimeout: Duration = .seconds(5)
  ) async throws(TransportError) -> any ByteChannel { preconditionFailure() }
}
