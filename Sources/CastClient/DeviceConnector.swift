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
  private let memory: ChallengeMemory

  package init(times: TimeSources, configuration: ClientConfiguration) {
    self.init(times: times, configuration: configuration, memory: .shared)
  }

  init(times: TimeSources, configuration: ClientConfiguration, memory: ChallengeMemory) {
    self.times = times
    self.configuration = configuration
    self.memory = memory
  }

  /// Connects to `address`; each stage has its own limit.
  ///
  /// A proof that is only to be reported keeps nobody waiting. A device that ends the connection when it is asked for one,
  /// before its first status, is connected to again, once, without the question; one that ends it later for the second time
  /// is not asked any more.
  /// - Parameters:
  ///   - authentication: Replaces the mode of the configuration's rules.
  ///   - hasVideoOutput: As ``ClientConfiguration/hasVideoOutput``.
  ///   - isLegacy: Whether old TLS will do.
  /// - Throws: `unreachable`, `tls`, `connection_lost`, `timeout`, `auth` where the device has to prove itself and does
  ///   not, or `protocol` where TLS answers but no Cast device.
  package func connect(
    to address: HostAndPort, authentication: AuthenticationMode? = nil, hasVideoOutput: Bool? = nil,
    isLegacy: Bool = false, wireTap: WireTap? = nil
  ) async throws(ClientError) -> Opened {
    let start = times.network.now
    var configuration = configuration
    configuration.hasVideoOutput = hasVideoOutput
    if let authentication { configuration.authentication?.mode = authentication }
    if let wireTap { configuration.wireTap = wireTap }
    configuration.peer = "\(address.host):\(address.port)"
    let isReported = configuration.authentication?.mode == .report
    if isReported, memory.closes(address) {
      configuration.authentication = nil
      var opened = try await open(address, configuration, isLegacy: isLegacy, since: start)
      opened.authentication = .closesWhenAsked
      return opened
    }
    if isReported { configuration.closedWhenAsked = { [memory] in memory.noteLaterLoss(of: address) } }
    do throws(ClientError) {
      return try await open(address, configuration, isLegacy: isLegacy, since: start)
    } catch {
      guard isReported, error.class == .connectionLost, !Task.isCancelled else { throw error }
      configuration.authentication = nil
      var opened: Opened
      do throws(ClientError) {
        opened = try await open(address, configuration, isLegacy: isLegacy, since: start)
      } catch _ {
        throw error
      }
      memory.note(address)
      opened.authentication = .closesWhenAsked
      return opened
    }
  }

  private func open(
    _ address: HostAndPort, _ configuration: ClientConfiguration, isLegacy: Bool, since start: Duration
  ) async throws(ClientError) -> Opened {
    let connection = CastConnection(
      channel: try await openChannel(to: address, isLegacy: isLegacy), times: times, configuration: configuration)
    do throws(ClientError) {
      try await connection.open()
    } catch {
      await connection.disconnect(abruptly: true)
      throw error
    }
    let report = await connection.authentication
    let isAsked = (configuration.authentication?.mode ?? .none) != AuthenticationMode.none
    return Opened(
      connection: connection, tls: connection.securityProtocol, latency: times.network.now - start,
      authentication: report == nil && isAsked ? .pending : AuthenticationFacts(report))
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
      return try await TLSClient.connect(
        host: address.host, port: address.port, isLegacy: isLegacy, tcpTimeout: configuration.connectTimeout,
        tlsTimeout: configuration.connectTimeout)
    } catch {
      throw ClientError(error)
    }
  }
}
