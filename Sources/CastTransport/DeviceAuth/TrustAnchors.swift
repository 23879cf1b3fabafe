import COpenSSL

/// The roots that one kind of chain may end in; the system's own are never among them.
package final class TrustAnchors: Sendable {
  /// For OpenSSL, which takes it by many threads at once; filled in `init` only.
  nonisolated(unsafe) let store: OpaquePointer
  let certificates: [X509Certificate]

  init(_ certificates: [X509Certificate]) throws(TransportError) {
    guard let store = X509_STORE_new() else { throw OpenSSLErrors.setupFailure("making a certificate store") }
    self.store = store
    self.certificates = certificates
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
    let roots = certificates(inPEM: pem)
    if roots.isEmpty { throw TransportError(.badCertificate, "it holds no certificate in PEM form") }
    for root in roots where !root.isAuthority {
      throw TransportError(
        .badCertificate, "\(root.commonName ?? "a certificate in it") is no root: it may not issue certificates")
    }
    return roots
  }

  /// Every certificate of a PEM text, in its order; at most 16.
  static func certificates(inPEM pem: [UInt8]) -> [X509Certificate] {
    guard let length = Int32(exactly: pem.count) else { return [] }
    return pem.withUnsafeBytes { buffer in
      guard let source = BIO_new_mem_buf(buffer.baseAddress, length) else { return [] }
      defer {
        BIO_free(source)
        OpenSSLErrors.clear()
      }
      var found: [X509Certificate] = []
      while found.count < 16, let raw = PEM_read_bio_X509(source, nil, nil, nil) {
        found.append(X509Certificate(owning: raw))
      }
      return found
    }
  }
}
