import COpenSSL

/// One TLS connection without a socket: ciphertext in, plaintext and ciphertext out.
///
/// After every call, take what ``pendingCiphertextCount`` counts and send it: alerts, key updates and our half of
/// the handshake arise in any of them. Belongs to one thread at a time.
struct TLSEngine: ~Copyable {
  /// What one call to ``receive(_:)`` brought, in this order.
  struct Received: Hashable {
    /// The handshake ended with this call.
    var handshakeCompleted = false
    /// Decrypted bytes, maybe none.
    var plaintext: [UInt8] = []
    /// Nothing more will come.
    var end: End?

    var isFailure: Bool { if case .failure? = end { true } else { false } }
  }

  /// How the peer's stream ended.
  enum End: Hashable {
    /// The peer said so (close_notify).
    case closeNotify
    /// The peer speaks no TLS, or not properly. An alert may wait to be sent.
    case failure(TransportError)
  }

  private enum State { case handshaking, open, closedByPeer, failed }

  private let context: TLSContext
  private let ssl: OpaquePointer
  /// What `ssl` reads and writes; outlives it.
  private let wire: TLSWire
  private var state = State.handshaking
  private var sentCloseNotify = false
  /// How many bytes have come, as far as it matters to ``looksLikeTLS(_:)``.
  private var seen = 0

  /// - Parameter serverName: Sent as SNI by a client; must not be an IP address (RFC 6066 3).
  init(_ context: TLSContext, serverName: String? = nil) throws(TransportError) {
    OpenSSLErrors.clear()
    guard let ssl = SSL_new(context.raw) else { throw OpenSSLErrors.setupFailure("setting up TLS") }
    let wire = TLSWire()
    guard let end = wire.makeBIO() else {
      SSL_free(ssl)
      throw OpenSSLErrors.setupFailure("setting up TLS")
    }
    SSL_set_bio(ssl, end, end)
    if context.isServer {
      SSL_set_accept_state(ssl)
    } else {
      SSL_set_connect_state(ssl)
      // A name that does not fit (255 bytes) goes without: SNI is a hint that Cast devices do not need.
      if let serverName { _ = copenssl_set_server_name(ssl, serverName) }
    }
    self.context = context
    self.ssl = ssl
    self.wire = wire
  }

  deinit { SSL_free(ssl) }

  /// Begins the handshake; a client's first flight is ready afterwards.
  mutating func start() throws(TransportError) {
    if case .failure(let error) = advanceHandshake() { throw error }
  }

  /// Takes bytes from the peer, in pieces of any size, and does what they allow.
  mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Received {
    var received = Received()
    guard state == .handshaking || state == .open else { return received }
    guard looksLikeTLS(bytes) else {
      received.end = end(.failure(TransportError(.tlsHandshakeFailed, "the peer speaks no TLS")))
      return received
    }
    // OpenSSL keeps what is no whole record yet in a buffer of its own: nothing is left when it asks for more.
    wire.inbound = bytes
    defer { wire.inbound = UnsafeRawBufferPointer(start: nil, count: 0) }
    if state == .handshaking {
      received.end = advanceHandshake()
      received.handshakeCompleted = state == .open
    }
    if state == .open { decrypt(into: &received) }
    return received
  }

  /// Encrypts `bytes`; before the handshake is done and after the end it drops them.
  mutating func send(_ bytes: [UInt8]) throws(TransportError) {
    guard state == .open, !sentCloseNotify else { return }
    var offset = 0
    while offset < bytes.count {
      var written = 0
      OpenSSLErrors.clear()
      let result = bytes.withUnsafeBytes { buffer in
        SSL_write_ex(
          ssl, UnsafeRawBufferPointer(rebasing: buffer[offset...]).baseAddress, buffer.count - offset, &written)
      }
      guard result == 1, written > 0 else {
        state = .failed
        throw TransportError(.connectionLost, "encryption failed: \(OpenSSLErrors.take()?.text ?? "no reason given")")
      }
      offset += written
    }
  }

  /// Tells the peer that nothing more will come from us.
  mutating func sendCloseNotify() {
    guard state == .open || state == .closedByPeer, !sentCloseNotify else { return }
    sentCloseNotify = true
    OpenSSLErrors.clear()
    _ = SSL_shutdown(ssl)  // after a failure it queues nothing, as it should
    OpenSSLErrors.clear()
  }

  /// Asks the peer for new keys too; TLS 1.3 only.
  mutating func updateKeys() {
    guard state == .open else { return }
    OpenSSLErrors.clear()
    if SSL_key_update(ssl, SSL_KEY_UPDATE_REQUESTED) == 1 { _ = SSL_do_handshake(ssl) }
    OpenSSLErrors.clear()
  }

