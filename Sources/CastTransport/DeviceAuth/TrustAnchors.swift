import COpenSSL

/// The roots that one kind of chain may end in; the system's own are never among them.
package final class TrustAnchors: Sendable {
  /// For OpenSSL, which takes it by many threads at once; filled in `init` only.
  nonisolated(unsafe) let store: OpaquePointer
  let certificates: [X509Certificate]
  /// Those that have the name of one before them. OpenSSL tries one of a name only, unless key identifiers tell them
  /// apart; each of these has to be tried by itself.
  let namesakes: [X509Certificate]

  /// More certificates than this no list of roots has.
  static let certificateLimit = 1024

  init(_ certificates: [X509Certificate]) throws(TransportError) {
    OpenSSLErrors.clear()
    guard let store = X509_STORE_new() else { throw OpenSSLErrors.setupFailure("making a certificate store") }
    self.store = store
    self.certificates = certificates
    var names: Set<[UInt8]> = []
    namesakes = certificates.filter { !names.insert($0.subjectDER).inserted }
    for certificate in certificates where X509_STORE_add_cert(store, certificate.raw) != 1 {
      throw OpenSSLErrors.setupFailure("trusting a root certificate")
    }
  }

  deinit { X509_STORE_free(store) }

  /// The roots of `pem` alone.
  /// - Throws: ``TransportError/Code/badCertificate`` where it holds no certificate, or one that may not issue others.
  package convenience init(pem: [UInt8]) throws(TransportError) {
    try self.init(Self.roots(inPEM: pem))
  }

  /// These and the roots of `pem`.
  /// - Throws: As ``init(pem:)``.
  package func adding(pem: [UInt8]) throws(TransportError) -> TrustAnchors {
    try TrustAnchors(certificates + Self.roots(inPEM: pem))
  }

  private static func roots(inPEM pem: [UInt8]) throws(TransportError) -> [X509Certificate] {
    let (roots, isWhole) = read(pem: pem, limit: certificateLimit + 1)
    if roots.count > certificateLimit {
      throw TransportError(.badCertificate, "it holds more than \(certificateLimit) certificates")
    }
    if !isWhole {
      let place = roots.isEmpty ? "a certificate" : "a certificate after the first \(roots.count)"
      throw TransportError(
        .badCertificate, "\(place) in it cannot be read", help: "certificates are kept in PEM form and not encrypted")
    }
    if roots.isEmpty { throw TransportError(.badCertificate, "it holds no certificate in PEM form") }
    for root in roots where !root.isAuthority {
      throw TransportError(
        .badCertificate, "\(root.commonName ?? "a certificate in it") is no root: it may not issue certificates")
    }
    return roots
  }

  /// Every certificate of a PEM text, in its order, up to the first that cannot be read; at most `limit`.
  static func certificates(inPEM pem: [UInt8], limit: Int = certificateLimit) -> [X509Certificate] {
    read(pem: pem, limit: limit).certificates
  }

  /// As ``certificates(inPEM:limit:)``; tells also whether that was all there is.
  private static func read(pem: [UInt8], limit: Int) -> (certificates: [X509Certificate], isWhole: Bool) {
    guard let length = Int32(exactly: pem.count) else { return ([], false) }
    return pem.withUnsafeBytes { buffer in
      guard let source = BIO_new_mem_buf(buffer.baseAddress, length) else { return ([], false) }
      defer {
        BIO_free(source)
        OpenSSLErrors.clear()
      }
      OpenSSLErrors.clear()
      var found: [X509Certificate] = []
      // Nobody is asked for the pass phrase of one that is encrypted: certificates have no secrets.
      while found.count < limit, let raw = PEM_read_bio_X509(source, nil, { _, _, _, _ in -1 }, nil) {
        found.append(X509Certificate(owning: raw))
      }
      let isWhole = found.count >= limit || OpenSSLErrors.take()?.reason == PEM_R_NO_START_LINE
      return (found, isWhole)
    }
  }
}
