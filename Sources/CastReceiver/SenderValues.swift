import CastProtocol

/// Reading what senders write, as leniently as devices do: `null` is absent, `"false"`, 0 and 1 are truth values, and
/// `"10"` is a number.
extension JSONObject {
  /// The member `name`, unless it is `null`.
  func given(_ name: String) -> JSONValue? { self[name].flatMap { $0.isNull ? JSONValue?.none : $0 } }
}

extension JSONValue {
  /// Yes or no.
  var flag: Bool? {
    switch self {
    case .bool(let value): value
    case .int(1), .string("true"), .string("1"): true
    case .int(0), .string("false"), .string("0"): false
    default: nil
    }
  }

  /// A finite number.
  var amount: Double? {
    guard case .string(let text) = self else { return number }
    return Double(text).flatMap { $0.isFinite ? $0 : nil }
  }

  /// A whole number.
  var whole: Int? {
    guard case .string(let text) = self else { return int }
    return Int(text)
  }
}
