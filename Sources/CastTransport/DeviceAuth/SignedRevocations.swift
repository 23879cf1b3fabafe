/// A device's own revocation list, as it came: plain values, nothing of it believed yet. Source: docs/security.md 1.4.
package struct SignedRevocations: Hashable, Sendable {
  /// Certificates of one issuer, by their serial numbers.
  package struct SerialNumbers: Hashable, Sendable {
    package var issuer: [UInt8]
    package var first: UInt64
    package var last: UInt64

    package init(issuer: [UInt8], first: UInt64, last: UInt64) {
      self.issuer = issuer
      self.first = first
      self.last = last
    }
  }

  package var signedBytes: [UInt8]
  package var signature: [UInt8]
  /// DER.
  package var signer: [UInt8]
  /// Unix time in seconds.
  package var notBefore: UInt64
  package var notAfter: UInt64
  /// SHA-256 each.
  package var keyHashes: [[UInt8]]
  package var serialNumbers: [SerialNumbers]

  package init(
    signedBytes: [UInt8], signature: [UInt8], signer: [UInt8], notBefore: UInt64, notAfter: UInt64,
    keyHashes: [[UInt8]], serialNumbers: [SerialNumbers]
  ) {
    self.signedBytes = signedBytes
    self.signature = signature
    self.signer = signer
    self.notBefore = notBefore
    self.notAfter = notAfter
    self.keyHashes = keyHashes
    self.serialNumbers = serialNumbers
  }
}

/// A device's revocation list whose signature and signer hold.
package struct VerifiedRevocations: Hashable, Sendable {
  /// Unix time, both ends included; the end is the signer's where that comes first, and it counts at every use.
  package let notBefore: UInt64
  package let notAfter: UInt64
  package let keys: RevokedKeys

  /// - Throws: The reason why the list is to be ignored.
  package init(
    verifying list: SignedRevocations, signedUnder anchors: TrustAnchors, at now: Int
  ) throws(DeviceAuthProblem) {
    guard let signer = X509Certificate(der: list.signer) else {
      throw DeviceAuthProblem(.revocationsInvalid, "its signer is no certificate")
    }
    let path = CertificatePath(from: signer, intermediates: [], to: anchors, for: .signingRevocations, at: now)
    if let problem = path.problems.first {
      throw DeviceAuthProblem(.revocationsInvalid, "its signer: \(problem.message)")
    }
    guard signer.verifies(list.signature, of: list.signedBytes, hash: .sha256) else {
      throw DeviceAuthProblem(.revocationsInvalid, "its signature is wrong")
    }
    var serialNumbers: [String: [ClosedRange<UInt64>]] = [:]
    for range in list.serialNumbers {
      guard range.first <= range.last else {
        throw DeviceAuthProblem(.revocationsInvalid, "a range of serial numbers ends before it begins")
      }
      serialNumbers[Digest.hexadecimal(range.issuer), default: []].append(range.first...range.last)
    }
    notBefore = list.notBefore
    notAfter = min(list.notAfter, UInt64(max(0, signer.notAfter ?? 0)))
    keys = RevokedKeys(keyHashes: Set(list.keyHashes.map(Digest.hexadecimal)), serialNumbers: serialNumbers)
    guard isCurrent(at: now) else { throw Self.outOfDate }
  }

  package func isCurrent(at now: Int) -> Bool {
    guard let now = UInt64(exactly: now) else { return false }
    return notBefore <= now && now <= notAfter
  }

  static let outOfDate = DeviceAuthProblem(.revocationsInvalid, "it is not from now")
}
