import NIOCore
import Testing

@testable import CastTransport

@Suite(.timeLimit(.minutes(1))) struct ConnectFailureTests {
  /// Long before the limits that a test does not set, and long enough for a machine that is busy with other tests.
  static let soon = Duration.seconds(20)
  static let unset = Duration.seconds(50)

  /// The error of connecting to `port`, and how long it took.
  static func failure(
    host: String = "127.0.0.1", port: Int, tcpTimeout: Duration = unset, tlsTimeout: Duration = unset
  ) async -> (error: TransportError?, elapsed: Duration) {
    let start = ContinuousClock.now
    let error = await #expect(throws: TransportError.self) {
      try await TLSClient.connect(host: host, port: port, tcpTimeout: tcpTimeout, tlsTimeout: tlsTimeout)
    }
    return (error, ContinuousClock.now - start)
  }

  @Test("Where nothing listens, the connection is refused")
  func refused() async {
    let port = RawSocket.closedPort()
    let failure = await Self.failure(port: port)
    #expect(failure.error == TransportError(.unreachable, "cannot reach 127.0.0.1:\(port): connection refused"))
  }

  @Test("An IPv6 address is named in brackets")
  func refusedIPv6() async {
    let port = RawSocket.closedPort()
    #expect(
      await Self.failure(host: "::1", port: port).error?.message == "cannot reach [::1]:\(port): connection refused")
  }

  @Test("A peer that never answers is given up after the limit for TCP")
  func silentNetwork() async {
    let deaf = RawSocket.deaf()
    let failure = await Self.failure(port: deaf.listener.port, tcpTimeout: .milliseconds(200))
    #expect(
      failure.error
        == TransportError(.unreachable, "cannot reach 127.0.0.1:\(deaf.listener.port): no answer in 200 ms"))
    #expect(failure.elapsed >= .milliseconds(200) && failure.elapsed < Self.soon)
    withExtendedLifetime(deaf) {}
  }

  @Test("A peer that accepts and then says nothing is given up after the limit for TLS")
  func silentServer() async {
    let listener = RawSocket.listening()
    let failure = await Self.failure(port: listener.port, tlsTimeout: .milliseconds(150))
    #expect(
      failure.error
        == TransportError(.tlsHandshakeFailed, "127.0.0.1:\(listener.port): no TLS handshake in 150 ms"))
    #expect(failure.elapsed >= .milliseconds(150) && failure.elapsed < Self.soon)
  }

  @Test("A server of plain text is told apart at its first byte, also where that comes with the connection")
  func plainTextServer() async {
    // Its greeting comes before or after the connection is noticed.
    for attempt in 0..<100 {
      let listener = RawSocket.listening()
      async let failing = Self.failure(port: listener.port)
      let connection = await listener.accept()
      connection.send(Array((attempt % 2 == 0 ? "220 ready\r\n" : "H").utf8))
      let failure = await failing
      #expect(failure.error?.message == "127.0.0.1:\(listener.port): the peer speaks no TLS")
      #expect(failure.error?.code == .tlsHandshakeFailed)
      #expect(failure.elapsed < Self.soon)
    }
  }

  @Test("A peer that hangs up during the handshake, politely or not", arguments: [false, true])
  func hangsUp(isReset: Bool) async {
    let listener = RawSocket.listening()
    async let failing = Self.failure(port: listener.port)
    do {
      let connection = await listener.accept()
      if isReset { connection.resetOnClose() }
    }
    let code = await failing.error?.code
    // A reset may come before we have noticed that we were connected.
    #expect(code == .tlsHandshakeFailed || (isReset && code == .unreachable))
  }

  @Test("A name without an address is an unknown host, within the limit")
  func unknownHost() async {
    let failure = await Self.failure(host: "does-not-exist.invalid", port: 8009, tcpTimeout: .seconds(2))
    // Without any resolver the answer may be that none came in time.
    #expect(failure.error?.code == .unknownHost || failure.error?.message.contains("no answer in 2 s") ?? false)
    #expect(failure.elapsed < Self.soon)
  }

  @Test("A port is 1 to 65535", arguments: [0, -1, 65536])
  func ports(port: Int) async {
    #expect(await Self.failure(port: port).error?.code == .unreachable)
  }

  @Test("A cancelled task gives up at once")
  func cancellation() async {
    let listener = RawSocket.listening()
    let start = ContinuousClock.now
    let connecting = Task {
      try await TLSClient.connect(
        host: "127.0.0.1", port: listener.port, tcpTimeout: Self.unset, tlsTimeout: Self.unset)
    }
    let connection = await listener.accept()
    connecting.cancel()
    let error = await #expect(throws: TransportError.self) { try await connecting.value }
    #expect(error?.message.hasSuffix("cancelled") ?? false)
    _ = await connection.readToEnd()  // our side closes too
    #expect(ContinuousClock.now - start < Self.soon)
  }

  @Test("Listening where something listens, or at a foreign address, is told apart")
  func listening() async throws {
    let listener = RawSocket.listening()
    let inUse = await #expect(throws: TransportError.self) {
      try await TLSServer.listen(host: "127.0.0.1", port: listener.port) { _ in }
    }
    #expect(inUse?.code == .addressInUse && inUse?.message == "127.0.0.1:\(listener.port) is in use")
    let foreign = await #expect(throws: TransportError.self) {
      try await TLSServer.listen(host: "192.0.2.1", port: 0) { _ in }
    }
    #expect(foreign?.code == .addressNotAvailable)
    let unknown = await #expect(throws: TransportError.self) {
      try await TLSServer.listen(host: "does-not-exist.invalid", port: 0) { _ in }
    }
    #expect(unknown?.code == .unknownHost)
  }

  static let literals: [(host: String, isLiteral: Bool)] = [
    ("127.0.0.1", true), ("::1", true), ("fe80::1%lo", true), ("fe80::1%1", true), ("localhost", false), ("", false),
    ("fe80::1%", false), ("fe80::1%nosuchinterface", false), ("1.2.3", false), ("[::1]", false),
  ]
  @Test("Addresses are told from names, scopes included", arguments: literals)
  func literal(host: String, isLiteral: Bool) {
    let address = HostAddress.literal(host, port: 8009)
    #expect((address != nil) == isLiteral)
    if isLiteral { #expect(address?.port == 8009) }
  }
}
