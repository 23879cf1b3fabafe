package import CastProtocol

extension Plan {
  /// A number known at compile time or saved by an earlier step: seconds, percent points or a plain number.
  package enum Amount: Codable, Hashable, Sendable {
    case literal(Double)
    case saved(String)
  }
}

extension Plan.Amount {
  package var json: JSONValue {
    switch self {
    case .literal(let number): JSONValue(number)
    case .saved(let name): .string("${\(name)}")
    }
  }

  /// The number where it is known now.
  var literal: Double? { if case .literal(let number) = self { number } else { nil } }
  /// What stands for it on the wire where only the run knows it.
  var placeholder: JSONValue? { if case .saved(let name) = self { .string("‹\(name)›") } else { nil } }
}
