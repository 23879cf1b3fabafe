import CastProtocol
import Testing

@Suite struct FrameTests {
  static func frame(_ body: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: body.count >> shift)) }
    return bytes + body
  }

  /// All bodies that `decoder` has now.
  static func drain(_ decoder: inout FrameDecoder) throws -> [[UInt8]] {
    var bodies: [[UInt8]] = []
    while let body = try decoder.next() { bodies.append(body) }
    return bodies
  }

  static let bodies: [[UInt8]] = [
    [1], [2, 3], Array(repeating: 4, count: 300), Array(repeating: 5, count: 65_536), [6],
  ]

  @Test("Frames come out whole however the stream is cut", arguments: [1, 2, 3, 5, 7, 301, 4096, 65_535, 1_000_000])
  func cuts(size: Int) throws {
    let stream = Self.bodies.flatMap { Self.frame($0) }
    var decoder = FrameDecoder()
    var seen: [[UInt8]] = []
    for start in stride(from: 0, to: stream.count, by: size) {
      decoder.append(stream[start..<min(start + size, stream.count)])
      seen += try Self.drain(&decoder)
    }
    #expect(seen == Self.bodies)
    #expect(!decoder.hasUnfinishedFrame)
  }

  @Test("A frame is returned with its last byte, not before")
  func lastByte() throws {
    var decoder = FrameDecoder()
    decoder.append(Self.frame([1, 2]).dropLast())
    #expect(try decoder.next() == nil)
    #expect(decoder.hasUnfinishedFrame)
    decoder.append([2])
    #expect(try decoder.next() == [1, 2])
    #expect(!decoder.hasUnfinishedFrame)
  }

  static let badHeaders: [(header: [UInt8], error: ProtocolError)] = [
    ([0, 0, 0, 0], .frameEmpty),
    ([0, 1, 0, 1], .frameTooLong(declared: 65_537, limit: 65_536)),
    ([0xFF, 0xFF, 0xFF, 0xFF], .frameTooLong(declared: 4_294_967_295, limit: 65_536)),
    (Array("HTTP".utf8), .frameTooLong(declared: 0x4854_5450, limit: 65_536)),
  ]
  @Test("An impossible length is refused with the header, after the frames before it", arguments: badHeaders)
  func refuses(header: [UInt8], error: ProtocolError) throws {
    var decoder = FrameDecoder()
    decoder.append(Self.frame([1]) + header)
    #expect(try decoder.next() == [1])
    #expect(throws: error) { try decoder.next() }
  }

  @Test("Thousands of frames in one read take time in proportion")
  func manyFrames() throws {
    var decoder = FrameDecoder()
    decoder.append(Array(repeating: Self.frame([9]), count: 200_000).flatMap { $0 })
    #expect(try Self.drain(&decoder).count == 200_000)
  }

  @Test("64 KiB is the longest message that is sent")
  func sending() throws {
    var bytes: [UInt8] = [1]
    try FrameEncoder.append(Array(repeating: 0, count: 65_536), to: &bytes)
    #expect(bytes.count == 1 + 4 + 65_536)
    #expect(bytes.prefix(5) == [1, 0, 1, 0, 0])
    #expect(throws: ProtocolError.frameTooLong(declared: 65_537, limit: 65_536)) {
      try FrameEncoder.append(Array(repeating: 0, count: 65_537), to: &bytes)
    }
    #expect(throws: ProtocolError.frameEmpty) { try FrameEncoder.append([], to: &bytes) }
    #expect(bytes.count == 1 + 4 + 65_536)
  }

  /// What one of the published seeds must come to.
  enum Verdict: Equatable { case message(Namespace), unfinished, refused }

  static func verdict(of seed: [UInt8]) -> Verdict {
    var decoder = FrameDecoder()
    decoder.append(seed)
    do {
      guard let body = try decoder.next() else { return .unfinished }
      return .message(try CastMessage(decoding: body).namespace)
    } catch {
      return .refused
    }
  }

  @Test(
    "The nine published framer seeds get the verdict they were made for",
    .enabled(if: Reference.has("auth/framer_seeds")))
  func seeds() throws {
    let names = try Reference.files(in: "auth/framer_seeds")
    #expect(names.count == 9)
    let verdicts = try names.map { Self.verdict(of: try Reference.bytes("auth/framer_seeds/\($0)")) }
    #expect(
      verdicts == [
        .message(.deviceAuth), .message(Namespace(rawValue: "urn:x-cast:com.google.youtube.mdx")), .message(.receiver),
        .refused, .unfinished, .refused, .message(.heartbeat), .message(.connection), .message(.heartbeat),
      ])
  }
}
