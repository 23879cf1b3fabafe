import COpenSSL
import Glibc

/// A certificate as OpenSSL reads it; never changed after `init`, so that threads may share it.
final class X509Certificate: Sendable {
  /// A longer one is refused unread (docs/security.md 1.3).
  static let lengthLimit = 8 * 1024

  nonisolated(unsafe) let raw: OpaquePointer

  /// Reads DER, all of it: bytes behind the certificate make it invalid.
  init?(der: [UInt8]) {
    guard !der.isEmpty, der.count <= Self.lengthLimit else { return nil }
    OpenSSLErrors.clear()
    let parsed = der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
      var position = buffer.baseAddress
      let certificate = d2i_X509(nil, &position, buffer.count)
      guard let certificate, let start = buffer.baseAddress, let position, position - start == buffer.count else {
        if let certificate { X509_free(certificate) }
        return nil
      }
      return certificate
    }
    OpenSSLErrors.clear()
    guard let parsed else { return nil }
    raw = parsed
  }

  /// Shares a certificate that somebody else owns, too.
  init(sharing raw: OpaquePointer) {
    X509_up_ref(raw)
    self.raw = raw
  }

  /// Takes over a certificate.
  init(owning raw: OpaquePointer) { self.raw = raw }

  deinit { X509_free(raw) }

  // MARK: what the rules ask

  var der: [UInt8] { Certificate.der(of: raw) }

  /// The subject's name in DER; empty where it cannot be encoded.
  var subjectDER: [UInt8] {
    guard let name = X509_get_subject_name(raw) else { return [] }
    let length = Int(i2d_X509_NAME(name, nil))
    guard length > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      var end = buffer.baseAddress
      count = max(0, min(length, Int(i2d_X509_NAME(name, &end))))
    }
  }

  /// Unix time in seconds; `nil` where the field is no time.
  var notBefore: Int? { Self.seconds(X509_get0_notBefore(raw)) }
  var notAfter: Int? { Self.seconds(X509_get0_notAfter(raw)) }

  /// SHA-256 of the SubjectPublicKeyInfo; empty where the key cannot be encoded.
  var keyHash: [UInt8] {
    guard let key = X509_get_X509_PUBKEY(raw) else { return [] }
    let length = Int(i2d_X509_PUBKEY(key, nil))
    guard length > 0 else { return [] }
    let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      var end = buffer.baseAddress
      count = max(0, min(length, Int(i2d_X509_PUBKEY(key, &end))))
    }
    return Digest.sha256Bytes(bytes) ?? []
  }

  /// The serial number where 64 bits hold it.
  var serialNumber: UInt64? {
    var value: UInt64 = 0
    guard let serial = X509_get0_serialNumber(raw), ASN1_INTEGER_get_uint64(&value, serial) == 1 else {
      OpenSSLErrors.clear()
      return nil
    }
    return value
  }

  /// Whether the key is plain RSA, and its length in bits.
  var key: (isRSA: Bool, bits: Int) {
    guard let key = X509_get0_pubkey(raw) else {
      OpenSSLErrors.clear()
      return (false, 0)
    }
    return (EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA, Int(EVP_PKEY_get_bits(key)))
  }

  var signatureAlgorithm: Int32 { X509_get_signature_nid(raw) }

  /// Whether the signed and the unsigned name of the signature's algorithm are one.
  var isAlgorithmConsistent: Bool {
    var outer: UnsafePointer<X509_ALGOR>?
    X509_get0_signature(nil, &outer, raw)
    guard let outer, let inner = X509_get0_tbs_sigalg(raw) else { return false }
    return X509_ALGOR_cmp(inner, outer) == 0
  }

  /// Whether all extensions that OpenSSL knows can be read; looks at them once and keeps the answer.
  var hasReadableExtensions: Bool {
    let isRead = X509_check_purpose(raw, -1, 0) == 1
    return isRead && X509_get_extension_flags(raw) & UInt32(EXFLAG_INVALID) == 0
  }

  /// Whether basicConstraints say that it may issue, and a key usage, if there is one, does not forbid it.
  var isAuthority: Bool { X509_check_ca(raw) == 1 }

  /// Whether it has a key usage that lets its key sign.
  var mayProve: Bool {
    X509_get_extension_flags(raw) & UInt32(EXFLAG_KUSAGE) != 0
      && X509_get_key_usage(raw) & UInt32(KU_DIGITAL_SIGNATURE) != 0
  }

  /// Whether its extended key usage says "any".
  var hasAnyPurpose: Bool {
    X509_get_extension_flags(raw) & UInt32(EXFLAG_XKUSAGE) != 0
      && X509_get_extended_key_usage(raw) & UInt32(XKU_ANYEKU) != 0
  }

  /// The object identifiers of its policies, in digits; `nil` where they cannot be read.
  var policies: [String]? {
    var critical: Int32 = 0
    guard let raw = X509_get_ext_d2i(raw, NID_certificate_policies, &critical, nil) else {
      OpenSSLErrors.clear()
      return critical == -1 ? [] : nil
    }
    let stack = OpaquePointer(raw)
    defer { CERTIFICATEPOLICIES_free(stack) }
    return (0..<max(0, copenssl_policy_count(stack))).map { index in
      var text = [CChar](repeating: 0, count: 128)
      _ = OBJ_obj2txt(&text, Int32(text.count), copenssl_policy_at(stack, index), 1)
      return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  /// Verifies an RSA PKCS#1 v1.5 signature made by its key; false for keys of any other kind.
  func verifies(_ signature: [UInt8], of bytes: [UInt8], hash: DeviceAuthHash) -> Bool {
    guard let key = X509_get0_pubkey(raw), EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA, let context = EVP_MD_CTX_new()
    else { return false }
    defer {
      EVP_MD_CTX_free(context)
      OpenSSLErrors.clear()
    }
    var keyContext: OpaquePointer?
    guard EVP_DigestVerifyInit(context, &keyContext, hash.algorithm, nil, key) == 1,
      EVP_PKEY_CTX_set_rsa_padding(keyContext, RSA_PKCS1_PADDING) == 1
    else { return false }
    return EVP_DigestVerify(context, signature, signature.count, bytes, bytes.count) == 1
  }

  /// Whether its own key signed it.
  var isSelfSigned: Bool {
    defer { OpenSSLErrors.clear() }
    return X509_self_signed(raw, 1) == 1
  }

  // MARK: names

  var commonName: String? { Self.commonName(of: X509_get_subject_name(raw)) }
  var issuerCommonName: String? { Self.commonName(of: X509_get_issuer_name(raw)) }

  /// In hexadecimal, as certificates are talked about.
  var serialText: String {
    guard let serial = X509_get0_serialNumber(raw), let number = ASN1_INTEGER_to_BN(serial, nil) else { return "" }
    defer { BN_free(number) }
    guard let text = BN_bn2hex(number) else { return "" }
    defer { CRYPTO_free(text, nil, 0) }
    return String(cString: text)
  }

  private static func commonName(of name: OpaquePointer?) -> String? {
    let index = X509_NAME_get_index_by_NID(name, NID_commonName, -1)
    guard index >= 0, let entry = X509_NAME_get_entry(name, index), let data = X509_NAME_ENTRY_get_data(entry) else {
      return nil
    }
    var text: UnsafeMutablePointer<UInt8>?
    let length = Int(ASN1_STRING_to_UTF8(&text, data))
    guard length >= 0, let text else {
      OpenSSLErrors.clear()
      return nil
    }
    defer { CRYPTO_free(text, nil, 0) }
    // X.509 allows 64 characters; who exceeds that is cut.
    return String(String(decoding: UnsafeBufferPointer(start: text, count: length), as: UTF8.self).prefix(128))
  }

  private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int? {
    var parts = tm()
    guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else {
      OpenSSLErrors.clear()
      return nil
    }
    return timegm(&parts)
  }
}

/// What a proof is hashed with.
package enum DeviceAuthHash: String, Hashable, Sendable {
  case sha1, sha256

  var algorithm: OpaquePointer? { self == .sha1 ? EVP_sha1() : EVP_sha256() }
}
