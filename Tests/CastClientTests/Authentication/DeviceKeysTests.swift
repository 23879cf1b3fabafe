import CastTransport
import Testing

@testable import CastClient

@Suite("The key that a device proved itself with is compared with the one it had first")
struct DeviceKeysTests {
  private static let now = 1_795_000_000
  private static let signers = Result { () throws(TransportError) in
    // Receivers of one authority share a key.
    [try DeviceAuthSigner(name: "One", now: now), try DeviceAuthSigner(name: "Other", now: now)]
  }

  /// What a device with the credentials of `signer` proves, but for its TLS certificate, which no rule here is about.
  private static func report(_ number: Int, at time: Int = now, proves: Bool = true) throws -> DeviceAuthReport {
    let signer = try signers.get()[number]
    let verifier = try DeviceAuthVerifier.forDevices(extraRoots: [signer.rootPEM])
    let question = DeviceAuthVerifier.Question(nonce: [1], tlsCertificate: signer.certificateDER, hasVideoOutput: nil)
    var proof = DeviceAuthVerifier.Proof(
      signature: signer.sign(nonce: [1], tlsCertificate: signer.certificateDER, hash: .sha256) ?? [],
      certificates: [signer.certificateDER], nonce: [1], isPKCS1: true, hash: .sha256, revocations: .absent)
    if !proves { proof.nonce = [2] }
    var report = verifier.verify(.proof(proof), to: question, at: time)
    report.problems.removeAll { $0.code == .tlsLifetime }
    return report
  }

  private static func check(_ keys: DeviceKeys, _ device: String = "id a", remembers: Bool = true) -> DeviceKeyCheck {
    DeviceKeyCheck(
      keys, device: device, remembersFirst: remembers, forgetting: "showcaller auth -d a --forget",
      date: { "day \($0 / 86_400)" })
  }

  private static func codes(_ report: DeviceAuthReport) -> [DeviceAuthProblem.Code] { report.problems.map(\.code) }

  @Test("The first key is remembered, the same is fine, another is class auth in each mode that asks")
  func changed() throws {
    for mode in AuthenticationMode.allCases where mode != .none {
      let keys = DeviceKeys()
      let check = Self.check(keys)
      #expect(Self.codes(check.judged(try Self.report(0), in: mode)) == [])
      #expect(Self.codes(check.judged(try Self.report(0), in: mode)) == [])
      let other = check.judged(try Self.report(1), in: mode)
      #expect(Self.codes(other) == [.otherKey] && other.verdict == .otherKey)
      let error = AuthenticationExchange.error(other)
      #expect(error.class == .auth && error.message.contains("(auth.key.changed)"))
      // Another device is another matter, and the first key stays the one that counts.
      #expect(Self.codes(Self.check(keys, "id b").judged(try Self.report(1), in: mode)) == [])
      #expect(Self.codes(check.judged(try Self.report(0), in: mode)) == [])
    }
  }

  @Test("What was expected, since when and the cure are told; a kept key has a command that forgets it")
  func told() throws {
    let shown = try #require(try Self.report(1).provenKey)
    let expected = String(repeating: "ab", count: 32)
    for isKept in [true, false] {
      let first = KnownKey(hash: expected, since: 86_400 * 7, isKept: isKept)
      let problem = try #require(Self.check(DeviceKeys()).problem(of: shown, expecting: first))
      let message =
        "sha-256 abababababababab… is \(isKept ? "kept" : "known") since day 7, it showed \(shown.prefix(16))…"
      #expect(problem.message.hasSuffix(": \(message)"))
      #expect(problem.help?.contains("`showcaller auth -d a --forget`") == isKept)
      #expect(Self.check(DeviceKeys()).problem(of: expected, expecting: first) == nil)
    }
  }

  @Test("A kept key counts from the first connection on; what is forgotten where it is kept is forgotten here")
  func kept() throws {
    let keys = DeviceKeys()
    let check = Self.check(keys)
    keys.take(kept: KnownKey(hash: String(repeating: "0", count: 64), since: 0, isKept: true), of: "id a")
    #expect(Self.codes(check.judged(try Self.report(0), in: .pin)) == [.otherKey])
    keys.take(kept: nil, of: "id a")
    #expect(Self.codes(check.judged(try Self.report(0), in: .pin)) == [])
    // A key that is known from this run alone is not forgotten by that.
    keys.take(kept: nil, of: "id a")
    #expect(Self.codes(check.judged(try Self.report(1), in: .pin)) == [.otherKey])
  }

  @Test("A proof that does not hold teaches no key; where one held before, report says that it is gone")
  func unproven() throws {
    let keys = DeviceKeys()
    let check = Self.check(keys)
    #expect(Self.codes(check.judged(try Self.report(0, proves: false), in: .report)) == [.nonceMismatch])
    #expect(keys.key(of: "id a") == nil)
    _ = check.judged(try Self.report(0), in: .report)
    #expect(Self.codes(check.judged(try Self.report(0, proves: false), in: .report)) == [.keyNotShown, .nonceMismatch])
    #expect(Self.codes(check.judged(try Self.report(0, proves: false), in: .require)) == [.nonceMismatch])
    // That no proof came at all is else no reason to warn.
    let silent = DeviceAuthReport(problems: [.init(.noReply)], checkedAt: Self.now)
    #expect(AuthenticationFacts(silent).doubt == nil)
    #expect(AuthenticationFacts(check.judged(silent, in: .report)).doubt?.contains("(auth.key.absent)") == true)
  }

  @Test("A group answers by the speaker that leads it: its key is not remembered, but a known one is compared")
  func groups() throws {
    let keys = DeviceKeys()
    let group = Self.check(keys, remembers: false)
    #expect(Self.codes(group.judged(try Self.report(0), in: .pin)) == [])
    #expect(Self.codes(group.judged(try Self.report(1), in: .pin)) == [])
    _ = Self.check(keys).judged(try Self.report(0), in: .pin)
    #expect(Self.codes(group.judged(try Self.report(1), in: .pin)) == [.otherKey])
  }

  @Test("The keys of 4096 devices are remembered, and no more")
  func bounded() throws {
    let keys = DeviceKeys()
    let key = KnownKey(hash: "0", since: 0, isKept: false)
    for number in 0...DeviceKeys.limit { _ = keys.first(key, of: "id \(number)") }
    #expect(keys.key(of: "id 0") != nil && keys.key(of: "id \(DeviceKeys.limit)") == nil)
  }
}
