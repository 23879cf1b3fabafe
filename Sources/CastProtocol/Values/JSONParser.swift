extension JSONValue {
  /// What a JSON text may cost. Source: docs/security.md S5.
  package struct Limits: Hashable, Sendable {
    /// How many arrays and objects may be open at once.
    package var depth: Int
    /// Bytes of the whole text.
    package var length: Int

    package init(depth: Int = 64, length: Int = 1 << 20) {
      self.depth = depth
      self.length = length
    }
  }

  /// Reads one JSON text, strictly as RFC 8259 has it, in UTF-8.
  ///
  /// A number without fraction and exponent that fits 64 bits becomes ``JSONValue/int(_:)``, any other finite one
  /// ``JSONValue/double(_:)``. Where a name comes twice in an object, both members are kept and the last one counts.
  /// - Throws: ``ProtocolError/malformedJSON(_:offset:)`` for anything that is not JSON, for bytes that are not UTF-8,
  ///   for a lone surrogate, for a number no `Double` can hold, and for a text over `limits`.
  package init(parsing bytes: [UInt8], limits: Limits = Limits()) throws(ProtocolError) {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      throw .malformedJSON("not UTF-8", offset: error.byteOffsets.lowerBound)
    }
    try self.init(parsingUTF8: bytes, limits: limits)
  }

  /// Reads one JSON text; see ``init(parsing:limits:)-([UInt8],_)``.
  package init(parsing text: String, limits: Limits = Limits()) throws(ProtocolError) {
    var text = text
    self = try text.withUTF8 { JSONParser.parse($0, limits) }.get()
  }

  /// Reads bytes that are known to be UTF-8.
  private init(parsingUTF8 bytes: [UInt8], limits: Limits) throws(ProtocolError) {
    self = try bytes.withUnsafeBufferPointer { JSONParser.parse($0, limits) }.get()
  }
}

/// A recursive-descent parser over bytes that are UTF-8; its recursion is bounded by ``JSONValue/Limits/depth``.
///
/// It reads the bytes where they lie; every index is compared with their number first. As a ``JSONSource`` it hands out
/// the values without making a tree of them.
struct JSONParser: ~Copyable {
  let bytes: UnsafeBufferPointer<UInt8>
  let limits: JSONValue.Limits
  let names = WireNameTable.shared
  /// Where the next byte is.
  var index = 0
  /// How many objects and arrays are open while it is read as a ``JSONSource``.
  var depth = 0
  /// That the text is no JSON, while it is read as a ``JSONSource``: there is nothing more then.
  var hasFailed = false
  /// Of the objects and arrays that are open, the outer ones below.
  private var openMembers = ValueStack<JSONObject.Member>()
  private var openElements = ValueStack<JSONValue>()

  init(bytes: UnsafeBufferPointer<UInt8>, limits: JSONValue.Limits) {
    self.bytes = bytes
    self.limits = limits
  }

  /// A result, because a closure that throws loses the type of its error.
  static func parse(_ bytes: UnsafeBufferPointer<UInt8>, _ limits: JSONValue.Limits) -> Result<JSONValue, ProtocolError>
  {
    var parser = JSONParser(bytes: bytes, limits: limits)
    do throws(ProtocolError) { return .success(try parser.parse()) } catch { return .failure(error) }
  }

  mutating func parse() throws(ProtocolError) -> JSONValue {
    if bytes.count > limits.length { throw .malformedJSON("text is longer than \(limits.length) bytes", offset: 0) }
    skipSpace()
    let result = try value(depth: 0)
    skipSpace()
    if index < bytes.count { throw failure("unexpected bytes after the value") }
    return result
  }

  // MARK: values

  mutating func value(depth: Int) throws(ProtocolError) -> JSONValue {
    guard index < bytes.count else { throw failure("unexpected end") }
    switch bytes[index] {
    case UInt8(ascii: "{"): return .object(JSONObject(try members(depth: depth + 1)))
    case UInt8(ascii: "["): return .array(try elements(depth: depth + 1))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw failure("unexpected byte")
    }
  }

