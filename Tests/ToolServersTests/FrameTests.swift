import Testing

@testable import ToolServers

@Suite struct FrameTests {
  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private static func bodies(_ text: String, pieces: Int) throws -> [String] {
    var frames = HeaderFrames()
    var bodies: [String] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      frames.push(rest.prefix(pieces))
      rest = rest.dropFirst(pieces)
      while let body = try frames.next() { bodies.append(Self.text(body)) }
    }
    try frames.end()
    return bodies
  }

  @Test("Messages with a header are found however the stream is cut", arguments: [1, 2, 7, 1_000])
  func headers(pieces: Int) throws {
    let text =
      "Content-Length: 2\r\n\r\n{}content-length:  4\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n"
      + "\"é\"Content-Length: 0\r\nX-Own: 1\r\n\r\n"
    #expect(try Self.bodies(text, pieces: pieces) == ["{}", "\"é\"", ""])
  }

  @Test(
    "A header that is none ends the stream, and says why",
    arguments: [
      ("Content-Length: x\r\n\r\n", FrameProblem.badLength("x")),
      ("Content-Length: -1\r\n\r\n", .badLength("-1")),
      ("Content-Length:\r\n\r\n", .badLength("")),
      ("Content-Length: 99999999999\r\n\r\n", .badLength("99999999999")),
      ("Content-Length: 8388609\r\n\r\n", .tooLarge(limit: 8 << 20)),
      ("X-Own: 1\r\n\r\n{}", .noLength),
      ("{}\r\n\r\n", .badHeader("{}")),
      ("Content-Length: 2\r\nContent-Type: a; charset=latin1\r\n\r\n{}", .charset("latin1")),
    ])
  func brokenHeaders(text: String, problem: FrameProblem) {
    #expect(throws: problem) { try Self.bodies(text, pieces: 3) }
  }

  @Test("A header without an end is not kept beyond its limit")
  func longHeader() {
    #expect(throws: FrameProblem.headerTooLong(limit: 4 << 10)) {
      try Self.bodies(String(repeating: "a", count: 5_000), pieces: 64)
    }
  }

  @Test(
    "A stream that ends within a message is told from one that ends behind it",
    arguments: ["Conte", "Content-Length: 5\r\n\r\n{}"])
  func cutOff(text: String) {
    #expect(throws: FrameProblem.cutOff) { try Self.bodies(text, pieces: 4) }
  }

  @Test("What is framed is read again")
  func framed() throws {
    #expect(try Self.bodies(HeaderFrames.framed("{\"a\":\"ü\"}"), pieces: 5) == ["{\"a\":\"ü\"}"])
  }

  @Test("Messages on lines are found however the stream is cut; empty lines are none", arguments: [1, 3, 100])
  func lines(pieces: Int) throws {
    var frames = LineFrames()
    var lines: [String] = []
    var rest = Array("{}\n\n  \r\n[1]\r\n\"é\"\n".utf8)[...]
    while !rest.isEmpty {
      frames.push(rest.prefix(pieces))
      rest = rest.dropFirst(pieces)
      while let line = try frames.next() { lines.append(Self.text(line)) }
    }
    try frames.end()
    #expect(lines == ["{}", "[1]", "\"é\""])
  }

  @Test("A line without an end is not kept beyond its limit, and one that is cut off is told")
  func brokenLines() throws {
    var frames = LineFrames()
    frames.push(Array(repeating: 0x20, count: (4 << 20) + 1))
    #expect(throws: FrameProblem.tooLarge(limit: 4 << 20)) { _ = try frames.next() }
    var cut = LineFrames()
    cut.push(Array("{".utf8))
    #expect(try cut.next() == nil)
    #expect(throws: FrameProblem.cutOff) { try cut.end() }
  }
}
