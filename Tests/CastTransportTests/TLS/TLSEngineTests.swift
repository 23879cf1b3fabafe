import COpenSSL
import Testing

@testable import CastTransport

@Suite struct TLSEngineTests {
  static let versions: [(number: Int32, name: String)] = [(TLS1_2_VERSION, "TLSv1.2"), (TLS1_3_VERSION, "TLSv1.3")]

  @Test(
    "A handshake completes in pieces of any size, in both versions",
    arguments: versions, [1, 2, 5, 100, 1_000_000])
  func handshake(version: (number: Int32, name: String), piece: Int) throws {
    let link = try EngineLink(version: version.number, piece: piece)
    try link.connect()
    #expect(link.client.version == version.name && link.server.version == version.name)
    #expect(link.client.peerCertificate?.der == link.certificateDER)
    #expect(link.server.peerCertificate == nil)
    try link.client.send(Array("to the server".utf8))
    try link.server.send(Array("to the client".utf8))
    link.exchange()
    #expect(link.atServer.plaintext == Array("to the server".utf8))
    #expect(link.atClient.plaintext == Array("to the client".utf8))
  }

  @Test("Messages larger than any record arrive whole", arguments: versions)
  func large(version: (number: Int32, name: String)) throws {
    let link = try EngineLink(version: version.number, piece: 4_099)
    try link.connect()
    let message = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try link.client.send(message)
    try link.client.send([])
    link.exchange()
    #expect(link.atServer.plaintext == message)
  }

  @Test("Keys can be changed by either side, and both go on")
  func keyUpdate() throws {
    let link = try EngineLink(version: TLS1_3_VERSION, piece: 7)
    try link.connect()
    for round in 0..<5 as Range<UInt8> {
      if round % 2 == 0 { link.client.updateKeys() } else { link.server.updateKeys() }
      link.exchange()
      try link.client.send([round])
      try link.server.send([round])
      link.exchange()
    }
    #expect(link.atServer.plaintext == [0, 1, 2, 3, 4])
    #expect(link.atClient.plaintext == [0, 1, 2, 3, 4])
    #expect(link.atClient.end == nil && link.atServer.end == nil)
  }

  @Test("close_notify ends the other side after the last byte, and is answered", arguments: versions)
  func closeNotify(version: (number: Int32, name: String)) throws {
    let link = try EngineLink(version: version.number, piece: 3)
    try link.connect()
    try link.client.send([1, 2, 3])
    link.client.sendCloseNotify()
    try link.client.send([4])
    link.exchange()
    #expect(link.atServer.plaintext == [1, 2, 3] && link.atServer.end == .closeNotify)
    link.server.sendCloseNotify()
    link.exchange()
    #expect(link.atClient.end == .closeNotify)
    #expect(link.toServer([9, 9, 9]) == TLSEngine.Received())
  }

  @Test("An engine gives its buffers back but for those that part of a record is in, and goes on", arguments: versions)
  func releasedBuffers(version: (number: Int32, name: String)) throws {
    let link = try EngineLink(version: version.number)
    try link.connect()
    var plaintext: [UInt8] = []
    for round in 0..<20 {
      let message = [UInt8](repeating: UInt8(round), count: 1 + round * 1500)
      try link.client.send(message)
      let isClientQuiet = link.client.releaseBuffers()
      let bytes = link.takeFromClient()
      plaintext += link.toServer(Array(bytes[..<(bytes.count / 2)])).plaintext
      let isReleasedWithin = link.server.releaseBuffers()
      plaintext += link.toServer(Array(bytes[(bytes.count / 2)...])).plaintext
      let isServerQuiet = link.server.releaseBuffers()
      #expect(isClientQuiet && !isReleasedWithin && isServerQuiet)
      #expect(plaintext == message)
      plaintext = []
    }
    #expect(link.server.pendingCiphertextCount == 0)
  }

