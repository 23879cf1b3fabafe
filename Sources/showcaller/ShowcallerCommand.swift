import ArgumentParser
import CastTransport
import Completions
import Glibc
import ScenarioLanguage

/// The command line: parses, runs, and turns whatever comes out into one of the exit codes of
/// docs/reference.md "Exit codes".
@main
struct ShowcallerCommand: AsyncParsableCommand {
  static let name = "showcaller"
  static let version = "0.1.0"
  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "Calls the show on Google Cast screens.",
    discussion: """
      A scenario says do this, then check that. Start with:
        showcaller check FILE               find its mistakes, without a network
        showcaller simulate FILE            see how it would go, in milliseconds
        showcaller run --virtual FILE       run it against a virtual receiver
        showcaller run FILE                 run it on the device it names
      Or do one thing at once:
        showcaller load URL --device NAME   play what is at an address
        showcaller status --device NAME     tell what a device plays
        showcaller watch NAME               watch it live and control it by keys
        showcaller record NAME              write a scenario while somebody uses it
      """,
    version: "showcaller \(version)",
    subcommands: [
      CheckCommand.self, FormatCommand.self, PlanCommand.self, WeekCommand.self, AtCommand.self, InputsCommand.self,
      ScheduleCommand.self, ProbeCommand.self,
      SimulateCommand.self,
      RunCommand.self, ServeCommand.self, ReportCommand.self, ReplayCommand.self, ExportCommand.self, MergeCommand.self,
      HistoryCommand.self,
      ConformCommand.self,
      LedgerCommand.self, FleetCommand.self,
      StatusCommand.self, LoadCommand.self,
      PlayCommand.self,
      PauseCommand.self,
      ToggleCommand.self,
      StopCommand.self,
      SeekCommand.self, RateCommand.self, VolumeCommand.self, MuteCommand.self, TracksCommand.self, StyleCommand.self,
      SkipAdCommand.self, QueueCommand.self, NextCommand.self, PreviousCommand.self, TransferCommand.self,
      LaunchCommand.self, StopAppCommand.self, SendCommand.self, WatchCommand.self, RecordCommand.self,
      DiscoverCommand.self,
      DoctorCommand.self, AuthCommand.self,
      ReceiveCommand.self, ReceiverCommand.self,
      ConfigCommand.self, ExplainCommand.self,
      SchemaCommand.self,
      DocsCommand.self,
      EditorServerCommand.self, AgentServerCommand.self,
      CompletionsCommand.self, ManualCommand.self,
    ])

  static func main() async {
    StandardStream.reserveAll()
    // A reader that goes away is a failed write, not the end of the process: `finally` still has to run.
    signal(SIGPIPE, SIG_IGN)
    // A parent may have it ignored, and then nobody learns how a program ended.
    signal(SIGCHLD, SIG_DFL)
    allowOpenFiles()
    LogOutput.install()
    let arguments = Self.withInnerCommands(Array(CommandLine.arguments.dropFirst()))
    if arguments.first == CompletionAnswer.command {
      StandardStream.output.write(CompletionAnswer.text(Array(arguments.dropFirst())))
      return
    }
    do {
      try ArgumentProblem.checkEncoding()
      try checkCommand(in: arguments)
      var command = try parsed(Word.markingSigned(Self.withOurScripts(arguments)))
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
      end(.success)
    } catch {
      if let code = ExitCode(told: error) { end(code) }
      if let failure = CommandFailure(any: error) {
        Terminal.tell(failure.message, help: failure.help)
        StandardError.settle()
        leave(failure.code.rawValue)
      }
      switch exitCode(for: error) {
      case .success:
        Terminal.print(fullMessage(for: error))
        end(.success)
      case .validationFailure:
        let (message, help) = ArgumentProblem.words(Self.message(for: error), arguments)
        Terminal.tell(message, help: help)
        end(.commandLineWrong)
      default:
        Terminal.tell("\(error)", help: "this is a bug in showcaller: please report it with the command line")
        end(.bug)
      }
    }
  }

  /// The command that a line asks for. Its own parser is asked first: what all commands take costs a millisecond to look
  /// at. Where that one refuses, all of them are looked at, for they know how to ask for help and how a command is named.
  private static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
    if let name = arguments.first, let named = command(named: name), named.configuration.subcommands.isEmpty,
      let command = try? named.parse(Array(arguments.dropFirst()))
    {
      return command
    }
    return try parseAsRoot(arguments)
  }

  private static func command(named name: String) -> (any ParsableCommand.Type)? {
    configuration.subcommands.first { $0.configuration.commandName == name }
  }

  /// `run export` and `report merge` are commands of their own: what `run` and `report` take as their first word is else a
  /// document or a run.
  private static func withInnerCommands(_ arguments: [String]) -> [String] {
    var arguments = arguments
    let place = arguments.first == "help" ? 1 : 0
    let words = arguments.dropFirst(place).prefix(2)
    if let outer = words.first, words.count == 2, innerCommands[outer] == words.last { arguments.remove(at: place) }
    return arguments
  }

  /// What a run on one device has open at a time, and a few more: threads that move bytes, the connection, the run's
  /// files, reports.
  private static let filesOfARun = 22

  /// As many sockets as the system allows. With too few to begin with the runtime would crash, or a run would end when
  /// the device has got its first messages, and nothing could be kept of it.
  private static func allowOpenFiles() {
    let limit = OpenFiles.raiseLimit()
    // Of more than these so many are not open when a program starts.
    guard limit < 4096, !OpenFiles.canOpen(filesOfARun) else { return }
    Terminal.tell(
      "this process may have only \(limit) files open, and needs \(filesOfARun) besides those that it was started with",
      help: "allow it more: `ulimit -n 1024` where the hard limit lets you, else as root, or LimitNOFILE= in its unit")
    leave(ExitCode.commandLineWrong.rawValue)
  }

  /// Ends the process; with 8 when what it should say could not be written, where that outranks `code`
  /// (docs/reference.md "Exit codes").
  private static func end(_ code: ExitCode) -> Never {
    // Whoever ends with 8 has told why.
    guard code != .reportNotWritten, let failure = StandardStream.outputFailure else {
      StandardError.settle()
      leave(code.rawValue)
    }
    Terminal.tell("cannot write standard output: \(failure)")
    StandardError.settle()
    let outranks = [ExitCode.bug, .commandLineWrong, .documentInvalid].contains(code)
    leave(outranks ? code.rawValue : ExitCode.reportNotWritten.rawValue)
  }

  /// Ends the process without the exit handlers of libraries: OpenSSL's takes away what other threads still sign and make
  /// keys with, and they would crash.
  private static func leave(_ code: Int32) -> Never {
    ScreenTerminal.leave()
    _exit(code)
  }

  /// A first word that is no command, with what was meant: the argument parser only counts what it did not expect.
  private static func checkCommand(in arguments: [String]) throws(CommandFailure) {
    guard let first = arguments.first else { return }
    try checkInnerWord(of: first, in: arguments)
    // Most lines name a command: then not all of them are looked at.
    if !first.hasPrefix("-"), command(named: first)?.configuration.subcommands.isEmpty == true { return }
    let commands = configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    if first.hasPrefix("-") {
      // What the program itself takes ends the line before any command.
      guard !first.hasPrefix("-h"), !["--help", "--version", "--help-hidden"].contains(first),
        !first.hasPrefix("--generate-completion-script"), !first.hasPrefix("--experimental-dump-help"),
        let command = arguments.first(where: { commands.contains($0) })
      else { return }
      throw CommandFailure(
        .commandLineWrong, "`\(first)` stands before the command",
        help: "options come after it: `showcaller \(command) \(first)`")
    }
    let isHelp = first == "help"
    guard let word = isHelp ? arguments.dropFirst().first : first, !word.hasPrefix("-") else { return }
    if commands.contains(word) {
      if word == QueueCommand.configuration.commandName { try checkQueueCommand(in: arguments, isHelp: isHelp) }
      for outer in [LedgerCommand.configuration, FleetCommand.configuration, ReceiverCommand.configuration]
      where outer.commandName == word {
        try checkInnerCommand(of: outer, in: arguments, isHelp: isHelp)
      }
      return
    }
    var help = "`showcaller --help` lists the commands"
    if let ours = ForeignWords.cure(for: word) {
      help = "here it is `showcaller \(ours)`"
    } else if let nearest = Suggestions.nearest(to: word, among: commands) {
      help = "did you mean `showcaller \(isHelp ? "help " : "")\(nearest)`?"
    } else if word.hasSuffix(".yaml") || word.hasSuffix(".yml") {
      help = "name the command first, such as `showcaller check \(word)`"
    }
    throw CommandFailure(.commandLineWrong, "there is no command `\(word)`", help: help)
  }

  /// The commands that are called by the word of another and one of their own.
  private static let innerCommands = ["run": "export", "report": "merge"]

  /// A word that is nearly that of an inner command, and no file: it would be looked for as a document or a run.
  private static func checkInnerWord(of outer: String, in arguments: [String]) throws(CommandFailure) {
    guard let inner = innerCommands[outer], let word = arguments.dropFirst().first, !word.hasPrefix("-"),
      Suggestions.nearest(to: word, among: [inner]) != nil, access(word, F_OK) != 0
    else { return }
    throw CommandFailure(
      .commandLineWrong, "there is no command `\(outer) \(word)`", help: "did you mean `showcaller \(outer) \(inner)`?")
  }

  /// The same for what follows `queue`, which lists where nothing does.
  private static func checkQueueCommand(in arguments: [String], isHelp: Bool) throws(CommandFailure) {
    guard let word = arguments.dropFirst(isHelp ? 2 : 1).first, !word.hasPrefix("-") else { return }
    let words = QueueCommand.configuration.subcommands.flatMap { command in
      [command.configuration.commandName].compactMap(\.self) + command.configuration.aliases
    }
    guard !words.contains(word) else { return }
    var help = "`showcaller queue --help` lists the commands"
    if word.contains("://") {
      help = "`showcaller queue add` adds it, `showcaller queue load` plays it"
    } else if let nearest = Suggestions.nearest(to: word, among: words) {
      help = "did you mean `showcaller queue \(nearest)`?"
    }
    throw CommandFailure(.commandLineWrong, "there is no command `queue \(word)`", help: help)
  }

  /// The same for what follows a command that wants another one.
  private static func checkInnerCommand(
    of outer: CommandConfiguration, in arguments: [String], isHelp: Bool
  ) throws(CommandFailure) {
    let name = outer.commandName ?? ""
    guard let word = arguments.dropFirst(isHelp ? 2 : 1).first, !word.hasPrefix("-") else { return }
    let words = outer.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    guard !words.contains(word) else { return }
    let nearest = Suggestions.nearest(to: word, among: words)
    throw CommandFailure(
      .commandLineWrong, "there is no command `\(name) \(word)`",
      help: nearest.map { "did you mean `showcaller \(name) \($0)`?" }
        ?? "`showcaller \(name) --help` lists the commands"
    )
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
