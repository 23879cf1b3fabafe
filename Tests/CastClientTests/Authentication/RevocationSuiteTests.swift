import CastProtocol
import Foundation
import TestSupport
import Testing

@testable import CastClient
@testable import CastTransport

/// The published suite of 32 cases: path, revocation list, and both together.
@Suite(.enabled(if: Reference.has("auth/testsuite/testsuite1.pb"))) struct RevocationSuiteTests {
  /// The words of the suite's schema.
  enum Expected: Int {
    case success = 1, pathFailed, listFailed, revoked, noList, listExpiredLater
  }

  @Test("Each of the 32 published cases comes out as published")
  func suite() throws {
    let cases = try DeviceCertTestSuite(Reference.bytes("auth/testsuite/testsuite1.pb")).cases
    var ran = 0
    for (index, item) in cases.enumerated() {
      let expected = try #require(Expected(rawValue: item.expected))
      #expect(
        try outcome(of: item, whenListIsRequired: expected == .noList) == expected, "case \(index): \(item.description)"
      )
      ran += 1
    }
    #expect(ran == 32)
  }

  private func outcome(of item: DeviceCertTestSuite.Case, whenListIsRequired: Bool) throws -> Expected {
    let folder = "auth/certificates/"
    let anchors =
      try item.usesTestAnchors
      ? TrustAnchors(pem: Reference.bytes(folder + "cast_test_root_ca.pem")) : TrustAnchors.cast.get()
    let listAnchors =
      try item.usesTestAnchors
      ? TrustAnchors(pem: Reference.bytes(folder + "cast_crl_test_root_ca.pem")) : TrustAnchors.castRevocation.get()

    let revocations = DeviceAuthVerifier.Proof.Revocations(bundle: item.bundle)
    var list: VerifiedRevocations?
    switch revocations {
    case .absent: break
    case .unreadable: return .listFailed
    case .list(let signed):
      do { list = try VerifiedRevocations(verifying: signed, signedUnder: listAnchors, at: item.listTime) } catch {
        return .listFailed
      }
    }
    if item.certificates.isEmpty { return .success }

    // The path and, where the suite looks at one time only, the list by the whole verifier.
    var verifier = DeviceAuthVerifier(anchors: anchors, revocationAnchors: listAnchors, revoked: RevokedKeys())
    verifier.requiresRevocations = whenListIsRequired || list != nil
    let proof = DeviceAuthVerifier.Proof(
      signature: [1], certificates: item.certificates, nonce: [], hash: .sha256, revocations: revocations)
    let report = verifier.verify(.proof(proof), to: .init(nonce: [], tlsCertificate: nil), at: item.certificateTime)
    let codes = Set(report.problems.map(\.code))
    if codes.contains(where: { $0.rawValue.hasPrefix("auth.chain.") }) { return .pathFailed }
    if codes.contains(.revocationsAbsent) { return .noList }
    if codes.contains(.revokedKey) || codes.contains(.revokedSerial) { return .revoked }
    if let list, !list.isCurrent(at: item.certificateTime) {
      #expect(codes.contains(.revocationsInvalid))
      return .listExpiredLater
    }
    if codes.contains(.revocationsInvalid) { return .listFailed }
    return .success
  }

  /// Cases 10 and 11, which should prove this, have wrong signatures, too.
  @Test(
    "A revocation list counts in its own seconds only, both ends included",
    arguments: [
      (1_466_179_167, false), (1_466_179_168, true), (1_466_179_169, true), (1_466_179_170, true),
      (1_466_179_171, false),
    ])
  func window(time: Int, isGood: Bool) throws {
    let item = try DeviceCertTestSuite(Reference.bytes("auth/testsuite/testsuite1.pb")).cases[6]
    let anchors = try TrustAnchors(pem: Reference.bytes("auth/certificates/cast_crl_test_root_ca.pem"))
    guard case .list(let signed) = DeviceAuthVerifier.Proof.Revocations(bundle: item.bundle) else {
      Issue.record("no list")
      return
    }
    let list = try? VerifiedRevocations(verifying: signed, signedUnder: anchors, at: time)
    #expect((list != nil) == isGood)
  }
}

/// The suite's own file, as far as its cases go, in the schema it was published with.
private struct DeviceCertTestSuite {
  struct Case {
    var description = ""
    var certificates: [[UInt8]] = []
    var bundle: [UInt8]?
    var expected = 0
    var certificateTime = 0
    var listTime = 0
    var usesTestAnchors = true
  }

  var cases: [Case]

  init(_ bytes: [UInt8]) throws {
    cases = try protobufFields(bytes).filter { $0.number == 1 }.map { test in
      var item = Case()
      var listTime: Int?
      for field in try protobufFields(test.bytes) {
        switch field.number {
        case 1: item.description = String(decoding: field.bytes, as: UTF8.self)
        case 2: item.certificates.append(field.bytes)
        case 3: item.bundle = field.bytes
        case 4: item.expected = field.value
        case 5: item.certificateTime = field.value
        case 6: listTime = field.value
        case 7: item.usesTestAnchors = field.value != 0
        default: break
        }
      }
      item.listTime = listTime ?? item.certificateTime
      return item
    }
  }
}

/// The fields of a protobuf message: numbers and bytes, which is all that the suite has.
func protobufFields(_ bytes: [UInt8]) throws -> [(number: Int, value: Int, bytes: [UInt8])] {
  struct Malformed: Error {}
  var index = 0
  func varint() throws -> Int {
    var (value, shift) = (0, 0)
    while true {
      guard index < bytes.count, shift < 63 else { throw Malformed() }
      let byte = bytes[index]
      index += 1
      value |= Int(byte & 0x7F) << shift
      shift += 7
      if byte < 0x80 { return value }
    }
  }
  var fields: [(number: Int, value: Int, bytes: [UInt8])] = []
  while index < bytes.count {
    let key = try varint()
    switch key & 7 {
    case 0: fields.append((key >> 3, try varint(), []))
    case 2:
      let length = try varint()
      guard index + length <= bytes.count else { throw Malformed() }
      fields.append((key >> 3, 0, Array(bytes[index..<index + length])))
      index += length
    default: throw Malformed()
    }
  }
  return fields
}
