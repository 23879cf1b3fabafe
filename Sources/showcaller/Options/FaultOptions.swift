import ArgumentParser
import ScenarioLanguage
import Workspace

/// What goes wrong with virtual receivers.
struct FaultOptions: ParsableArguments {
  @Option(
    name: .customLong("faults"),
    help: ArgumentHelp(
      "Have virtual receivers go wrong as this library says, by its `faults:`, `receiver:` and `media:`.",
      valueName: "file"), completion: .file(extensions: ["yaml", "yml"]))
  var file: String?

  /// What the library says; `nil` where none is named.
  /// - Throws: Where it has errors, cannot be read, or is no library.
  func plan() throws(WorkspaceError) -> ReceiverPlan? { try Self.plan(of: file) }

  /// What a library says of virtual receivers.
  /// - Throws: As ``plan()``.
  static func plan(of file: String?) throws(WorkspaceError) -> ReceiverPlan? {
    guard let file else { return nil }
    return try DocumentLoader(file, inputs: GivenInputs(), in: .process).receiver()
  }

  /// The words for another run.
  var rerunArguments: [String] { file.map { ["--faults", $0] } ?? [] }
}
