/// A document's lines, for messages that quote it.
package struct SourceText: Sendable {
  package let name: String
  private let bytes: [UInt8]
  /// Where each line begins.
  private let starts: [Int]

  package init(_ file: SourceFile) {
    name = file.name
    bytes = file.text
    var starts = [0]
    for (index, byte) in bytes.enumerated() where byte == 0x0A || (byte == 0x0D && !Self.isLineFeed(bytes, index + 1)) {
      starts.append(index + 1)
    }
    self.starts = starts
    milestones = Self.milestones(in: bytes, starts)
  }

  /// A place in a long line, to count from.
  fileprivate struct Milestone: Sendable {
    var offset = 0
    var scalars = 0
    var utf16 = 0
  }

  private static let milestoneDistance = 512

  /// By the number of a line: long ones are counted once, not for each problem in them; empty where all is ASCII.
  private let milestones: [Int: [Milestone]]

  private static func milestones(in bytes: [UInt8], _ starts: [Int]) -> [Int: [Milestone]] {
    var result: [Int: [Milestone]] = [:]
    for (index, start) in starts.enumerated() {
      var end = index + 1 < starts.count ? starts[index + 1] : bytes.count
      while end > start, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
      guard end - start > milestoneDistance else { continue }
      if bytes[start..<end].allSatisfy({ $0 < 0x80 }) {
        result[index + 1] = []
        continue
      }
      var place = Milestone(offset: start)
      var places = [place]
      while place.offset < end {
        place.advance(in: bytes)
        if place.scalars % milestoneDistance == 0 { places.append(place) }
      }
      result[index + 1] = places
    }
    return result
  }

  private static func isLineFeed(_ bytes: [UInt8], _ index: Int) -> Bool { index < bytes.count && bytes[index] == 0x0A }

  package var lineCount: Int { starts.count }

  /// The text of a line, counted from 1, without its end; empty where there is no such line.
  package func line(_ number: Int) -> String { String(decoding: bytes[range(of: number)], as: UTF8.self) }

  /// Where a line begins, counted from 1: its first byte, from 0.
  func offset(ofLine number: Int) -> Int { range(of: number).lowerBound }

  /// The bytes of a line, counted from 1, without its end; empty where there is no such line.
  private func range(of number: Int) -> Range<Int> {
    guard number >= 1, number <= starts.count else { return 0..<0 }
    var end = number < starts.count ? starts[number] : bytes.count
    let start = starts[number - 1]
    while end > start, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
    return start..<end
  }

  /// One place of a line in the three ways that programs count columns, each from 1.
  package struct Columns: Hashable, Sendable {
    /// Unicode scalars: what a ``SourceSpan`` counts.
    package var scalars: Int
    /// What most editors count.
    package var utf16: Int
    /// What C compilers and terminals' tools count.
    package var bytes: Int
  }

  /// A column of a line, which may lie behind its end, in every way of counting.
  package func columns(line number: Int, column: Int) -> Columns {
    let line = range(of: number)
    let wanted = max(column, 1) - 1
    let walked = walk(number, wanted)
    let beyond = wanted - walked.scalars
    return Columns(
      scalars: wanted + 1, utf16: walked.utf16 + beyond + 1, bytes: walked.offset - line.lowerBound + beyond + 1)
  }

  /// How many scalars a line has.
  func length(ofLine number: Int) -> Int { walk(number, .max).scalars }

  /// The scalars of a part of a line, from 0; a byte that is no UTF-8 is one U+FFFD.
  func scalars(ofLine number: Int, _ part: Range<Int>) -> [Unicode.Scalar] {
    let line = range(of: number)
    var index = walk(number, part.lowerBound).offset
    var result: [Unicode.Scalar] = []
    while index < line.upperBound, result.count < part.count {
      let (scalar, length) = EncodingCheck.decode(bytes, at: index)
      result.append(scalar ?? "\u{FFFD}")
      index += length
    }
    return result
  }

  /// The scalar of a line at an offset, if the line is as long.
  func scalar(ofLine number: Int, at offset: Int) -> Unicode.Scalar? {
    let index = walk(number, offset).offset
    return index < range(of: number).upperBound ? EncodingCheck.decode(bytes, at: index).0 ?? "\u{FFFD}" : nil
  }

  /// The scalars of a line from an offset on, up to the next white space.
  func word(inLine number: Int, from offset: Int) -> [Unicode.Scalar] {
    scalars(inLine: number, from: offset) { !Self.isSpace($0) }
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII ? scalar == " " || (0x09...0x0D).contains(scalar.value) : scalar.properties.isWhitespace
  }

  /// The white space of a line from an offset on.
  func space(inLine number: Int, from offset: Int) -> [Unicode.Scalar] {
    scalars(inLine: number, from: offset) { Self.isSpace($0) }
  }

  private func scalars(
    inLine number: Int, from offset: Int, while isWanted: (Unicode.Scalar) -> Bool
  ) -> [Unicode.Scalar] {
    let end = range(of: number).upperBound
    var index = walk(number, offset).offset
    var result: [Unicode.Scalar] = []
    while index < end {
      let (scalar, length) = EncodingCheck.decode(bytes, at: index)
      guard isWanted(scalar ?? "\u{FFFD}") else { break }
      result.append(scalar ?? "\u{FFFD}")
      index += length
    }
    return result
  }

  /// Goes over at most `count` scalars of a line.
  private func walk(_ number: Int, _ count: Int) -> Milestone {
    let line = range(of: number)
    let near = min(line.count, max(count, 0))
    let known = milestones[number]
    if let places = known, !places.isEmpty {
      // They lie evenly, so the nearest one is known.
      var place = places[min(max(count, 0) / Self.milestoneDistance, places.count - 1)]
      while place.offset < line.upperBound, place.scalars < count { place.advance(in: bytes) }
      return place
    }
    if known != nil || bytes[line.lowerBound..<(line.lowerBound + near)].allSatisfy({ $0 < 0x80 }) {
      return Milestone(offset: line.lowerBound + near, scalars: near, utf16: near)
    }
    var place = Milestone(offset: line.lowerBound)
    while place.offset < line.upperBound, place.scalars < count { place.advance(in: bytes) }
    return place
  }

  /// What stands at a span of one line; `nil` for several lines.
  package func text(at span: SourceSpan) -> String? {
    guard span.file == name, span.line == span.endLine, span.column >= 1, span.endColumn >= span.column else {
      return nil
    }
    return String(String.UnicodeScalarView(scalars(ofLine: span.line, (span.column - 1)..<(span.endColumn - 1))))
  }
}

extension SourceText.Milestone {
  /// Goes over one scalar, or a byte that is no UTF-8.
  fileprivate mutating func advance(in bytes: [UInt8]) {
    let (scalar, length) = EncodingCheck.decode(bytes, at: offset)
    offset += length
    scalars += 1
    utf16 += (scalar?.value ?? 0) > 0xFFFF ? 2 : 1
  }
}
