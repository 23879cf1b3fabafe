package import CastProtocol

/// What the run of one document came to, as its stored events tell it.
package struct StoredOutcome: Sendable {
  /// The run's id.
  package private(set) var run = ""
  /// The document as the command line of that run named it; empty where not even that was told.
  package private(set) var file = ""
  /// `nil` where the run did not come to its end.
  package private(set) var exitCode: Int?
  private var rows: [Row] = []
  /// The row that each device is at, as a place in ``rows``.
  private var current: [String: Int] = [:]

  /// What became of one row of the matrix, on all its devices.
  private struct Row: Sendable {
    var values: JSONObject
    /// How many devices it is for.
    var devices = 1
    /// Whether it was to be run several times.
    var isRepeated = false
    var scenarios: [Scenario] = []
  }

  /// A row on one device. A matrix may have the same row twice: then there are two of it.
  private struct Scenario: Sendable {
    var device: String
    /// Of the last of several tries; `nil` where that did not end.
    var result: RunVerdict?
  }

  package init() {}

  /// Takes the next event.
  package mutating func record(_ event: Event) {
    let device = event.device ?? ""
    switch event.kind {
    case .runStarted(let started):
      run = started.run
      file = started.documents.first?.file ?? file
    case .scenarioStarted(let started): begin(started, on: device)
    case .scenarioFinished(let finished):
      guard let row = current[device], let index = scenario(of: row, on: device) else { return }
      rows[row].scenarios[index].result = finished.result
    case .runFinished(let finished): exitCode = finished.exit
    default: break
    }
  }

  private mutating func begin(_ started: EventKind.ScenarioStarted, on device: String) {
    let row = rows.firstIndex { $0.values == started.row } ?? rows.endIndex
    if row == rows.endIndex { rows.append(Row(values: started.row)) }
    current[device] = row
    rows[row].isRepeated = rows[row].isRepeated || started.repeatNumber != nil
    rows[row].devices = max(rows[row].devices, started.devices ?? 1)
    if started.attempt > 1, let index = scenario(of: row, on: device) {
      rows[row].scenarios[index].result = nil
    } else {
      rows[row].scenarios.append(Scenario(device: device))
    }
  }

  private func scenario(of row: Int, on device: String) -> Int? {
    rows[row].scenarios.lastIndex { $0.device == device }
  }

  package var hasPassed: Bool { exitCode == 0 }

  /// Whether it came to its end, and nobody stopped it.
  private var wasComplete: Bool {
    switch exitCode.flatMap({ RunExit(rawValue: Int32(clamping: $0)) }) {
    case nil, .interrupted?, .terminated?: false
    default: true
    }
  }

  /// The rows that need not be run again, each as often as it was run; none where the document has no matrix, passed as
  /// a whole, or failed apart from its rows. A row has passed when all devices that it was for have passed it.
  package var passedRows: [JSONObject] {
    if hasPassed { return [] }
    // With `--fail-on-flaky`, 7 says that a flaky row is why.
    let good: [RunVerdict] = exitCode == Int(RunExit.flaky.rawValue) ? [.passed] : [.passed, .flaky]
    return rows.flatMap { row -> [JSONObject] in
      // Of repeats nobody knows how many were to come where the run was cut.
      guard !row.values.members.isEmpty, !row.isRepeated || wasComplete,
        row.scenarios.count.isMultiple(of: row.devices),
        row.scenarios.allSatisfy({ $0.result.map(good.contains) ?? false })
      else { return [] }
      return Array(repeating: row.values, count: row.scenarios.count / row.devices)
    }
  }
}
