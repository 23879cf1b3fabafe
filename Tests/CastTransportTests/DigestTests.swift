import Testing

@testable import CastTransport

@Suite struct DigestTests {
  static let hashes = [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
  ]
  @Test("SHA-256 gives the standard's own examples", arguments: hashes)
  func sha256(text: String, hash: String) {
    #expect(Digest.sha256(Array(text.utf8)) == hash)
  }

  /// The DNS namespace of RFC 9562 and its example name, as every UUID library computes it.
  @Test("A name gives the UUID that the RFC gives it")
  func uuid() {
    let dns: [UInt8] = [
      0x6b, 0xa7, 0xb8, 0x10, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8,
    ]
    #expect(Digest.uuid(name: "www.example.com", namespace: dns) == "2ed6657d-e927-568b-95e1-2665a8aea6a2")
  }
}
