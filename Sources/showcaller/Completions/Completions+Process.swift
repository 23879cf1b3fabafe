import ArgumentParser
import Completions
import ScenarioLanguage
import Workspace

extension ShellKind: ExpressibleByArgument {}

extension CommandTree {
  /// All commands of this program.
  static func all() -> CommandTree? { CommandTree(describedBy: ShowcallerCommand._dumpHelp()) }
}

extension CompletionAnswer {
  /// What this program answers a shell that called with these arguments.
  static func text(_ arguments: [String]) -> String {
    guard let commands = CommandTree.all() else { return "" }
    let answer = CompletionAnswer(commands: commands, outside: .process, home: Terminal.environment("HOME"))
    return answer.text(arguments)
  }
}

extension Completion.Outside {
  /// What this process can find out.
  static var process: Completion.Outside {
    let names = DocumentNames(in: .process)
    return Completion.Outside(
      devices: { KnownDevices.process.read() },
      topics: { CodePages.all.map { ($0.code.rawValue, $0.title) } + Topics.words.map { ($0, "") } },
      settings: { names.settings($0) }, rows: { names.rows($0) }, documents: { names.documents($0) },
      runs: { StoredRun.ids(in: ReportCommand.usualRuns) }, styleKeys: StyleCommand.keys)
  }
}
