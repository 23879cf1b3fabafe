import CastProtocol
import CastTransport

/// A line of a ledger as it was read, whose hash is right.
package struct LedgerLine: Sendable {
  /// Longer ones are not read (docs/security.md Y9). What is written is at most a document's `ids` and a few names.
  package static let byteLimit = 4 << 20

  /// What the next line follows.
  package let link: LedgerChain.Link
  /// The hash of the line before it.
  package let previous: String
  /// `nil` for a type of line that this version does not know.
  package let record: LedgerRecord?
  /// When what it is about began, in milliseconds since 1970; `nil` where that is not known.
  package let time: Int?
  /// What the clocks of the place were ahead of Greenwich, in seconds: at its beginning and at its end.
  let offsets: (start: Int, end: Int)

  /// Reads a line without its line break.
  init(_ bytes: [UInt8]) throws(LedgerProblem.Kind) {
    guard bytes.count <= Self.byteLimit else { throw .tooLong }
    let parsed = try? JSONValue(parsing: bytes, limits: .init(depth: 96, length: Self.byteLimit))
    guard let json = parsed, case .object = json else { throw .notJSON }
    guard let hash = Self.verifiedHash(of: bytes) else { throw .changed }
    guard let version = json["v"]?.int else { throw .noLine }
    guard version == LedgerChain.version else { throw .unknownVersion(version) }
    guard let number = json["n"]?.int, number > 0, let previous = json["prev"]?.string else { throw .noLine }
    link = LedgerChain.Link(number: number, hash: hash)
    self.previous = previous
    record = LedgerRecord(json)
    func stamp(_ name: String) -> LedgerTime.Stamp? { json[name]?.string.flatMap(LedgerTime.read) }
    let start = stamp("start") ?? stamp("at")
    time = start?.milliseconds
    offsets = (start?.offset ?? 0, stamp("end")?.offset ?? start?.offset ?? 0)
  }

  /// The hash at the end of a line; `nil` where it is not that of the line.
  private static func verifiedHash(of bytes: [UInt8]) -> String? {
    let (start, end) = (Array(LedgerChain.hashStart.utf8), Array(LedgerChain.hashEnd.utf8))
    let count = bytes.count - start.count - 64 - end.count
    guard count > 0, bytes[count...].starts(with: start), bytes.suffix(end.count).elementsEqual(end),
      let hash = Digest.sha256(bytes[..<count] + [UInt8(ascii: "}")]),
      hash.utf8.elementsEqual(bytes[(count + start.count)...].prefix(64))
    else { return nil }
    return hash
  }

  /// What a chain stands at whose last line this is; `nil` where the line is damaged.
  package static func link(of bytes: [UInt8]) -> LedgerChain.Link? { try? LedgerLine(bytes).link }
}

/// What is wrong with a line of a ledger.
package struct LedgerProblem: Error, Hashable, Sendable {
  package enum Kind: Error, Hashable, Sendable {
    case tooLong
    case notJSON
    /// Its hash is not the one that it says.
    case changed
    /// It is JSON with a right hash, but no line of a ledger.
    case noLine
    case unknownVersion(Int)
    /// The lines with these numbers are missing before it.
    case missing(ClosedRange<Int>)
    /// Its number has passed already.
    case outOfOrder(found: Int, expected: Int)
    /// Its number is right, but it follows another line than the one before it.
    case unlinked
    /// It has no line break at its end: whoever wrote it was ended meanwhile.
    case torn
  }

  /// In its file, from 1.
  package var line: Int
  package var kind: Kind

  package init(line: Int, _ kind: Kind) {
    self.line = line
    self.kind = kind
  }

  /// A fragment for people.
  package var message: String {
    switch kind {
    case .tooLong: "the line is longer than \(LedgerLine.byteLimit >> 20) MiB: it is none of a ledger"
    case .notJSON: "the line is no JSON object: it was changed, or is none of a ledger"
    case .changed: "the line was changed after it was written: its hash is another"
    case .noLine: "the line is none of a ledger: `v`, `n` or `prev` is not there"
    case .unknownVersion(let version): "the line is of version \(version), which this showcaller does not know"
    case .missing(let lines):
      lines.count == 1
        ? "number \(lines.lowerBound) is missing before it"
        : "numbers \(lines.lowerBound) to \(lines.upperBound) are missing before it"
    case .outOfOrder(let found, let expected):
      "the line has number \(found) where \(expected) should be: it was moved, or put in twice"
    case .unlinked: "the line does not follow the one before it: one of the two was written anew"
    case .torn: "the last line is not whole: whoever wrote it was ended meanwhile"
    }
  }

  package var help: String? {
    switch kind {
    case .torn: "it is cut off when the ledger is next written to"
    case .missing: "name all files of the ledger, or look for them in a backup"
    case .unknownVersion: "read it with the showcaller that wrote it, or a newer one"
    default: nil
    }
  }
}
