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
    ("1.2.3", "1.2.3"), ("2026-11-21", "2026-11-21"), ("-", "-"), (".inf", ".inf"), ("e5", "e5"), ("1e999", "1e999"),
    ("0.5", 0.5),
  ]

  @Test("Free data follows the YAML 1.2 core schema", arguments: typed)
  func core(text: String, value: JSONValue) {
    var problems = DiagnosticCollector()
    #expect(FreeData.json(Self.scalar(text), reportingTo: &problems) == value)
    #expect(problems.diagnostics.isEmpty)
  }

  @Test(
    "What YAML versions read differently must be quoted", arguments: ["yes", "no", "On", "off", "y", "0755", "1:30"])
  func ambiguous(text: String) {
    var problems = DiagnosticCollector()
    _ = FreeData.json(Self.scalar(text), reportingTo: &problems)
    #expect(problems.diagnostics.map(\.code) == ["T212"])
    var quoted = DiagnosticCollector()
    #expect(FreeData.json(Self.scalar(text, .doubleQuoted), reportingTo: &quoted) == .string(text))
    #expect(quoted.diagnostics.isEmpty)
  }
}
