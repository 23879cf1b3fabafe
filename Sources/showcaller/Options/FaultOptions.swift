import ArgumentParser
import ScenarioLanguage
import Workspace

/// What goes wrong with virtual receivers.
struct FaultOptions: ParsableArguments {
  @Option(
    name: .customLong("faults"),
    help: ArgumentHelp(
      """
      Have virtual receivers go wrong as this library says, by its `faults:`, `receiver:` and `media:`; may be \
      repeated: the faults of all files apply; of `receiver:` the first file counts.
      """,
      valueName: "file"), completion: .file(extensions: ["yaml", "yml"]))
  var files: [String] = []

  /// What the libraries say together; `nil` where none is named.
  /// - Parameter inputs: What the command line gives its document; folders that it allows are allowed here, too.
  /// - Throws: Where one has errors, cannot be read, or is no library.
  func plan(beside inputs: GivenInputs) throws(WorkspaceError) -> ReceiverPlan? { try read(beside: inputs).plan }

  /// What the libraries say together, and what they were read from.
  /// - Throws: As ``plan(beside:)``.
  func read(beside inputs: GivenInputs) throws(WorkspaceError) -> (plan: ReceiverPlan?, sources: [SourceFile]) {
    var own = GivenInputs()
    own.allowedPaths = inputs.allowedPaths
    var whole: ReceiverPlan?
    var sources: [SourceFile] = []
    for file in files {
      let library = try DocumentLoader(file, inputs: own, in: .process).receiver()
      if whole == nil { whole = library.plan } else { whole?.add(library.plan) }
      sources += library.sources
    }
    return (whole, sources)
  }

  /// The words for another run.
  var rerunArguments: [String] { files.flatMap { ["--faults", $0] } }
}
