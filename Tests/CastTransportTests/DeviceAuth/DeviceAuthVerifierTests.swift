import Testing

@testable import CastTransport

/// The whole check, with credentials made here: what a proof must be for each verdict.
@Suite struct DeviceAuthVerifierTests {
  private static let now = 1_795_000_000
  private static let nonce = [UInt8](1...16)

  /// A device with a chain of its own, made once.
  private static let signer = Result { () throws(TransportError) in try DeviceAuthSigner(name: "Kitchen", now: now) }
  private let signer: DeviceAuthSigner
  private let tls: [UInt8]
  private let verifier: DeviceAuthVerifier

  init() throws {
    signer = try Self.signer.get()
    tls = try Certificate(commonName: "tls", now: Self.now).der
    verifier = try DeviceAuthVerifier.forDevices(extraRoots: [signer.rootPEM])
  }

  private func proof(
    nonce: [UInt8]? = nonce, hash: DeviceAuthHash = .sha256, over other: [UInt8]? = nil
  ) throws -> DeviceAuthVerifier.Proof {
    let signature = try #require(signer.sign(nonce: nonce ?? [], tlsCertificate: other ?? tls, hash: hash))
    return .init(signature: signature, certificates: [signer.certificateDER], nonce: nonce, hash: hash)
  }

  private func verify(
    _ answer: DeviceAuthVerifier.Answer, video: Bool? = nil, with verifier: DeviceAuthVerifier? = nil, at now: Int = now
  ) -> DeviceAuthReport {
    (verifier ?? self.verifier)
      .verify(answer, to: .init(nonce: Self.nonce, tlsCertificate: tls, hasVideoOutput: video), at: now)
  }

  @Test("A fresh proof under a root that is trusted is verified, and tells its chain")
  func verified() throws {
    let report = verify(.proof(try proof()), video: true)
    #expect(report.verdict == .verified && report.problems == [] && report.hash == .sha256)
    #expect(report.chain.map(\.commonName) == ["Kitchen", "Showcaller (virtual) Root CA"])
    #expect(report.reachesAnchor && report.tlsCertificate?.commonName == "tls" && report.revocations == .absent)
  }

  @Test("Without that root the same proof is untrusted: nothing a system trusts counts")
  func unknownRoot() throws {
    let report = verify(.proof(try proof()), with: try DeviceAuthVerifier.forDevices())
    #expect(report.verdict == .untrusted && report.mainProblem?.place == "auth.chain.untrusted@0")
    #expect(!report.reachesAnchor && report.chain.count == 1 && report.ending(within: .max) == [])
  }

  @Test("Of several receivers with roots of their own each is verified, in whatever order the roots are trusted")
  func severalRoots() throws {
    let signers = [signer] + (try ["Bath", "Attic"].map { name in try DeviceAuthSigner(name: name, now: Self.now) })
    for roots in [signers, signers.reversed()] {
      let verifier = try DeviceAuthVerifier.forDevices(extraRoots: roots.map(\.rootPEM))
      for signer in signers {
        let signature = try #require(signer.sign(nonce: Self.nonce, tlsCertificate: tls, hash: .sha256))
        let proof = DeviceAuthVerifier.Proof(
          signature: signature, certificates: [signer.certificateDER], nonce: Self.nonce, hash: .sha256)
        let report = verify(.proof(proof), with: verifier)
        #expect(report.verdict == .verified && report.problems == [], "\(report.chain.map(\.commonName))")
      }
    }
  }

  @Test("Roots of one name without key identifiers are all tried; a device of none of them stays untrusted")
  func namesakes() throws {
    let authorities = try (0..<3).map { _ in try DeviceAuthAuthority(now: Self.now, hasKeyIdentifiers: false) }
    let signers = try authorities.map { try DeviceAuthSigner(name: "TV", authority: $0, now: Self.now) }
    let verifier = try DeviceAuthVerifier.forDevices(extraRoots: signers.dropLast().map(\.rootPEM))
    for (index, signer) in signers.enumerated() {
      let signature = try #require(signer.sign(nonce: Self.nonce, tlsCertificate: tls, hash: .sha256))
      let proof = DeviceAuthVerifier.Proof(
        signature: signature, certificates: [signer.certificateDER], nonce: Self.nonce, hash: .sha256)
      let report = verify(.proof(proof), with: verifier)
      #expect(report.verdict == (index < 2 ? .verified : .untrusted), "\(index) \(report.problems)")
    }
  }

