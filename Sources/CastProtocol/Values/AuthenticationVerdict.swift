/// What is known of a device's proof that it is what it says, in one word; events and reports show it.
package enum AuthenticationVerdict: String, Hashable, Sendable, CaseIterable {
  /// Nobody asked.
  case unchecked
  /// The device was asked, and has not answered yet.
  case pending
  case otherKey = "other-key"
  case noProof = "no-proof"
  case malformed, revoked, undecidable, untrusted
  case badSignature = "bad-signature"
  case wrongNonce = "wrong-nonce"
  case badTLSCertificate = "bad-tls-certificate"
  case expiredChain = "expired-chain"
  case weakHash = "weak-hash"
  case noNonce = "no-nonce"
  case audioOnly = "audio-only"
  case noRevocationList = "no-revocation-list"
  /// The device is what its certificate says.
  case verified
}
