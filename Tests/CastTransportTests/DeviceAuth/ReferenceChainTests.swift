import Testing

@testable import CastTransport

/// Every published chain with the verdict that was measured for it, at its date.
@Suite(.enabled(if: Reference.has("auth/certificates"))) struct ReferenceChainTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var file: String
    var at: Int
    /// Codes with the place of the certificate; empty: accepted.
    var problems: [String] = []
    var isAudioOnly = false
    /// The last certificate of the file is its root; else Google's two are.
    var hasOwnRoot = false

    var testDescription: String { "\(file) at \(at)" }
  }

  private static let today = utc(2026, 11, 21)
  private static let spring2016 = utc(2016, 4, 1)

  private static let allExpired = (0...2).map { "auth.chain.expired@\($0)" }

  static let production = [
    Case(file: "chromecast_gen1", at: spring2016), Case(file: "chromecast_gen1", at: today),
    // The root has ended by then, which does not count.
    Case(file: "chromecast_gen1", at: utc(2032, 12, 13)),
    Case(file: "chromecast_gen1_reissue", at: spring2016),
    Case(file: "chromecast_gen1_reissue", at: utc(2019, 4, 2, 20, 58, 54)),
    Case(file: "chromecast_gen1_reissue", at: utc(2019, 4, 2, 20, 58, 55), problems: ["auth.chain.expired@1"]),
    Case(file: "chromecast_gen1_reissue", at: utc(2019, 4, 3), problems: ["auth.chain.expired@1"]),
    Case(file: "chromecast_gen2", at: spring2016),
    Case(
      file: "chromecast_gen2", at: utc(2015, 1, 1),
      problems: ["auth.chain.not_yet_valid@0", "auth.chain.not_yet_valid@1"]
    ),
    // The outage of March 2025, to the second.
    Case(file: "chromecast_gen2", at: utc(2025, 3, 9, 16, 44, 39)),
    Case(file: "chromecast_gen2", at: utc(2025, 3, 9, 16, 44, 40), problems: ["auth.chain.expired@1"]),
    Case(file: "chromecast_gen2", at: today, problems: ["auth.chain.expired@1"]),
    Case(file: "chromecast_audio", at: spring2016, isAudioOnly: true),
    Case(file: "chromecast_audio", at: utc(2025, 3, 9, 16, 44, 40), isAudioOnly: true),
    Case(file: "chromecast_audio", at: utc(2025, 3, 9, 16, 44, 57), isAudioOnly: true),
    Case(
      file: "chromecast_audio", at: utc(2025, 3, 9, 16, 44, 58), problems: ["auth.chain.expired@1"], isAudioOnly: true),
    Case(file: "chromecast_audio", at: today, problems: ["auth.chain.expired@1"], isAudioOnly: true),
    Case(file: "vizio", at: spring2016),
    Case(file: "vizio", at: utc(2016, 11, 12), problems: ["auth.chain.expired@0"]),
    Case(file: "fugu", at: spring2016), Case(file: "fugu", at: utc(2017, 3, 19), problems: ["auth.chain.expired@0"]),
    Case(file: "mtk_audio_dev", at: utc(2015, 1, 1), isAudioOnly: true),
    Case(file: "mtk_audio_dev", at: spring2016, problems: allExpired, isAudioOnly: true),
    Case(file: "audio_ref_dev_test_chain_3", at: spring2016, isAudioOnly: true),
    Case(file: "audio_ref_dev_test_chain_3", at: utc(2016, 5, 2), problems: allExpired, isAudioOnly: true),
    Case(file: "intermediate_serialnumber_toolong", at: spring2016, isAudioOnly: true),
    Case(file: "intermediate_serialnumber_toolong", at: today, isAudioOnly: true),
    // The path is right; that the key is revoked is told apart from it.
    Case(file: "revoked_device_WDFT3", at: today),
    Case(file: "unchained", at: spring2016, problems: ["auth.chain.untrusted@0"]),
    Case(
      file: "cast_root_ca", at: spring2016,
      problems: ["auth.chain.purpose@0", "auth.chain.key_usage@0", "auth.chain.not_a_device@0"]),
    Case(
      file: "generated_root_cast_receiver", at: utc(2024, 4, 3),
      problems: ["auth.chain.untrusted@0", "auth.chain.not_a_device@0"]),
  ]

  private static let policies = ["anypolicy", "audioonly", "none"].flatMap { issuer in
    ["anypolicy", "audioonly", "foo", "none"].map { leaf in
      Case(
        file: "policies_ica_\(issuer)_leaf_\(leaf)", at: spring2016,
        isAudioOnly: issuer == "audioonly" || leaf == "audioonly",
        hasOwnRoot: true)
    }
  }

  static let synthetic =
    policies + [
      Case(file: "expired_root", at: spring2016, hasOwnRoot: true),
      Case(
        file: "violates_root_pathlen_constraint", at: spring2016, problems: ["auth.chain.pathlen@3"], hasOwnRoot: true),
      Case(file: "rsa1024_device_cert", at: spring2016, problems: ["auth.chain.key@0"], hasOwnRoot: true),
      Case(file: "rsa2048_device_cert", at: spring2016, hasOwnRoot: true),
      Case(file: "nc", at: utc(2020, 4, 1), hasOwnRoot: true),
      Case(file: "nc_fail", at: utc(2020, 4, 1), problems: ["auth.chain.name_constraints@0"], hasOwnRoot: true),
    ]

  @Test("A published chain is judged as measured", arguments: production + synthetic)
  func chain(_ expected: Case) throws {
    let bytes = try Reference.bytes("auth/certificates/\(expected.file).pem")
    var certificates = TrustAnchors.certificates(inPEM: bytes)
    var anchors = try TrustAnchors.cast.get()
    if expected.hasOwnRoot { anchors = try TrustAnchors([certificates.removeLast()]) }
    let leaf = try #require(certificates.first)
    let path = CertificatePath(
      from: leaf, intermediates: Array(certificates.dropFirst()), to: anchors, for: .provingDevice, at: expected.at)
    #expect(path.problems.map(\.place).uniqued == expected.problems)
    #expect(path.isAudioOnly == expected.isAudioOnly)
  }

  @Test("Every published chain is in the table")
  func complete() throws {
    let names = Set((Self.production + Self.synthetic).map { $0.file + ".pem" })
    let others: Set = ["cast_test_root_ca.pem", "cast_crl_test_root_ca.pem", "test_tls_cert.pem"]
    #expect(try Set(Reference.files(in: "auth/certificates")).subtracting(names) == others)
    #expect(Self.production.count == 31 && Self.synthetic.count == 18)
  }

  @Test("Of two issues of one issuer the one that counts now is found, in either order", arguments: [false, true])
  func crossIssue(isReversed: Bool) throws {
    let first = try certificates("chromecast_gen1")
    let issuers = [first[1], try certificates("chromecast_gen1_reissue")[1]]
    let path = CertificatePath(
      from: first[0], intermediates: isReversed ? issuers.reversed() : issuers, to: try TrustAnchors.cast.get(),
      for: .provingDevice, at: Self.today)
    #expect(path.problems == [] && path.certificates.count == 3)
  }

  static let generated: [(file: String, issuer: String, problems: [String])] = [
    ("leaf_ok", "ica_ok", []),
    ("leaf_ok", "ica_noku", []),
    ("leaf_srv", "ica_ok", ["auth.chain.purpose@0"]),
    ("leaf_ke", "ica_ok", ["auth.chain.key_usage@0", "auth.chain.purpose@0"]),
    ("leaf_crit", "ica_ok", ["auth.chain.critical_extension@0"]),
    ("leaf_noku", "ica_ok", ["auth.chain.key_usage@0"]),
    ("leaf_ka", "ica_ok", ["auth.chain.key_usage@0"]),
    ("leaf_md5sig", "ica_ok", ["auth.chain.algorithm@0"]),
    ("leaf_ca", "ica_ok", ["auth.chain.not_a_device@0"]),
    ("leaf_ok", "ica_noca", ["auth.chain.not_an_authority@1"]),
    ("leaf_ok", "ica_badku", ["auth.chain.not_an_authority@1"]),
    ("leaf_ok", "ica_srv", ["auth.chain.purpose@1"]),
  ]
  @Test("A certificate that breaks one rule is refused for it", arguments: generated)
  func brokenRule(file: String, issuer: String, problems: [String]) throws {
    let anchors = try TrustAnchors(pem: Reference.bytes("auth/generated/test_root.pem"))
    let leaf = try #require(TrustAnchors.certificates(inPEM: Reference.bytes("auth/generated/\(file).pem")).first)
    let issuers = try TrustAnchors.certificates(inPEM: Reference.bytes("auth/generated/\(issuer).pem"))
    let path = CertificatePath(
      from: leaf, intermediates: issuers, to: anchors, for: .provingDevice, at: 1_796_083_200)
    #expect(path.problems.map(\.place).uniqued.sorted() == problems)
  }

  @Test("Bytes behind a certificate make it invalid, and so does every cut")
  func trailingBytes() throws {
    let bytes = try Reference.bytes("auth/generated/leaf_trailing_bytes.der")
    #expect(X509Certificate(der: bytes) == nil)
    #expect(X509Certificate(der: bytes.dropLast(5)) != nil)
    for length in 0..<bytes.count - 5 { #expect(X509Certificate(der: Array(bytes.prefix(length))) == nil) }
    #expect(X509Certificate(der: bytes.dropLast(5) + [UInt8](repeating: 0, count: 9000)) == nil)
  }

  @Test("The key of a published revoked device is on the built-in list; those of others are not")
  func denyList() throws {
    let anchors = try TrustAnchors.cast.get()
    for expected in Self.production where expected.problems.isEmpty {
      let chain = try certificates(expected.file)
      let path = CertificatePath(
        from: chain[0], intermediates: Array(chain.dropFirst()), to: anchors, for: .provingDevice, at: expected.at)
      let problem = RevokedKeys.known.problem(in: path.certificates)
      #expect(
        problem?.place == (expected.file == "revoked_device_WDFT3" ? "auth.revoked.key@0" : nil), "\(expected.file)")
    }
  }

  // MARK: signatures

  static let signed: [(data: String, chain: String)] = [
    ("2ZZBG9_FA8FCA3EF91A", "chromecast_gen1"), ("AudioReferenceDevTest", "audio_ref_dev_test_chain_3"),
    ("rsa2048_device_cert_data", "rsa2048_device_cert"), ("rsa1024_device_cert_data", "rsa1024_device_cert"),
  ]
  @Test("A published signature verifies with its key and hash, and with nothing else", arguments: signed)
  func signature(data: String, chain: String) throws {
    let blocks = PEMBlocks(try Reference.bytes("auth/signeddata/\(data).pem"))
    let message = try #require(blocks["MESSAGE"])
    let leaf = try certificates(chain)[0]
    let other = try certificates("chromecast_gen2")[0]
    for hash in [DeviceAuthHash.sha1, .sha256] {
      let signature = try #require(blocks["SIGNATURE \(hash == .sha1 ? "SHA1" : "SHA256")"])
      #expect(leaf.verifies(signature, of: message, hash: hash))
      #expect(!leaf.verifies(signature, of: message, hash: hash == .sha1 ? .sha256 : .sha1))
      #expect(!other.verifies(signature, of: message, hash: hash))
      #expect(!leaf.verifies([], of: message, hash: hash))
      #expect(!leaf.verifies(signature + [0], of: message, hash: hash))
      for index in signature.indices {
        var wrong = signature
        wrong[index] ^= 1
        #expect(!leaf.verifies(wrong, of: message, hash: hash))
      }
      var wrong = message
      wrong[0] ^= 0x80
      #expect(!leaf.verifies(signature, of: wrong, hash: hash))
    }
  }

  private func certificates(_ name: String) throws -> [X509Certificate] {
    try TrustAnchors.certificates(inPEM: Reference.bytes("auth/certificates/\(name).pem"))
  }
}

extension DeviceAuthProblem {
  /// `auth.chain.expired@1`.
  var place: String { code.rawValue + (depth.map { "@\($0)" } ?? "") }
}

extension Array where Element: Hashable {
  /// Each element once, where it first stood.
  var uniqued: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
