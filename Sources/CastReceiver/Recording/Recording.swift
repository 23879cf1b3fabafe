import CastProtocol

/// What senders and a receiver said to each other, read from a file.
///
/// Both forms are read: lines of JSON, as `receive --record` writes them, and a list of messages, as people publish them.
package struct Recording: Hashable, Sendable {
  /// Of the form that is written.
  package static let version = 1
  /// Of a file that is read.
  package static let byteLimit = 64 << 20
  private static let mostMessages = 200_000

  /// In their order.
  package var messages: [RecordedMessage] = []
  /// Whether its last line is cut off, as when the disk was full.
  package private(set) var isCut = false

  package init(_ messages: [RecordedMessage]) { self.messages = messages }

  /// Why a file is no recording.
  package struct Problem: Error, Hashable, Sendable {
    /// From 1; `nil`: the file as a whole.
    package var line: Int?
    /// A lowercase fragment.
    package var message: String
  }

  package init(parsing bytes: [UInt8]) throws(Problem) {
    if bytes.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "[") {
      try readList(bytes)
    } else {
      try readLines(bytes)
    }
    if messages.isEmpty { throw Problem(line: nil, message: "it holds no message of a sender or a receiver") }
  }

  /// The names of its receivers, in their order; none where it does not say.
  package var receivers: [String] {
    var seen: Set<String> = []
    return messages.compactMap(\.receiver).filter { seen.insert($0).inserted }
  }

  /// What concerns one receiver: all, where the recording does not know it.
  package func of(_ receiver: String) -> Recording {
    let own = messages.filter { $0.receiver == receiver }
    return own.isEmpty ? self : Recording(own)
  }

  /// Whether it says when messages came.
  package var hasTimes: Bool { messages.contains { $0.at != nil } }

  private mutating func readList(_ bytes: [UInt8]) throws(Problem) {
    let json: JSONValue
    do throws(ProtocolError) {
      json = try JSONValue(parsing: bytes, limits: .init(length: Self.byteLimit))
    } catch {
      throw Problem(line: nil, message: "\(error)")
    }
    for element in json.array ?? [] { if let object = element.object { try add(object, line: nil) } }
  }

  /// A message may be as deep as any, and a line is around it.
  private static let lineLimits = JSONValue.Limits(depth: JSONValue.Limits().depth + 1)

  private mutating func readLines(_ bytes: [UInt8]) throws(Problem) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) { continue }
      guard let object = (try? JSONValue(parsing: Array(line), limits: Self.lineLimits))?.object else {
        // Where writing was cut off, the last line has no end.
        if index == lines.count - 1, index > 0 {
          isCut = true
          return
        }
        throw Problem(line: index + 1, message: "this is no JSON object")
      }
      try add(object, line: index + 1)
    }
  }

  private mutating func add(_ object: JSONObject, line: Int?) throws(Problem) {
    if let version = object["recording"]?.int, version > Self.version {
      throw Problem(line: line, message: "a newer showcaller wrote it (version \(version))")
    }
    guard let message = RecordedMessage(object) else { return }
    guard messages.count < Self.mostMessages else {
      throw Problem(line: line, message: "it has more than \(Self.mostMessages) messages")
    }
    messages.append(message)
  }
}
