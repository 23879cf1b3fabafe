/// Where a device listens: a name or address without brackets, and a TCP port.
package struct HostAndPort: Codable, Hashable, Sendable {
  /// The port of a device; groups listen elsewhere (docs/protocol.md 1.1).
  package static let defaultPort = 8009

  package var host: String
  /// 1 to 65535.
  package var port: Int

  package init(host: String, port: Int = HostAndPort.defaultPort) {
    self.host = host
    self.port = port
  }
}
