package import CastProtocol
package import CastTransport

/// Opens connections to devices on the network: TCP, TLS, CONNECT, first RECEIVER_STATUS.
package struct DeviceConnector: Sendable {
  /// An open connection and what was learned while opening it.
  package struct Opened: Sendable {
    package var connection: CastConnection
    /// `TLSv1.3`.
    package var tls: String?
    /// From the start of the TCP connect to the first RECEIVER_STATUS.
    package var latency: Duration
    package var authentication: AuthenticationFacts
  }

  private let times: TimeSources
  private let configuration: ClientConfiguration

  package init(times: TimeSources, configuration: ClientConfiguration) {
    self.times = times
    self.configuration = configuration
  }

  /// Connects to `address`; each stage has its own limit.
  /// - Parameters:
  ///   - authentication: Replaces the mode of the configuration's rules.
  ///   - hasVideoOutput: As ``ClientConfiguration/hasVideoOutput``.
  ///   - isLegacy: Whether old TLS will do.
  /// - Throws: `unreachable`, `tls`, `connection_lost`, `timeout`, `auth` where the device has to prove itself and does
  ///   not, or `protocol` where TLS answers but no Cast device.
  package func connect(
    to address: HostAndPort, authentication: AuthenticationMode? = nil, hasVideoOutput: Bool? = nil,
    isLegacy: Bool = false, wireTap: (@Sendable (WireRecord) -> Void)? = nil
  ) async throws(ClientError) -> Opened {
    let start = times.network.now
    var configuration = configuration
    configuration.hasVideoOutput = hasVideoOutput
    if let authentication { configuration.authentication?.mode = authentication }
    if let wireTap { configuration.wireTap = wireTap }
    configuration.peer = "\(address.host):\(address.port)"
    let connection = CastConnection(
      channel: try await openChannel(to: address, isLegacy: isLegacy), times: times, configuration: configuration)
    do {
      try await connection.open()
    } catch {
      await connection.disconnect(abruptly: true)
      throw error
    }
    return Opened(
      connection: connection, tls: connection.securityProtocol, latency: times.network.now - start,
      authentication: AuthenticationFacts(await connection.authentication))
  }

  /// Asks the device at `address` for its proof and for nothing else, and leaves.
  /// - Throws: As ``connect(to:authentication:hasVideoOutput:wireTap:)``, but never `auth`; a configuration without
  ///   rules is `invalid_state`.
  package func authenticate(
    _ address: HostAndPort, hasVideoOutput: Bool? = nil
  ) async throws(ClientError) -> DeviceAuthReport {
    var configuration = configuration
    configuration.hasVideoOutput = hasVideoOutput
    configuration.peer = "\(address.host):\(address.port)"
    let connection = CastConnection(
      channel: try await openChannel(to: address), times: times, configuration: configuration)
    let report: DeviceAuthReport?
    do {
      report = try await connection.authenticate()
    } catch {
      await connection.disconnect(abruptly: true)
      throw error
    }
    await connection.disconnect()
    guard let report else { throw ClientError(.invalidState, "no proof was asked for") }
    return report
  }

  private func openChannel(
    to address: HostAndPort, isLegacy: Bool = false
  ) async throws(ClientError) -> any ByteChannel {
    do {
      return try await TLSClient.connect(host: address.host, port: address.port, isLegacy: isLegacy)
    } catch {
      throw ClientError(error)
    }
  }
}
