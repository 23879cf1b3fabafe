import COpenSSL

/// Hashes, by the crypto library that is there anyway.
package enum Digest {
  /// The SHA-256 of `bytes` in lower-case hexadecimal, 64 characters; `nil` when the library refuses.
  package static func sha256(_ bytes: [UInt8]) -> String? {
    sha256Bytes(bytes).map(hexadecimal)
  }

  /// The same as 32 bytes.
  package static func sha256Bytes(_ bytes: [UInt8]) -> [UInt8]? { digest(bytes, EVP_sha256()) }

  /// Bytes in lower-case hexadecimal.
  package static func hexadecimal(_ bytes: [UInt8]) -> String { bytes.map(hexadecimal).joined() }

  /// A UUID that the same `name` always gives (RFC 9562 version 5), lower-case with hyphens.
  package static func uuid(name: String, namespace: [UInt8]) -> String? {
    guard var bytes = digest(namespace + Array(name.utf8), EVP_sha1())?.prefix(16).map({ $0 }), bytes.count == 16
    else { return nil }
    bytes[6] = bytes[6] & 0x0F | 0x50
    bytes[8] = bytes[8] & 0x3F | 0x80
    let text = bytes.map(hexadecimal)
    return [text[0..<4], text[4..<6], text[6..<8], text[8..<10], text[10..<16]].map { $0.joined() }
      .joined(separator: "-")
  }

  private static func digest(_ bytes: [UInt8], _ algorithm: OpaquePointer?) -> [UInt8]? {
    var output = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var length: UInt32 = 0
    let done = bytes.withUnsafeBytes { EVP_Digest($0.baseAddress, $0.count, &output, &length, algorithm, nil) }
    return done == 1 ? Array(output.prefix(Int(length))) : nil
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}