  private mutating func members(depth: Int) throws(ProtocolError) -> [JSONObject.Member] {
    if depth > limits.depth { throw failure("nested deeper than \(limits.depth)") }
    index += 1
    skipSpace()
    if take(UInt8(ascii: "}")) { return [] }
    let height = openMembers.count
    while true {
      guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { throw failure("expected a member name") }
      let (name, wireName) = try memberName()
      skipSpace()
      if !take(UInt8(ascii: ":")) { throw failure("expected ':'") }
      skipSpace()
      openMembers.push(JSONObject.Member(name, wireName, try value(depth: depth)))
      skipSpace()
      if take(UInt8(ascii: "}")) { return openMembers.take(above: height) }
      if !take(UInt8(ascii: ",")) { throw failure("expected ',' or '}'") }
      skipSpace()
    }
  }

  private mutating func elements(depth: Int) throws(ProtocolError) -> [JSONValue] {
    if depth > limits.depth { throw failure("nested deeper than \(limits.depth)") }
    index += 1
    skipSpace()
    if take(UInt8(ascii: "]")) { return [] }
    let height = openElements.count
    while true {
      openElements.push(try value(depth: depth))
      skipSpace()
      if take(UInt8(ascii: "]")) { return openElements.take(above: height) }
      if !take(UInt8(ascii: ",")) { throw failure("expected ',' or ']'") }
      skipSpace()
    }
  }

  private mutating func literal(_ text: StaticString, _ value: JSONValue) throws(ProtocolError) -> JSONValue {
    let matches = text.withUTF8Buffer { letters in
      letters.count <= bytes.count - index && letters.elementsEqual(bytes[index..<index + letters.count])
    }
    if !matches { throw failure("expected \(text)") }
    index += text.utf8CodeUnitCount
    return value
  }

  // MARK: strings

  /// Reads the name of a member from its opening quote to behind its closing one.
  mutating func memberName() throws(ProtocolError) -> (String, WireName?) {
    let opening = index
    if let plain = plainString(), let known = names.find(bytes, plain) { return (known.text, known.name) }
    index = opening
    let name = try string()
    return (name, WireName(text: name))
  }

  /// Passes over a string at whose opening quote the parser stands.
  /// - Returns: The places of its bytes. `nil`, and nothing is passed over, where it has an escape, something that may not
  ///   stand there, or no end.
  @inline(__always)
  mutating func plainString() -> Range<Int>? {
    let opening = index
    index += 1
    skipPlainText()
    if take(UInt8(ascii: "\"")) { return opening + 1..<index - 1 }
    index = opening
    return nil
  }

