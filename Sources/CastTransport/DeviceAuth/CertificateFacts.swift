/// What people want to know of one certificate of a chain.
package struct CertificateFacts: Hashable, Sendable {
  /// As the certificate has them: to be escaped before a terminal sees them.
  package var commonName: String?
  package var issuer: String?
  /// Hexadecimal.
  package var serialNumber: String
  /// Unix time in seconds, both ends included.
  package var notBefore: Int
  package var notAfter: Int
  /// SHA-256 of the SubjectPublicKeyInfo, lower-case hexadecimal.
  package var keyHash: String
  package var keyBits: Int

  init(_ certificate: X509Certificate) {
    commonName = certificate.commonName
    issuer = certificate.issuerCommonName
    serialNumber = certificate.serialText
    notBefore = certificate.notBefore ?? 0
    notAfter = certificate.notAfter ?? 0
    keyHash = Digest.hexadecimal(certificate.keyHash)
    keyBits = certificate.key.bits
  }
}
