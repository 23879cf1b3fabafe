import ScenarioLanguage

/// The matrix as comma-separated values (RFC 4180): a row for each verdict, for each thing observed, and for each change
/// of what is not there now.
struct CSVMatrix {
  private let matrix: ConformanceMatrix

  init(_ matrix: ConformanceMatrix) { self.matrix = matrix }

  static let head = [
    "device", "id", "model", "cast", "firmware", "time", "check", "statement", "item", "value", "before", "change",
    "reason",
  ]

  var text: String {
    let rows = [Self.head] + matrix.columns.flatMap(rows)
    return rows.map { $0.map(Self.field).joined(separator: ",") + "\r\n" }.joined()
  }

  private func rows(_ column: ConformanceMatrix.Column) -> [[String]] {
    let device = column.device
    let start = [
      device.name, device.id ?? "", device.model ?? "", device.castVersion ?? "", device.firmware ?? "", device.time,
    ]
    let changes = column.comparison?.changes ?? []
    let changesOfCheck = Dictionary(grouping: changes, by: \.check)
    func row(_ check: String, _ statement: String, of change: ConformanceComparison.Change) -> [String] {
      start + [
        check, statement, change.item ?? ConformanceMatrix.verdictItem, change.now ?? "", change.before ?? "",
        change.kind.rawValue, "",
      ]
    }
    var rows: [[String]] = []
    for check in matrix.checks {
      guard let result = device.result(of: check.id) else { continue }
      let before = column.comparison?.before.result(of: check.id)
      let changes = changesOfCheck[check.id] ?? []
      func kind(of item: String?) -> String { changes.first { $0.item == item }?.kind.rawValue ?? "" }
      rows.append(
        start + [
          check.id, check.statement, ConformanceMatrix.verdictItem, result.verdict.rawValue,
          before?.verdict.rawValue ?? "", kind(of: nil), result.reason ?? "",
        ])
      for observation in result.observed {
        rows.append(
          start + [
            check.id, check.statement, observation.name, observation.value, before?.value(of: observation.name) ?? "",
            kind(of: observation.name), "",
          ])
      }
      rows += changes.filter { $0.item != nil && $0.now == nil }.map { row(check.id, check.statement, of: $0) }
    }
    return rows + changes.filter { $0.kind == .gone }.map { row($0.check, "", of: $0) }
  }

  /// A field. What a spreadsheet would take for a formula gets an apostrophe before it: a device may call itself `=HYPERLINK(…)`.
  static func field(_ text: String) -> String {
    var text = TerminalText.escaped(text)
    if let first = text.unicodeScalars.first, "=+-@".unicodeScalars.contains(first) { text = "'" + text }
    guard text.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else { return text }
    return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
