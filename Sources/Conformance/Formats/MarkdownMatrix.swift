import ScenarioLanguage

/// The matrix as a page of Markdown. What devices say is text and never markup.
struct MarkdownMatrix {
  private let matrix: ConformanceMatrix

  init(_ matrix: ConformanceMatrix) { self.matrix = matrix }

  var text: String {
    var lines = ["# Cast conformance", ""]
    lines += devices
    for column in matrix.columns { lines += changes(of: column) }
    lines += verdicts
    lines += reasons
    lines += observations
    return lines.joined(separator: "\n") + "\n"
  }

  private var devices: [String] {
    let rows = matrix.columns.map { column in
      let device = column.device
      return [device.name, device.title, device.versions, device.address, device.time, column.counts]
    }
    return Self.table(["device", "model", "firmware", "address", "checked", "result"], rows)
  }

  private func changes(of column: ConformanceMatrix.Column) -> [String] {
    guard let comparison = column.comparison, let words = column.changes else { return [] }
    let firmware = Self.cell(comparison.versions)
    var lines = [
      "", "## \(Self.cell(column.device.name)): \(words)", "",
      "Firmware \(firmware). Compared with the result of \(Self.cell(comparison.before.time)).",
    ]
    guard !comparison.changes.isEmpty else { return lines }
    lines.append("")
    lines += Self.table(
      ["change", "check", "what", "before", "now"],
      comparison.changes.map {
        [$0.kind.rawValue, $0.check, $0.item ?? ConformanceMatrix.verdictItem, $0.before ?? "", $0.now ?? ""]
      })
    return lines
  }

  private var verdicts: [String] {
    let rows = matrix.checks.map { check in
      [check.id, check.statement]
        + matrix.columns.map { $0.device.result(of: check.id).map(Self.verdict) ?? "" }
    }
    let heads = matrix.columns.map { "\($0.device.title), \($0.device.versions)" }
    return ["", "## Checks", ""] + Self.table(["check", "what has to be true"] + heads, rows)
  }

  /// `passed`, `failed: s3 seek 25s: too late`.
  private static func verdict(_ result: ConformanceResult) -> String {
    switch result.verdict {
    case .failed, .error: [result.verdict.rawValue, result.reason].compactMap(\.self).joined(separator: ": ")
    case .passed, .skipped, .notRun: result.verdict.rawValue
    }
  }

  private var reasons: [String] {
    let rows = matrix.columns.flatMap { column in
      Self.gathered(column.device.checks).map { (first, more) in
        let checks = more == 0 ? first.id : "\(first.id) and \(more) more"
        return [column.device.name, checks, first.verdict.rawValue, first.reason ?? ""]
      }
    }
    return rows.isEmpty
      ? [] : ["", "## What did not pass", ""] + Self.table(["device", "check", "result", "why"], rows)
  }

  /// Those with a reason. Checks that follow each other and were not run for the same one are told once, by the first.
  private static func gathered(_ checks: [ConformanceResult]) -> [(first: ConformanceResult, more: Int)] {
    var gathered: [(first: ConformanceResult, more: Int)] = []
    for check in checks where check.reason != nil {
      if check.verdict == .notRun, let last = gathered.last?.first, last.verdict == .notRun, last.reason == check.reason
      {
        gathered[gathered.count - 1].more += 1
      } else {
        gathered.append((check, 0))
      }
    }
    return gathered
  }

  private var observations: [String] {
    var rows: [[String]] = []
    for check in matrix.checks {
      let results = matrix.columns.map { $0.device.result(of: check.id) }
      var seen: Set<String> = []
      for name in results.flatMap({ $0?.observed.map(\.name) ?? [] }) where seen.insert(name).inserted {
        rows.append([check.id, name] + results.map { $0?.value(of: name) ?? "" })
      }
    }
    let heads = matrix.columns.map(\.device.name)
    return rows.isEmpty ? [] : ["", "## Observed", ""] + Self.table(["check", "what"] + heads, rows)
  }

  // MARK: Markdown

  private static func table(_ head: [String], _ rows: [[String]]) -> [String] {
    func line(_ cells: [String]) -> String { "| " + cells.map(cell).joined(separator: " | ") + " |" }
    return [line(head), "|" + String(repeating: " --- |", count: head.count)] + rows.map(line)
  }

  private static let markup: Set<Unicode.Scalar> = [
    "\\", "`", "*", "_", "{", "}", "[", "]", "<", ">", "#", "|", "~", "!", "&",
  ]

  /// A text on one line, where none of it is markup.
  static func cell(_ text: String) -> String {
    let scalars = Array(TerminalText.escaped(text).unicodeScalars)
    var result = ""
    for (index, scalar) in scalars.enumerated() {
      // An underscore within a word means nothing in Markdown, and the protocol's words are full of them.
      let isWithinWord = scalar == "_" && isOfWord(scalars, index - 1) && isOfWord(scalars, index + 1)
      if markup.contains(scalar), !isWithinWord { result.append("\\") }
      result.unicodeScalars.append(scalar)
    }
    return result
  }

  /// Whether a letter or a digit stands there.
  private static func isOfWord(_ scalars: [Unicode.Scalar], _ index: Int) -> Bool {
    guard scalars.indices.contains(index) else { return false }
    let properties = scalars[index].properties
    return properties.isAlphabetic || properties.numericType != nil
  }
}