  @Test("One authority signs for any number of receivers, each by its name")
  func sharedAuthority() throws {
    let authority = LazyDeviceAuthAuthority { Self.now }
    let names = (0..<20).map { "TV \($0)" }
    let signers = try names.map { try DeviceAuthSigner(name: $0, authority: authority.get(), now: Self.now) }
    #expect(Set(signers.map(\.rootPEM)).count == 1 && Set(signers.map(\.certificateDER)).count == 20)
    let verifier = try DeviceAuthVerifier.forDevices(extraRoots: [authority.get().rootPEM])
    for (name, signer) in zip(names, signers) {
      let signature = try #require(signer.sign(nonce: Self.nonce, tlsCertificate: tls, hash: .sha1))
      let proof = DeviceAuthVerifier.Proof(
        signature: signature, certificates: [signer.certificateDER], nonce: Self.nonce, hash: .sha1)
      #expect(verify(.proof(proof), with: verifier).chain.first?.commonName == name)
    }
  }

  @Test("Credentials prove from another thread, the same at every call")
  func credentials() async throws {
    let authority = LazyDeviceAuthAuthority { Self.now }
    let credentials = DeviceCredentials(name: "Attic", authority: authority)
    let tls = tls
    let proofs = await withTaskGroup(of: DeviceCredentials.Proof?.self) { group in
      for _ in 0..<4 {
        group.addTask {
          await withCheckedContinuation { continuation in
            credentials.prove(nonce: Self.nonce, tlsCertificate: tls, hash: .sha256) {
              continuation.resume(returning: $0)
            }
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(proofs.map { $0?.certificateDER }).count == 1)
    let proof = try #require(proofs.first ?? nil)
    let verifier = try DeviceAuthVerifier.forDevices(extraRoots: [authority.get().rootPEM])
    let answer = DeviceAuthVerifier.Proof(
      signature: proof.signature, certificates: [proof.certificateDER], nonce: Self.nonce, hash: .sha256)
    #expect(verify(.proof(answer), with: verifier).verdict == .verified)
  }

  @Test("Each way of proving nothing has its verdict")
  func noProof() {
    #expect(verify(.none).verdict == .noProof)
    #expect(
      verify(.refusal("INTERNAL_ERROR")).problems.map(\.message) == ["the device has no proof to give: INTERNAL_ERROR"])
    #expect(verify(.malformed("x")).verdict == .malformed)
    #expect(verify(.unexpected("urn:x-cast:other")).problems.map(\.code) == [.unexpectedMessage])
  }

  @Test("An old proof, one for another device, or a downgraded one has its verdict")
  func badProofs() throws {
    #expect(verify(.proof(try proof(nonce: nil))).problems.map(\.code) == [.nonceAbsent])
    #expect(verify(.proof(try proof(nonce: nil))).verdict == .noNonce)
    #expect(verify(.proof(try proof(nonce: [1]))).verdict == .wrongNonce)
    let relayed = try proof(over: Certificate(commonName: "other", now: Self.now).der)
    #expect(verify(.proof(relayed)).problems.map(\.code) == [.signatureMismatch])
    #expect(verify(.proof(try proof(hash: .sha1))).problems.map(\.code) == [.proofSHA1])
    #expect(verify(.proof(try proof(hash: .sha1))).verdict == .weakHash)
    var changed = try proof()
    changed.isPKCS1 = false
    #expect(verify(.proof(changed)).problems.map(\.code) == [.proofAlgorithm])
    changed = try proof()
    changed.hash = nil
    #expect(verify(.proof(changed)).verdict == .badSignature)
    changed.signature = []
    #expect(verify(.proof(changed)).problems.map(\.code) == [.signatureEmpty])
  }

  @Test("Certificates that cannot be read, or too many, are refused before anything is verified")
  func certificates() throws {
    var changed = try proof()
    changed.certificates = []
    #expect(verify(.proof(changed)).problems.map(\.place) == ["auth.chain.malformed@0"])
    changed.certificates = [signer.certificateDER, [0x30]]
    #expect(verify(.proof(changed)).problems.map(\.place) == ["auth.chain.malformed@1"])
    changed.certificates = [[UInt8]](repeating: signer.certificateDER, count: 9)
    #expect(verify(.proof(changed)).problems.map(\.code) == [.tooManyCertificates])
  }

  @Test("The TLS certificate counts at its own dates, both ends included, and for 4 more days at most")
  func tlsDates() throws {
    let facts = try #require(verify(.none).tlsCertificate)
    #expect(facts.notBefore == Self.now - 3600 && facts.notAfter == facts.notBefore + 3 * 86400)
    func codes(at now: Int) throws -> [DeviceAuthProblem.Code] {
      verify(.proof(try proof()), at: now).problems.map(\.code).filter { $0.rawValue.hasPrefix("auth.tls") }
    }
    #expect(try codes(at: facts.notBefore) == [] && codes(at: facts.notBefore - 1) == [.tlsNotYetValid])
    #expect(try codes(at: facts.notAfter) == [] && codes(at: facts.notAfter + 1) == [.tlsExpired])
    #expect(try codes(at: facts.notAfter - 4 * 86400 - 1).contains(.tlsLifetime))
    #expect(!(try codes(at: facts.notAfter - 4 * 86400).contains(.tlsLifetime)))
    let question = DeviceAuthVerifier.Question(nonce: Self.nonce, tlsCertificate: nil)
    let report = verifier.verify(.proof(try proof()), to: question, at: Self.now)
    #expect(report.problems.map(\.code) == [.noTLSCertificate] && report.verdict == .badTLSCertificate)
  }

  @Test("A listed key, or a listed number under its issuer, is revoked for ever, whatever else is wrong")
  func revoked() throws {
    let anchors = try TrustAnchors.cast.get().adding(pem: signer.rootPEM)
    let chain = verify(.proof(try proof())).chain
    let serial = try #require(UInt64(chain[0].serialNumber, radix: 16))
    func report(_ keys: RevokedKeys, at now: Int = Self.now) throws -> DeviceAuthReport {
      let verifier = DeviceAuthVerifier(
        anchors: anchors, revocationAnchors: try TrustAnchors.castRevocation.get(), revoked: keys)
      return verify(.proof(try proof(nonce: nil)), with: verifier, at: now)
    }
    #expect(try report(RevokedKeys(keyHashes: [chain[0].keyHash])).mainProblem?.place == "auth.revoked.key@0")
    #expect(try report(RevokedKeys(keyHashes: [chain[1].keyHash])).mainProblem?.place == "auth.revoked.key@1")
    let numbers = RevokedKeys(serialNumbers: [chain[1].keyHash: [serial...serial]])
    #expect(try report(numbers).mainProblem?.place == "auth.revoked.serial@0")
    #expect(try report(numbers, at: Self.now + 20 * 365 * 86400).verdict == .revoked)
    let next = RevokedKeys(serialNumbers: [chain[1].keyHash: [serial &+ 1...serial &+ 1]])
    #expect(try report(next).verdict == .noNonce)
  }

  @Test("A device without a revocation list is refused only where one is required")
  func requiresList() throws {
    var strict = verifier
    strict.requiresRevocations = true
    #expect(verify(.proof(try proof()), with: strict).verdict == .noRevocationList)
    var bad = try proof()
    bad.revocations = .unreadable("it cannot be read")
    #expect(verify(.proof(bad), with: strict).problems.map(\.code) == [.revocationsInvalid])
    guard case .ignored = verify(.proof(bad)).revocations else {
      Issue.record("it was used")
      return
    }
    #expect(verify(.proof(bad)).isVerified)
  }

  @Test("Certificates that end within 90 days are named")
  func endings() throws {
    let report = verify(.proof(try proof()))
    let end = try #require(report.chain.first?.notAfter)
    var later = report
    later.checkedAt = end - 90 * 86400
    #expect(later.ending().isEmpty)
    later.checkedAt += 1
    #expect(later.ending().map(\.commonName) == ["Kitchen", "Showcaller (virtual) Root CA"])
    later.checkedAt = end + 1
    #expect(later.ending().isEmpty)
  }

  @Test("Too long a nonce is not signed")
  func longNonce() {
    #expect(signer.sign(nonce: [UInt8](repeating: 1, count: 256), tlsCertificate: tls, hash: .sha1) != nil)
    #expect(signer.sign(nonce: [UInt8](repeating: 1, count: 257), tlsCertificate: tls, hash: .sha1) == nil)
  }

  @Test("The worst problem is the verdict, and every verdict but verified has a cure")
  func verdicts() {
    var report = DeviceAuthReport(problems: [DeviceAuthProblem(.nonceAbsent)], checkedAt: 0)
    #expect(report.verdict == .noNonce)
    report.problems.append(DeviceAuthProblem(.chainExpired, depth: 1))
    #expect(report.verdict == .expiredChain && report.mainProblem?.depth == 1)
    report.problems.append(DeviceAuthProblem(.revokedKey, depth: 0))
    #expect(report.verdict == .revoked)
    for verdict in DeviceAuthVerdict.allCases { #expect((verdict.help == nil) == (verdict == .verified)) }
    for code in DeviceAuthProblem.Code.allCases {
      #expect(DeviceAuthProblem(code, depth: 0).message.first?.isLowercase == true && code.rawValue.hasPrefix("auth."))
      #expect(DeviceAuthProblem(code).verdict != .verified)
    }
  }
}

/// What is built in.
@Suite struct TrustAnchorTests {
  @Test("The built-in roots are those whose SHA-256 is written beside them")
  func roots() throws {
    let pinned = [TrustAnchors.castRootCA, TrustAnchors.eurekaRootCA, TrustAnchors.castCRLRootCA]
    let expected = [
      "809af14700b3fe2611ad597eb1584d6354313b64ccdb3390f097fa3e5826d6ca",
      "caf6d1e37b532203e01a76bf07187bb731ccd38801565ab2211a2c0ab7f3bc46",
      "8b77c60291f9d62764613083f49750b1c5caac2d9efbe5a28edf301f9d84831d",
    ]
    #expect(pinned.map(\.sha256) == expected)
    let found = try TrustAnchors.cast.get().certificates + TrustAnchors.castRevocation.get().certificates
    #expect(found.map { Digest.sha256($0.der) } == expected)
    #expect(found.allSatisfy { $0.isSelfSigned && $0.isAuthority })
    #expect(RevokedKeys.known.keyHashes.count == 13 && RevokedKeys.known.serialNumbers.count == 2)
  }

  @Test("The built-in roots are the published ones", .enabled(if: Reference.has("auth/roots")))
  func published() throws {
    for (pinned, file) in [
      (TrustAnchors.castRootCA, "cast_root_ca"), (TrustAnchors.eurekaRootCA, "eureka_root_ca"),
      (TrustAnchors.castCRLRootCA, "cast_crl_root_ca"),
    ] {
      let bytes = try Reference.bytes("auth/roots/\(file).pem")
      #expect(
        TrustAnchors.certificates(inPEM: bytes).map(\.der)
          == TrustAnchors.certificates(inPEM: Array(pinned.pem.utf8)).map(\.der))
    }
  }

  @Test("Every certificate of a file of roots counts, however many; too many, or one that cannot be read, are refused")
  func manyRoots() throws {
    let root = TrustAnchors.castRootCA.pem + "\n"
    #expect(try TrustAnchors(pem: Array(String(repeating: root, count: 40).utf8)).certificates.count == 40)
    let encrypted = root.replacing(
      "-----BEGIN CERTIFICATE-----\n",
      with: "-----BEGIN CERTIFICATE-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,0011223344556677\n\n")
    let limit = TrustAnchors.certificateLimit
    let refused = [
      String(repeating: root, count: limit + 1): "it holds more than \(limit) certificates",
      root + "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n" + root:
        "a certificate after the first 1 in it cannot be read",
      encrypted: "a certificate in it cannot be read",
    ]
    for (text, message) in refused {
      let error = #expect(throws: TransportError.self) { try TrustAnchors(pem: Array(text.utf8)) }
      #expect(error?.code == .badCertificate && error?.message == message)
    }
  }

  static let noRoots = [
    "", "x", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "-----BEGIN PRIVATE KEY-----\n",
  ]
  @Test("What is no certificate is no root", arguments: noRoots)
  func noRoot(text: String) {
    #expect(throws: TransportError.self) { try TrustAnchors(pem: Array(text.utf8)) }
  }

  @Test("A certificate that may not issue others is no root", .enabled(if: Reference.has("auth/generated")))
  func leafAsRoot() throws {
    let pem = try Reference.bytes("auth/generated/leaf_ok.pem")
    #expect(throws: TransportError.self) { try TrustAnchors(pem: pem) }
  }
}
