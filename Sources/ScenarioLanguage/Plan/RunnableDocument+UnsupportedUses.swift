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

  /// Media of this computer, which no device can fetch until there is a media server. A simulation fetches nothing.
  package var localMediaProblems: [Diagnostic] {
    localMedia.map { url, span in
      Diagnostic(
        .error, "K110", "`\(url)` cannot be served to a device yet", at: .init(span),
        footers: [.help("put the file on a web server the device can reach and load its http: or https: address")])
    }
  }
}
