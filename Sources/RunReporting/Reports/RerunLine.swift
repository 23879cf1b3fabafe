import CastProtocol
import ScenarioLanguage

extension RunTranscript {
  /// The command that runs a scenario again as it was run, on its device and with its row, to be pasted into a POSIX
  /// shell.
  package func rerunLine(of scenario: Scenario) -> String {
    var given = run.rerun ?? []
    let verb = given.isEmpty ? "run" : given.removeFirst()
    var words = ["showcaller", verb, Self.argument(document(scenario.document)?.file ?? "")] + given
    for value in scenario.row.members {
      words += ["--row", "\(value.name)=\(value.value.string ?? value.value.serialized())"]
    }
    if let choice = scenario.choice, verb == "run" {
      // Of several that were asked for, the one that failed.
      while let index = words.firstIndex(of: "--device"), index + 1 < words.count {
        words.removeSubrange(index...index + 1)
      }
      words += ["--device", choice]
    }
    if let seed = run.seed { words += ["--seed", String(seed)] }
    return words.map(ShellWord.quoted).joined(separator: " ")
  }

  /// A document as the command line names it.
  private static func argument(_ file: String) -> String {
    if file == "<stdin>" { return "-" }
    return file.hasPrefix("-") ? "./" + file : file
  }
}
