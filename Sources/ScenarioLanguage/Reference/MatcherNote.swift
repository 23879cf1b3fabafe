/// What the matchers take.
enum MatcherNote {
  static func operand(of matcher: String) -> String {
    switch matcher {
    case "not": "any matcher or value"
    case "one_of", "has", "only": "list of values"
    case "min", "max", "above", "below", "about": "value of the field"
    case "tolerance": "distance = 500ms, 0.01 or 1%"
    case "plus": "signed distance"
    case "matches": "regular expression"
    case "contains", "starts_with", "ends_with": "text"
    case "count": "int, or matchers"
    case "exists", "changed": "bool"
    case "advances": "{ at_least: duration, over: duration }"
    default: "value"
    }
  }
}
