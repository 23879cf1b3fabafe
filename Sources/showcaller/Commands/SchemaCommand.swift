import ArgumentParser
import ScenarioLanguage

/// `showcaller schema`: what an editor needs to complete and check documents while they are written.
struct SchemaCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", _superCommandName: ShowcallerCommand.name,
    abstract: "Print the JSON Schema of documents, for editors.",
    discussion: """
      showcaller schema > showcaller.schema.json
      An editor with a YAML language server takes it from the first line of a document:
      # yaml-language-server: $schema=showcaller.schema.json
      """)

  func run() async throws { Terminal.print(SchemaWriter.schema().indented()) }
}
