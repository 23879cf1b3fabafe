package import CastProtocol
package import CastTransport

/// One challenge on one connection: what is asked, and what the answer is worth. Holds no clock.
struct AuthenticationExchange: Sendable {
  /// The answer must come within this (docs/security.md S2).
  static let replyTimeout = Duration.seconds(5)

  let mode: AuthenticationMode
  private let verifier: DeviceAuthVerifier
  private let question: DeviceAuthVerifier.Question
  private let keyCheck: DeviceKeyCheck?
  private let now: Int

  /// A new challenge for the connection whose peer has `tlsCertificate`; `nil` where nothing is asked.
  init?(_ rules: AuthenticationRules, tlsCertificate: [UInt8]?, hasVideoOutput: Bool? = nil) {
    guard rules.mode != .none else { return nil }
    mode = rules.mode
    verifier = rules.verifier
    keyCheck = rules.keyCheck
    now = rules.wallClock()
    question = .init(nonce: rules.makeNonce(), tlsCertificate: tlsCertificate, hasVideoOutput: hasVideoOutput)
  }

  /// The challenge, ready to be sent.
  var challenge: [UInt8] {
    var challenge = DeviceAuthMessage.Challenge()
    challenge.nonce = question.nonce
    challenge.hashAlgorithm = .sha256
    return DeviceAuthMessage.challenge(challenge).encoded()
  }

  /// Judges a message of the device authentication namespace.
  func report(on payload: CastMessage.Payload) -> DeviceAuthReport {
    judged(Self.answer(payload))
  }

  /// The same where it takes no time; `nil` where there are signatures to verify.
  func reportAtOnce(on payload: CastMessage.Payload) -> DeviceAuthReport? {
    let answer = Self.answer(payload)
    if case .proof = answer { return nil }
    return judged(answer)
  }

  /// Something else came where only a proof may.
  func report(onUnexpected namespace: Namespace) -> DeviceAuthReport {
    judged(.unexpected(String(namespace.rawValue.prefix(128))))
  }

  /// Nothing came in time.
  var reportOnSilence: DeviceAuthReport { judged(.none) }

  private func judged(_ answer: DeviceAuthVerifier.Answer) -> DeviceAuthReport {
    let report = verifier.verify(answer, to: question, at: now)
    return keyCheck?.judged(report, in: mode) ?? report
  }

  /// The refusal of a device that did not prove itself.
  static func error(_ report: DeviceAuthReport) -> ClientError {
    let problem = report.mainProblem
    let code = problem.map { " (\($0.code.rawValue))" } ?? ""
    return ClientError(
      .auth, "the device is not authenticated: \(problem?.message ?? report.verdict.rawValue)\(code)",
      help: report.help)
  }

  private static func answer(_ payload: CastMessage.Payload) -> DeviceAuthVerifier.Answer {
    guard case .binary(let bytes) = payload else { return .malformed("it is text") }
    if bytes.isEmpty { return .malformed("it is empty") }
    switch try? DeviceAuthMessage(decoding: bytes) {
    case .response(let response)?: return .proof(DeviceAuthVerifier.Proof(response))
    case .error(let failure)?: return .refusal(failure.name)
    case .challenge?: return .malformed("it is a challenge")
    case nil: return .malformed("it is no device authentication message")
    }
  }
}

extension DeviceAuthMessage.Failure {
  /// In the words of the wire.
  fileprivate var name: String {
    switch self {
    case .internalError: "INTERNAL_ERROR"
    case .noTLS: "NO_TLS"
    case .signatureAlgorithmUnavailable: "SIGNATURE_ALGORITHM_UNAVAILABLE"
    default: "error \(rawValue)"
    }
  }
}

extension DeviceAuthVerifier.Proof {
  /// The plain values of a response.
  package init(_ response: DeviceAuthMessage.Response) {
    let hash: DeviceAuthHash? =
      switch response.hashAlgorithm {
      case .sha1: .sha1
      case .sha256: .sha256
      default: nil
      }
    self.init(
      signature: response.signature, certificates: [response.deviceCertificate] + response.intermediateCertificates,
      nonce: response.nonce, isPKCS1: response.signatureAlgorithm == .pkcs1v15, hash: hash,
      revocations: Revocations(bundle: response.revocations))
  }
}

extension DeviceAuthVerifier.Proof.Revocations {
  /// Reads a bundle as a device sends it; none and an empty one are the same.
  package init(bundle: [UInt8]?) {
    guard let bundle, !bundle.isEmpty else {
      self = .absent
      return
    }
    do throws(ProtocolError) {
      self = .list(SignedRevocations(try RevocationList(decodingBundle: bundle)))
    } catch {
      self = .unreadable("it cannot be read")
    }
  }
}

extension SignedRevocations {
  fileprivate init(_ list: RevocationList) {
    self.init(
      signedBytes: list.signedBytes, signature: list.signature, signer: list.signerCertificate,
      notBefore: list.notBefore, notAfter: list.notAfter, keyHashes: list.keyHashes,
      serialNumbers: list.serialNumbers.map { .init(issuer: $0.issuer, first: $0.first, last: $0.last) })
  }
}

extension AuthenticationExchange: Hashable {
  /// A challenge is for one connection: its nonce tells it from all others.
  static func == (left: AuthenticationExchange, right: AuthenticationExchange) -> Bool {
    left.mode == right.mode && left.challenge == right.challenge
  }
  func hash(into hasher: inout Hasher) { hasher.combine(challenge) }
}
