/// Reading typed values straight from a text.
///
/// All of the text is judged as strictly as when a tree is made of it, also what nobody reads.
extension JSONParser: JSONSource {
  /// What `read` makes of a JSON text; `nil` where it makes nothing of it, and where the text is no JSON or too long.
  static func read<Value>(_ text: String, _ read: (inout JSONParser) -> Value?) -> Value? {
    var text = text
    return text.withUTF8 { bytes in
      let limits = JSONValue.Limits()
      guard bytes.count <= limits.length else { return nil }
      var parser = JSONParser(bytes: bytes, limits: limits)
      parser.skipSpace()
      let value = read(&parser)
      parser.skipSpace()
      return parser.index == bytes.count && !parser.hasFailed ? value : nil
    }
  }

  /// Reads a message of this type, and what `make` makes of its status; `nil` where it is of another, or has none.
  static func readStatus<Status>(
    _ type: String, in text: String, _ make: (inout JSONParser) -> Status
  ) -> (requestID: Int, status: Status)? {
    read(text) { message in
      var isOfType = false
      var requestID = 0
      var status: Status?
      _ = message.readMembers { member, value in
        switch member {
        case .type: isOfType = value.text() == type
        case .requestID: requestID = value.lenientInteger() ?? 0
        case .status: status = make(&value)
        default: break
        }
      }
      guard isOfType, let status else { return nil }
      return (requestID, status)
    }
  }

  @inline(__always)
  mutating func readMembers(_ body: (_ name: WireName?, _ value: inout Self) -> Void) -> Bool {
    guard enter(UInt8(ascii: "{")) else { return false }
    if !take(UInt8(ascii: "}")) {
      repeat {
        skipSpace()
        let name = wireName()
        skipSpace()
        if !take(UInt8(ascii: ":")) { fail() }
        skipSpace()
        let start = index
        body(name, &self)
        if index == start { skipValue() }
        skipSpace()
      } while take(UInt8(ascii: ","))
      if !take(UInt8(ascii: "}")) { fail() }
    }
    depth -= 1
    return true
  }

  @inline(__always)
  mutating func readElements(_ body: (_ element: inout Self) -> Void) -> Bool {
    guard enter(UInt8(ascii: "[")) else { return false }
    if !take(UInt8(ascii: "]")) {
      repeat {
        skipSpace()
        let start = index
        body(&self)
        if index == start { skipValue() }
        skipSpace()
      } while take(UInt8(ascii: ","))
      if !take(UInt8(ascii: "]")) { fail() }
    }
    depth -= 1
    return true
  }

  mutating func readNull() -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: "n") else { return false }
    _ = tree()
    return true
  }

  mutating func scalar() -> JSONValue? {
    guard index < bytes.count, bytes[index] != UInt8(ascii: "{"), bytes[index] != UInt8(ascii: "[") else { return nil }
    return tree()
  }

  mutating func tree() -> JSONValue {
    do throws(ProtocolError) {
      return try value(depth: depth)
    } catch {
      fail()
      return .null
    }
  }

  /// Passes the bracket of an object or an array, and the space behind it.
  private mutating func enter(_ bracket: UInt8) -> Bool {
    guard take(bracket) else { return false }
    depth += 1
    if depth > limits.depth { fail() }
    skipSpace()
    return true
  }

  /// Reads the name of a member; `nil` for one that no message is read by.
  private mutating func wireName() -> WireName? {
    guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
      fail()
      return nil
    }
    if let plain = plainString() { return names.find(bytes, plain)?.name }
    return scalar()?.string.flatMap { WireName(text: $0) }
  }

  /// Passes over the value that stands here.
  private mutating func skipValue() {
    if readMembers({ _, _ in }) || readElements({ _ in }) { return }
    if index < bytes.count, bytes[index] == UInt8(ascii: "\""), plainString() != nil { return }
    _ = tree()
  }

  /// Notes that the text is no JSON; whoever reads on finds the end.
  private mutating func fail() {
    hasFailed = true
    index = bytes.count
  }
}
