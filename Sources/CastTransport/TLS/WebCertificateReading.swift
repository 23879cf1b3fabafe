import COpenSSL

/// What a web server proved by: its chain as it was received, judged by the roots of this computer.
package struct WebProof: Hashable, Sendable {
  /// Unix times in seconds between which it and all above it in its chain are valid.
  package var validFrom: Double
  package var validTo: Double
  /// The names it is for.
  package var names: [String]
  /// Why it is not trusted, in OpenSSL's words; `nil`: it is.
  package var problem: String?
}

extension TLSEngine {
  /// Has the peer's chain judged for a name or an address; the handshake goes on whatever comes of it.
  func expect(host: String, isAddress: Bool) {
    if isAddress {
      _ = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(raw), host)
    } else {
      _ = SSL_set1_host(raw, host)
    }
  }

  /// What the peer proved by, once the handshake is done; `nil` where it sent nothing.
  var webProof: WebProof? {
    guard let leaf = SSL_get0_peer_certificate(raw) else { return nil }
    var (from, to) = (-Double.infinity, Double.infinity)
    func narrow(_ certificate: OpaquePointer) {
      if let begin = Self.time(X509_get0_notBefore(certificate)) { from = max(from, begin) }
      if let end = Self.time(X509_get0_notAfter(certificate)) { to = min(to, end) }
    }
    narrow(leaf)
    if let chain = SSL_get0_verified_chain(raw) {
      for index in 0..<copenssl_x509_count(chain) {
        if let certificate = copenssl_x509_at(chain, index) { narrow(certificate) }
      }
    }
    let verdict = SSL_get_verify_result(raw)
    let problem = verdict == 0 ? nil : String(cString: X509_verify_cert_error_string(verdict))
    return WebProof(validFrom: from, validTo: to, names: Self.names(of: leaf), problem: problem)
  }

  private static func time(_ time: UnsafePointer<ASN1_TIME>?) -> Double? {
    var parts = tm()
    guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
    return Double(timegm(&parts))
  }

  /// The DNS names among its alternative names, at most 100.
  private static func names(of certificate: OpaquePointer) -> [String] {
    var names: [String] = []
    var buffer = [CChar](repeating: 0, count: 256)
    for index in 0..<Int32(100) {
      guard copenssl_dns_name(certificate, index, &buffer, Int32(buffer.count)) == 1 else { break }
      names.append(String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    return names
  }
}
