import CastProtocol
package import RunReporting
import ScenarioLanguage

/// Checks by device: what `conform` prints, in several formats.
package struct ConformanceMatrix: Sendable {
  /// One column, and what it was before.
  package struct Column: Sendable {
    package var device: CheckedDevice
    /// `nil` where there is no earlier result.
    package var comparison: ConformanceComparison?

    package init(_ device: CheckedDevice, comparedWith earlier: CheckedDevice? = nil) {
      self.device = device
      comparison = earlier.map { ConformanceComparison(device, with: $0) }
    }

    /// How `conform` exits for this device.
    /// - Parameter excusesKnown: Whether what failed before in the same way is no failure.
    package func ending(excusingKnown excusesKnown: Bool) -> RunExit {
      let exits = device.checks.map { check -> RunExit in
        if excusesKnown, comparison?.before.result(of: check.id)?.verdict == check.verdict { return .passed }
        return switch check.verdict {
        case .passed, .skipped: .passed
        case .failed: .expectationFailed
        case .error: .stepFailed
        case .notRun: .deadlinePassed
        }
      }
      return RunExit.worst(of: exits)
    }

    /// `40 passed, 2 failed, 1 skipped`.
    package var counts: String {
      let words = ConformanceResult.Verdict.allCases.compactMap { verdict -> String? in
        let count = device.checks.count { $0.verdict == verdict }
        return count == 0 ? nil : "\(count) \(verdict.rawValue)"
      }
      return words.isEmpty ? "nothing was checked" : words.joined(separator: ", ")
    }

    /// `1 regressed, 2 changed`, `nothing changed`, `nothing of these 17 changed` where others were not run; `nil` where there
    /// is no earlier result.
    package var changes: String? {
      guard let comparison else { return nil }
      let words = ConformanceComparison.Kind.allCases.compactMap { kind -> String? in
        let count = comparison.changes.count { $0.kind == kind }
        return count == 0 ? nil : "\(count) \(kind.rawValue)"
      }
      if !words.isEmpty { return words.joined(separator: ", ") }
      let run = device.checks.count { $0.verdict != .notRun }
      if run == device.checks.count { return "nothing changed" }
      return switch run {
      case 0: "nothing was compared"
      case 1: "nothing of this one changed"
      default: "nothing of these \(run) changed"
      }
    }
  }

  package var columns: [Column]
  /// In the order of the rows.
  package var checks: [ConformanceCheck]

  package init(_ columns: [Column], checks: [ConformanceCheck]) { (self.columns, self.checks) = (columns, checks) }

  /// The formats that it can be printed in.
  package enum Format: String, CaseIterable, Sendable {
    case markdown, csv, json
  }

  /// What a verdict is called where things observed have their names.
  static let verdictItem = "result"

  package func text(in format: Format, by tool: String) -> String {
    switch format {
    case .markdown: MarkdownMatrix(self).text
    case .csv: CSVMatrix(self).text
    case .json: SafeJSON.text(json(by: tool)) + "\n"
    }
  }

  /// A record, and what changed: it can be compared with later.
  private func json(by tool: String) -> JSONValue {
    let devices = columns.map { column -> JSONValue in
      var object = column.device.json
      if let comparison = column.comparison {
        var before: JSONObject = ["time": .string(comparison.before.time)]
        before["firmware"] = comparison.before.firmware.map(JSONValue.string)
        before["cast"] = comparison.before.castVersion.map(JSONValue.string)
        object["before"] = .object(before)
        object["changes"] = .array(comparison.changes.map { .object($0.json) })
      }
      return .object(object)
    }
    return ["v": .int(ConformanceRecord.version), "tool": .string(tool), "devices": .array(devices)]
  }
}

extension ConformanceComparison.Change {
  fileprivate var json: JSONObject {
    var object: JSONObject = ["id": .string(check), "kind": .string(kind.rawValue)]
    object["item"] = item.map(JSONValue.string)
    object["before"] = before.map(JSONValue.string)
    object["now"] = now.map(JSONValue.string)
    return object
  }
}
