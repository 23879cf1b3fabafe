import COpenSSL

/// The settings that connections of one kind share. Owns an `SSL_CTX`; no OpenSSL pointer leaves this folder.
final class TLSContext: Sendable {
  /// Thread-safe once configured, and never configured after `init`; OpenSSL counts its users.
  nonisolated(unsafe) let raw: OpaquePointer
  let isServer: Bool
  /// Whether versions before 1.2 will do.
  let isLegacy: Bool

  /// The context of every outgoing connection; made once, since making it reads OpenSSL's configuration.
  /// - Parameter isLegacy: For one device that knows only what is not safe any more: TLS 1.0, short keys, SHA-1.
  static func forClients(isLegacy: Bool = false) throws(TransportError) -> TLSContext {
    try (isLegacy ? sharedLegacyClient : sharedClient).get()
  }

  private static let sharedClient = Result { () throws(TransportError) in try TLSContext(certificate: nil) }
  private static let sharedLegacyClient = Result { () throws(TransportError) in
    try TLSContext(certificate: nil, isLegacy: true)
  }

  /// The context of connections to web servers, whose chains are judged by the roots of this computer.
  static func forWeb() throws(TransportError) -> TLSContext { try sharedWeb.get() }

  private static let sharedWeb = Result { () throws(TransportError) in try TLSContext.forWeb(trusting: []) }

  /// One that trusts further roots, in DER.
  static func forWeb(trusting roots: [[UInt8]]) throws(TransportError) -> TLSContext {
    let context = try TLSContext(certificate: nil)
    OpenSSLErrors.clear()
    guard SSL_CTX_set_default_verify_paths(context.raw) == 1 else {
      throw OpenSSLErrors.setupFailure("reading the roots of this computer")
    }
    for root in roots {
      let certificate = root.withUnsafeBufferPointer { bytes in
        var pointer = bytes.baseAddress
        return d2i_X509(nil, &pointer, bytes.count)
      }
      guard let certificate else { throw OpenSSLErrors.setupFailure("reading a root") }
      _ = X509_STORE_add_cert(SSL_CTX_get_cert_store(context.raw), certificate)
      X509_free(certificate)
    }
    return context
  }

  /// A context for accepting connections.
  /// - Parameter maximumVersion: For tests; 0 is the newest OpenSSL has.
  static func forServer(
    _ certificate: borrowing Certificate, maximumVersion: Int32 = 0
  ) throws(TransportError) -> TLSContext {
    try TLSContext(certificate: (certificate.x509, certificate.key), maximumVersion: maximumVersion)
  }

  init(
    certificate: (x509: OpaquePointer, key: OpaquePointer)?, maximumVersion: Int32 = 0, isLegacy: Bool = false
  ) throws(TransportError) {
    OpenSSLErrors.clear()
    guard let raw = SSL_CTX_new(certificate == nil ? TLS_client_method() : TLS_server_method()) else {
      throw OpenSSLErrors.setupFailure("setting up TLS")
    }
    self.raw = raw
    isServer = certificate != nil
    self.isLegacy = isLegacy
    // A failing `init` of a class whose properties are set still runs `deinit`.
    guard copenssl_set_min_version(raw, isLegacy ? TLS1_VERSION : TLS1_2_VERSION) == 1,
      copenssl_set_max_version(raw, maximumVersion) == 1,
      // Not narrowed, and the security level stays the distribution's: see the table in docs/security.md 3.1.
      SSL_CTX_set_cipher_list(raw, isLegacy ? "DEFAULT@SECLEVEL=0" : "DEFAULT") == 1
    else { throw OpenSSLErrors.setupFailure("setting up TLS") }
    _ = SSL_CTX_set_options(
      raw,
      COPENSSL_OP_NO_RENEGOTIATION | COPENSSL_OP_NO_COMPRESSION | COPENSSL_OP_IGNORE_UNEXPECTED_EOF
        | COPENSSL_OP_NO_TICKET)
    // Each connection carries the peer's certificate, which device authentication signs: nothing is resumed.
    copenssl_set_session_cache_mode(raw, Int(SSL_SESS_CACHE_OFF))
    copenssl_set_mode(raw, Int(SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER))
    // TLS never authenticates a Cast device, device authentication does: docs/security.md 1.2.
    SSL_CTX_set_verify(raw, SSL_VERIFY_NONE, nil)
    if let certificate {
      guard SSL_CTX_use_certificate(raw, certificate.x509) == 1, SSL_CTX_use_PrivateKey(raw, certificate.key) == 1,
        SSL_CTX_set_num_tickets(raw, 0) == 1
      else { throw OpenSSLErrors.setupFailure("using the certificate") }
    }
  }

  deinit { SSL_CTX_free(raw) }
}
