import COpenSSL
import Glibc

/// The credentials of a virtual receiver: a device certificate under a root made for this process.
///
/// No Cast root has signed them, so only who was handed ``rootPEM`` believes them (docs/security.md V1). The keys never
/// leave memory.
package final class DeviceAuthSigner: Sendable {
  /// A longer nonce is signed by nobody (docs/security.md V4).
  package static let nonceLimit = 256

  /// The device's certificate in DER; its issuer is the root itself.
  package let certificateDER: [UInt8]
  private let authority: DeviceAuthAuthority

  /// The root, for who wants to trust it.
  package var rootPEM: [UInt8] { authority.rootPEM }

  /// Makes a certificate.
  /// - Parameters:
  ///   - name: The common name of the device certificate; cut at 64 bytes, X.509's limit.
  ///   - authority: Who signs it; `nil`: one of its own, which takes the time that two RSA keys take.
  ///   - now: Unix time.
  package init(name: String, authority: DeviceAuthAuthority? = nil, now: Int) throws(TransportError) {
    let authority = if let authority { authority } else { try DeviceAuthAuthority(now: now) }
    self.authority = authority
    certificateDER = try authority.certificate(for: name, now: now)
  }

  /// The signature over `nonce` and `tlsCertificate`; `nil` where the nonce is too long.
  package func sign(nonce: [UInt8], tlsCertificate: [UInt8], hash: DeviceAuthHash) -> [UInt8]? {
    guard nonce.count <= Self.nonceLimit, let context = EVP_MD_CTX_new() else { return nil }
    defer {
      EVP_MD_CTX_free(context)
      OpenSSLErrors.clear()
    }
    let bytes = nonce + tlsCertificate
    let key = authority.deviceKey
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
}
