import ArgumentParser
import CastProtocol
import ScenarioLanguage
import Workspace

/// `showcaller inputs`: lists what a document wants from outside.
struct InputsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inputs", _superCommandName: ShowcallerCommand.name,
    abstract: "List the variables and secrets that a document wants.",
    discussion: "Secrets are listed by name and source, never by value.")

  @OptionGroup var document: DocumentOptions

  @Flag(help: "Print them as one JSON object.")
  var json = false

  func run() async throws {
    let source = try SourceFile(readingFrom: document.file)
    let (inputs, problems, sources) = DocumentInputs.read(
      source, inputs: try document.inputs.given.compilerInputs(for: source, in: .process))
    guard let inputs else {
      DiagnosticPrinter.standardError.print(problems, of: sources)
      throw ExitCode.documentInvalid
    }
    if json {
      Terminal.print(inputs.json(of: source.name).serialized())
    } else {
      Terminal.print(inputs.listing(of: source.name))
    }
  }
}
