import ArgumentParser
import CastProtocol
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Workspace

/// The document a command works on, and what the command line adds to it.
struct DocumentOptions: ParsableArguments {
  @Argument(help: "The YAML document; - is standard input.", completion: .file(extensions: ["yaml", "yml"]))
  var file: String

  @OptionGroup var inputs: InputOptions

  var loader: DocumentLoader { DocumentLoader(file, inputs: inputs) }
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

  /// As the command line gave them; of secrets the places only.
  var rerunArguments: [String] {
    let pairs = [("--set", settings), ("--vars", variableFiles), ("--secret", secrets), ("--allow-path", allowedPaths)]
    return pairs.flatMap { option, values in values.flatMap { [option, $0] } } + (noSecrets ? ["--no-secrets"] : [])
  }

  /// `--secret` taken apart.
  func givenSecrets() throws -> [(name: String, argument: String)] {
    try secrets.map { given in
      guard let equals = given.firstIndex(of: "="), equals > given.startIndex else {
        throw CommandFailure(
          .commandLineWrong, "`--secret` needs a name and a file", help: "write `--secret token=@file`")
      }
      let name = String(given[..<equals])
      let argument = String(given[given.index(after: equals)...])
      // The value itself is not repeated: it may be one.
      guard argument.hasPrefix("@"), argument.count > 1 else {
        throw CommandFailure(
          .commandLineWrong, "`--secret \(name)=` takes a file, not the secret itself",
          help: "whoever can list processes could read it; write `--secret \(name)=@file`, or `@-` for standard input")
      }
      return (name, argument)
    }
  }

  func compilerInputs(for source: SourceFile) throws -> PlanCompiler.Inputs {
    var inputs = PlanCompiler.Inputs()
    inputs.settings = try settings.map { setting in
      guard let equals = setting.firstIndex(of: "="), equals > setting.startIndex else {
        throw CommandFailure(
          .commandLineWrong, "`--set \(setting)` has no \(setting.hasPrefix("=") ? "name" : "`=`")",
          help: "write `--set name=value`, such as `--set speed=1.5`")
      }
      return (String(setting[..<equals]), String(setting[setting.index(after: equals)...]))
    }
    inputs.variableFiles = try variableFiles.map { try SourceFile(readingFrom: $0) }
    inputs.environment = { Terminal.environment($0) }
    inputs.givenSecrets = try givenSecrets()
    inputs.needsSecrets = !noSecrets
    inputs.secretFileProblem = { SecretFile.problem(with: SecretFile.path($0, declaredIn: $1)) }
    let files = try ProjectFiles(of: source.name, allowing: allowedPaths)
    inputs.includedFile = { files.read($0, includedBy: $1) }
    let folder = source.name.lastIndex(of: "/").map { String(source.name[...$0]) } ?? ""
    inputs.fileExists = { path in Files.kind(of: path.hasPrefix("/") ? path : folder + path) == .regular }
    let time = SystemTime(.process)
    inputs.today = time.today
    inputs.zoneData = { time.zoneData($0) }
    inputs.localZone = time.localZone
    return inputs
  }
}
