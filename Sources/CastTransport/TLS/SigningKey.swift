import COpenSSL

/// An Ed25519 key that signs (RFC 8032), as PEM: what `openssl pkey` reads.
package struct SigningKey: Sendable {
  /// The private key, PKCS #8.
  package let pem: [UInt8]

  /// Makes a new one; `nil` where OpenSSL has no randomness.
  package init?() {
    guard let key = copenssl_generate_ed25519() else { return nil }
    defer { EVP_PKEY_free(key) }
    guard let pem = PEM.write({ PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) }) else { return nil }
    self.pem = pem
  }

  /// `nil` for what is no private Ed25519 key.
  package init?(pem: [UInt8]) {
    guard let key = PEM.read(pem, { PEM_read_bio_PrivateKey($0, nil, nil, nil) }) else { return nil }
    defer { EVP_PKEY_free(key) }
    guard EVP_PKEY_is_a(key, "ED25519") == 1 else { return nil }
    self.pem = pem
  }

  /// What tells whether a signature is by this key.
  package var publicKey: VerifyingKey? {
    withKey { key in PEM.write { PEM_write_bio_PUBKEY($0, key) } }.flatMap { VerifyingKey(pem: $0) }
  }

  /// 64 bytes; `nil` where OpenSSL fails.
  package func sign(_ message: [UInt8]) -> [UInt8]? {
    withKey { key in
      guard let context = EVP_MD_CTX_new() else { return nil }
      defer { EVP_MD_CTX_free(context) }
      var signature = [UInt8](repeating: 0, count: VerifyingKey.signatureSize)
      var size = signature.count
      guard EVP_DigestSignInit(context, nil, nil, nil, key) == 1,
        EVP_DigestSign(context, &signature, &size, message, message.count) == 1, size == signature.count
      else { return nil }
      return signature
    }
  }

  private func withKey<Value>(_ body: (OpaquePointer) -> Value?) -> Value? {
    guard let key = PEM.read(pem, { PEM_read_bio_PrivateKey($0, nil, nil, nil) }) else { return nil }
    defer { EVP_PKEY_free(key) }
    return body(key)
  }
}

/// The public half of a ``SigningKey``.
package struct VerifyingKey: Hashable, Sendable {
  package static let signatureSize = 64
  package let pem: [UInt8]

  /// `nil` for what is no public Ed25519 key.
  package init?(pem: [UInt8]) {
    guard let key = PEM.read(pem, { PEM_read_bio_PUBKEY($0, nil, nil, nil) }) else { return nil }
    defer { EVP_PKEY_free(key) }
    guard EVP_PKEY_is_a(key, "ED25519") == 1 else { return nil }
    self.pem = pem
  }

  /// Whether the holder of the private key signed this.
  package func accepts(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    guard signature.count == Self.signatureSize, let context = EVP_MD_CTX_new() else { return false }
    defer { EVP_MD_CTX_free(context) }
    guard let key = PEM.read(pem, { PEM_read_bio_PUBKEY($0, nil, nil, nil) }) else { return false }
    defer { EVP_PKEY_free(key) }
    let isReady = EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1
    let isValid =
      isReady && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    ERR_clear_error()
    return isValid
  }
}

/// OpenSSL's memory files.
private enum PEM {
  static let limit = 16 << 10

  static func read(_ pem: [UInt8], _ body: (OpaquePointer) -> OpaquePointer?) -> OpaquePointer? {
    guard !pem.isEmpty, pem.count <= limit else { return nil }
    return pem.withUnsafeBytes { buffer in
      guard let source = BIO_new_mem_buf(buffer.baseAddress, Int32(buffer.count)) else { return nil }
      defer {
        BIO_free(source)
        ERR_clear_error()
      }
      return body(source)
    }
  }

  static func write(_ body: (OpaquePointer) -> Int32) -> [UInt8]? {
    guard let target = BIO_new(BIO_s_mem()) else { return nil }
    defer { BIO_free(target) }
    guard body(target) == 1 else { return nil }
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = BIO_read(target, &bytes, Int32(limit))
    return count > 0 ? Array(bytes.prefix(Int(count))) : nil
  }
}
