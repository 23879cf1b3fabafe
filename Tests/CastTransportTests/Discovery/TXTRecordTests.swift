import Testing

@testable import CastTransport

@Suite struct TXTRecordTests {
  /// The wire form of `strings`.
  static func wire(_ strings: [String]) -> [UInt8] {
    strings.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
  }

  static let texts: [(strings: [String], key: String, value: String?)] = [
    (["fn=Kitchen"], "fn", "Kitchen"),
    (["FN=Kitchen"], "fn", "Kitchen"),
    (["fn=a=b"], "fn", "a=b"),
    (["fn="], "fn", ""),
    (["fn"], "fn", nil),
    (["fn=first", "Fn=second"], "fn", "first"),
    (["fn", "fn=late"], "fn", nil),
    (["", "=x", "fn=ok"], "fn", "ok"),
    (["f\u{7}n=x"], "fn", nil),
    (["fn=Café \u{1F4FA}"], "fn", "Café \u{1F4FA}"),
    (["fn=a\u{1B}[31mb\u{0}\u{9C}"], "fn", "a\u{FFFD}[31mb\u{FFFD}\u{FFFD}"),
    (["fn=\u{202E}gnp.exe"], "fn", "\u{FFFD}gnp.exe"),
    (["fn=line\u{2028}two"], "fn", "line\u{FFFD}two"),
    ([], "fn", nil),
  ]
  @Test("Keys ignore case, the first one counts, and values are safe to print", arguments: texts)
  func text(strings: [String], key: String, value: String?) {
    #expect(TXTRecord(Self.wire(strings))?.text(key) == value)
  }

  @Test("A value that is no UTF-8 counts as absent, and leaves the others alone")
  func invalidUTF8() {
    let record = TXTRecord([5] + Array("fn=".utf8) + [0xC3, 0x28] + Self.wire(["md=x"]))
    #expect(record?.text("fn") == nil)
    #expect(record?.text("md") == "x")
    #expect(record?.entries.count == 2)
  }

  @Test("A record over 1300 bytes, or whose lengths do not add up, is refused whole")
  func limits() {
    let longest = [UInt8]([UInt8](repeating: 0, count: 1300))
    #expect(TXTRecord(longest)?.entries == [])
    #expect(TXTRecord(longest + [0]) == nil)
    #expect(TXTRecord([4, 0x66, 0x6E]) == nil)
    #expect(TXTRecord([255]) == nil)
  }

  @Test("What is built is cut at a character within 255 bytes, and reads back")
  func building() {
    var record = TXTRecord()
    record.set("fn", String(repeating: "é", count: 200))
    record.set("md", "x")
    record.set("FN", String(repeating: "é", count: 300))
    let read = TXTRecord(record.bytes)
    #expect(read?.text("fn") == String(repeating: "é", count: 126))
    #expect(read?.text("md") == "x")
    #expect(read?.entries.count == 2)
  }

  @Test("No bytes, however mangled, stop the parser", arguments: 1...8 as ClosedRange<UInt64>)
  func fuzz(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let seedRecord = Self.wire([
      "id=0123456789abcdef0123456789abcdef", "fn=Living Room", "ca=199172", "st=1", "rs=\u{1F4FA}",
    ])
    var readable = 0
    for round in 0..<2500 {
      let bytes = round % 4 == 0 ? random.bytes(round % 1400) : random.mutated(seedRecord)
      guard let record = TXTRecord(bytes) else { continue }
      readable += 1
      for entry in record.entries {
        let text = record.text(entry.key)
        #expect(text?.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F } ?? true)
      }
      _ = DeviceRecord(instanceName: "x", host: "h.local", port: 1, txt: bytes)
    }
    #expect(readable > 100)
  }
}