  /// Reads a string from its opening quote to behind its closing one.
  mutating func string() throws(ProtocolError) -> String {
    let opening = index
    index += 1
    let start = index
    while index < bytes.count {
      skipPlainText()
      guard index < bytes.count else { break }
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") {
        let text = text(from: start)
        index += 1
        return text
      }
      if byte == UInt8(ascii: "\\") { return try escapedString(from: start, opening: opening) }
      if byte < 0x20 { throw failure("control character in a string") }
      index += 1
    }
    throw failure("string does not end", at: opening)
  }

  /// What stands from `start` to here.
  private func text(from start: Int) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<index]), as: UTF8.self)
  }

  /// Passes over what is neither a quote, a backslash nor a control character, eight bytes at a time.
  mutating func skipPlainText() {
    guard let base = bytes.baseAddress else { return }
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs = ones << 7
    while bytes.count - index >= 8 {
      let word = UInt64(littleEndian: UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self))
      let quotes = word ^ (ones &* 0x22)
      let backslashes = word ^ (ones &* 0x5C)
      // The lowest byte that is marked is one that was looked for; those above it may be marked by mistake.
      let marked =
        (((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes) | ((word &- ones &* 0x20) & ~word))
        & highs
      if marked != 0 {
        index += marked.trailingZeroBitCount >> 3
        return
      }
      index += 8
    }
  }

  /// Goes on with a string whose first escape is at `index`.
  private mutating func escapedString(from start: Int, opening: Int) throws(ProtocolError) -> String {
    var units = Array(UnsafeBufferPointer(rebasing: bytes[start..<index]))
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") {
        index += 1
        return String(decoding: units, as: UTF8.self)
      }
      if byte < 0x20 { throw failure("control character in a string") }
      index += 1
      if byte == UInt8(ascii: "\\") { try escape(into: &units) } else { units.append(byte) }
    }
    throw failure("string does not end", at: opening)
  }

  /// Reads what follows a backslash.
  private mutating func escape(into units: inout [UInt8]) throws(ProtocolError) {
    guard index < bytes.count else { throw failure("string does not end") }
    let letter = bytes[index]
    index += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): units.append(letter)
    case UInt8(ascii: "b"): units.append(0x08)
    case UInt8(ascii: "f"): units.append(0x0C)
    case UInt8(ascii: "n"): units.append(0x0A)
    case UInt8(ascii: "r"): units.append(0x0D)
    case UInt8(ascii: "t"): units.append(0x09)
    case UInt8(ascii: "u"):
      var code = try fourHexDigits()
      if (0xD800...0xDBFF).contains(code), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
        let low = try fourHexDigits()
        guard (0xDC00...0xDFFF).contains(low) else { throw failure("lone surrogate") }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { throw failure("lone surrogate") }
      units.append(contentsOf: scalar.utf8)
    default: throw failure("unknown escape", at: index - 1)
    }
  }

  private mutating func fourHexDigits() throws(ProtocolError) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard index < bytes.count else { throw failure("string does not end") }
      let digit: UInt8
      switch bytes[index] {
      case let byte where isDigit(byte): digit = byte - UInt8(ascii: "0")
      case let byte where byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case let byte where byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: throw failure("expected four hex digits")
      }
      code = code << 4 | UInt32(digit)
      index += 1
    }
    return code
  }

  // MARK: numbers

  private mutating func number() throws(ProtocolError) -> JSONValue {
    let start = index
    let isNegative = take(UInt8(ascii: "-"))
    var decimal = Decimal()
    if take(UInt8(ascii: "0")) {
      if index < bytes.count, isDigit(bytes[index]) { throw failure("number starts with 0") }
    } else if !takeDigits(into: &decimal) {
      throw failure("expected a digit")
    }
    var isWhole = true
    if take(UInt8(ascii: ".")) {
      isWhole = false
      let integerDigits = decimal.digits
      if !takeDigits(into: &decimal) { throw failure("expected a digit") }
      decimal.exponent = integerDigits - decimal.digits
    }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      isWhole = false
      let isSmall = take(UInt8(ascii: "-"))
      if !isSmall { _ = take(UInt8(ascii: "+")) }
      var power = Decimal()
      if !takeDigits(into: &power) { throw failure("expected a digit") }
      // A power of four digits or more never takes the exact path, so its exact value does not matter here.
      let magnitude = power.overflows ? 10_000 : Int(min(power.mantissa, 10_000))
      decimal.exponent += isSmall ? -magnitude : magnitude
    }
    if isWhole, !decimal.overflows {
      if let value = Int(exactly: decimal.mantissa) { return .int(isNegative ? -value : value) }
      if isNegative, decimal.mantissa == Int.min.magnitude { return .int(.min) }
    }
    if let value = decimal.exactDouble { return .double(isNegative ? -value : value) }
    guard let value = Double(text(from: start)), value.isFinite else {
      throw failure("number is out of range", at: start)
    }
    return .double(value)
  }

  /// The digits of a number as far as 64 bits hold them.
  private struct Decimal {
    var mantissa: UInt64 = 0
    var overflows = false
    /// How many digits were read, leading zeros included.
    var digits = 0
    var exponent = 0

    /// The value, when both the digits and the power of ten are exact doubles: then one rounding gives the nearest one.
    var exactDouble: Double? {
      guard !overflows, mantissa < 1 << 53, abs(exponent) < Self.powersOfTen.count else { return nil }
      let power = Self.powersOfTen[abs(exponent)]
      return exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
    }

    private static let powersOfTen: [Double] = [
      1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
      1e20, 1e21, 1e22,
    ]
  }

  /// Reads digits; false when there is none.
  private mutating func takeDigits(into decimal: inout Decimal) -> Bool {
    let start = index
    while index < bytes.count, isDigit(bytes[index]) {
      let (product, overflow) = decimal.mantissa.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(bytes[index] - UInt8(ascii: "0")))
      if overflow || carry { decimal.overflows = true }
      decimal.mantissa = sum
      index += 1
    }
    decimal.digits += index - start
    return index > start
  }

  // MARK: bytes

  private func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

  mutating func take(_ byte: UInt8) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  @inline(__always)
  mutating func skipSpace() {
    // Devices write none.
    if index < bytes.count, bytes[index] > 0x20 { return }
    skipSomeSpace()
  }

  private mutating func skipSomeSpace() {
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x0A, 0x0D, 0x09: index += 1
      default: return
      }
    }
  }

  private func failure(_ what: String, at offset: Int? = nil) -> ProtocolError {
    .malformedJSON(what, offset: offset ?? index)
  }
}
