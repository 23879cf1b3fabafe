import COpenSSL
import Glibc

/// The credentials of a virtual receiver: a root and a device certificate made for this process.
///
/// No Cast root has signed them, so only who was handed ``rootPEM`` believes them (security.md V1). The keys never
/// leave memory.
package final class DeviceAuthSigner: Sendable {
  /// In seconds; a receiver may run for years.
  private static let lifetime = 10 * 365 * 24 * 60 * 60
  /// How long before `now` the certificates begin, for peers whose clock is behind.
  private static let clockTolerance = 60 * 60
  /// A longer nonce is signed by nobody (security.md V4).
  package static let nonceLimit = 256

  /// The device's certificate in DER; its issuer is the root itself.
  package let certificateDER: [UInt8]
  /// The root, for who wants to trust it.
  package let rootPEM: [UInt8]
  /// Never changed after `init`; OpenSSL lets threads share a key for signing.
  private nonisolated(unsafe) let key: OpaquePointer

  /// Makes keys and certificates.
  /// - Parameters:
  ///   - name: The common name of the device certificate; cut at 64 bytes, X.509's limit.
  ///   - now: Unix time.
  package init(name: String, now: Int) throws(TransportError) {
    OpenSSLErrors.clear()
    guard let rootKey = copenssl_generate_rsa(2048) else { throw OpenSSLErrors.setupFailure("making a key") }
    defer { EVP_PKEY_free(rootKey) }
    guard let key = copenssl_generate_rsa(2048) else { throw OpenSSLErrors.setupFailure("making a key") }
    self.key = key
    let rootName = "Showcaller (virtual) Root CA"
    guard
      let root = Self.certificate(
        rootName, key: rootKey, issuer: rootName, issuerKey: rootKey, isRoot: true, now: now),
      let device = Self.certificate(name, key: key, issuer: rootName, issuerKey: rootKey, isRoot: false, now: now),
      let pem = Self.pem(of: root)
    else { throw OpenSSLErrors.setupFailure("making a certificate") }
    certificateDER = device.der
    rootPEM = pem
  }

  deinit { EVP_PKEY_free(key) }

  /// The signature over `nonce` and `tlsCertificate`; `nil` where the nonce is too long.
  package func sign(nonce: [UInt8], tlsCertificate: [UInt8], hash: DeviceAuthHash) -> [UInt8]? {
    guard nonce.count <= Self.nonceLimit, let context = EVP_MD_CTX_new() else { return nil }
    defer {
      EVP_MD_CTX_free(context)
      OpenSSLErrors.clear()
    }
    let bytes = nonce + tlsCertificate
    var keyContext: OpaquePointer?
    var length = Int(EVP_PKEY_get_size(key))
    guard length > 0, EVP_DigestSignInit(context, &keyContext, hash.algorithm, nil, key) == 1,
      EVP_PKEY_CTX_set_rsa_padding(keyContext, RSA_PKCS1_PADDING) == 1
    else { return nil }
    var signature = [UInt8](repeating: 0, count: length)
    guard EVP_DigestSign(context, &signature, &length, bytes, bytes.count) == 1, length <= signature.count else {
      return nil
    }
    return Array(signature.prefix(length))
  }

  // MARK: certificates

  private static func certificate(
    _ name: String, key: OpaquePointer, issuer: String, issuerKey: OpaquePointer, isRoot: Bool, now: Int
  ) -> X509Certificate? {
    guard let raw = X509_new() else { return nil }
    let certificate = X509Certificate(owning: raw)
    var begin = now - clockTolerance
    var end = begin + lifetime
    var serial: UInt64 = 0
    let isDrawn = withUnsafeMutableBytes(of: &serial) { bytes in
      RAND_bytes(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(bytes.count)) == 1
    }
    let extensions: [(Int32, String)] =
      isRoot
      ? [(NID_basic_constraints, "critical,CA:TRUE,pathlen:1"), (NID_key_usage, "critical,keyCertSign,cRLSign")]
      : [
        (NID_basic_constraints, "CA:FALSE"), (NID_key_usage, "critical,digitalSignature"),
        (NID_ext_key_usage, "clientAuth"),
      ]
    let isFilled =
      isDrawn && X509_set_version(raw, 2) == 1  // counts from zero: version 3
      && ASN1_INTEGER_set_uint64(X509_get_serialNumber(raw), serial & (UInt64.max >> 1) | 1) == 1
      && X509_time_adj_ex(X509_getm_notBefore(raw), 0, 0, &begin) != nil
      && X509_time_adj_ex(X509_getm_notAfter(raw), 0, 0, &end) != nil
      && setName(X509_get_subject_name(raw), to: name) && setName(X509_get_issuer_name(raw), to: issuer)
      && X509_set_pubkey(raw, key) == 1
      && extensions.allSatisfy { add($0.0, $0.1, to: raw) }
    return isFilled && X509_sign(raw, issuerKey, EVP_sha256()) > 0 ? certificate : nil
  }

  private static func setName(_ name: OpaquePointer?, to text: String) -> Bool {
    var text = text.isEmpty ? "Showcaller (virtual)" : text
    while text.utf8.count > 64 { text.removeLast() }
    return X509_NAME_add_entry_by_txt(name, "CN", COPENSSL_MBSTRING_UTF8, text, Int32(text.utf8.count), -1, 0) == 1
  }

  private static func add(_ identifier: Int32, _ value: String, to certificate: OpaquePointer) -> Bool {
    guard let made = X509V3_EXT_conf_nid(nil, nil, identifier, value) else { return false }
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
