/// Numbers, percentages and truth values as documents write them (docs/language/values.md "Spellings").
package enum NumberScalar {
  package static func int(_ text: String, in range: ClosedRange<Int>) throws(ScalarProblem) -> Int {
    if let problem = leadingZero(text) { throw problem }
    let digits = text.hasPrefix("-") ? text.dropFirst() : Substring(text)
    guard ScalarText.isDigits(digits) else {
      if let value = ScalarText.decimal(text) {
        let whole = Int(exactly: value).flatMap { range.contains($0) ? $0 : nil }
        throw ScalarProblem(
          .t221, "\(ScalarText.quoted(text)) is not a whole number", label: whole.map { "write `\($0)`" } ?? "")
      }
      throw spelling(text, "a whole number") { (try? int($0, in: range)) != nil }
    }
    guard digits.utf8.count <= 18, let value = Int(text), range.contains(value) else {
      throw outOfRange(
        text, low: range.lowerBound == .min ? nil : String(range.lowerBound),
        high: range.upperBound == .max ? nil : String(range.upperBound))
    }
    return value
  }

  package static func number(_ text: String, in range: ClosedRange<Double>) throws(ScalarProblem) -> Double {
    if let problem = leadingZero(text) { throw problem }
    guard let value = ScalarText.decimal(text) else {
      throw spelling(text, "a number") { (try? number($0, in: range)) != nil }
    }
    guard range.contains(value) else { throw outOfRange(text, range, unit: "") }
    return value
  }

  /// Percent points. `field` names what is measured.
  /// - Parameter sign: Stands in front of the text where the text says by how much something changes.
  package static func percent(
    _ text: String, in range: ClosedRange<Double>, field: String, sign: String = ""
  ) throws(ScalarProblem) -> Double {
    guard text.hasSuffix("%"), let value = ScalarText.decimal(text.dropLast()) else {
      if let number = ScalarText.decimal(text) {
        // `0.4` counts to 1, and so does a number that is too small here.
        let percent = text.contains(".") || !range.contains(number) ? number * 100 : number
        let isDoubtful = text == "1" && range.contains(1) && range.contains(100)
        throw ScalarProblem(
          .t207, "\(field) is a percentage",
          label: isDoubtful
            ? "1% or 100%?" : Suggestions.label(range.contains(percent) ? "\(sign)\(percent.decimals(4))%" : nil),
          note: "the receiver counts from 0 to 1, people from 0 to 100; the % sign removes the doubt")
      }
      let number = text.prefix { $0 != "%" && $0 != " " && !$0.isLetter }
      let rest = text.dropFirst(number.count).filter { $0 != " " }
      let plain = ScalarText.decimal(number) != nil ? String(number) : meant(String(number))
      let isPercent = ["%", "percent", "pct"].contains(rest.lowercased())
      let right = plain.flatMap { plain in
        isPercent && ScalarText.decimal(plain).map { range.contains($0) } == true ? plain : nil
      }
      if text.hasPrefix("+"), let right, field == "volume" {
        throw ScalarProblem(
          .t207, "\(ScalarText.quoted(text)) is not a percentage", label: "by so much, from which level?",
          help: "a document says the level: `\(right)%`; `showcaller volume +\(right)%` changes it on the command line")
      }
      throw ScalarProblem(
        .t207, "\(ScalarText.quoted(text)) is not a percentage",
        label: Suggestions.label(right.map { "\(sign)\($0)%" }),
        help: "a number and %: `40%`")
    }
    if let problem = leadingZero(String(text.dropLast())) { throw problem }
    guard range.contains(value) else { throw outOfRange(text, range, unit: "%") }
    return value
  }

  /// `1.1x`, or a number: above 0.
  package static func factor(_ text: String) throws(ScalarProblem) -> Double {
    let body = text.hasSuffix("x") ? String(text.dropLast()) : text
    if let problem = leadingZero(body) { throw problem }
    guard let value = ScalarText.decimal(body) else {
      let digits = text.filter { $0 != "x" && $0 != "X" && $0 != " " && $0 != "%" }
      if let number = ScalarText.decimal(digits, signed: false), number > 0, digits.utf8.count < text.utf8.count {
        let meant = text.contains("%") ? (number / 100).decimals(6) : String(digits)
        throw ScalarProblem(
          .t221, "\(ScalarText.quoted(text)) is not a factor such as `1.1x`", label: Suggestions.label("\(meant)x"))
      }
      throw spelling(text, "a factor such as `1.1x`") { (try? factor($0)) != nil }
    }
    guard value > 0 else {
      throw ScalarProblem(.t213, "a factor is above zero", label: "not \(ScalarText.shown(text))")
    }
    return value
  }

  package static func bool(_ text: String) throws(ScalarProblem) -> Bool {
    switch text {
    case "true": return true
    case "false": return false
    default:
      let meant = Suggestions.bool(text)
      throw ScalarProblem(
        .t204, "\(ScalarText.quoted(text)) is not true or false", label: meant.map { "write `\($0)`" } ?? "",
        note: "yes/no/on/off are booleans only in YAML 1.1; showcaller accepts `true` and `false`")
    }
  }

  /// What may be a text or a truth value: `nil` for a text.
  ///
  /// A text that is a truth value elsewhere (`no`, `False`), and one that says nothing (`null`, `~`), is refused: as a
  /// text it would mean the opposite.
  package static func textOrBool(_ text: String) throws(ScalarProblem) -> Bool? {
    let saysNothing = ["", "~", "null", "none", "never"].contains(text.lowercased())
    return saysNothing || Suggestions.bool(text) != nil ? try bool(text) : nil
  }

  private static func leadingZero(_ text: String) -> ScalarProblem? {
    let digits = text.hasPrefix("-") ? text.dropFirst() : Substring(text)
    guard digits.utf8.count > 1, digits.first == "0", digits.utf8.count <= 12 else { return nil }
    if let point = digits.firstIndex(of: "."), digits[..<point].utf8.count > 1, ScalarText.decimal(digits) != nil {
      let whole = digits[..<point].drop { $0 == "0" }
      let sign = text.hasPrefix("-") ? "-" : ""
      return ScalarProblem(
        .t206, "`\(text)` has a leading zero", help: "write `\(sign)\(whole.isEmpty ? "0" : whole)\(digits[point...])`"
      )
    }
    guard ScalarText.isDigits(digits) else { return nil }
    let stripped = String(digits.drop { $0 == "0" })
    let decimal = stripped.isEmpty ? "0" : stripped
    let octal = Int(digits, radix: 8).map(String.init)
    let isDoubtful = octal != nil && octal != decimal
    return ScalarProblem(
      .t206, "`\(text)` has a leading zero", label: isDoubtful ? "\(octal ?? "") or \(decimal)?" : "",
      help: "write `\(text.hasPrefix("-") ? "-" : "")\(decimal)`"
        + (isDoubtful ? " (YAML 1.1 tools read \(text) as octal \(octal ?? ""))" : ""))
  }

  /// - Parameter isRight: Whether a spelling would do here: no other one is suggested.
  private static func spelling(_ text: String, _ what: String, _ isRight: (String) -> Bool) -> ScalarProblem {
    let suggestion = meant(text).flatMap { isRight($0) ? $0 : nil }
    return ScalarProblem(
      .t221, "\(ScalarText.quoted(text)) is not \(what)", label: Suggestions.label(suggestion),
      help: "digits, with `.` between digits where decimals make sense")
  }

  /// The plain spelling of a number written in another way: `0x1F`, `1_000`, `1e3`, `.5`, `1.`, `+1`.
  private static func meant(_ text: String) -> String? {
    guard text.utf8.count <= 20 else { return nil }
    let isNegative = text.hasPrefix("-")
    let body = isNegative || text.hasPrefix("+") ? text.dropFirst() : Substring(text)
    let sign = isNegative ? "-" : ""
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where body.hasPrefix(prefix) {
      let digits = body.dropFirst(2)
      guard digits.utf8.first != 0x2B, digits.utf8.first != 0x2D else { return nil }
      return Int(digits, radix: radix).map { "\(sign)\($0)" }
    }
    guard body.utf8.contains(where: ScalarText.isDigit) else { return nil }
    var plain = String(body.filter { $0 != "_" })
    if plain.hasPrefix(".") { plain = "0" + plain }
    if plain.hasSuffix(".") { plain.removeLast() }
    if ScalarText.decimal(plain, signed: false) == nil {
      let parts = plain.split(whereSeparator: { $0 == "e" || $0 == "E" })
      guard parts.count == 2, ScalarText.decimal(parts[0], signed: false) != nil, let power = Int(parts[1]),
        (-6...12).contains(power), let value = Double("\(parts[0])e\(power)")
      else { return nil }
      plain = value.decimals(12)
    }
    guard ScalarText.decimal(plain, signed: false) != nil, leadingZero(plain) == nil else { return nil }
    return sign + plain
  }

  private static func outOfRange(_ text: String, _ range: ClosedRange<Double>, unit: String) -> ScalarProblem {
    outOfRange(
      text, low: range.lowerBound.isFinite ? range.lowerBound.decimals(4) + unit : nil,
      high: range.upperBound.isFinite ? range.upperBound.decimals(4) + unit : nil)
  }

  private static func outOfRange(_ text: String, low: String?, high: String?) -> ScalarProblem {
    let limits =
      switch (low, high) {
      case (let low?, let high?): "from \(low) to \(high)"
      case (let low?, nil): "\(low) or more"
      case (nil, let high?): "\(high) or less"
      case (nil, nil): "fewer digits"
      }
    return ScalarProblem(.t213, "\(ScalarText.quoted(text)) is out of range", label: limits)
  }
}

