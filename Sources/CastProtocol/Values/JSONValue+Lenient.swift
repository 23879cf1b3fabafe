/// Reading what devices really send: a number as a string, a string as a number, `null` for nothing.
///
/// Source: docs/protocol.md Q18 to Q21.
extension JSONValue {
  /// How many elements of a list are read. Source: docs/security.md S6.
  static let listLimit = 256

  /// The value itself, unless it is `null`.
  var unlessNull: JSONValue? { isNull ? nil : self }

  /// A string, or a number as text.
  package var lenientText: String? {
    switch self {
    case .string(let text): text
    case .int, .double: serialized()
    default: nil
    }
  }

  /// A number, or a string that spells a finite one.
  var lenientNumber: Double? {
    switch self {
    case .int(let value): Double(value)
    case .double(let value): value
    case .string(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }

  /// Seconds as a device says them: a number within a hundred years, so that sums of them mean something.
  var lenientSeconds: Double? { lenientNumber.map { max(-3_155_760_000, min(3_155_760_000, $0)) } }

  /// A whole number, or a string that spells one.
  package var lenientInteger: Int? {
    if case .string(let text) = self { return Int(text) ?? lenientNumber.flatMap { Int(exactly: $0) } }
    return int
  }

  /// A truth value, or a string that spells one.
  var lenientFlag: Bool? {
    switch self {
    case .bool(let value): value
    case .string("true"): true
    case .string("false"): false
    default: nil
    }
  }

  /// Each element of a list as `read` has it, without those it cannot read.
  func lenientList<Element>(_ read: (JSONValue) -> Element?) -> [Element]? {
    guard case .array(let elements) = self else { return nil }
    var list: [Element] = []
    list.reserveCapacity(min(elements.count, Self.listLimit))
    for index in elements.indices.prefix(Self.listLimit) {
      if let element = read(elements[index]) { list.append(element) }
    }
    return list
  }
}

extension JSONObject {
  /// Appends a member; `nil` appends nothing.
  mutating func append(_ name: String, _ value: JSONValue?) {
    if let value { members.append(Member(name, value)) }
  }

  mutating func append(_ name: String, _ text: String?) { append(name, text.map { .string($0) }) }
  mutating func append(_ name: String, _ number: Double?) { append(name, number.map { JSONValue($0) }) }
  mutating func append(_ name: String, _ number: Int?) { append(name, number.map { .int($0) }) }
  mutating func append(_ name: String, _ flag: Bool?) { append(name, flag.map { .bool($0) }) }
  mutating func append(_ name: String, _ object: JSONObject?) { append(name, object.map { .object($0) }) }
}
