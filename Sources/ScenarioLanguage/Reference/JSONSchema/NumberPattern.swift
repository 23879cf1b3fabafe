/// Regular expressions for numbers between limits, as the readers of ``NumberScalar`` accept them: no leading zeros.
enum NumberPattern {
  private static let fraction = #"(\.[0-9]+)?"#
  private static let anyWhole = "(0|[1-9][0-9]*)"
  /// The reader takes so many digits.
  private static let mostDigits = 18

  /// `1...10000` as an expression that takes `1` and `10000`, but neither `0` nor `10001`.
  static func whole(in range: ClosedRange<Int>) -> String {
    guard range.lowerBound >= 0 else { return "-?\(anyWhole)" }
    let numbers = digits(in: range)
    return range.lowerBound == 0 ? "(-?0|\(numbers))" : numbers
  }

  /// The same with decimals. The limits are whole numbers, or there is none.
  static func decimal(in range: ClosedRange<Double>) -> String {
    guard range.lowerBound >= 0, let low = Int(exactly: range.lowerBound) else { return "-?\(anyWhole)\(fraction)" }
    let zero = low == 0 ? #"-0(\.0+)?|"# : ""
    guard let high = Int(exactly: range.upperBound) else {
      // What has no upper limit begins at zero in all tables.
      return low == 0 ? "(\(zero)\(anyWhole)\(fraction))" : "\(anyWhole)\(fraction)"
    }
    let below = high > low ? "\(digits(in: low...(high - 1)))\(fraction)|" : ""
    return #"(\#(zero)\#(below)\#(high)(\.0+)?)"#
  }

  /// From zero to just below a whole number.
  static func decimal(below limit: Int) -> String { #"(-0(\.0+)?|\#(digits(in: 0...(limit - 1)))\#(fraction))"# }

  /// Whole numbers from 0 on.
  private static func digits(in range: ClosedRange<Int>) -> String {
    var parts: [String] = []
    var first = 1
    for count in 1...mostDigits {
      let lowest = max(range.lowerBound, count == 1 ? 0 : first)
      let highest = min(range.upperBound, first * 10 - 1)
      if lowest <= highest { parts.append(sameLength(Array("\(lowest)"), Array("\(highest)"))) }
      first *= 10
      if count == mostDigits || first > range.upperBound { break }
    }
    return "(\(parts.joined(separator: "|")))"
  }

  /// Numbers between two of as many digits.
  private static func sameLength(_ low: [Character], _ high: [Character]) -> String {
    guard let first = low.first, let last = high.first else { return "" }
    let rest = low.count - 1
    let isWhole = low.dropFirst().allSatisfy { $0 == "0" } && high.dropFirst().allSatisfy { $0 == "9" }
    if isWhole { return one(first, last) + any(rest) }
    if first == last { return "\(first)\(sameLength(Array(low.dropFirst()), Array(high.dropFirst())))" }
    let nines = [Character](repeating: "9", count: rest)
    let zeros = [Character](repeating: "0", count: rest)
    var parts = ["\(first)\(sameLength(Array(low.dropFirst()), nines))"]
    if let next = neighbour(first, 1), let before = neighbour(last, -1), next <= before {
      parts.append(one(next, before) + any(rest))
    }
    parts.append("\(last)\(sameLength(zeros, Array(high.dropFirst())))")
    return "(\(parts.joined(separator: "|")))"
  }

  private static func one(_ low: Character, _ high: Character) -> String { low == high ? "\(low)" : "[\(low)-\(high)]" }

  private static func any(_ count: Int) -> String {
    switch count {
    case 0: ""
    case 1: "[0-9]"
    default: "[0-9]{\(count)}"
    }
  }

  private static func neighbour(_ digit: Character, _ step: Int) -> Character? {
    digit.wholeNumberValue.map { Character("\($0 + step)") }
  }
}
