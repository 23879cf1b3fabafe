import CastProtocol

/// How a record of a journal stands on its line: one JSON object, whose last member is the checksum of all before it.
package enum JournalLine {
  /// A longer record is not read, and none is written.
  package static let byteLimit = 4 << 20
  static let checksumHead = Array(#","crc":""#.utf8)
  static let checksumLength = checksumHead.count + 8 + 2
  static let head = Array(#"{"seq":"#.utf8)

  /// - Parameter number: Of the record, from 1.
  package static func bytes(_ entry: JournalEntry, number: Int, run: String) -> [UInt8] {
    var object: JSONObject = [
      "seq": .int(number), "run": .string(run), "t": .milliseconds(entry.wallTime), "e": .milliseconds(entry.elapsed),
      "k": .string(entry.kind.word.rawValue),
    ]
    object.members += entry.kind.fields.members
    var line = Array(JSONValue.object(object).serialized().utf8)
    line.removeLast()
    let digits = String(CRC32C.value(of: line), radix: 16)
    line += checksumHead
    line += String(repeating: "0", count: 8 - digits.utf8.count).utf8
    line += digits.utf8
    line += #""}"#.utf8
    line.append(UInt8(ascii: "\n"))
    return line
  }

  /// What a line says, without its line break; `nil` where not every byte is as it was written.
  static func read(_ line: ArraySlice<UInt8>) -> (number: Int, run: String, entry: JournalEntry)? {
    guard line.count > checksumLength, line.count <= byteLimit else { return nil }
    let (body, end) = (line.dropLast(checksumLength), line.suffix(checksumLength))
    guard end.starts(with: checksumHead), end.last == UInt8(ascii: "}"), end.dropLast().last == UInt8(ascii: "\"")
    else { return nil }
    let digits = end.dropFirst(checksumHead.count).prefix(8)
    // As it is written and in no other spelling: one byte that differs is damage.
    guard digits.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }),
      UInt32(String(decoding: digits, as: UTF8.self), radix: 16) == CRC32C.value(of: body)
    else { return nil }
    let limits = JSONValue.Limits(depth: JSONValue.decodingDepth, length: byteLimit)
    guard let json = try? JSONValue(parsing: Array(body) + [UInt8(ascii: "}")], limits: limits),
      let object = json.object, let number = object["seq"]?.int, let run = object["run"]?.string,
      let wallTime = object["t"]?.number, let elapsed = object["e"]?.number,
      let word = (object["k"]?.string).flatMap(JournalEntry.Kind.Word.init)
    else { return nil }
    let kind = JournalEntry.Kind(word, fields: object)
    return (number, run, JournalEntry(wallTime: wallTime, elapsed: elapsed, kind))
  }
}
