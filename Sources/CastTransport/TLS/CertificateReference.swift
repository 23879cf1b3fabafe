import COpenSSL

/// A certificate that OpenSSL holds anyway, written out when somebody asks: once for a connection, if at all.
final class CertificateReference: Sendable {
  /// Counted by OpenSSL, and never changed once it was read or signed.
  nonisolated(unsafe) private let x509: OpaquePointer

  /// `nil` where OpenSSL counts no further user.
  init?(_ x509: OpaquePointer) {
    guard X509_up_ref(x509) == 1 else { return nil }
    self.x509 = x509
  }

  deinit { X509_free(x509) }

  /// The certificate in DER, as it was received or goes over the wire.
  var der: [UInt8] { Certificate.der(of: x509) }
}
