/// Takes a stream apart into messages with a header in front. Source: LSP 3.17 "Base Protocol".
///
/// `Content-Length: 2\r\n\r\n{}` is the message `{}`.
package struct HeaderFrames: Sendable {
  package static let headerLimit = 4 << 10
  /// Room for a document of 1 MiB with every character escaped.
  package static let bodyLimit = 8 << 20

  private var bytes: [UInt8] = []
  /// How much of ``bytes`` was handed out.
  private var taken = 0
  /// The length of the message whose header was read.
  private var length: Int?

  package init() {}

  package mutating func push(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  /// The next message that is whole; `nil`: more has to come.
  package mutating func next() throws(FrameProblem) -> [UInt8]? {
    if length == nil { length = try header() }
    guard let length, bytes.count - taken >= length else { return nil }
    let body = Array(bytes[taken..<taken + length])
    taken += length
    self.length = nil
    if taken == bytes.count || taken > 1 << 16 {
      bytes.removeFirst(taken)
      taken = 0
    }
    return body
  }

  /// - Throws: Where the stream may not end here.
  package func end() throws(FrameProblem) { if length != nil || bytes.count > taken { throw .cutOff } }

  /// The length that a header tells, once it is whole.
  private mutating func header() throws(FrameProblem) -> Int? {
    let waiting = bytes[taken...]
    guard let end = Self.end(ofHeaderIn: waiting.prefix(Self.headerLimit)) else {
      if waiting.count >= Self.headerLimit { throw .headerTooLong(limit: Self.headerLimit) }
      return nil
    }
    let text = String(decoding: waiting[..<end], as: UTF8.self)
    taken = end + 4
    var length: Int?
    for line in text.split(separator: "\r\n") {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { throw .badHeader(Self.shown(line)) }
      let value = parts[1].drop { $0 == " " || $0 == "\t" }
      switch parts[0].lowercased() {
      case "content-length":
        guard !value.isEmpty, value.utf8.count <= 10, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
          let number = Int(value)
        else { throw .badLength(Self.shown(value)) }
        guard number <= Self.bodyLimit else { throw .tooLarge(limit: Self.bodyLimit) }
        length = number
      case "content-type":
        if let charset = value.lowercased().split(separator: "charset=").dropFirst().first,
          !["utf-8", "utf8"].contains(charset.prefix { $0 != ";" && $0 != " " })
        {
          throw .charset(Self.shown(charset))
        }
      // Fields that are not known mean nothing to us.
      default: break
      }
    }
    guard let length else { throw .noLength }
    return length
  }

  private static func end(ofHeaderIn bytes: ArraySlice<UInt8>) -> Int? {
    var index = bytes.startIndex
    while index + 3 < bytes.endIndex {
      if bytes[index] == 0x0D, bytes[index + 1] == 0x0A, bytes[index + 2] == 0x0D, bytes[index + 3] == 0x0A {
        return index
      }
      index += 1
    }
    return nil
  }

  private static func shown(_ text: Substring) -> String { String(text.prefix(40)) }

  /// A message as it is sent.
  package static func framed(_ body: String) -> String { "Content-Length: \(body.utf8.count)\r\n\r\n\(body)" }
}
