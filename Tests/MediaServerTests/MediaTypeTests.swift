import MediaServer
import Testing

@Suite struct MediaTypeTests {
  static let signatures: [(String, [UInt8], String)] = [
    ("a.bin", [0xFF, 0xD8, 0xFF, 0xE0], "image/jpeg"),
    ("a.jpg", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"), ("a", Array("GIF89a".utf8), "image/gif"),
    ("a", Array("RIFF....WEBPVP8 ".utf8), "image/webp"), ("a", Array("RIFF....WAVEfmt ".utf8), "audio/wav"),
    ("a", [0, 0, 0, 32] + Array("ftypisom".utf8), "video/mp4"),
    ("a.mp4", [0, 0, 0, 32] + Array("ftypM4A ".utf8), "audio/mp4"),
    ("a", [0, 0, 0, 20] + Array("ftypqt  ".utf8), "video/quicktime"),
    ("a.mkv", [0x1A, 0x45, 0xDF, 0xA3, 1, 0x42, 0x82, 0x84] + Array("webm".utf8), "video/webm"),
    ("a", [0x1A, 0x45, 0xDF, 0xA3] + Array("matroska".utf8), "video/x-matroska"),
    ("a", Array("ID3".utf8), "audio/mpeg"),
    ("a", Array("fLaC".utf8), "audio/flac"), ("a", Array("OggS".utf8), "audio/ogg"),
    ("a.txt", Array("WEBVTT\n".utf8), "text/vtt"), ("film.MP4", [], "video/mp4"),
    ("a.m3u8", [1], "application/vnd.apple.mpegurl"),
    ("menu.tar.png", [], "image/png"), (".mp4", [], "application/octet-stream"), ("a", [], "application/octet-stream"),
  ]

  @Test("A file is what it begins with, else what its name ends with", arguments: signatures)
  func types(name: String, bytes: [UInt8], type: String) { #expect(MediaType.of(name, beginning: bytes) == type) }
}

@Suite struct SubtitlesTests {
  private static func text(_ bytes: [UInt8]) -> String {
    (try? Subtitles.webVTT(bytes)).map { String(decoding: $0, as: UTF8.self) } ?? "an error"
  }

  static let srt =
    "1\r\n00:00:01,500 --> 00:01:02,075 X1:40\r\nGuten Tag, 1,5 --> 2\r\n\r\n2\n1:02:03,4 --> 01:02:05\nZwei\n"

  @Test("SubRip becomes WebVTT: its times, and nothing else of it")
  func subRip() {
    #expect(
      Self.text(Array(Self.srt.utf8)) == """
        WEBVTT

        1
        00:00:01.500 --> 00:01:02.075
        Guten Tag, 1,5 --> 2

        2
        01:02:03.400 --> 01:02:05.000
        Zwei


        """)
  }

  @Test("WebVTT stays as it is")
  func webVTT() {
    let text = "WEBVTT\n\n00:01.000 --> 00:02.000 align:start\nHello\n"
    #expect(Self.text(Array(text.utf8)) == text)
    #expect(Self.text([0xEF, 0xBB, 0xBF] + Array(text.utf8)) == text)
  }

  static let encodings: [[UInt8]] = [
    Array("Œuvre – “ça” €".utf8), [0xEF, 0xBB, 0xBF] + Array("Œuvre – “ça” €".utf8),
    [0xFF, 0xFE] + "Œuvre – “ça” €".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
    [0xFE, 0xFF] + "Œuvre – “ça” €".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] },
    [0x8C] + Array("uvre ".utf8) + [0x96, 0x20, 0x93, 0xE7, 0x61, 0x94, 0x20, 0x80],
  ]

  @Test("Every usual encoding is read", arguments: encodings)
  func decode(bytes: [UInt8]) { #expect(Self.text(bytes).contains("Œuvre – “ça” €")) }

  @Test("What is cut in the middle of a character does no harm")
  func cut() {
    for length in 0..<40 {
      #expect(
        Self.text(Array(([0xFF, 0xFE] + [UInt8](repeating: 0xD8, count: 60)).prefix(length))).hasPrefix("WEBVTT"))
    }
  }
}
