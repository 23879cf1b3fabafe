package import CastProtocol
import CastTransport

/// Opens connections to devices on the network: TCP, TLS, CONNECT, first RECEIVER_STATUS.
package struct DeviceConnector: Sendable {
  /// An open connection and what was learned while opening it.
  package struct Opened: Sendable {
    package var connection: CastConnection
    /// `TLSv1.3`.
    package var tls: String?
    /// From the start of the TCP connect to the first RECEIVER_STATUS.
    package var latency: Duration
  }

  private let times: TimeSources
  private let configuration: ClientConfiguration

  package init(times: TimeSources, configuration: ClientConfiguration) {
    self.times = times
    self.configuration = configuration
  }

  /// Connects to `address`; each stage has its own limit.
  /// - Throws: `unreachable`, `tls`, `connection_lost`, `timeout`, or `protocol` where TLS answers but no Cast device.
  package func connect(
    to address: HostAndPort, wireTap: (@Sendable (WireRecord) -> Void)? = nil
  ) async throws(ClientError) -> Opened {
    let start = times.network.now
    let channel: any ByteChannel
    do {
      channel = try await TLSClient.connect(host: address.host, port: address.port)
    } catch {
      throw ClientError(error)
    }
    var configuration = configuration
    if let wireTap { configuration.wireTap = wireTap }
    let connection = CastConnection(channel: channel, times: times, configuration: configuration)
    do {
      try await connection.open()
    } catch {
      await connection.disconnect(abruptly: true)
      throw error
    }
    return Opened(connection: connection, tls: channel.securityProtocol, latency: times.network.now - start)
  }
}