  static let plainTexts: [[UInt8]] = [
    Array("H".utf8), Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), Array("GET / HTTP/1.1\r\n\r\n".utf8),
    Array("220 mail\r\n".utf8), [0], [22, 0x20], [0x80, 0x2E, 1, 3, 1], [23, 3, 3], [255, 255, 255, 255],
  ]
  @Test("Plain text is recognised at its first bytes, on both sides", arguments: plainTexts)
  func plainText(bytes: [UInt8]) throws {
    let noTLS = TLSEngine.End.failure(TransportError(.tlsHandshakeFailed, "the peer speaks no TLS"))
    let link = try EngineLink()
    try link.client.start()
    #expect(link.toClient(bytes).end == noTLS)
    #expect(link.toServer(bytes).end == noTLS)
    #expect(link.toServer(Array("more".utf8)) == TLSEngine.Received())
    #expect(link.server.pendingCiphertextCount == 0)
  }

  @Test("A TLS record that makes no sense ends the handshake with an alert")
  func nonsense() throws {
    let link = try EngineLink()
    let received = link.toServer([22, 3, 1, 0, 5, 1, 0, 0, 1, 0])
    guard case .failure(let error) = received.end else {
      Issue.record("no failure but \(received)")
      return
    }
    #expect(error.code == .tlsHandshakeFailed)
    #expect(link.server.pendingCiphertextCount > 0)
  }

  @Test("A peer that breaks TLS once open is a lost connection", arguments: versions)
  func broken(version: (number: Int32, name: String)) throws {
    let link = try EngineLink(version: version.number)
    try link.connect()
    let received = link.toServer([23, 3, 3, 0, 32] + [UInt8](repeating: 7, count: 32))
    guard case .failure(let error) = received.end else {
      Issue.record("no failure but \(received)")
      return
    }
    #expect(error.code == .connectionLost)
    #expect(throws: Never.self) { try link.server.send([1]) }
  }

  @Test(
    "No client hello, however mangled, stops a server, nor server hello a client",
    arguments: 1...4 as ClosedRange<UInt64>)
  func fuzz(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let recording = try EngineLink()
    try recording.client.start()
    let clientHello = recording.takeFromClient()
    _ = recording.toServer(clientHello)
    let serverHello = recording.takeFromServer()
    #expect(clientHello.count > 100 && serverHello.count > 500)
    var failures = 0
    for round in 0..<250 {
      let link = try EngineLink()
      try link.client.start()
      _ = link.takeFromClient()
      let toServer = round % 8 == 0 ? [22, 3, 1] + random.bytes(300) : random.mutated(clientHello)
      let toClient = round % 8 == 0 ? [22, 3, 3] + random.bytes(300) : random.mutated(serverHello)
      for received in [link.toServer(toServer), link.toClient(toClient)] {
        #expect(!received.handshakeCompleted && received.plaintext.isEmpty)
        if received.end != nil { failures += 1 }
      }
      #expect(link.server.pendingCiphertextCount < 16_384)
    }
    #expect(failures > 100)
  }

  @Test("Bytes mangled on an open connection are never delivered as something else", arguments: versions)
  func fuzzOpen(version: (number: Int32, name: String)) throws {
    var random = SeededGenerator(seed: 9)
    for _ in 0..<200 {
      let link = try EngineLink(version: version.number)
      try link.connect()
      try link.client.send(Array("the truth".utf8))
      let honest = link.takeFromClient()
      let mutated = random.mutated(honest)
      let received = link.toServer(mutated)
      // Garbage after the honest record is still after it.
      #expect(received.plaintext.isEmpty || mutated.starts(with: honest))
    }
  }

  @Test("A peer that knows none of our versions is told which those are", arguments: [false, true])
  func noVersion(isLegacy: Bool) throws {
    var engine = try TLSEngine(try TLSContext.forClients(isLegacy: isLegacy))
    try engine.start()
    let alert: [UInt8] = [21, 3, 1, 0, 2, 2, 70]
    let received = alert.withUnsafeBytes { engine.receive($0) }
    let ours = isLegacy ? "1.0 to 1.3" : "1.2 and 1.3"
    let message = "the peer and we have no TLS version in common (ours are \(ours))"
    #expect(received.end == .failure(TransportError(.tlsHandshakeFailed, message)))
  }

  @Test("A certificate is self-signed, lasts exactly 3 days, and no two are alike")
  func certificate() throws {
    let now = 1_800_000_000
    let first = try Certificate(commonName: String(repeating: "Ü", count: 40), now: now)
    let second = try Certificate(commonName: "x", now: now)
    #expect(first.der != second.der)
    #expect(X509_verify(first.x509, first.key) == 1)
    #expect(X509_get_version(first.x509) == 2)
    #expect(ASN1_INTEGER_cmp(X509_get0_serialNumber(first.x509), X509_get0_serialNumber(second.x509)) != 0)
    var (early, start, late, end) = (now - 3601, now - 3599, now + 3 * 86400 - 3601, now + 3 * 86400 - 3599)
    #expect(X509_cmp_time(X509_get0_notBefore(first.x509), &early) > 0)
    #expect(X509_cmp_time(X509_get0_notBefore(first.x509), &start) < 0)
    #expect(X509_cmp_time(X509_get0_notAfter(first.x509), &late) > 0)
    #expect(X509_cmp_time(X509_get0_notAfter(first.x509), &end) < 0)
  }
}
