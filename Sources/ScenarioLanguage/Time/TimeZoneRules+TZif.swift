extension TimeZoneRules {
  /// Larger files are no zone.
  package static let byteLimit = 256 * 1_024
  private static let furthestOffset = 26 * 3_600
  private static let header = 44

  /// Reads a file of the zone database (RFC 8536, versions 1 to 4); `nil` where it is none or is damaged.
  package init?(tzif bytes: [UInt8]) {
    guard bytes.count <= Self.byteLimit, let first = Block(bytes, at: 0, timeSize: 4) else { return nil }
    if first.version == 0 {
      self.init(first, footer: nil)
      return
    }
    // Newer files hold a second block with longer times, and behind it the rule for the years to come.
    guard let second = Block(bytes, at: first.end, timeSize: 8) else { return nil }
    var footer: PosixTimeZone?
    let rest = bytes[second.end...]
    if rest.first == UInt8(ascii: "\n"), let close = rest.dropFirst().firstIndex(of: UInt8(ascii: "\n")) {
      let line = rest[(rest.startIndex + 1)..<close]
      if !line.isEmpty {
        guard let rule = PosixTimeZone(line) else { return nil }
        footer = rule
      }
    }
    self.init(second, footer: footer)
  }

  private init?(_ block: Block, footer: PosixTimeZone?) {
    guard let first = block.offsets.first else { return nil }
    self.init(firstOffset: first, table: block.table, footer: footer)
  }

  /// One header and the data behind it.
  private struct Block {
    var version: UInt8
    var table: [Entry] = []
    var offsets: [Int] = []
    /// Where the next part begins.
    var end: Int

    init?(_ bytes: [UInt8], at start: Int, timeSize: Int) {
      func integer(_ at: Int, _ size: Int) -> Int? {
        guard at >= 0, at + size <= bytes.count else { return nil }
        // Two's complement, most significant byte first.
        var value = bytes[at] >= 0x80 ? -1 : 0
        for byte in bytes[at..<at + size] { value = value << 8 | Int(byte) }
        return value
      }
      guard start + header <= bytes.count, bytes[start..<start + 4].elementsEqual("TZif".utf8) else { return nil }
      version = bytes[start + 4]
      let counts = (0..<6).compactMap { integer(start + 20 + 4 * $0, 4) }
      guard counts.count == 6, counts.allSatisfy({ (0...10_000).contains($0) }) else { return nil }
      let (isUT, isStandard, leaps, times, types, letters) =
        (counts[0], counts[1], counts[2], counts[3], counts[4], counts[5])
      guard (1...256).contains(types) else { return nil }
      let timesAt = start + header
      let kindsAt = timesAt + times * timeSize
      let typesAt = kindsAt + times
      end = typesAt + types * 6 + letters + leaps * (timeSize + 4) + isStandard + isUT
      guard end <= bytes.count else { return nil }
      for index in 0..<types {
        guard let offset = integer(typesAt + index * 6, 4), abs(offset) < furthestOffset else { return nil }
        offsets.append(offset)
      }
      for index in 0..<times {
        let kind = Int(bytes[kindsAt + index])
        guard let at = integer(timesAt + index * timeSize, timeSize), offsets.indices.contains(kind),
          at > table.last?.at ?? .min
        else { return nil }
        table.append(Entry(at: at, offset: offsets[kind]))
      }
    }
  }
}
