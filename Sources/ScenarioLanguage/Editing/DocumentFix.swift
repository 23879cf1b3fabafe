extension EditedDocument {
  /// What to write in place of what a problem points at; `nil` where nobody knows, or it would not cure it.
  ///
  /// Whether what a label names is a whole cure, and not a word in the middle of one, is tried: the
  /// problem is gone from the document with the words in place.
  package func fix(of problem: Diagnostic) -> String? {
    guard let meant = Suggestions.meant(by: problem.primary.text), !meant.contains("…"),
      problem.primary.span.file == source.name,
      let changed = source.replacing(problem.primary.span, by: meant)
    else { return nil }
    let outcome = PlanCompiler.compile(changed, inputs: inputs)
    let span = problem.primary.span
    let isThere = outcome.diagnostics.contains {
      $0.severity == problem.severity && $0.primary.span.file == span.file && $0.primary.span.line == span.line
        && $0.primary.span.column == span.column
    }
    return isThere ? nil : meant
  }
}

extension SourceFile {
  /// The file with a text in place of a span, which is on one line.
  fileprivate func replacing(_ span: SourceSpan, by text: String) -> SourceFile? {
    let source = SourceText(self)
    guard span.line == span.endLine, span.line >= 1, span.line <= source.lineCount else { return nil }
    let start = bytes.markLength + source.offset(ofLine: span.line)
    let columns = (
      source.columns(line: span.line, column: span.column), source.columns(line: span.line, column: span.endColumn)
    )
    let range = start + columns.0.bytes - 1..<start + columns.1.bytes - 1
    guard range.upperBound <= bytes.count else { return nil }
    var changed = self
    changed.bytes.replaceSubrange(range, with: Array(text.utf8))
    return changed
  }
}
