import CastProtocol
import Testing

@Suite struct RevocationListTests {
  /// A length-delimited field.
  private static func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    [number << 3 | 2, UInt8(bytes.count)] + bytes
  }
  private static func list(_ content: [UInt8]) -> [UInt8] {
    field(1, field(1, content) + field(2, [7]) + field(3, [8]))
  }

  @Test("A list is read with its ranges and with exactly the bytes that are signed")
  func reads() throws {
    let range = Self.field(1, [0xAA]) + [0x10, 5, 0x18, 4]
    let content: [UInt8] =
      [0x08, 0, 0x10, 100, 0x18, 0xC8, 1] + Self.field(4, [1]) + Self.field(4, [2]) + Self.field(5, range)
    let list = try RevocationList(decodingBundle: Self.list(content))
    #expect(list.signedBytes == content && list.signerCertificate == [7] && list.signature == [8])
    #expect(list.notBefore == 100 && list.notAfter == 200 && list.keyHashes == [[1], [2]])
    // That it ends before it begins is for the verifier to say.
    #expect(list.serialNumbers == [.init(issuer: [0xAA], first: 5, last: 4)])
  }

  @Test("The first list of version 0 that can be read counts, whatever stands around it")
  func picks() throws {
    let bundle = Self.list([0x08, 1, 0x10, 1]) + Self.list([0xFF]) + Self.list([0x10, 2]) + Self.list([0x10, 3])
    #expect(try RevocationList(decodingBundle: bundle).notBefore == 2)
  }

  @Test("What has no such list is refused", arguments: [[], [0xFF], list([0x08, 1]), [0x0A, 9]])
  func refuses(bytes: [UInt8]) {
    #expect(throws: ProtocolError.self) { try RevocationList(decodingBundle: bytes) }
  }
}
