import CastProtocol
import Testing

@Suite struct Base64Tests {
  /// The examples of RFC 4648 section 10, and one that has the last two characters of the alphabet.
  static let examples: [([UInt8], String)] = [
    ([], ""), (Array("f".utf8), "Zg=="), (Array("fo".utf8), "Zm8="), (Array("foo".utf8), "Zm9v"),
    (Array("foob".utf8), "Zm9vYg=="), (Array("fooba".utf8), "Zm9vYmE="), (Array("foobar".utf8), "Zm9vYmFy"),
    ([0xfb, 0xef, 0xff], "++//"), ([0], "AA=="),
  ]

  @Test("Bytes are written as RFC 4648 has them, and read back", arguments: examples)
  func vectors(bytes: [UInt8], text: String) {
    #expect(Base64.encoded(bytes) == text)
    #expect(Base64.decoded(text) == bytes)
  }

  @Test("A text without its padding is read, too", arguments: [("Zg", "f"), ("Zm8", "fo"), ("Zm9vYg", "foob")])
  func unpadded(text: String, bytes: String) {
    #expect(Base64.decoded(text) == Array(bytes.utf8))
  }

  @Test("A text with another character is no base64", arguments: ["Zm9v\n", "Zm-v", "Zm_v", " Zg==", "Zm9é"])
  func refused(text: String) {
    #expect(Base64.decoded(text) == nil)
  }
}
