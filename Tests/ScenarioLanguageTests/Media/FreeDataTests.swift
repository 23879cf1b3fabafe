import CastProtocol
import Testing

@testable import ScenarioLanguage

@Suite struct FreeDataTests {
  static func scalar(_ text: String, _ style: YAMLNode.Scalar.Style = .plain) -> YAMLNode {
    YAMLNode(
      .scalar(YAMLNode.Scalar(text: text, style: style)),
      span: SourceSpan(file: "a.yaml", line: 1, column: 1, endLine: 1, endColumn: 1 + text.count))
  }

  static let typed: [(text: String, value: JSONValue)] = [
    ("true", true), ("FALSE", false), ("null", .null), ("~", .null), ("", .null), ("12", 12), ("-3", -3), ("+3", 3),
    ("1.5", 1.5), (".5", 0.5), ("1e3", .double(1000)), ("0x1F", 31), ("0o17", 15), ("0", 0), ("text", "text"),
    ("1.2.3", "1.2.3"), ("2026-11-21", "2026-11-21"), ("-", "-"), ("e5", "e5"), ("1.e2", .double(100)),
    ("-.5", -0.5), ("+1.5", 1.5), ("1e+2", .double(100)), ("1E-2", 0.01), ("12e03", .double(12000)), ("0x", "0x"),
    ("0x-1", "0x-1"), ("0o8", "0o8"), ("0xG", "0xG"), (".", "."), ("1e", "1e"), ("1e+", "1e+"), ("+", "+"),
    ("1.5.", "1.5."),
    ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)), ("+.nan", "+.nan"),
    ("Yes it is", "Yes it is"),
    ("00:1a", "00:1a"), ("1:", "1:"), ("_1", "_1"), ("0b2", "0b2"), ("NULL", .null), ("nUll", "nUll"), ("tRue", "tRue"),
    ("<<", "<<"), ("=", "="),
    ("0.5", 0.5),
  ]

  @Test("Free data follows the YAML 1.2 core schema", arguments: typed)
  func core(text: String, value: JSONValue) {
    let problems = DiagnosticCollector()
    #expect(FreeData.json(Self.scalar(text), reportingTo: problems) == value)
    #expect(problems.diagnostics.isEmpty)
  }

  @Test(
    "What YAML versions read differently must be quoted",
    arguments: [
      "yes", "no", "On", "off", "y", "N", "0755", "-0755", "00", "1:30", "-1:30", "190:20:30.15", "1_000", "0b101",
      "2026_11_21",
    ])
  func ambiguous(text: String) {
    let problems = DiagnosticCollector()
    _ = FreeData.json(Self.scalar(text), reportingTo: problems)
    #expect(problems.diagnostics.map(\.code.rawValue) == ["T212"])
    let quoted = DiagnosticCollector()
    #expect(FreeData.json(Self.scalar(text, .doubleQuoted), reportingTo: quoted) == .string(text))
    #expect(quoted.diagnostics.isEmpty)
  }

  @Test(
    "A number that JSON or a receiver cannot hold is refused, not bent",
    arguments: [
      ".inf", "-.inf", "+.Inf", ".nan", ".NaN", "1e999", "-1.5E400", "9223372036854775808", "-9223372036854775809",
      "123456789012345678901234567890", "0xFFFFFFFFFFFFFFFFF", "0o7777777777777777777777777",
    ])
  func unsendable(text: String) {
    let problems = DiagnosticCollector()
    _ = FreeData.json(Self.scalar(text), reportingTo: problems)
    #expect(problems.diagnostics.map(\.code.rawValue) == ["T213"])
    #expect(FreeData.json(Self.scalar(text, .singleQuoted), reportingTo: problems) == .string(text))
    #expect(problems.diagnostics.count == 1)
  }
}
