/// The outcome of device authentication on one connection.
package struct DeviceAuthReport: Hashable, Sendable {
  /// What became of the device's own revocation list.
  package enum Revocations: Hashable, Sendable {
    case absent
    /// It was not used; why.
    case ignored(DeviceAuthProblem)
    /// Unix times.
    case used(notBefore: UInt64, notAfter: UInt64)
  }

  /// All that is wrong; empty: verified.
  package var problems: [DeviceAuthProblem]
  /// From the device to the root, as far as a path was found; the device alone where none was.
  package var chain: [CertificateFacts] = []
  /// Whether ``chain`` ends in a root we know.
  package var reachesAnchor = false
  /// The certificate of the connection itself.
  package var tlsCertificate: CertificateFacts?
  package var isAudioOnly = false
  package var revocations = Revocations.absent
  /// What the proof is hashed with, where that is known.
  package var hash: DeviceAuthHash?
  /// Expired issuers that were accepted because we were told to, as places in ``chain``.
  package var acceptedExpired: [Int] = []
  /// Unix time of the check.
  package var checkedAt: Int

  package init(problems: [DeviceAuthProblem], checkedAt: Int) {
    self.problems = problems
    self.checkedAt = checkedAt
  }

  package var verdict: DeviceAuthVerdict {
    let verdicts = Set(problems.map(\.verdict))
    return DeviceAuthVerdict.allCases.first(where: verdicts.contains) ?? .verified
  }

  package var isVerified: Bool { problems.isEmpty }

  /// Whether the only problem is that the chain ends in a root such as virtual receivers make for themselves. Anybody can
  /// make one, as anybody can give no proof at all: it says as little for a device as against it.
  package var isOfVirtualReceiver: Bool {
    !problems.isEmpty && problems.allSatisfy { $0.code == .chainUntrusted }
      && chain.last?.issuer == DeviceAuthAuthority.rootName
  }

  /// What the verdict rests on first.
  package var mainProblem: DeviceAuthProblem? {
    let verdict = verdict
    return problems.first { $0.verdict == verdict }
  }

  /// What can be done about it.
  package var help: String? { mainProblem?.help ?? verdict.help }

  /// The SHA-256 of the key that the device proved to have, lower-case hexadecimal; `nil`: it proved none.
  package var provenKey: String? {
    let others = problems.contains { $0.code != .otherKey }
    return others ? nil : chain.first?.keyHash
  }

  /// Who of the chain ends within `seconds` from the check, and has not ended yet.
  package func ending(within seconds: Int = 90 * 24 * 60 * 60) -> [CertificateFacts] {
    guard reachesAnchor else { return [] }
    return chain.filter { checkedAt <= $0.notAfter && $0.notAfter - checkedAt < seconds }
  }
}
