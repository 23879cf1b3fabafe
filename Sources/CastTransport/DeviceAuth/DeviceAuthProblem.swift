/// One thing that is wrong with a device's proof.
package struct DeviceAuthProblem: Error, Hashable, Sendable {
  /// A stable name; new ones may be added, none changes its meaning.
  package enum Code: String, Hashable, Sendable, CaseIterable {
    // The reply
    case noReply = "auth.reply.none"
    case refused = "auth.reply.error"
    case malformedReply = "auth.reply.malformed"
    case unexpectedMessage = "auth.reply.unexpected"
    // The TLS certificate that the proof is about
    case noTLSCertificate = "auth.tls.none"
    case tlsNotYetValid = "auth.tls.not_yet_valid"
    case tlsExpired = "auth.tls.expired"
    case tlsLifetime = "auth.tls.lifetime"
    // The signature
    case nonceAbsent = "auth.nonce.absent"
    case nonceMismatch = "auth.nonce.mismatch"
    case signatureEmpty = "auth.signature.empty"
    case proofAlgorithm = "auth.signature.algorithm"
    case proofSHA1 = "auth.signature.sha1"
    case signatureMismatch = "auth.signature.mismatch"
    // The chain
    case tooManyCertificates = "auth.chain.too_many"
    case malformedCertificate = "auth.chain.malformed"
    case chainUntrusted = "auth.chain.untrusted"
    case chainExpired = "auth.chain.expired"
    case chainNotYetValid = "auth.chain.not_yet_valid"
    case chainSignature = "auth.chain.signature"
    case chainTooLong = "auth.chain.too_long"
    case pathLength = "auth.chain.pathlen"
    case purpose = "auth.chain.purpose"
    case keyUsage = "auth.chain.key_usage"
    case keySize = "auth.chain.key"
    case signatureAlgorithm = "auth.chain.algorithm"
    case criticalExtension = "auth.chain.critical_extension"
    case nameConstraints = "auth.chain.name_constraints"
    case notAnAuthority = "auth.chain.not_an_authority"
    case notADevice = "auth.chain.not_a_device"
    case chainOther = "auth.chain.other"
    // Revocation, policy, this computer
    case revokedKey = "auth.revoked.key"
    case revokedSerial = "auth.revoked.serial"
    case revocationsAbsent = "auth.crl.absent"
    case revocationsInvalid = "auth.crl.invalid"
    case audioOnly = "auth.policy.audio_only"
    case systemForbidsSHA1 = "auth.system.sha1"
    // The device's key, beside the one it had before
    case otherKey = "auth.key.changed"
    case keyNotShown = "auth.key.absent"
  }

  package var code: Code
  /// Which certificate of the chain: 0 is the device's.
  package var depth: Int?
  package var detail: String?
  /// What can be done about it, where that is more than what its verdict says.
  package var help: String?

  package init(_ code: Code, depth: Int? = nil, _ detail: String? = nil, help: String? = nil) {
    self.code = code
    self.depth = depth
    self.detail = detail
    self.help = help
  }

  /// A lowercase fragment.
  package var message: String {
    let whose =
      switch depth {
      case nil: "a certificate"
      case 0?: "the device certificate"
      case let depth?: "the device's issuer certificate \(depth)"
      }
    let words: String =
      switch code {
      case .noReply: "the device did not answer the challenge"
      case .refused: "the device has no proof to give"
      case .malformedReply: "the answer to the challenge cannot be read"
      case .unexpectedMessage: "the device sent something else before its proof"
      case .noTLSCertificate: "the connection has no TLS certificate that could be proven"
      case .tlsNotYetValid: "the TLS certificate is not valid yet"
      case .tlsExpired: "the TLS certificate has expired"
      case .tlsLifetime: "the TLS certificate is valid for more than 4 more days"
      case .nonceAbsent: "the proof does not name our challenge"
      case .nonceMismatch: "the proof answers another challenge"
      case .signatureEmpty: "the proof has no signature"
      case .proofAlgorithm: "the proof is made by an algorithm that is not accepted"
      case .proofSHA1: "the proof is made with SHA-1"
      case .signatureMismatch: "the signature of the proof is wrong"
      case .tooManyCertificates: "the proof has more than 8 certificates"
      case .malformedCertificate: "\(whose) cannot be read"
      case .chainUntrusted: "the chain does not end in a Cast root"
      case .chainExpired: "\(whose) has expired"
      case .chainNotYetValid: "\(whose) is not valid yet"
      case .chainSignature: "\(whose) is not signed by its issuer"
      case .chainTooLong: "the chain is too long"
      case .pathLength: "the chain is longer than a certificate in it allows"
      case .purpose: "\(whose) is for another purpose"
      case .keyUsage: "\(whose) may not be used to sign"
      case .keySize: "the key of \(whose) is not accepted"
      case .signatureAlgorithm: "\(whose) is signed by an algorithm that is not accepted"
      case .criticalExtension: "\(whose) has an unknown critical extension"
      case .nameConstraints: "\(whose) has a name that its issuer may not give"
      case .notAnAuthority: "\(whose) may not issue certificates"
      case .notADevice: "\(whose) is one that issues others"
      case .chainOther: "\(whose) is not accepted"
      case .revokedKey: "the key of \(whose) is revoked"
      case .revokedSerial: "\(whose) is revoked"
      case .revocationsAbsent: "the device sent no revocation list"
      case .revocationsInvalid: "the device's revocation list is invalid"
      case .audioOnly: "a certificate for devices without video, on a device that has video"
      case .systemForbidsSHA1:
        "this system's crypto policy forbids SHA-1, so old devices cannot be authenticated"
      case .otherKey: "the device proved itself with another key than before"
      case .keyNotShown: "the device proved itself before, and does not now"
      }
    return detail.map { "\(words): \($0)" } ?? words
  }

  /// What it makes of the whole.
  package var verdict: DeviceAuthVerdict {
    switch code {
    case .otherKey: .otherKey
    case .noReply, .refused, .keyNotShown: .noProof
    case .malformedReply, .unexpectedMessage: .malformed
    case .noTLSCertificate, .tlsNotYetValid, .tlsExpired, .tlsLifetime: .badTLSCertificate
    case .nonceAbsent: .noNonce
    case .nonceMismatch: .wrongNonce
    case .signatureEmpty, .proofAlgorithm, .signatureMismatch: .badSignature
    case .proofSHA1: .weakHash
    case .chainExpired: .expiredChain
    case .revokedKey, .revokedSerial: .revoked
    case .revocationsAbsent, .revocationsInvalid: .noRevocationList
    case .audioOnly: .audioOnly
    case .systemForbidsSHA1: .undecidable
    default: .untrusted
    }
  }
}

