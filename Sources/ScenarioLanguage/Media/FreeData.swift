import CastProtocol

/// Free data, such as `custom:`: the one place where YAML 1.2 core typing applies (language.md 2.1).
enum FreeData {
  /// The node as JSON; scalars that YAML versions read differently are T212 unless quoted.
  static func json(_ node: YAMLNode, reportingTo problems: inout DiagnosticCollector) -> JSONValue {
    switch node.content {
    case .scalar(let scalar): return value(of: scalar, at: node, reportingTo: &problems)
    case .sequence(let nodes): return .array(nodes.map { json($0, reportingTo: &problems) })
    case .mapping(let pairs):
      return .object(
        JSONObject(pairs.map { JSONObject.Member($0.key.text, json($0.value, reportingTo: &problems)) }))
    }
  }

  private static func value(
    of scalar: YAMLNode.Scalar, at node: YAMLNode, reportingTo problems: inout DiagnosticCollector
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
        Diagnostic(
          .error, "T212", "`\(text)` means different things to different YAML tools",
          at: .init(node.substitutedAt ?? node.span, "quote it or write \(cure)")))
      return .string(text)
    }
    return number(text) ?? .string(text)
  }

  /// What to write instead of a scalar that YAML 1.1 and 1.2 read differently.
  private static func cure(for text: String) -> String? {
    switch text.lowercased() {
    case "yes", "on", "y": return "`true`"
    case "no", "off", "n": return "`false`"
    default: break
    }
    let bytes = Array(text.utf8)
    func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    let digits = bytes.first == UInt8(ascii: "-") || bytes.first == UInt8(ascii: "+") ? bytes.dropFirst() : bytes[...]
    if digits.count > 1, digits.first == UInt8(ascii: "0"), digits.allSatisfy(isDigit) {
      return "the number without its leading zero"
    }
    let parts = digits.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    if parts.count > 1, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isDigit) }) {
      return "the number it stands for"
    }
    return nil
  }

  /// YAML 1.2 core numbers: decimal, `0o17`, `0x1F`, fractions and exponents; `.inf` and `.nan` have no JSON.
  private static func number(_ text: String) -> JSONValue? {
    if text.hasPrefix("0x") { return Int(text.dropFirst(2), radix: 16).map { .int($0) } }
    if text.hasPrefix("0o") { return Int(text.dropFirst(2), radix: 8).map { .int($0) } }
    let bytes = text.utf8
    guard let first = bytes.first,
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) || "+-.".utf8.contains(first),
      bytes.contains(where: { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      bytes.allSatisfy({ "0123456789+-.eE".utf8.contains($0) })
    else { return nil }
    if let whole = Int(text) { return .int(whole) }
    // Swift wants a digit before and after the point, YAML does not.
    var spelled = text.hasPrefix("+") ? String(text.dropFirst()) : text
    if spelled.hasPrefix(".") { spelled = "0" + spelled }
    if spelled.hasPrefix("-.") { spelled = "-0" + spelled.dropFirst() }
    if spelled.hasSuffix(".") { spelled += "0" }
    guard let number = Double(spelled), number.isFinite else { return nil }
    return .double(number)
  }
}
