/// Builds the tree of a document from its text: text, style and place of every node, no types.
package struct YAMLParser {
  /// Parses a document; `nil` when its text cannot be read, which `diagnostics` then says.
  package static func parse(_ file: SourceFile, reportingTo diagnostics: DiagnosticCollector) -> YAMLDocument? {
    guard file.bytes.count <= YAMLDocument.Limit.bytes else {
      let span = SourceSpan(file: file.name, line: 1, column: 1, endLine: 1, endColumn: 2)
      diagnostics.report(
        .error, .y311, "this document is larger than 1 MiB", at: .init(span),
        footers: [.help("split it: definitions can live in a `library:`")])
      return nil
    }
    guard EncodingCheck.check(file, reportingTo: diagnostics) else { return nil }
    let text = SourceText(file)
    var bytes = file.text
    var alreadyReported: Set<YAMLDocument.Place> = []
    // `${x}` in a flow collection ends the parse; with brackets in place of the braces the rest can still be read.
    var repairs = max(1, min(20, 2 * YAMLDocument.Limit.bytes / (bytes.count + 1)))
    while true {
      let attempt = DiagnosticCollector()
      var composer = YAMLComposer(LibYAML(bytes), text, attempt)
      do throws(YAMLFailure) {
        let document = try composer.document()
        diagnostics.report(attempt)
        return document.map {
          YAMLDocument(root: $0.root, alreadyReported: alreadyReported.union($0.alreadyReported), isCut: $0.isCut)
        }
      } catch {
        guard let word = FlowSubstitution(error, in: text) else {
          diagnostics.report(attempt)
          report(error, in: text, to: diagnostics)
          return nil
        }
        var problem = word.diagnostic
        if repairs == 0 { problem.footers.append(.note("what follows it was not looked at")) }
        diagnostics.report(problem)
        repairs -= 1
        guard repairs >= 0, word.repair(&bytes) else { return nil }
        alreadyReported.insert(YAMLDocument.Place(line: word.span.line, column: word.span.column))
      }
    }
  }

  private static func report(_ failure: YAMLFailure, in text: SourceText, to diagnostics: DiagnosticCollector) {
    // A failure in the line of another message follows from it.
    let isKnown = diagnostics.diagnostics.contains {
      $0.severity == .error && $0.primary.span.file == text.name && $0.primary.span.line == failure.place.line
    }
    if !failure.isReported, !isKnown { diagnostics.report(YAMLSyntaxError.diagnostic(failure, in: text)) }
  }
}
