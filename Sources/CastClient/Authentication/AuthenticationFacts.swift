package import CastProtocol
package import CastTransport

/// What a connection's device authentication came to, in the words that events and people use.
package struct AuthenticationFacts: Hashable, Sendable {
  /// A certificate that will not last.
  package struct Ending: Hashable, Sendable {
    package var name: String
    /// Unix time in seconds.
    package var notAfter: Int

    package init(name: String, notAfter: Int) {
      self.name = name
      self.notAfter = notAfter
    }
  }

  package var verdict: AuthenticationVerdict
  package var isVerified = false
  /// Why it is not verified; `nil`: it is, or nobody asked.
  package var problem: String?
  package var help: String?
  /// Whether the device proves nothing, or only that it is a virtual receiver, which is no sign of a false one.
  package var hasNoProof = false
  /// Certificates of its chain that end within 90 days.
  package var endings: [Ending] = []
  /// Issuers that have expired and were accepted because we were told to.
  package var acceptedExpired: [String] = []

  /// The key that the device proved to have, the SHA-256 of it.
  package var provenKey: String?
  /// What is to be told of the keys of devices that are kept: one line, and what to do about it.
  package var keyNotes: [KeyNote] = []

  /// Something about the key of a device.
  package struct KeyNote: Hashable, Sendable {
    package var text: String
    package var help: String?
    /// Whether `pin` could not do what it is for: the next run does not know this device by its key.
    package var isUnpinned: Bool

    package init(text: String, help: String? = nil, isUnpinned: Bool = false) {
      self.text = text
      self.help = help
      self.isUnpinned = isUnpinned
    }
  }

  package static let unchecked = AuthenticationFacts(verdict: .unchecked)
  /// The device was asked, and has not answered yet.
  package static let pending = AuthenticationFacts(verdict: .pending)
  /// The device ends the connection when it is asked, so that it was not asked any more.
  package static let closesWhenAsked = {
    var facts = AuthenticationFacts(verdict: .noProof)
    facts.problem = "it closes the connection when it is asked for a proof, and was connected to without"
    facts.help = "`auth: none` does not ask it"
    return facts
  }()

  /// Why people are to be warned of it; `nil`: they are not.
  package var doubt: String? { hasNoProof ? nil : problem }

  /// Whether the proof may still come.
  package var isPending: Bool { self == .pending }

  package init(verdict: AuthenticationVerdict) { self.verdict = verdict }

  package init(_ report: DeviceAuthReport?) {
    guard let report else {
      self = .unchecked
      return
    }
    verdict = AuthenticationVerdict(report.verdict)
    isVerified = report.isVerified
    problem = report.mainProblem.map { "\($0.message) (\($0.code.rawValue))" }
    help = report.help
    let isGone = report.problems.contains { $0.code == .keyNotShown }
    hasNoProof = !isGone && (report.verdict == .noProof || report.isOfVirtualReceiver)
    provenKey = report.provenKey
    endings = report.ending().map { Ending(name: $0.commonName ?? $0.keyHash, notAfter: $0.notAfter) }
    acceptedExpired = report.acceptedExpired.filter(report.chain.indices.contains)
      .map { report.chain[$0].commonName ?? report.chain[$0].keyHash }
  }
}

extension AuthenticationVerdict {
  /// What the check of a proof came to.
  package init(_ verdict: DeviceAuthVerdict) {
    self =
      switch verdict {
      case .otherKey: .otherKey
      case .noProof: .noProof
      case .malformed: .malformed
      case .revoked: .revoked
      case .undecidable: .undecidable
      case .untrusted: .untrusted
      case .badSignature: .badSignature
      case .wrongNonce: .wrongNonce
      case .badTLSCertificate: .badTLSCertificate
      case .expiredChain: .expiredChain
      case .weakHash: .weakHash
      case .noNonce: .noNonce
      case .audioOnly: .audioOnly
      case .noRevocationList: .noRevocationList
      case .verified: .verified
      }
  }
}
