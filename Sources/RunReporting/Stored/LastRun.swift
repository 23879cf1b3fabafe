package import CastProtocol
package import ScenarioLanguage

/// What the last command line with `run` came to: one document, or several.
package struct LastRun: Sendable {
  package struct Document: Sendable {
    package var file: String
    /// `nil` where it was never begun.
    package var outcome: StoredOutcome?
    /// The rows that were to be run, each the values by name; `nil` where that is not known.
    package var plannedRows: [JSONObject]?

    package init(file: String, outcome: StoredOutcome?, plannedRows: [JSONObject]? = nil) {
      self.file = file
      self.outcome = outcome
      self.plannedRows = plannedRows
    }

    /// Whether it passed, and its command line came to nothing all the same.
    package var isDoubtful = false

    /// Rows that did not pass before and were left out when the others were run again.
    package var leftRows: [JSONObject] = []

    package var hasPassed: Bool { hasRunWell && leftRows.isEmpty }

    fileprivate var hasRunWell: Bool { !isDoubtful && outcome?.hasPassed ?? false }

    /// The rows that are to be run again: those that were to be run and did not pass, begun or not.
    package var rowsAgain: RunnableDocument.RowsAgain {
      if hasRunWell, !leftRows.isEmpty { return .only(leftRows) }
      let passed = outcome?.passedRows ?? []
      guard let plannedRows else { return .without(passed) }
      var left = passed
      let unpassed = plannedRows.filter { row in
        guard let index = left.firstIndex(of: row) else { return true }
        left.remove(at: index)
        return false
      }
      // What failed was none of them.
      return .only((unpassed.isEmpty ? plannedRows : unpassed) + leftRows)
    }
  }

  /// In the order in which they were to be run, then those that were left out.
  package var documents: [Document]

  /// How the process ended though all of its runs passed, such as 8 for a report that could not be written: then all
  /// is to be run again. `nil` where that is no question.
  package private(set) var doubt: Int?

  /// - Parameters:
  ///   - documents: Those that were to be run.
  ///   - left: Those that did not pass before and were not chosen to be run again.
  ///   - exitCode: How the process ended, where that is known.
  package init(_ documents: [Document], left: [Document] = [], exitCode: Int? = nil) {
    self.documents = documents + left
    guard let exitCode, exitCode != 0, documents.allSatisfy(\.hasRunWell) else { return }
    doubt = exitCode
    for index in documents.indices { self.documents[index].isDoubtful = true }
  }

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
