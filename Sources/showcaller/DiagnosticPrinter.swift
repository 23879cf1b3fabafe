import ScenarioLanguage

/// Prints the problems of documents for people.
struct DiagnosticPrinter {
  let output: FileOutput
  let usesColor: Bool

  static var standardError: DiagnosticPrinter {
    DiagnosticPrinter(output: .standardError, usesColor: Terminal.usesColor(on: Terminal.errorIsTTY))
  }
  static var standardOutput: DiagnosticPrinter {
    DiagnosticPrinter(output: .standardOutput, usesColor: Terminal.usesColor(on: Terminal.outputIsTTY))
  }

  /// Prints each problem with its source lines, a blank line between two.
  func print(_ diagnostics: [Diagnostic], of sources: [SourceFile]) {
    output.write(DiagnosticRenderer(sources: sources, isColored: usesColor).render(diagnostics))
  }
}
