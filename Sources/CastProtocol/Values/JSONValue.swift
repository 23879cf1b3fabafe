/// One JSON value as it was on the wire; objects keep the order of their members.
package enum JSONValue: Sendable {
  case null
  case bool(Bool)
  /// A number written without fraction or exponent that fits 64 bits.
  case int(Int)
  /// Any other finite number.
  case double(Double)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

/// The members of a JSON object, in order. Where a name comes twice, the last one counts.
package struct JSONObject: Sendable {
  /// One name and its value.
  package struct Member: Sendable {
    package let name: String
    package var value: JSONValue
    /// Which of the names that messages are read by this is.
    let wireName: WireName?

    package init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
      wireName = WireName(text: name)
    }

    /// A member that was read; `wireName` is that of `name`.
    init(_ name: String, _ wireName: WireName?, _ value: JSONValue) {
      self.name = name
      self.value = value
      self.wireName = wireName
    }
  }

  package var members: [Member]

  package init(_ members: [Member] = []) { self.members = members }

  /// The value of the last member called `name`; setting replaces it in place, or appends; `nil` removes it.
  package subscript(name: String) -> JSONValue? {
    get { members.lastIndex { $0.name == name }.map { members[$0].value } }
    set {
      if let newValue {
        if let index = members.lastIndex(where: { $0.name == name }) {
          members[index].value = newValue
        } else {
          members.append(Member(name, newValue))
        }
      } else {
        members.removeAll { $0.name == name }
      }
    }
  }

  /// The value of the last member with that name.
  subscript(name: WireName) -> JSONValue? {
    for index in members.indices.reversed() where members[index].wireName == name { return members[index].value }
    return nil
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    members = elements.map { Member($0.0, $0.1) }
  }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements.map { JSONObject.Member($0.0, $0.1) }))
  }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int) { self = .int(value) }
  package init(floatLiteral value: Double) { self = JSONValue(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue {
  /// A number as the wire wants it: whole numbers have no decimals; not finite becomes `null`.
  package init(_ number: Double) {
    if let whole = Int(exactly: number), whole.magnitude < 1 << 53 {
      self = .int(whole)
    } else {
      self = number.isFinite ? .double(number) : .null
    }
  }

  /// The member `name` of an object; `nil` for anything else.
  package subscript(name: String) -> JSONValue? {
    if case .object(let object) = self { object[name] } else { nil }
  }

  /// The same for one of the wire's names.
  subscript(name: WireName) -> JSONValue? {
    if case .object(let object) = self { object[name] } else { nil }
  }

  package var object: JSONObject? { if case .object(let value) = self { value } else { nil } }
  package var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
  package var string: String? { if case .string(let value) = self { value } else { nil } }
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// A number of either kind.
  package var number: Double? {
    switch self {
    case .int(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }
  /// A whole number; `4.0` counts, `4.5` and anything that does not fit do not.
  package var int: Int? {
    switch self {
    case .int(let value): value
    case .double(let value): Int(exactly: value)
    default: nil
    }
  }
  package var isNull: Bool { if case .null = self { true } else { false } }
}
