import Testing

@testable import DeviceControl
@testable import RunReporting

/// What a terminal sends, in whatever pieces it comes.
@Suite struct KeyDecoderTests {
  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private static func keys(_ pieces: [[UInt8]]) -> [TerminalKey] {
    var decoder = KeyDecoder()
    var keys: [TerminalKey] = []
    for piece in pieces { keys += decoder.receive(piece, at: .zero) }
    return keys + decoder.timerFired(at: .seconds(1))
  }

  static let table: [(bytes: [UInt8], keys: [TerminalKey])] = [
    (bytes("a Q?"), [.character("a"), .character(" "), .character("Q"), .character("?")]),
    (bytes("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D"), [.up, .down, .right, .left]),
    (bytes("\u{1B}OA\u{1B}OB\u{1B}OC\u{1B}OD\u{1B}OH\u{1B}OF"), [.up, .down, .right, .left, .home, .end]),
    (bytes("\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~\u{1B}[7~\u{1B}[8~"), [.home, .end, .home, .end, .home, .end]),
    (bytes("\u{1B}[5~\u{1B}[6~\u{1B}[5;2~"), [.pageUp, .pageDown, .pageUp]),
    (bytes("\u{1B}[1;5C\u{1B}[1;2Dx"), [.right, .left, .character("x")]),
    (bytes("\u{1B}[3~\u{1B}[24~\u{1B}OPq"), [.other, .other, .other, .character("q")]),
    (bytes("\u{1B}[[Aq"), [.other, .character("q")]), (bytes("\u{1B}[<0;10;10Mq"), [.other, .character("q")]),
    ([0x0D, 0x0A, 0x7F, 0x08], [.enter, .enter, .backspace, .backspace]),
    ([0x04, 0x0C, 0x1A, 0x03], [.control("d"), .control("l"), .control("z"), .control("c")]),
    (bytes("\u{1B}"), [.escape]), (bytes("\u{1B}\u{1B}[A"), [.escape, .up]),
    (bytes("\u{1B}\u{1B}"), [.escape, .escape]),
    // Alt and a letter is not the letter.
    (bytes("\u{1B}xq"), [.other, .character("q")]), (bytes("\u{1B}[\u{1B}[Aq"), [.up, .character("q")]),
    (bytes("é→😀q"), [.character("é"), .character("→"), .character("😀"), .character("q")]),
    // No character, half of one, one that is too long: never the letter behind it lost.
    ([0xFF, 0x71], [.other, .character("q")]), ([0xE2, 0x71], [.other, .character("q")]),
    ([0xC3], [.other]), ([0x80, 0x71], [.other, .character("q")]),
    ([0xE0, 0x80, 0x80, 0x71], [.other, .character("q")]),
    ([0x00, 0x1C, 0x71], [.other, .other, .character("q")]), (bytes("\u{1B}[12"), [.other]),
  ]

  @Test("Bytes become keys, the same wherever they are torn", arguments: table)
  func torn(bytes: [UInt8], keys: [TerminalKey]) {
    #expect(Self.keys([bytes]) == keys)
    #expect(Self.keys(bytes.map { [$0] }) == keys)
    for cut in 0...bytes.count { #expect(Self.keys([Array(bytes[..<cut]), Array(bytes[cut...])]) == keys) }
  }

  @Test("An escape byte is a key only when nothing follows it in time")
  func escape() {
    var decoder = KeyDecoder()
    #expect(decoder.deadline == nil)
    #expect(decoder.receive([0x1B], at: .seconds(5)).isEmpty)
    #expect(decoder.deadline == .seconds(5) + KeyDecoder.escapeTime)
    #expect(decoder.timerFired(at: .seconds(5)).isEmpty)
    #expect(decoder.timerFired(at: .seconds(6)) == [.escape])
    #expect(decoder.deadline == nil && decoder.timerFired(at: .seconds(7)).isEmpty)
    #expect(decoder.receive([0x5B, 0x41], at: .seconds(7)) == [.character("["), .character("A")])
  }

  @Test("A sequence without an end keeps nothing and ends where it ends")
  func endless() {
    var decoder = KeyDecoder()
    #expect(decoder.receive([0x1B, 0x5B] + Array(repeating: 0x31, count: 1_000_000), at: .zero).isEmpty)
    #expect(decoder.receive(Self.bytes("~q"), at: .zero) == [.other, .character("q")])
  }

  @Test("Any two bytes are followed by a key that is understood")
  func anything() {
    for first in UInt8.min ... .max {
      for second in UInt8.min ... .max {
        var decoder = KeyDecoder()
        _ = decoder.receive([first, second], at: .zero)
        _ = decoder.timerFired(at: .seconds(1))
        #expect(decoder.receive([0x71], at: .seconds(1)) == [.character("q")], "\(first) \(second)")
      }
    }
  }
}
