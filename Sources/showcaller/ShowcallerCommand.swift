import ArgumentParser
import Glibc

/// The command line: parses, runs, and turns whatever comes out into one of the exit codes of language.md 5.4.
@main
struct ShowcallerCommand: AsyncParsableCommand {
  static let version = "0.1.0"
  static let configuration = CommandConfiguration(
    commandName: "showcaller",
    abstract: "Calls the show on Google Cast screens.",
    discussion: """
      A scenario says do this, then check that. Start with:
        showcaller check FILE               find its mistakes, without a network
        showcaller simulate FILE            see how it would go, in milliseconds
        showcaller run --virtual FILE       run it against a virtual receiver
        showcaller run FILE                 run it on the device it names
      """,
    version: "showcaller \(version)",
    subcommands: [
      CheckCommand.self, FormatCommand.self, PlanCommand.self, InputsCommand.self, SimulateCommand.self,
      RunCommand.self, DiscoverCommand.self, ReceiveCommand.self, ExplainCommand.self, SchemaCommand.self,
      DocsCommand.self,
      CompletionsCommand.self,
    ])

  static func main() async {
    // A reader that goes away is a failed write, not the end of the process: `finally` still has to run.
    signal(SIGPIPE, SIG_IGN)
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == CompletionAnswer.command {
      FileOutput.standardOutput.write(CompletionAnswer.text(Array(arguments.dropFirst())))
      return
    }
    do {
      var command = try parseAsRoot(Self.withOurScripts(arguments))
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch let failure as CommandFailure {
      Terminal.say("error: \(failure.message)")
      if let help = failure.help { Terminal.say("help: \(help)") }
      Glibc.exit(failure.code.rawValue)
    } catch let code as ExitCode {
      Glibc.exit(code.rawValue)
    } catch {
      let code = exitCode(for: error)
      if code == .success {
        Terminal.print(fullMessage(for: error))
        Glibc.exit(0)
      }
      Terminal.say(fullMessage(for: error))
      Glibc.exit(ExitCode.commandLineWrong.rawValue)
    }
  }

  /// The argument parser's own scripts let bash expand what they offer, and a device may call itself `$(...)`: who asks for
  /// them gets ours.
  private static func withOurScripts(_ arguments: [String]) -> [String] {
    guard let first = arguments.first, first.hasPrefix("--generate-completion-script") else { return arguments }
    let shell = first.split(separator: "=", maxSplits: 1).dropFirst().map(String.init) + arguments.dropFirst().prefix(1)
    let current = Terminal.environment("SHELL")?.split(separator: "/").last.map(String.init)
    return ["completions"] + (shell.isEmpty ? [current].compactMap(\.self) : shell)
  }
}
