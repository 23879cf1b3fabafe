import CastProtocol
import Testing

@testable import ScenarioLanguage

/// What the value of a scalar's node is, by the kind that its field asks for (docs/language/values.md "Spellings").
@Suite struct ScalarKindTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var kind: ScalarKind
    var text: String
    var value: ScalarValue
    var order: Double?
    var json: JSONValue
    /// What is none of this kind; `nil` where any text is one.
    var wrong: String?
    var testDescription: String { "\(kind) \(text)" }

    init(
      _ kind: ScalarKind, _ text: String, _ value: ScalarValue, order: Double? = nil, json: JSONValue? = nil,
      not wrong: String? = nil
    ) {
      self.kind = kind
      self.text = text
      self.value = value
      self.order = order
      self.json = json ?? .string(text)
      self.wrong = wrong
    }
  }

  private static let day = YearDay(year: 2026, month: 12, day: 24)
  private static let cron = try? CronExpression("*/15 6 * * *")

  static let rows: [Row] = [
    Row(.text, "1917", .text), Row(.text, "", .text),
    Row(.bool, "true", .bool(true), json: true, not: "yes"), Row(.bool, "false", .bool(false), json: false),
    Row(.textOrBool, "soon", .text, not: "yes"), Row(.textOrBool, "false", .bool(false), json: false),
    Row(.int, "-3", .int(-3), order: -3, json: -3, not: "1.5"),
    Row(.number, "0.25", .number(0.25), order: 0.25, json: 0.25, not: ".5"),
    Row(.percent, "12.5%", .number(12.5), order: 12.5, json: 12.5, not: "12.5"),
    Row(.duration, "1m30s", .duration(.seconds(90)), order: 90, json: 90, not: "90"),
    Row(.signedDuration, "-1.5s", .duration(.milliseconds(-1_500)), order: -1.5, json: -1.5, not: "1.5s"),
    Row(.position, "start", .position(.start), order: 0, not: "begin"),
    Row(.position, "1m", .position(.at(.seconds(60))), order: 60, json: 60),
    Row(.position, "end", .position(.end), order: .infinity),
    Row(.factor, "1.5x", .number(1.5), order: 1.5, json: 1.5, not: "0"),
    Row(.time, "07:00", .time(25_200), order: 25_200, not: "7:00"),
    Row(.hours, "17:00-01:00", .hours(TimeWindow(start: 61_200, end: 3_600)), not: "07:00"),
    Row(.days, "fri-mon", .days([4, 5, 6, 0]), not: "friday"),
    Row(.date, "2026-12-24", .date(day), order: 20_811, not: "12-24"),
    Row(.dates, "2026-12-24", .dates(DateRange((first: day, last: day))), not: "24.12."),
    Row(.timestamp, "1970-01-01T01:00:01+01:00", .moment(1), order: 1, not: "1970-01-01T01:00:01"),
    Row(.url, "https://e.com/a", .text, not: "e.com/a"),
    Row(.color, "black/75%", .color("#000000BF"), json: "#000000BF", not: "pink"),
    Row(.id, "big_film", .text, not: "Big Film"), Row(.language, "pt-BR", .text, not: "english"),
    Row(.mime, "video/mp4", .text, not: "mp4"), Row(.urn, "urn:x-cast:com.example", .text, not: "x-cast"),
    Row(.timeZone, "Europe/Paris", .text, not: "Paris"),
    Row(.cron, "*/15 6 * * *", cron.map { .cron($0) } ?? .text, not: "@daily"),
    Row(.regularExpression, "^S01", .text), Row(.appID, "10E45678", .text, not: "a b"),
    Row(.hostAndPort, "tv.example.net", .host(HostAndPort(host: "tv.example.net")), not: "tv:0"),
    Row(.path, "brand/fonts.yaml", .text), Row(.statusPath, "break.clip_time", .text, not: "break.clip_tim"),
  ]

  private static func scalar(_ text: String) -> YAMLNode {
    YAMLNode(
      .scalar(.init(text: text, style: .plain)),
      span: SourceSpan(file: "a.yaml", line: 1, column: 4, endLine: 1, endColumn: 4 + text.unicodeScalars.count))
  }

  @Test(
    "A scalar that was read keeps what its kind makes of it, with its order and its value in a run", arguments: rows)
  func value(row: Row) {
    var node = Self.scalar(row.text)
    // An empty text is nothing where a field asks for one.
    if !row.text.isEmpty {
      var reader = FieldReader(diagnostics: DiagnosticCollector())
      #expect(reader.read(&node, as: .scalar(row.kind, .none), field: .init(name: "x")))
      #expect(reader.diagnostics.diagnostics == [])
      #expect(node.value == row.value)
    }
    #expect(FieldType.scalar(row.kind, .none).value(of: row.text) == row.value)
    #expect(row.value.order == row.order)
    #expect(row.value.json(row.text) == row.json)
  }

  @Test("What is none of its kind is reported once, and has no value", arguments: rows.filter { $0.wrong != nil })
  func refused(row: Row) {
    var node = Self.scalar(row.wrong ?? "")
    var reader = FieldReader(diagnostics: DiagnosticCollector())
    #expect(!reader.read(&node, as: .scalar(row.kind, .none), field: .init(name: "x")))
    #expect(reader.diagnostics.diagnostics.map(\.severity) == [.error])
    #expect(node.value == nil && !node.isRead)
  }

  @Test("Every kind has such a row, a wrong text unless any will do, and an order where limits can be set")
  func complete() {
    for kind in ScalarKind.allCases {
      let rows = Self.rows.filter { $0.kind == kind }
      #expect(!rows.isEmpty, "\(kind)")
      let takesAny = [.text, .path, .regularExpression].contains(kind)
      #expect(rows.contains { $0.wrong != nil } != takesAny, "\(kind)")
      #expect(rows.allSatisfy { ($0.order != nil) == kind.spec.isOrdered }, "\(kind)")
    }
  }

  @Test("A variable takes and refuses what a field of its kind does, and means the same by it", arguments: rows)
  func variable(row: Row) {
    guard let type = row.kind.spec.variable?.type else { return }
    #expect(type.value(of: row.text) == row.value)
    // Names that fields check where they stand are texts in a variable.
    if row.kind == .id || row.kind == .appID { return #expect(type.kind == .text) }
    #expect(type.kind == row.kind)
    for text in [row.text, row.wrong].compactMap(\.self) {
      func words(_ type: FieldType) -> String {
        ScalarWords.of {
          var context = ScalarContext(field: "x")
          return try type.read(text, in: &context)
        }
      }
      // A set has its members in any order.
      #expect(words(type).sorted() == words(.scalar(row.kind, .none)).sorted())
    }
  }
}
