/// What cannot be run of any row: found before anything is connected.
extension RunnableDocument {
  /// One problem for each use in any of the rows, each place once; empty when all of the document can be run.
  package var unsupportedUses: [Diagnostic] {
    var seen: Set<String> = []
    return rows.flatMap(\.unsupportedUses).filter { problem in
      let span = problem.primary.span
      return seen.insert("\(span.file):\(span.line):\(span.column) \(problem.message)").inserted
    }
  }
}
