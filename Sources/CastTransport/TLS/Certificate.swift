import COpenSSL
import Glibc

/// A self-signed certificate with its private key, as a receiver makes for itself every few days.
///
/// P-256, valid for 3 days: senders refuse one that ends more than 4 days ahead (docs/protocol.md 1.1). The key
/// never leaves memory.
struct Certificate: ~Copyable {
  /// From begin to end, in seconds.
  static let lifetime = 3 * 24 * 60 * 60
  /// How long before `now` it begins, in seconds, so that a peer whose clock is behind takes it.
  private static let clockTolerance = 60 * 60

  let x509: OpaquePointer
  let key: OpaquePointer

  /// Makes a certificate.
  /// - Parameters:
  ///   - commonName: Subject and issuer; cut at 64 bytes, X.509's limit.
  ///   - now: Seconds since 1970; the certificate began an hour before.
  init(commonName: String, now: time_t = time(nil)) throws(TransportError) {
    OpenSSLErrors.clear()
    guard let key = copenssl_generate_p256() else { throw OpenSSLErrors.setupFailure("making a key") }
    guard let x509 = X509_new() else {
      EVP_PKEY_free(key)
      throw OpenSSLErrors.setupFailure("making a certificate")
    }
    guard Self.fill(x509, key: key, commonName: commonName, now: now), X509_sign(x509, key, EVP_sha256()) > 0 else {
      X509_free(x509)
      EVP_PKEY_free(key)
      throw OpenSSLErrors.setupFailure("making a certificate")
    }
    self.x509 = x509
    self.key = key
  }

  deinit {
    X509_free(x509)
    EVP_PKEY_free(key)
  }

  /// The certificate as it goes over the wire.
  var der: [UInt8] { Self.der(of: x509) }

  /// The DER form of any certificate; empty where OpenSSL cannot encode it.
  static func der(of x509: OpaquePointer) -> [UInt8] {
    let length = Int(i2d_X509(x509, nil))
    guard length > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      var end = buffer.baseAddress
      count = max(0, min(length, Int(i2d_X509(x509, &end))))
    }
  }

  private static func fill(_ x509: OpaquePointer, key: OpaquePointer, commonName: String, now: time_t) -> Bool {
    var serial: UInt64 = 0
    let drawn = withUnsafeMutableBytes(of: &serial) { bytes in
      RAND_bytes(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(bytes.count))
    }
    // A serial number is positive and may not be zero (RFC 5280 4.1.2.2).
    serial = serial & (UInt64.max >> 1) | 1
    var begin = now - clockTolerance
    var end = begin + lifetime
    var name = commonName
    while name.utf8.count > 64 { name.removeLast() }
    guard drawn == 1, let subject = X509_get_subject_name(x509) else { return false }
    return X509_set_version(x509, 2) == 1  // counts from zero: version 3
      && ASN1_INTEGER_set_uint64(X509_get_serialNumber(x509), serial) == 1
      && X509_time_adj_ex(X509_getm_notBefore(x509), 0, 0, &begin) != nil
      && X509_time_adj_ex(X509_getm_notAfter(x509), 0, 0, &end) != nil
      && X509_NAME_add_entry_by_txt(subject, "CN", COPENSSL_MBSTRING_UTF8, name, Int32(name.utf8.count), -1, 0) == 1
      && X509_set_issuer_name(x509, subject) == 1
      && X509_set_pubkey(x509, key) == 1
  }
}
