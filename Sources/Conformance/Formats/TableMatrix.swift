import ScenarioLanguage

/// The matrix as comma-separated values (RFC 4180), a row for each verdict and each thing observed.
struct TableMatrix {
  private let matrix: ConformanceMatrix

  init(_ matrix: ConformanceMatrix) { self.matrix = matrix }

  static let head = [
    "device", "id", "model", "cast", "firmware", "time", "check", "statement", "item", "value", "before", "change",
    "reason",
  ]

  var text: String {
    var rows = [Self.head]
    for column in matrix.columns {
      let device = column.device
      let start = [
        device.name, device.id ?? "", device.model ?? "", device.castVersion ?? "", device.firmware ?? "", device.time,
      ]
      for check in matrix.checks {
        guard let result = device.result(of: check.id) else { continue }
        let before = column.comparison?.before.result(of: check.id)
        let changes = (column.comparison?.changes ?? []).filter { $0.check == check.id }
        let verdictChange = changes.first { $0.before == before?.verdict.rawValue }?.kind.rawValue ?? ""
        rows.append(
          start + [
            check.id, check.statement, "result", result.verdict.rawValue, before?.verdict.rawValue ?? "", verdictChange,
            result.reason ?? "",
          ])
        for observation in result.observed {
          let old = before?.value(of: observation.name)
          let change = before != nil && old != observation.value ? ConformanceComparison.Kind.changed.rawValue : ""
          rows.append(
            start + [check.id, check.statement, observation.name, observation.value, old ?? "", change, ""])
        }
      }
    }
    return rows.map { $0.map(Self.field).joined(separator: ",") + "\r\n" }.joined()
  }

  /// A field. What a spreadsheet would take for a formula gets an apostrophe before it: a device may call itself `=HYPERLINK(…)`.
  static func field(_ text: String) -> String {
    var text = TerminalText.escaped(text)
    if let first = text.unicodeScalars.first, "=+-@".unicodeScalars.contains(first) { text = "'" + text }
    guard text.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else { return text }
    return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
