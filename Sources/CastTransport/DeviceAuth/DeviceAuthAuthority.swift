import COpenSSL
import Glibc

/// What the certificates of virtual receivers end in: a root of this process, and the one key of all its devices.
///
/// Two RSA keys take a noticeable part of a second, a certificate takes none; so the receivers of a process share them.
package final class DeviceAuthAuthority: Sendable {
  /// In seconds; a receiver may run for years.
  private static let lifetime = 10 * 365 * 24 * 60 * 60
  /// How long before `now` the certificates begin, for peers whose clock is behind.
  private static let clockTolerance = 60 * 60
  static let rootName = "Showcaller (virtual) Root CA"

  /// The root, for who wants to trust it.
  package let rootPEM: [UInt8]
  /// These are never changed after `init`; OpenSSL lets threads share a key for signing.
  nonisolated(unsafe) let deviceKey: OpaquePointer
  private nonisolated(unsafe) let rootKey: OpaquePointer
  private let root: X509Certificate
  private let hasKeyIdentifiers: Bool

  /// Makes the keys and the root.
  /// - Parameter now: Unix time.
  package convenience init(now: Int) throws(TransportError) { try self.init(now: now, hasKeyIdentifiers: true) }

  /// - Parameter hasKeyIdentifiers: For tests; without them only the signatures tell roots of one name apart.
  init(now: Int, hasKeyIdentifiers: Bool) throws(TransportError) {
    OpenSSLErrors.clear()
    guard let rootKey = copenssl_generate_rsa(2048) else { throw OpenSSLErrors.setupFailure("making a key") }
    guard let deviceKey = copenssl_generate_rsa(2048) else {
      EVP_PKEY_free(rootKey)
      throw OpenSSLErrors.setupFailure("making a key")
    }
    guard
      let root = Self.certificate(
        Self.rootName, key: rootKey, issuer: nil, issuerKey: rootKey, hasKeyIdentifiers: hasKeyIdentifiers, now: now),
      let pem = Self.pem(of: root)
    else {
      EVP_PKEY_free(rootKey)
      EVP_PKEY_free(deviceKey)
      throw OpenSSLErrors.setupFailure("making a certificate")
    }
    self.rootKey = rootKey
    self.deviceKey = deviceKey
    self.root = root
    self.hasKeyIdentifiers = hasKeyIdentifiers
    rootPEM = pem
  }

  deinit {
    EVP_PKEY_free(rootKey)
    EVP_PKEY_free(deviceKey)
  }

  /// A device's certificate in DER.
  func certificate(for name: String, now: Int) throws(TransportError) -> [UInt8] {
    OpenSSLErrors.clear()
    guard
      let device = Self.certificate(
        name, key: deviceKey, issuer: root, issuerKey: rootKey, hasKeyIdentifiers: hasKeyIdentifiers, now: now)
    else { throw OpenSSLErrors.setupFailure("making a certificate") }
    return device.der
  }

  // MARK: certificates

  /// A device's certificate, or without an issuer a root. Key identifiers tell issuers of the same name apart.
  private static func certificate(
    _ name: String, key: OpaquePointer, issuer: X509Certificate?, issuerKey: OpaquePointer, hasKeyIdentifiers: Bool,
    now: Int
  ) -> X509Certificate? {
    guard let raw = X509_new() else { return nil }
    let certificate = X509Certificate(owning: raw)
    var begin = now - clockTolerance
    var end = begin + lifetime
    var serial: UInt64 = 0
    let isDrawn = withUnsafeMutableBytes(of: &serial) { bytes in
      RAND_bytes(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(bytes.count)) == 1
    }
    var extensions: [(Int32, String)] =
      issuer == nil
      ? [(NID_basic_constraints, "critical,CA:TRUE,pathlen:1"), (NID_key_usage, "critical,keyCertSign,cRLSign")]
      : [
        (NID_basic_constraints, "CA:FALSE"), (NID_key_usage, "critical,digitalSignature"),
        (NID_ext_key_usage, "clientAuth"),
      ]
    if hasKeyIdentifiers {
      extensions += [(NID_subject_key_identifier, "hash"), (NID_authority_key_identifier, "keyid:always")]
    }
    let isFilled =
      isDrawn && X509_set_version(raw, 2) == 1  // counts from zero: version 3
      && ASN1_INTEGER_set_uint64(X509_get_serialNumber(raw), serial & (UInt64.max >> 1) | 1) == 1
      && X509_time_adj_ex(X509_getm_notBefore(raw), 0, 0, &begin) != nil
      && X509_time_adj_ex(X509_getm_notAfter(raw), 0, 0, &end) != nil
      && setName(X509_get_subject_name(raw), to: name)
      && X509_set_issuer_name(raw, X509_get_subject_name(issuer?.raw ?? raw)) == 1
      && X509_set_pubkey(raw, key) == 1
      && extensions.allSatisfy { add($0.0, $0.1, to: raw, issuer: issuer?.raw ?? raw) }
    return isFilled && X509_sign(raw, issuerKey, EVP_sha256()) > 0 ? certificate : nil
  }

  private static func setName(_ name: OpaquePointer?, to text: String) -> Bool {
    var text = text.isEmpty ? "Showcaller (virtual)" : text
    while text.utf8.count > 64 { text.removeLast() }
    return X509_NAME_add_entry_by_txt(name, "CN", COPENSSL_MBSTRING_UTF8, text, Int32(text.utf8.count), -1, 0) == 1
  }

  private static func add(
    _ identifier: Int32, _ value: String, to certificate: OpaquePointer, issuer: OpaquePointer
  ) -> Bool {
    var context = X509V3_CTX()
    X509V3_set_ctx(&context, issuer, certificate, nil, nil, 0)
    guard let made = X509V3_EXT_conf_nid(nil, &context, identifier, value) else { return false }
    defer { X509_EXTENSION_free(made) }
    return X509_add_ext(certificate, made, -1) == 1
  }

  private static func pem(of certificate: X509Certificate) -> [UInt8]? {
    guard let target = BIO_new(BIO_s_mem()) else { return nil }
    defer { BIO_free(target) }
    guard PEM_write_bio_X509(target, certificate.raw) == 1 else { return nil }
    var text = [UInt8](repeating: 0, count: 8192)
    let length = BIO_read(target, &text, Int32(text.count))
    return length > 0 ? Array(text.prefix(Int(length))) : nil
  }
}
