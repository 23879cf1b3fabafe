import CastProtocol

/// What is said of a matcher in messages, pages and the JSON schema, and how it is read.
struct MatcherSpec: Sendable {
  let summary: String
  let fit: MatcherFit
  let operand: MatcherOperand
  /// What other tools call it.
  let synonyms: [String]

  init(_ summary: String, for fit: MatcherFit = .all, _ operand: MatcherOperand, synonyms: [String] = []) {
    self.summary = summary
    self.fit = fit
    self.operand = operand
    self.synonyms = synonyms
  }
}

/// What stands before a matcher.
struct MatcherSubject: Hashable {
  var type: StatusField.ValueType
  /// Whether its progress can be judged.
  var canAdvance = false
  /// Whether it is a status field; else a part of a message, a variable or a fact about the device.
  var isStatusField = true
}

/// The subjects that a matcher makes sense for.
enum MatcherFit {
  case all, ordered, text, lists, lengths, positions, statusFields

  func takes(_ subject: MatcherSubject) -> Bool {
    let sort = subject.type.sort
    return switch self {
    case .all: true
    case .ordered: subject.type.isOrdered
    case .text: sort == .text || sort == .any
    case .lists: sort == .list || sort == .any
    case .lengths: sort == .list || sort == .structure || sort == .any
    case .positions: subject.canAdvance
    case .statusFields: subject.isStatusField
    }
  }

  /// As in "`min` is for numbers and durations".
  var noun: String {
    switch self {
    case .all: "any field"
    case .ordered: "numbers and durations"
    case .text: "text"
    case .lists: "lists"
    case .lengths: "lists and structures"
    case .positions: "positions"
    case .statusFields: "status fields"
    }
  }
}

/// What stands behind a matcher's name, and what is made of it.
enum MatcherOperand: Sendable {
  case matcher
  /// Values of the field's type.
  case values(@Sendable ([JSONValue]) -> Matcher)
  /// A value to compare with; those of one field make a range, or belong to `about`.
  case reference
  case tolerance
  /// What is added to a reference.
  case offset
  case pattern
  case text(@Sendable (String) -> Matcher)
  /// Values of the type that the field's list holds.
  case elements(@Sendable ([JSONValue]) -> Matcher)
  case count
  case bool(@Sendable (Bool) -> Matcher)
  case advance

  /// As pages spell it.
  var spelled: String {
    switch self {
    case .matcher: "any matcher or value"
    case .values, .elements: "list of values"
    case .reference: "value of the field"
    case .tolerance: "distance = 500ms, 0.01 or 1%"
    case .offset: "signed distance"
    case .pattern: "regular expression"
    case .text: "text"
    case .count: "int, or matchers"
    case .bool: "bool"
    case .advance: "{ at_least: duration, over: duration }"
    }
  }
}
