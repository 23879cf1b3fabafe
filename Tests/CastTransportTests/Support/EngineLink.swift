@testable import CastTransport

/// A client's and a server's engine, joined without a socket.
final class EngineLink {
  var client: TLSEngine
  var server: TLSEngine
  let certificateDER: [UInt8]
  /// What each side has received so far.
  private(set) var atClient = TLSEngine.Received()
  private(set) var atServer = TLSEngine.Received()
  private let piece: Int

  /// - Parameters:
  ///   - version: The newest the server takes; 0 for the newest there is.
  ///   - piece: How many bytes are handed over at once.
  init(version: Int32 = 0, piece: Int = .max) throws {
    let certificate = try Certificate(commonName: "test")
    let client = try TLSEngine(try TLSContext.forClients())
    let server = try TLSEngine(try TLSContext.forServer(certificate, maximumVersion: version))
    certificateDER = certificate.der
    self.client = client
    self.server = server
    self.piece = piece
  }

  /// Performs the handshake.
  func connect() throws {
    try client.start()
    exchange()
    guard atClient.handshakeCompleted, atServer.handshakeCompleted else {
      throw TransportError(.tlsHandshakeFailed, "no handshake: \(atClient) \(atServer)")
    }
  }

  /// Carries bytes both ways until nobody has any.
  func exchange() {
    while client.pendingCiphertextCount + server.pendingCiphertextCount > 0 {
      let (up, down) = (takeFromClient(), takeFromServer())
      for bytes in Self.pieces(of: up, piece) { Self.add(toServer(bytes), to: &atServer) }
      for bytes in Self.pieces(of: down, piece) { Self.add(toClient(bytes), to: &atClient) }
    }
  }

  func takeFromClient() -> [UInt8] {
    let count = client.pendingCiphertextCount
    guard count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) {
      $1 = client.takeCiphertext(into: UnsafeMutableRawBufferPointer($0))
    }
  }
  func takeFromServer() -> [UInt8] {
    let count = server.pendingCiphertextCount
    guard count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) {
      $1 = server.takeCiphertext(into: UnsafeMutableRawBufferPointer($0))
    }
  }
  func toClient(_ bytes: [UInt8]) -> TLSEngine.Received { bytes.withUnsafeBytes { client.receive($0) } }
  func toServer(_ bytes: [UInt8]) -> TLSEngine.Received { bytes.withUnsafeBytes { server.receive($0) } }

  private static func pieces(of bytes: [UInt8], _ size: Int) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: size == .max ? max(1, bytes.count) : size).map {
      Array(bytes[$0..<min($0 + (size == .max ? bytes.count : size), bytes.count)])
    }
  }

  private static func add(_ new: TLSEngine.Received, to all: inout TLSEngine.Received) {
    if new.handshakeCompleted { all.handshakeCompleted = true }
    all.plaintext += new.plaintext
    if let end = new.end { all.end = end }
  }
}
