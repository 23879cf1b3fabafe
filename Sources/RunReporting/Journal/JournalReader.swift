import CastProtocol

/// Reads a journal. What is not whole at its end was being written when the process or the computer went: that record is
/// as if it had never been. Anything else that is not as it was written is damage, named by its line.
package struct JournalReader: Sendable {
  /// Why a journal cannot be gone on with.
  package struct Damage: Error, Hashable, Sendable {
    /// From 1.
    package var line: Int
    package var text: String
  }

  /// A journal of more bytes is not read, and a run does not write one.
  package static let byteLimit = 128 << 20

  /// All records that are whole, in order.
  package private(set) var entries: [JournalEntry] = []
  /// The run that wrote them; `nil` where there is none.
  package private(set) var run: String?
  /// The line at the end that is not whole; `nil` where all are.
  package private(set) var tornLine: Int?
  /// How many bytes the whole records have.
  package private(set) var size = 0

  package init(_ bytes: [UInt8]) throws(Damage) {
    if bytes.count > Self.byteLimit {
      throw Damage(line: 1, text: "it is longer than \(Self.byteLimit >> 20) MiB")
    }
    var rest = bytes[...]
    var line = 0
    while !rest.isEmpty {
      line += 1
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      let text = rest[rest.startIndex..<(end ?? rest.endIndex)]
      let next = end.map { rest[($0 + 1)...] } ?? []
      if let end, let record = JournalLine.read(text) {
        try take(record, at: line)
        size = end + 1
        rest = next
        continue
      }
      // Two records without a break between them are no end of one.
      guard next.isEmpty, !Self.hasSeveral(text) else {
        throw Damage(line: line, text: "its checksum is not that of what it says")
      }
      tornLine = line
      return
    }
  }

  private mutating func take(_ record: (number: Int, run: String, entry: JournalEntry), at line: Int) throws(Damage) {
    guard record.number == line else {
      throw Damage(line: line, text: "it is record \(record.number), and \(line) is missing")
    }
    guard record.run == run ?? record.run else {
      throw Damage(line: line, text: "it is of run \(record.run), the others are of \(run ?? "")")
    }
    if case .begin(let begin) = record.entry.kind, begin.version != JournalEntry.Begin.version {
      let version = begin.version.map(String.init) ?? "unknown"
      throw Damage(
        line: line,
        text: "its version is \(version), and this version of showcaller reads \(JournalEntry.Begin.version)")
    }
    run = record.run
    entries.append(record.entry)
  }

  /// Whether a record ends within a line and another begins, with at most a damaged break between them.
  private static func hasSeveral(_ line: ArraySlice<UInt8>) -> Bool {
    let (head, first) = (JournalLine.head, JournalLine.head[0])
    var index = line.startIndex + JournalLine.checksumLength
    while index + head.count <= line.endIndex {
      if line[index] == first, line[index...].starts(with: head) {
        for end in [index, index - 1] {
          let start = end - JournalLine.checksumLength
          if start >= line.startIndex, line[start..<end].starts(with: JournalLine.checksumHead) { return true }
        }
      }
      index += 1
    }
    return false
  }
}
