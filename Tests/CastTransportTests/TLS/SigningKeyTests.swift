import Foundation
import Testing

@testable import CastTransport

@Suite struct SigningKeyTests {
  private static let message = Array("8f3a".utf8)

  @Test("A signature holds for its message and its key, and for no other")
  func signatures() throws {
    let key = try #require(SigningKey())
    let known = try #require(key.publicKey)
    let signature = try #require(key.sign(Self.message))
    #expect(signature.count == VerifyingKey.signatureSize && known.accepts(signature, of: Self.message))
    #expect(!known.accepts(signature, of: Self.message + [0]) && !known.accepts([], of: Self.message))
    for index in signature.indices {
      var changed = signature
      changed[index] ^= 1
      #expect(!known.accepts(changed, of: Self.message))
    }
    let other = try #require(SigningKey()?.publicKey)
    #expect(other != known && !other.accepts(signature, of: Self.message))
  }

  @Test("A key that is read again is the same")
  func reading() throws {
    let key = try #require(SigningKey())
    let again = try #require(SigningKey(pem: key.pem))
    #expect(again.publicKey == key.publicKey && again.sign(Self.message) == key.sign(Self.message))
    #expect(VerifyingKey(pem: try #require(key.publicKey).pem) == key.publicKey)
  }

  @Test("What is no key of this kind is refused")
  func refused() throws {
    let key = try #require(SigningKey())
    let known = try #require(key.publicKey)
    #expect(SigningKey(pem: known.pem) == nil && VerifyingKey(pem: key.pem) == nil)
    #expect(SigningKey(pem: []) == nil && VerifyingKey(pem: Array("-----BEGIN".utf8)) == nil)
    #expect(SigningKey(pem: Array(key.pem.dropLast(40))) == nil)
    #expect(SigningKey(pem: key.pem + [UInt8](repeating: 0x20, count: 20_000)) == nil)
    // An RSA key would sign, too, but not as the documentation says.
    let file = FileManager.default.temporaryDirectory.appending(path: "rsa-\(UUID().uuidString).pem")
    defer { try? FileManager.default.removeItem(at: file) }
    try #require(ChildProcess.run("openssl", ["genpkey", "-algorithm", "RSA", "-out", file.path]) == 0)
    #expect(SigningKey(pem: Array(try Data(contentsOf: file))) == nil)
  }
}
