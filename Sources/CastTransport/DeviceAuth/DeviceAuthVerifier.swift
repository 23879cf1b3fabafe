/// Judges what a device answers to a challenge. Knows X.509 and no message; the time is an input.
///
/// Runs every check of docs/security.md 1.2 and 1.3, whatever failed before, so that a report tells all of it.
package struct DeviceAuthVerifier: Sendable {
  /// What a device answered.
  package enum Answer: Hashable, Sendable {
    case proof(Proof)
    /// It has none; the error in its words.
    case refusal(String)
    case malformed(String)
    /// Something else came first.
    case unexpected(String)
    case none
  }

  /// A device's proof.
  package struct Proof: Hashable, Sendable {
    package var signature: [UInt8]
    /// DER; the device's own certificate, then those above it in any order.
    package var certificates: [[UInt8]]
    package var nonce: [UInt8]?
    /// Whether the signature is RSASSA-PKCS1-v1_5.
    package var isPKCS1: Bool
    /// `nil`: one that we do not know.
    package var hash: DeviceAuthHash?
    package var revocations: Revocations

    package enum Revocations: Hashable, Sendable {
      case absent
      case unreadable(String)
      case list(SignedRevocations)
    }

    package init(
      signature: [UInt8], certificates: [[UInt8]], nonce: [UInt8]?, isPKCS1: Bool = true, hash: DeviceAuthHash?,
      revocations: Revocations = .absent
    ) {
      self.signature = signature
      self.certificates = certificates
      self.nonce = nonce
      self.isPKCS1 = isPKCS1
      self.hash = hash
      self.revocations = revocations
    }
  }

  /// What the proof has to be about.
  package struct Question: Hashable, Sendable {
    package var nonce: [UInt8]
    /// The peer's certificate of this very connection, in DER.
    package var tlsCertificate: [UInt8]?
    /// What the device says by mDNS; `nil`: nobody asked.
    package var hasVideoOutput: Bool?

    package init(nonce: [UInt8], tlsCertificate: [UInt8]?, hasVideoOutput: Bool? = nil) {
      self.nonce = nonce
      self.tlsCertificate = tlsCertificate
      self.hasVideoOutput = hasVideoOutput
    }
  }

  /// How long a peer's TLS certificate may live on, in seconds.
  private static let tlsLifetime = 4 * 24 * 60 * 60
  private static let certificateLimit = 8

  /// Issuers that may have expired, by the SHA-256 of their key in lower-case hexadecimal.
  package var acceptedExpired: Set<String> = []
  /// Whether a device must send a valid revocation list of its own.
  package var requiresRevocations = false
  private let anchors: TrustAnchors
  private let revocationAnchors: TrustAnchors
  private let revoked: RevokedKeys

  package init(anchors: TrustAnchors, revocationAnchors: TrustAnchors, revoked: RevokedKeys = .known) {
    self.anchors = anchors
    self.revocationAnchors = revocationAnchors
    self.revoked = revoked
  }

  /// A verifier for real devices.
  /// - Parameter extraRoots: PEM texts of roots to trust besides Google's.
  package static func forDevices(extraRoots: [[UInt8]] = []) throws(TransportError) -> DeviceAuthVerifier {
    var anchors = try TrustAnchors.cast.get()
    for pem in extraRoots { anchors = try anchors.adding(pem: pem) }
    return DeviceAuthVerifier(anchors: anchors, revocationAnchors: try TrustAnchors.castRevocation.get())
  }

  /// Judges `answer` at Unix time `now`.
  package func verify(_ answer: Answer, to question: Question, at now: Int) -> DeviceAuthReport {
    var report = DeviceAuthReport(problems: [], checkedAt: now)
    switch answer {
    case .none: report.problems.append(DeviceAuthProblem(.noReply))
    case .refusal(let reason): report.problems.append(DeviceAuthProblem(.refused, reason))
    case .malformed(let reason): report.problems.append(DeviceAuthProblem(.malformedReply, reason))
    case .unexpected(let what): report.problems.append(DeviceAuthProblem(.unexpectedMessage, what))
    case .proof: break
    }
    checkTLSCertificate(question, &report)
    if case .proof(let proof) = answer { check(proof, question, &report) }
    return report
  }

  private func checkTLSCertificate(_ question: Question, _ report: inout DeviceAuthReport) {
    guard let certificate = question.tlsCertificate.flatMap({ X509Certificate(der: $0) }),
      let begin = certificate.notBefore, let end = certificate.notAfter
    else {
      report.problems.append(DeviceAuthProblem(.noTLSCertificate))
      return
    }
    report.tlsCertificate = CertificateFacts(certificate)
    let now = report.checkedAt
    if now < begin { report.problems.append(DeviceAuthProblem(.tlsNotYetValid)) }
    if now > end {
      report.problems.append(DeviceAuthProblem(.tlsExpired))
    } else if end - now > Self.tlsLifetime {
      report.problems.append(DeviceAuthProblem(.tlsLifetime))
    }
  }

  private func check(_ proof: Proof, _ question: Question, _ report: inout DeviceAuthReport) {
    if let nonce = proof.nonce {
      if nonce != question.nonce { report.problems.append(DeviceAuthProblem(.nonceMismatch)) }
    } else {
      report.problems.append(DeviceAuthProblem(.nonceAbsent))
    }
    guard proof.certificates.count <= Self.certificateLimit else {
      report.problems.append(DeviceAuthProblem(.tooManyCertificates))
      return
    }
    guard let leaf = proof.certificates.first.flatMap({ X509Certificate(der: $0) }) else {
      report.problems.append(DeviceAuthProblem(.malformedCertificate, depth: 0))
      return
    }
    var intermediates: [X509Certificate] = []
    for (index, der) in proof.certificates.enumerated().dropFirst() {
      if let certificate = X509Certificate(der: der) {
        intermediates.append(certificate)
      } else {
        report.problems.append(DeviceAuthProblem(.malformedCertificate, depth: index))
      }
    }
    let path = checkChain(leaf, intermediates, &report)
    checkRevocations(proof.revocations, path, &report)
    checkSignature(of: proof, by: leaf, question, &report)
    if path.isAudioOnly, question.hasVideoOutput == true { report.problems.append(DeviceAuthProblem(.audioOnly)) }
  }

  // MARK: the chain

  private func checkChain(
    _ leaf: X509Certificate, _ intermediates: [X509Certificate], _ report: inout DeviceAuthReport
  ) -> CertificatePath {
    let path = CertificatePath(
      from: leaf, intermediates: intermediates, to: anchors, for: .provingDevice, at: report.checkedAt)
    report.chain = path.certificates.map { CertificateFacts($0) }
    report.reachesAnchor = path.certificates.count > 1
    report.isAudioOnly = path.isAudioOnly
    for problem in path.problems {
      if problem.code == .chainExpired, let depth = problem.depth, depth > 0, report.chain.indices.contains(depth),
        acceptedExpired.contains(report.chain[depth].keyHash)
      {
        report.acceptedExpired.append(depth)
      } else if problem.code == .chainSignature, Self.isSHA1Forbidden {
        report.problems.append(DeviceAuthProblem(.systemForbidsSHA1))
      } else {
        report.problems.append(problem)
      }
    }
    return path
  }

  /// Whether the system's policy makes OpenSSL refuse SHA-1 signatures that are right; found out once, by a root's own.
  private static let isSHA1Forbidden: Bool = {
    guard case .success(let anchors) = TrustAnchors.cast, let root = anchors.certificates.first else { return false }
    return !root.isSelfSigned
  }()

  // MARK: revocation

  private func checkRevocations(
    _ revocations: Proof.Revocations, _ path: CertificatePath, _ report: inout DeviceAuthReport
  ) {
    if let problem = revoked.problem(in: path.certificates) { report.problems.append(problem) }
    do throws(DeviceAuthProblem) {
      let own: VerifiedRevocations
      switch revocations {
      case .absent:
        if requiresRevocations { report.problems.append(DeviceAuthProblem(.revocationsAbsent)) }
        return
      case .unreadable(let reason): throw DeviceAuthProblem(.revocationsInvalid, reason)
      case .list(let list):
        own = try VerifiedRevocations(verifying: list, signedUnder: revocationAnchors, at: report.checkedAt)
      }
      report.revocations = .used(notBefore: own.notBefore, notAfter: own.notAfter)
      if let problem = own.keys.problem(in: path.certificates), !report.problems.contains(problem) {
        report.problems.append(problem)
      }
    } catch {
      report.revocations = .ignored(error)
      if requiresRevocations { report.problems.append(error) }
    }
  }

  // MARK: the signature

  private func checkSignature(
    of proof: Proof, by leaf: X509Certificate, _ question: Question, _ report: inout DeviceAuthReport
  ) {
    report.hash = proof.hash
    guard !proof.signature.isEmpty else {
      report.problems.append(DeviceAuthProblem(.signatureEmpty))
      return
    }
    guard proof.isPKCS1, let hash = proof.hash else {
      report.problems.append(DeviceAuthProblem(.proofAlgorithm))
      return
    }
    guard let tlsCertificate = question.tlsCertificate else { return }
    // Who repeats no nonce, or another, may have signed that one: the problem is then the nonce, noted before.
    let signed = [question.nonce, proof.nonce ?? []].map { $0 + tlsCertificate }
    if !signed.contains(where: { leaf.verifies(proof.signature, of: $0, hash: hash) }) {
      let isBlocked = hash == .sha1 && Self.isSHA1Forbidden
      report.problems.append(DeviceAuthProblem(isBlocked ? .systemForbidsSHA1 : .signatureMismatch))
    } else if hash == .sha1 {
      report.problems.append(DeviceAuthProblem(.proofSHA1))
    }
  }
}
