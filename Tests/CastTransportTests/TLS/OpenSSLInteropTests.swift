import Testing

@testable import CastTransport

/// Against the `openssl` program: the same library, but another's way of using it.
@Suite(.enabled(if: OpenSSLProgram.isAvailable), .timeLimit(.minutes(1))) struct OpenSSLInteropTests {
  static func echoServer(tlsTimeout: Duration = .seconds(5)) async throws -> TLSServer {
    try await TLSServer.listen(host: "127.0.0.1", port: 0, tlsTimeout: tlsTimeout) { channel in
      channel.start { event in if case .received(let bytes) = event { channel.send(bytes) } }
    }
  }

  @Test(
    "s_client talks to our server in both versions, and renews its keys in the newer one", arguments: ["1_2", "1_3"])
  func client(version: String) async throws {
    let server = try await Self.echoServer()
    let command = "exec openssl s_client -connect 127.0.0.1:\(server.port) -tls\(version) -quiet -no_ign_eof 2>&1"
    let echoed = await offThePool {
      guard let process = ChildProcess("sh", ["-c", command]) else { return "" }
      process.write("hello\n")
      var text = process.read { $0.contains("hello\n") }
      if version == "1_3" {
        // A line that begins with K asks for new keys in both directions.
        process.write("K\n")
        text += process.read { $0.contains("KEYUPDATE") }
      }
      process.write("after\n")
      text += process.read { $0.contains("after\n") }
      return text
    }
    #expect(echoed.contains("hello\n") && echoed.hasSuffix("after\n"))
    #expect(echoed.contains("KEYUPDATE") == (version == "1_3"))
    await server.close()
  }

  @Test("Messages sent at once come in one record each, so that no peer has one left that its socket does not tell of")
  func records() async throws {
    let server = try await TLSServer.listen(host: "127.0.0.1", port: 0) { channel in
      channel.start { event in
        guard case .received = event else { return }
        channel.send(["first\n", "second\n", "", "third\n"].map { Array($0.utf8) })
      }
    }
    let command = "exec openssl s_client -connect 127.0.0.1:\(server.port) -tls1_2 -msg -no_ign_eof 2>&1"
    let seen = await offThePool {
      guard let process = ChildProcess("sh", ["-c", command]) else { return "" }
      process.write("go\n")
      return process.read { $0.contains("third") }
    }
    // In TLS 1.2 the header of a record tells application data (0x17) apart; `<<<` is what came.
    let came = seen.split(separator: "\n", omittingEmptySubsequences: false)
    let records = zip(came, came.dropFirst()).filter { $0.hasPrefix("<<<") && $1.hasPrefix("    17 03 03 00") }
    #expect(records.count == 3, "\(seen)")
    await server.close()
  }

  @Test("s_client finds nothing to resume, no compression, no older version, no renegotiation")
  func settings() async throws {
    let server = try await Self.echoServer()
    let address = "127.0.0.1:\(server.port)"
    let report = await offThePool {
      let process = ChildProcess("openssl", ["s_client", "-connect", address, "-tls1_2"])
      process?.write("Q\n")
      return process?.read { _ in false } ?? ""
    }
    #expect(report.contains("Compression: NONE"))
    #expect(report.contains("CN = Showcaller (virtual)"))
    #expect(!report.contains("TLS session ticket:"))
    let old = await offThePool {
      ChildProcess.run("openssl", ["s_client", "-connect", address, "-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"])
    }
    #expect(old == 1)
    let renegotiation = await offThePool {
      let process = ChildProcess("openssl", ["s_client", "-connect", address, "-tls1_2"])
      _ = process?.read { $0.contains("---\n") }
      process?.write("R\n")
      _ = process?.read(seconds: 5) { _ in false }
      return process?.wait() ?? -1
    }
    #expect(renegotiation == 1)
    await server.close()
  }

  static let servers: [(key: [String], options: [String], version: String)] = [
    (["-newkey", "rsa:2048"], [], "TLSv1.3"),
    (["-newkey", "rsa:2048"], ["-tls1_2"], "TLSv1.2"),
    (["-newkey", "rsa:2048", "-sha1"], ["-tls1_2", "-cipher", "AES128-SHA@SECLEVEL=0"], "TLSv1.2"),
    (["-newkey", "rsa:1024", "-sha1"], ["-cipher", "DEFAULT@SECLEVEL=0"], "TLSv1.3"),
    (["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"], [], "TLSv1.3"),
  ]
  @Test("Our client talks to servers as devices are, whatever their certificate", arguments: servers)
  func server(key: [String], options: [String], version: String) async throws {
    let certificate = try TemporaryCertificate(key: key)
    let port = RawSocket.closedPort()
    let arguments =
      [
        "s_server", "-accept", "127.0.0.1:\(port)", "-cert", certificate.path, "-key", certificate.path, "-rev",
        "-quiet",
      ]
      + options
    let process = try #require(ChildProcess("openssl", arguments))
    var connected: (any ByteChannel)?
    for _ in 0..<200 where connected == nil {
      connected = try? await TLSClient.connect(host: "127.0.0.1", port: port)
      if connected == nil { await offThePool { _ = process.read(seconds: 0) } }
    }
    let channel = try #require(connected)
    #expect(channel.securityProtocol == version)
    #expect(channel.peerCertificateDER == certificate.der)
    let echo = EventCollector(channel)
    channel.send(Array("abc\n".utf8))
    #expect(await echo.bytes(atLeast: 4) == Array("cba\n".utf8))
    channel.close()
    #expect(await echo.closed() == nil)
  }

  static let oldServers: [(key: [String], options: [String], version: String)] = [
    (["-newkey", "rsa:2048", "-sha1"], ["-tls1_1"], "TLSv1.1"),
    (["-newkey", "rsa:1024", "-sha1"], ["-tls1"], "TLSv1"),
  ]
  @Test(
    "Servers that know only TLS 1.0 or 1.1 are for connections that allow it, and for no others", arguments: oldServers)
  func oldServer(key: [String], options: [String], version: String) async throws {
    let certificate = try TemporaryCertificate(key: key)
    let port = RawSocket.closedPort()
    let process = try #require(
      ChildProcess(
        "openssl",
        [
          "s_server", "-accept", "127.0.0.1:\(port)", "-cert", certificate.path, "-key", certificate.path, "-rev",
          "-quiet", "-cipher", "DEFAULT@SECLEVEL=0",
        ] + options))
    var connected: (any ByteChannel)?
    for _ in 0..<200 where connected == nil {
      connected = try? await TLSClient.connect(host: "127.0.0.1", port: port, isLegacy: true)
      if connected == nil { await offThePool { _ = process.read(seconds: 0) } }
    }
    let channel = try #require(connected)
    #expect(channel.securityProtocol == version)
    let echo = EventCollector(channel)
    channel.send(Array("abc\n".utf8))
    #expect(await echo.bytes(atLeast: 4) == Array("cba\n".utf8))
    channel.close()
    #expect(await echo.closed() == nil)
    let refused = await #expect(throws: TransportError.self) {
      _ = try await TLSClient.connect(host: "127.0.0.1", port: port)
    }
    #expect(refused?.code == .tlsHandshakeFailed)
  }
}

private enum OpenSSLProgram {
  static let isAvailable: Bool = {
    if ChildProcess.path(of: "openssl") != nil { return true }
    print("SKIPPED: TLS with another program, because openssl is not installed")
    return false
  }()
}
