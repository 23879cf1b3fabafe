/// Turns documents into plans. Pure: files, the date and the zone data are inputs.
package struct PlanCompiler: Sendable {
  /// What the command line adds to a document.
  package struct Inputs: Sendable {
    /// `--set x=...`, in order; the strongest source.
    package var settings: [(name: String, value: String)] = []
    /// `--vars file.yaml`, in order.
    package var variableFiles: [SourceFile] = []
    /// Looks an environment variable up; only those a document names are asked for.
    package var environment: @Sendable (String) -> String? = { _ in nil }
    /// Whether a file that a `file:` URL names exists, by its path relative to the document.
    package var fileExists: @Sendable (String) -> Bool = { _ in true }

    package init() {}
  }

  /// What came out: problems, sorted by place, at most 50; and a plan unless one of them is an error.
  package struct Outcome: Sendable {
    package enum Document: Sendable {
      case scenario(Plan)
      /// Checked; running it is for later.
      case playlist(id: String, title: String)
      case library(id: String, title: String)
    }
    package var document: Document?
    package var diagnostics: [Diagnostic]

    package init(document: Document?, diagnostics: [Diagnostic]) {
      self.document = document
      self.diagnostics = diagnostics
    }
  }

  /// Compiles one document.
  package static func compile(_ source: SourceFile, inputs: Inputs = Inputs()) -> Outcome { preconditionFailure() }
}
