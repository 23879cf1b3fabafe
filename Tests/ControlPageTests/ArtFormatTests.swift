import Testing

@testable import ControlPage

/// Kinds and sizes of pictures, by their first bytes.
@Suite struct ArtFormatTests {
  static let pictures: [(bytes: [UInt8], type: String, width: Int?)] = [
    (
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 0, count: 8) + [0, 1, 2, 3], "image/png",
      66_051
    ),
    (Array("GIF89a".utf8) + [0x40, 0x01, 0xF0, 0], "image/gif", 320),
    (
      [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 1, 0xFF, 0xC2, 0, 17, 8, 1, 0x2C, 2, 0x58, 3], "image/jpeg", 600
    ),
    // A Huffman table is no frame.
    ([0xFF, 0xD8, 0xFF, 0xC4, 0, 4, 1, 1, 0xFF, 0xC0, 0, 17, 8, 0, 9, 0, 16], "image/jpeg", 16),
    ([0xFF, 0xD8, 0xFF, 0xE0, 0, 0, 1, 1], "image/jpeg", nil), ([0xFF, 0xD8, 0xFF], "image/jpeg", nil),
    (
      Array("RIFF0000WEBPVP8X".utf8) + [10, 0, 0, 0, 0, 0, 0, 0, 0x7F, 2, 0, 0x67, 1, 0], "image/webp", 640
    ),
    (Array("RIFF0000WEBPVP8 ".utf8) + [0, 0, 0, 0, 0, 0, 0, 0x9D, 1, 0x2A, 0x80, 2, 0x68, 1], "image/webp", 640),
    (Array("RIFF0000WEBPVP8L".utf8) + [0, 0, 0, 0, 0x2F, 0x7F, 0xC2, 0x59, 0], "image/webp", 640),
    (Array("0000ftypavif".utf8), "image/avif", nil),
  ]

  @Test("The kind and the width are in the first bytes", arguments: pictures)
  func known(bytes: [UInt8], type: String, width: Int?) {
    let format = ArtFormat(bytes)
    #expect(format?.type == type && format?.width(of: bytes) == width)
  }

  @Test("Whatever the bytes are, nothing is read behind their end", arguments: pictures)
  func cut(bytes: [UInt8], type: String, width: Int?) {
    var random = UInt64(7)
    for length in 0...bytes.count {
      var some = Array(bytes.prefix(length))
      _ = ArtFormat(some)?.width(of: some)
      for _ in 0..<50 where !some.isEmpty {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        some[Int(random >> 33) % some.count] = UInt8(truncatingIfNeeded: random >> 20)
        _ = ArtFormat(some)?.width(of: some)
      }
    }
  }
}
