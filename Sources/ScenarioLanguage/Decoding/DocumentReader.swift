/// Reads one document as far as its text, its keys, its types and its variables go: codes K, T, Y and N.
///
/// ```swift
/// var reading = DocumentReader.read(source, inputs: inputs)
/// guard let document = reading.document else { return reading.diagnostics.finished() }
/// for step in document.root.steps("steps") { compile(step, reportingTo: &reading.diagnostics) }
/// let text = DiagnosticRenderer(sources: reading.sources).render(reading.diagnostics.finished())
/// ```
package struct DocumentReader: Sendable {
  /// `nil` when there is nothing to go on with: no YAML, or no kind.
  package var document: CheckedDocument?
  package var diagnostics: DiagnosticCollector
  /// What spans refer to: the document, files with variables, and what the command line and the environment said.
  package var sources: [SourceFile]

  package static func read(_ source: SourceFile, inputs: PlanCompiler.Inputs) -> DocumentReader {
    preconditionFailure()
  }
}
