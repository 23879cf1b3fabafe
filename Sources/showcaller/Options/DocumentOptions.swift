import ArgumentParser
import Workspace

/// The document a command works on, and what the command line adds to it.
struct DocumentOptions: ParsableArguments {
  @Argument(help: "The YAML document; - is standard input.", completion: .file(extensions: ["yaml", "yml"]))
  var file: String

  @OptionGroup var inputs: InputOptions

  var loader: DocumentLoader { DocumentLoader(file, inputs: inputs.given, in: .process) }
}

/// What the command line may add to any document.
struct InputOptions: ParsableArguments {
  @Option(name: .customLong("set"), help: ArgumentHelp("Set a variable of the document.", valueName: "name=value"))
  var settings: [String] = []

  @Option(
    name: .customLong("vars"), help: ArgumentHelp("Take variables from a YAML file; --set wins.", valueName: "file"),
    completion: .file(extensions: ["yaml", "yml"]))
  var variableFiles: [String] = []

  @Option(
    name: .customLong("secret"),
    help: ArgumentHelp("Take a secret of the document from a file; @- is standard input.", valueName: "name=@file"))
  var secrets: [String] = []

  @Flag(
    name: .customLong("no-secrets"),
    help: "Do not ask for the values of secrets; a run of a document that has some needs them.")
  var noSecrets = false

  @Option(
    name: .customLong("allow-path"),
    help: ArgumentHelp("Let documents include files below this folder, too.", valueName: "folder"),
    completion: .directory)
  var allowedPaths: [String] = []

  var given: GivenInputs {
    var given = GivenInputs()
    given.settings = settings
    given.variableFiles = variableFiles
    given.secrets = secrets
    given.leavesOutSecrets = noSecrets
    given.allowedPaths = allowedPaths
    return given
  }
}
