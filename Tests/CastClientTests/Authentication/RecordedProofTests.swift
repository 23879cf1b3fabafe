import CastProtocol
import TestSupport
import Testing

@testable import CastClient
@testable import CastTransport

/// The proof that openscreen recorded, with its own root, at its date.
@Suite(.enabled(if: Reference.has("auth/receiver_channel"))) struct RecordedProofTests {
  private static let now = utc(2019, 12, 17)
  private static let folder = "auth/receiver_channel/"

  private let recorded: [UInt8]
  private let question: DeviceAuthVerifier.Question
  private let verifier: DeviceAuthVerifier

  init() throws {
    recorded = try Reference.bytes(Self.folder + "auth_response.pb")
    let message = try CastMessage(decoding: Reference.bytes(Self.folder + "auth_challenge.pb"))
    guard case .binary(let bytes) = message.payload,
      case .challenge(let challenge) = try DeviceAuthMessage(decoding: bytes)
    else { throw ClientError(.protocol, "the recorded challenge cannot be read") }
    let chain = TrustAnchors.certificates(inPEM: try Reference.bytes(Self.folder + "device_chain.pem"))
    let tls = TrustAnchors.certificates(inPEM: try Reference.bytes(Self.folder + "device_tls.pem"))
    question = .init(nonce: try #require(challenge.nonce), tlsCertificate: try #require(tls.first).der)
    verifier = DeviceAuthVerifier(
      anchors: try TrustAnchors([try #require(chain.last)]),
      revocationAnchors: try TrustAnchors(pem: Reference.bytes(Self.folder + "crl_root.pem")))
  }

  /// The bare response in the message that carries it.
  private static func wrapped(_ response: [UInt8]) -> [UInt8] {
    [0x12, UInt8(response.count & 0x7F) | 0x80, UInt8(response.count >> 7)] + response
  }

  private func response(_ bytes: [UInt8]? = nil) throws -> DeviceAuthMessage.Response {
    guard case .response(let response) = try DeviceAuthMessage(decoding: Self.wrapped(bytes ?? recorded)) else {
      throw ClientError(.protocol, "it is no response")
    }
    return response
  }

  private func verify(
    _ response: DeviceAuthMessage.Response, at now: Int = now, to other: DeviceAuthVerifier.Question? = nil
  ) -> DeviceAuthReport {
    verifier.verify(.proof(DeviceAuthVerifier.Proof(response)), to: other ?? question, at: now)
  }

  @Test("The recorded proof is verified at its date, and at no other")
  func verified() throws {
    let report = verify(try response())
    #expect(report.problems == [] && report.chain.count == 3 && report.hash == .sha256)
    #expect(report.revocations == .absent)
    #expect(verify(try response(), at: utc(2026, 11, 21)).problems.map(\.code).contains(.chainExpired))
  }

  @Test("Of 5 000 seeded bit flips none is accepted")
  func bitFlips() throws {
    let original = try response()
    var generator = SeededGenerator(seed: 20_191_217)
    var (judged, accepted, harmless) = (0, 0, 0)
    while judged < 5000 {
      var bytes = recorded
      let bit = Int(generator.next() % UInt64(bytes.count * 8))
      bytes[bit / 8] ^= 1 << (bit % 8)
      guard let changed = try? response(bytes) else {
        judged += 1
        continue
      }
      // Protobuf reads some flips as the very same message: of a default, or of a field that was empty.
      if changed == original {
        harmless += 1
        continue
      }
      judged += 1
      if verify(changed).isVerified { accepted += 1 }
    }
    #expect(judged == 5000 && accepted == 0)
    #expect(harmless < 10, "\(harmless) flips changed nothing")
  }

  @Test("Every single bit of the recorded signature counts, and so does every byte of nonce and TLS certificate")
  func signature() throws {
    let original = try response()
    for bit in 0..<original.signature.count * 8 {
      var changed = original
      changed.signature[bit / 8] ^= 1 << (bit % 8)
      #expect(verify(changed).verdict == .badSignature)
    }
    for index in question.nonce.indices {
      var other = question
      other.nonce[index] ^= 1
      #expect(verify(original, to: other).verdict == .wrongNonce)
    }
    var silent = original
    silent.nonce = nil
    #expect(verify(silent).verdict == .noNonce)
    var downgraded = original
    downgraded.hashAlgorithm = .sha1
    #expect(verify(downgraded).verdict == .badSignature)
    downgraded = original
    downgraded.signatureAlgorithm = .pss
    #expect(verify(downgraded).verdict == .badSignature)
    var other = question
    other.tlsCertificate =
      TrustAnchors.certificates(
        inPEM: try Reference.bytes("auth/generated/tls_v1_sha1_selfsigned.pem")
      ).first?.der
    #expect(verify(original, to: other).problems.map(\.code).contains(.signatureMismatch))
  }

  static let lists: [(file: String, problem: DeviceAuthProblem.Code?, depth: Int?)] = [
    ("good_crl", nil, nil), ("invalid_time_crl", .revocationsInvalid, nil), ("issuer_revoked_crl", .revokedKey, 1),
    ("device_revoked_crl", .revokedKey, 0), ("issuer_serial_revoked_crl", .revokedSerial, 1),
    ("device_serial_revoked_crl", .revokedSerial, 0), ("bad_signer_cert_crl", .revocationsInvalid, nil),
    ("bad_signature_crl", .revocationsInvalid, nil),
  ]
  @Test("Each of the 8 published revocation lists has its published verdict", arguments: lists)
  func revocationList(file: String, problem: DeviceAuthProblem.Code?, depth: Int?) throws {
    #expect(Self.lists.count == 8)
    var changed = try response()
    changed.revocations = try Reference.bytes(Self.folder + file + ".pb")
    var strict = verifier
    strict.requiresRevocations = true
    let report = strict.verify(.proof(DeviceAuthVerifier.Proof(changed)), to: question, at: Self.now)
    #expect(report.problems.map(\.code) == [problem].compactMap { $0 } && report.problems.first?.depth == depth)
    if problem == nil, case .used(let begin, let end) = report.revocations {
      #expect(Int(begin) == utc(2019, 7, 16, 8) && Int(end) == utc(2020, 7, 23, 8))
    }
    // A list that is invalid is as good as none where none is required.
    #expect(verify(changed).isVerified == (problem == nil || problem == .revocationsInvalid))
  }

  @Test("Every single-byte change of a valid list makes it invalid or leaves what it says as it is")
  func changedLists() throws {
    let bytes = try Reference.bytes(Self.folder + "device_revoked_crl.pb")
    let anchors = try TrustAnchors(pem: Reference.bytes(Self.folder + "crl_root.pem"))
    let signed = try #require(Self.list(bytes))
    let original = try VerifiedRevocations(verifying: signed, signedUnder: anchors, at: Self.now)
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 1
      guard let list = Self.list(changed) else { continue }
      let verified = try? VerifiedRevocations(verifying: list, signedUnder: anchors, at: Self.now)
      #expect(verified == nil || verified == original, "byte \(index)")
    }
  }

  private static func list(_ bundle: [UInt8]) -> SignedRevocations? {
    if case .list(let list) = DeviceAuthVerifier.Proof.Revocations(bundle: bundle) { list } else { nil }
  }

  @Test("The known revoked keys are those of Google's own signed list", .enabled(if: Reference.has("auth/crl")))
  func builtIn() throws {
    let bundle = try Reference.bytes("auth/crl/cast_fallback_crl.pb")
    #expect(Digest.sha256(bundle) == "2576ba74902221bd1a231a67cc4fc6862bd85d438edec26881fa1f5dfe5e25fc")
    let signed = try #require(Self.list(bundle))
    let anchors = try TrustAnchors.castRevocation.get()
    // Within its window and its signer's.
    let list = try VerifiedRevocations(verifying: signed, signedUnder: anchors, at: utc(2023, 8, 10))
    #expect(list.keys == RevokedKeys.known && Int(list.notBefore) == RevokedKeys.knownSince)
    #expect(throws: DeviceAuthProblem.self) {
      try VerifiedRevocations(verifying: signed, signedUnder: anchors, at: utc(2026, 11, 21))
    }
  }
}
