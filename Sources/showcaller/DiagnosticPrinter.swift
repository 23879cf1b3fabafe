import Glibc
import ScenarioLanguage
import Synchronization

/// Prints the problems of documents for people.
struct DiagnosticPrinter {
  let output: StandardStream
  let usesColor: Bool
  /// The columns of the terminal, where there is one.
  let width: Int?

  static var standardError: DiagnosticPrinter {
    DiagnosticPrinter(
      output: .error, usesColor: Terminal.usesColor(on: Terminal.errorIsTTY),
      width: Terminal.errorIsTTY ? Terminal.width : nil)
  }
  static var standardOutput: DiagnosticPrinter {
    DiagnosticPrinter(
      output: .output, usesColor: Terminal.usesColor(on: Terminal.outputIsTTY),
      width: Terminal.outputIsTTY ? Terminal.width(of: STDOUT_FILENO) : nil)
  }

  private static let errorLimit = 100
  private static let told = Mutex<[String]>([])

  /// The errors that were printed on standard error, a line each, for a report that has to say why there was no run.
  static var errors: [String] { told.withLock { $0 } }

  /// Prints each problem with its source lines, a blank line between two.
  func print(_ diagnostics: [Diagnostic], of sources: [SourceFile]) {
    output.write(DiagnosticRenderer(sources: sources, isColored: usesColor, width: width).render(diagnostics))
    guard output.descriptor == STDERR_FILENO else { return }
    let errors = diagnostics.filter { $0.severity == .error }.map { problem in
      "\(problem.primary.span.file):\(problem.primary.span.line): \(problem.message) [\(problem.code)]"
    }
    Self.told.withLock { $0 += errors.prefix(Self.errorLimit - $0.count) }
  }
}