/// What a device's proof is worth, in one word; reports show it. In the order of weight: the first that applies counts.
package enum DeviceAuthVerdict: String, Hashable, Sendable, CaseIterable {
  case otherKey = "other-key"
  case noProof = "no-proof"
  case malformed
  case revoked
  case undecidable
  case untrusted
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

  /// What can be done about it.
  package var help: String? {
    switch self {
    case .verified: nil
    case .otherKey: "see what answers at this address: it is a certified device, but not the one that was there before"
    case .noProof: "a certified Cast device proves what it is; a receiver in software has no certificate"
    case .malformed, .badSignature, .wrongNonce, .untrusted:
      "somebody may be impersonating the device: see what answers at this address"
    case .revoked: "its key has leaked or was withdrawn: do not trust what answers with it"
    case .undecidable: "allow SHA-1 signatures (on Red Hat: rh-allow-sha1-signatures), or use `auth: report`"
    case .badTLSCertificate: "see whether the clocks of this computer and of the device are right"
    case .expiredChain:
      "if the device is known, accept its issuer with --accept-expired-intermediate; see `showcaller auth`"
    case .weakHash, .noNonce: "the device's firmware is old; `auth: report` only reports"
    case .audioOnly: "the device says that it shows video, its certificate that it cannot"
    case .noRevocationList: "leave out --require-crl: keys that are known to be revoked are refused anyway"
    }
  }
}
