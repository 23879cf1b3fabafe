import ArgumentParser
import ScenarioLanguage

/// `showcaller check`: finds the mistakes of documents without touching the network.
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Find the mistakes of documents, without a network.",
    discussion: "Exits 0 when every document compiles, 3 when one does not.")

  @Argument(
    help: "The YAML documents; - is standard input.", completion: .file(extensions: ["yaml", "yml"]))
  var files: [String]

  @OptionGroup var inputs: InputOptions

  @Flag(help: "Warnings fail the check, too.")
  var strict = false

  func run() async throws {
    var isInvalid = false
    for file in files {
      let source = try SourceFile(readingFrom: file)
      let outcome = PlanCompiler.compile(source, inputs: try inputs.compilerInputs(for: source))
      DiagnosticPrinter.standardOutput.print(outcome.diagnostics, of: outcome.sources)
      let fails = outcome.diagnostics.contains { $0.severity == .error || strict && $0.severity == .warning }
      isInvalid = isInvalid || fails
      if !fails, let document = outcome.document { Terminal.print("\(file): \(Self.summary(of: document))") }
    }
    if isInvalid { throw ExitCode.documentInvalid }
  }

  /// What a valid document is, in a line.
  static func summary(of document: PlanCompiler.Outcome.Document) -> String {
    switch document {
    case .scenario(let plan):
      let cleanup = plan.finally.isEmpty ? "" : ", \(plan.finally.count) in finally"
      return "scenario `\(plan.title)` is valid: \(plan.setup.count + plan.steps.count) steps\(cleanup)"
    case .playlist(_, let title): return "playlist `\(title)` is valid"
    case .library(_, let title): return "library `\(title)` is valid"
    }
  }
}
