/// Takes a stream apart into messages, one a line. Source: MCP 2025-06-18 "Transports", "stdio".
package struct LineFrames: Sendable {
  package static let limit = 4 << 20

  private var bytes: [UInt8] = []
  private var taken = 0

  package init() {}

  package mutating func push(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  /// The next line that is whole and not empty; `nil`: more has to come.
  package mutating func next() throws(FrameProblem) -> [UInt8]? {
    while let end = bytes[taken...].firstIndex(of: 0x0A) {
      var line = bytes[taken..<end]
      taken = end + 1
      if line.last == 0x0D { line = line.dropLast() }
      if line.count > Self.limit { throw .tooLarge(limit: Self.limit) }
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
      return Array(line)
    }
    if taken > 0 {
      bytes.removeFirst(taken)
      taken = 0
    }
    if bytes.count > Self.limit { throw .tooLarge(limit: Self.limit) }
    return nil
  }

  /// - Throws: Where the stream may not end here.
  package func end() throws(FrameProblem) { if bytes.count > taken { throw .cutOff } }
}