extension ScalarSpec {
  static let bool = ScalarSpec(
    "bool", "`true` or `false`", "`true`, `false`", refused: "`yes no on off y n 1 0 True`",
    variable: .init("bool", .bool, .bool)
  ) { text, _ throws(ScalarProblem) in .bool(try NumberScalar.bool(text)) }

  static let textOrBool = ScalarSpec("text, or bool", "a text, `true` or `false`") { text, _ throws(ScalarProblem) in
    try NumberScalar.textOrBool(text).map { .bool($0) } ?? .text
  }

  static let int = ScalarSpec(
    "int", "a whole number", "a whole number: `0`, `42`, `-3`", refused: "`010`, `0x1F`, `1_000`, `1e3`, `4.0`",
    isOrdered: true, variable: .init("int", .anyInteger, .int)
  ) { text, context throws(ScalarProblem) in .int(try NumberScalar.int(text, in: context.limits.whole)) }

  static let number = ScalarSpec(
    "number", "a number", "`1.5`, `0.25`, `2`", refused: "`.5`, `1.`, `1e3`, `.inf`, `.nan`",
    isOrdered: true, variable: .init("number", .anyNumber, .number)
  ) { text, context throws(ScalarProblem) in .number(try NumberScalar.number(text, in: context.limits.decimal)) }

  static let percent = ScalarSpec(
    "percent", "a percentage", "with its sign: `40%`, `12.5%`", refused: "`40`, `0.4`", examples: ["40%"],
    isOrdered: true, variable: .init("percent", .percent(-Double.infinity...Double.infinity), .percent)
  ) { text, context throws(ScalarProblem) in
    .number(try NumberScalar.percent(text, in: context.limits.decimal, field: context.field))
  }

  static let factor = ScalarSpec(
    "factor", "a factor", "`1.1x`, or a number",
    pattern: "\(SchemaPatterns.positive(NumberPattern.decimal(in: 0 ... .infinity)))x?", examples: ["1.1x"],
    isOrdered: true, variable: .init("factor", .factor, .number)
  ) { text, _ throws(ScalarProblem) in .number(try NumberScalar.factor(text)) }
}