  // MARK: ciphertext

  /// How many bytes wait to be sent to the peer.
  var pendingCiphertextCount: Int { wire.outbound.count }

  /// Moves waiting bytes to `buffer` and returns how many.
  mutating func takeCiphertext(into buffer: UnsafeMutableRawBufferPointer) -> Int { wire.take(into: buffer) }

  /// Gives back the room for a record in and one out, 33 KiB, which OpenSSL makes again when it needs it. To be called
  /// when nothing more is to be done for now.
  /// - Returns: False where part of a record has come: its buffer is kept.
  @discardableResult
  mutating func releaseBuffers() -> Bool {
    Self.keepsBuffersInUse && state == .open && SSL_free_buffers(ssl) == 1
  }

  /// Older versions free a buffer that still holds part of a record (CVE-2024-4741, mended in 3.0.14, 3.1.6, 3.2.2 and
  /// 3.3.1). Distributions mend old versions, too; there the memory is kept.
  private static let keepsBuffersInUse: Bool = {
    let version = OpenSSL_version_num()
    let (major, minor, patch) = (version >> 28, version >> 20 & 0xFF, version >> 4 & 0xFF)
    if major != 3 { return major > 3 }
    switch minor {
    case 0: return patch >= 14
    case 1: return patch >= 6
    case 2: return patch >= 2
    case 3: return patch >= 1
    default: return true
    }
  }()

  // MARK: the peer

  /// For what else is asked of the connection, in this folder only.
  var raw: OpaquePointer { ssl }

  /// The certificate that this end shows; `nil` where it has none, as clients have.
  var ownCertificate: CertificateReference? { SSL_get_certificate(ssl).flatMap { CertificateReference($0) } }

  /// The peer's certificate as it was received; `nil` where it sent none, as clients do.
  var peerCertificate: CertificateReference? { SSL_get0_peer_certificate(ssl).flatMap { CertificateReference($0) } }

  /// The version in force, such as `TLSv1.3`.
  var version: String { String(cString: SSL_get_version(ssl)) }

  // MARK: inside

  /// Whether the stream begins as a TLS record does: handshake or alert, then major version 3 (RFC 8446 5.1).
  /// OpenSSL would wait for five bytes, which a shorter greeting in plain text never sends.
  private mutating func looksLikeTLS(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while seen < 2, index < bytes.count {
      let isExpected = seen == 0 ? bytes[index] == 22 || bytes[index] == 21 : bytes[index] == 3
      guard isExpected else { return false }
      seen += 1
      index += 1
    }
    return true
  }

  private mutating func end(_ end: End) -> End {
    state = end == .closeNotify ? .closedByPeer : .failed
    return end
  }

  private mutating func advanceHandshake() -> End? {
    OpenSSLErrors.clear()
    let result = SSL_do_handshake(ssl)
    if result == 1 {
      state = .open
      return nil
    }
    let error = SSL_get_error(ssl, result)
    if error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE { return nil }
    return end(.failure(handshakeFailure(OpenSSLErrors.take())))
  }

  private func handshakeFailure(_ entry: OpenSSLErrors.Entry?) -> TransportError {
    switch entry?.reason {
    case SSL_R_WRONG_VERSION_NUMBER, SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST:
      TransportError(.tlsHandshakeFailed, "the peer speaks no TLS")
    case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_TLSV1_ALERT_PROTOCOL_VERSION:
      TransportError(
        .tlsHandshakeFailed,
        "the peer and we have no TLS version in common (ours are \(context.isLegacy ? "1.0 to 1.3" : "1.2 and 1.3"))")
    default:
      TransportError(.tlsHandshakeFailed, "the TLS handshake failed: \(entry?.text ?? "no reason given")")
    }
  }

  /// Decrypts all that is complete. The result is bounded by what was fed in.
  private mutating func decrypt(into received: inout Received) {
    // The largest plaintext of one record.
    withUnsafeTemporaryAllocation(byteCount: 16 * 1024, alignment: 16) { buffer in
      while true {
        var count = 0
        OpenSSLErrors.clear()
        if SSL_read_ex(ssl, buffer.baseAddress, buffer.count, &count) == 1 {
          received.plaintext.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
          continue
        }
        switch SSL_get_error(ssl, 0) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: break
        case SSL_ERROR_ZERO_RETURN: received.end = end(.closeNotify)
        default:
          let reason = OpenSSLErrors.take()?.text ?? "no reason given"
          received.end = end(.failure(TransportError(.connectionLost, "the peer broke TLS: \(reason)")))
        }
        return
      }
    }
  }
}
