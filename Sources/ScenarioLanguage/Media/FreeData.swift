import CastProtocol

/// Free data, such as `custom:`: the one place where YAML 1.2 core typing applies
/// (docs/language/values.md "Free data").
enum FreeData {
  /// The node as JSON; scalars that YAML versions read differently are T212 unless quoted.
  static func json(_ node: YAMLNode, reportingTo problems: DiagnosticCollector) -> JSONValue {
    switch node.content {
    case .scalar(let scalar): return value(of: scalar, at: node, reportingTo: problems)
    case .sequence(let nodes): return .array(nodes.map { json($0, reportingTo: problems) })
    case .mapping(let pairs):
      return .object(JSONObject(pairs.map { JSONObject.Member($0.key.text, json($0.value, reportingTo: problems)) }))
    }
  }

  private static func value(
    of scalar: YAMLNode.Scalar, at node: YAMLNode, reportingTo problems: DiagnosticCollector
  ) -> JSONValue {
    guard scalar.style == .plain else { return .string(scalar.text) }
    let text = scalar.text
    switch text {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    default: break
    }
    if let cure = cure(for: text) {
      problems.report(
        .error, .t212, "`\(ScalarText.shown(text))` means different things to different YAML tools",
        at: .init(node.place, "quote it or write \(cure)"))
      return .string(text)
    }
    switch CoreNumber(text) {
    case .value(let value): return value
    case .none: return .string(text)
    case .infinite:
      problems.report(
        .error, .t213, "`\(ScalarText.shown(text))` cannot be sent: JSON has no such number",
        at: .init(node.place), footers: [.help("quote it if it is a text")])
    case .tooLong:
      problems.report(
        .error, .t213, "`\(ScalarText.shown(text))` has more digits than a number can keep",
        at: .init(node.place, "64 bits are too few"), footers: [.help("quote it: as a text it arrives whole")])
    }
    return .string(text)
  }

  /// What to write instead of a scalar that YAML 1.1 and 1.2 read differently.
  private static func cure(for text: String) -> String? {
    switch text.lowercased() {
    case "yes", "on", "y": return "`true`"
    case "no", "off", "n": return "`false`"
    default: break
    }
    let bytes = Array(text.utf8)
    guard let first = bytes.first, ScalarText.isDigit(first) || first == UInt8(ascii: "-") || first == UInt8(ascii: "+")
    else { return nil }
    let digits = ScalarText.isDigit(first) ? bytes[...] : bytes.dropFirst()
    if digits.count > 1, digits.first == UInt8(ascii: "0"), digits.allSatisfy(ScalarText.isDigit) {
      return "the number without its leading zero"
    }
    if digits.starts(with: Array("0b".utf8)), digits.count > 2,
      digits.dropFirst(2).allSatisfy({ $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: "1") })
    {
      return "the number in decimal"
    }
    if digits.first.map(ScalarText.isDigit) == true, digits.contains(UInt8(ascii: "_")),
      digits.allSatisfy({ ScalarText.isDigit($0) || $0 == UInt8(ascii: "_") })
    {
      return "the number without `_`"
    }
    // Base 60, whose last part may have decimals.
    let parts = digits.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    if parts.count > 1, let last = parts.last,
      parts.dropLast().allSatisfy({ !$0.isEmpty && $0.allSatisfy(ScalarText.isDigit) }),
      last.first.map(ScalarText.isDigit) == true, last.allSatisfy({ ScalarText.isDigit($0) || $0 == UInt8(ascii: ".") })
    {
      return "the number it stands for"
    }
    return nil
  }
}

/// A plain scalar read as a number of YAML 1.2 core: decimal, `0o17`, `0x1F`, fractions and exponents.
private enum CoreNumber {
  case value(JSONValue)
  /// `.inf`, `.nan`, or beyond what a double can hold.
  case infinite
  /// A whole number that does not fit 64 bits.
  case tooLong
  /// No number at all.
  case none

  init(_ text: String) {
    for (prefix, radix) in [("0x", 16), ("0o", 8)] where text.hasPrefix(prefix) {
      let digits = text.dropFirst(2)
      let isWhole =
        !digits.isEmpty
        && digits.utf8.allSatisfy { byte in
          ScalarText.isDigit(byte) ? radix == 16 || byte < UInt8(ascii: "8") : radix == 16 && Self.isHexLetter(byte)
        }
      self = !isWhole ? .none : Int(digits, radix: radix).map { .value(.int($0)) } ?? .tooLong
      return
    }
    let isSigned = text.utf8.first == UInt8(ascii: "-") || text.utf8.first == UInt8(ascii: "+")
    let body = isSigned ? text.dropFirst() : Substring(text)
    if [".inf", ".Inf", ".INF"].contains(body) || !isSigned && [".nan", ".NaN", ".NAN"].contains(body) {
      self = .infinite
      return
    }
    let mantissa = body.prefix { $0 != "e" && $0 != "E" }
    let exponent = body.dropFirst(mantissa.count)
    let halves = mantissa.split(separator: ".", omittingEmptySubsequences: false)
    let areDigits = halves.allSatisfy { $0.utf8.allSatisfy(ScalarText.isDigit) }
    guard (1...2).contains(halves.count), areDigits, halves.contains(where: { !$0.isEmpty }), Self.isExponent(exponent)
    else {
      self = .none
      return
    }
    if halves.count == 1, exponent.isEmpty {
      self = Int(text).map { .value(.int($0)) } ?? .tooLong
      return
    }
    // Swift wants a digit before and after the point, YAML does not.
    let whole = halves[0].isEmpty ? "0" : halves[0]
    let fraction = halves.count == 1 || halves[1].isEmpty ? "0" : halves[1]
    let sign = text.hasPrefix("-") ? "-" : ""
    guard let number = Double("\(sign)\(whole).\(fraction)\(exponent)"), number.isFinite else {
      self = .infinite
      return
    }
    self = .value(.double(number))
  }

  private static func isExponent(_ text: Substring) -> Bool {
    guard let first = text.dropFirst().utf8.first else { return text.isEmpty }
    let isSigned = first == UInt8(ascii: "-") || first == UInt8(ascii: "+")
    let digits = text.dropFirst(isSigned ? 2 : 1)
    return !digits.isEmpty && digits.utf8.allSatisfy(ScalarText.isDigit)
  }

  private static func isHexLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
  }
}
