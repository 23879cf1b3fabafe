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

  /// What became of one row of the matrix, on all its devices.
  private struct Row: Sendable {
    var values: JSONObject
    /// The last of several tries counts.
    var results: [String: RunVerdict] = [:]
    /// How many have begun and not ended.
    var open = 0
  }

  package init() {}

  /// Takes the next event.
  package mutating func record(_ event: Event) {
    switch event.kind {
    case .runStarted(let started):
      run = started.run
      file = started.documents.first?.file ?? file
    case .scenarioStarted(let started):
      // Rows follow each other; on several devices each has a scenario of the same row.
      if rows.last?.values != started.row { rows.append(Row(values: started.row)) }
      rows[rows.count - 1].open += 1
    case .scenarioFinished(let finished):
      guard let last = rows.indices.last else { return }
      rows[last].open -= 1
      rows[last].results[event.device ?? ""] = finished.result
    case .runFinished(let finished): exitCode = finished.exit
    default: break
    }
  }

  package var hasPassed: Bool { exitCode == 0 }

  /// The rows that need not be run again; none where the document has no matrix, passed as a whole, or failed apart from
  /// its rows.
  package var passedRows: [JSONObject] {
    if hasPassed { return [] }
    // With `--fail-on-flaky`, 7 says that a flaky row is why.
    let good: [RunVerdict] = exitCode == 7 ? [.passed] : [.passed, .flaky]
    return rows.filter { row in
      !row.values.members.isEmpty && row.open == 0 && row.results.values.allSatisfy(good.contains)
    }.map(\.values)
  }
}

/// What the last command line with `run` came to: one document, or several.
package struct LastRun: Sendable {
  package struct Document: Sendable {
    package var file: String
    /// `nil` where it was never begun.
    package var outcome: StoredOutcome?

    package init(file: String, outcome: StoredOutcome?) {
      self.file = file
      self.outcome = outcome
    }

    package var hasPassed: Bool { outcome?.hasPassed ?? false }
  }

  /// In the order in which they were to be run.
  package var documents: [Document]

  package init(_ documents: [Document]) { self.documents = documents }

  /// Those that did not pass, those that were never begun among them.
  package var unpassed: [Document] { documents.filter { !$0.hasPassed } }

  /// What is to be run again of the documents that somebody names now.
  ///
  /// - Parameter isSame: Whether two names are those of one file.
  /// - Returns: For each of `files` that did not pass the last time, its place among them and how it went; `nil` where
  ///   none of `files` was part of the last run at all.
  package func again(
    among files: [String], where isSame: (String, String) -> Bool
  ) -> [(index: Int, document: Document)]? {
    let known = files.indices.compactMap { index in
      documents.first { isSame($0.file, files[index]) }.map { (index, $0) }
    }
    return known.isEmpty ? nil : known.filter { !$0.1.hasPassed }
  }
}
