#if Fleet
  import COpenSSL
  import FleetMessages
  import Glibc
  import Synchronization

  /// What the connections to one broker trust, and show of themselves. Shared: the roots of a system are some hundred
  /// kilobytes, and a thousand links have the same ones.
  final class BrokerTLS: Sendable {
    /// Thread-safe once configured, and never configured after `init`; OpenSSL counts its users.
    nonisolated(unsafe) let raw: OpaquePointer

    private struct File: Hashable {
      var path: String
      var modified: Int
      var size: Int

      init(_ path: String) {
        var status = stat()
        self.path = path
        _ = stat(path, &status)
        modified = status.st_mtim.tv_sec << 30 | status.st_mtim.tv_nsec
        size = Int(status.st_size)
      }
    }

    private struct Key: Hashable {
      var host: String
      var authorities: File?
      var certificate: File?
      var key: File?
    }

    private struct Known {
      weak var tls: BrokerTLS?
    }

    private static let known = Mutex<[Key: Known]>([:])

    /// The settings for a connection that begins now; files are read again where they have changed.
    static func current(for configuration: BrokerConfiguration) throws(BrokerFailure) -> BrokerTLS {
      let key = Key(
        host: configuration.address.host, authorities: configuration.authorities.map(File.init),
        certificate: configuration.certificate.map(File.init), key: configuration.key.map(File.init))
      if let tls = known.withLock({ $0[key]?.tls }) { return tls }
      let tls = try BrokerTLS(configuration)
      known.withLock { known in
        known = known.filter { $0.value.tls != nil }
        known[key] = Known(tls: tls)
      }
      return tls
    }

    private init(_ configuration: BrokerConfiguration) throws(BrokerFailure) {
      ERR_clear_error()
      guard let raw = SSL_CTX_new(TLS_client_method()) else { throw Self.setup() }
      self.raw = raw
      let host = configuration.address.host
      guard copenssl_set_min_version(raw, TLS1_2_VERSION) == 1, let rules = SSL_CTX_get0_param(raw) else {
        throw Self.setup()
      }
      _ = SSL_CTX_set_options(raw, COPENSSL_OP_NO_RENEGOTIATION | COPENSSL_OP_NO_COMPRESSION)
      let modes = SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS
      copenssl_set_mode(raw, Int(modes))
      // The certificate has to be for the host that people wrote, whatever address it has.
      let isExpected =
        X509_VERIFY_PARAM_set1_ip_asc(rules, host) == 1
        || X509_VERIFY_PARAM_set1_host(rules, host, host.utf8.count) == 1
      guard isExpected else { throw Self.setup() }
      SSL_CTX_set_verify(raw, SSL_VERIFY_PEER, nil)
      SSL_CTX_set_info_callback(raw) { ssl, event, _ in
        if event & SSL_CB_HANDSHAKE_START != 0 { TLSBeginning.begins(ssl) }
      }
      if let path = configuration.authorities {
        guard SSL_CTX_load_verify_file(raw, path) == 1 else {
          throw Self.bad(path, "has no certificate of an authority")
        }
      } else {
        guard SSL_CTX_set_default_verify_paths(raw) == 1 else { throw Self.setup() }
      }
      ERR_clear_error()
      guard let certificate = configuration.certificate else { return }
      guard SSL_CTX_use_certificate_chain_file(raw, certificate) == 1 else {
        throw Self.bad(certificate, "has no certificate of this client")
      }
      let key = configuration.key ?? certificate
      // Nobody is there to be asked for a passphrase.
      SSL_CTX_set_default_passwd_cb(raw) { _, _, _, _ in 0 }
      guard SSL_CTX_use_PrivateKey_file(raw, key, SSL_FILETYPE_PEM) == 1, SSL_CTX_check_private_key(raw) == 1 else {
        throw Self.bad(key, "has no key, without a passphrase, of the certificate in \(certificate)")
      }
      ERR_clear_error()
    }

    deinit { SSL_CTX_free(raw) }

    private static func setup() -> BrokerFailure {
      BrokerFailure(.untrusted, "setting up TLS failed: \(takeReason() ?? "OpenSSL gives no reason")")
    }

    private static func bad(_ path: String, _ what: String) -> BrokerFailure {
      ERR_clear_error()
      if access(path, R_OK) != 0 {
        let reason = String(cString: strerror(errno)).lowercased()
        return BrokerFailure(.untrusted, "cannot read \(path): \(reason)", help: "check the path, and who may read it")
      }
      return .badFile(path, what)
    }

    /// OpenSSL's own words for what failed last on this thread.
    static func takeReason() -> String? {
      let code = ERR_get_error()
      ERR_clear_error()
      guard code != 0 else { return nil }
      return ERR_reason_error_string(code).map { String(cString: $0) }
    }
  }

  /// What is done to a connection's TLS at the one moment when the library has made it and has sent nothing yet.
  ///
  /// The library connects to an address that was looked up before, since its own way blocks; so the broker is told the
  /// name here. And it is given what is received record by record, by a buffer in memory in place of the socket: what
  /// comes is judged before the library sees it, and it takes no more than it is given.
  enum TLSBeginning {
    /// For the connection that begins now. Of the loop's thread, like all that follows.
    nonisolated(unsafe) private static var name: String?
    nonisolated(unsafe) private static var isAwaited = false
    nonisolated(unsafe) private static var begun: (tls: OpaquePointer, input: OpaquePointer)?

    /// - Parameters:
    ///   - name: Told to the broker; `nil` where people wrote an address.
    ///   - body: Has the library connect.
    /// - Returns: The library's TLS, and the buffer that it reads from, which goes with it.
    static func during(_ name: String?, _ body: () -> Void) -> (tls: OpaquePointer, input: OpaquePointer)? {
      (self.name, isAwaited, begun) = (name, true, nil)
      body()
      isAwaited = false
      defer { begun = nil }
      return begun
    }

    static func begins(_ ssl: OpaquePointer?) {
      guard isAwaited, let ssl, let input = BIO_new(BIO_s_mem()) else { return }
      isAwaited = false
      SSL_set0_rbio(ssl, input)
      if copenssl_set_server_name(ssl, name) == 1 { begun = (ssl, input) }
    }
  }
#endif
