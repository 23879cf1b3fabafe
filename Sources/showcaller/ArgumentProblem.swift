import ArgumentParser
import Completions
import Glibc
import RunReporting
import ScenarioLanguage
import Workspace

/// What is wrong with the command line itself, in the form that all our messages have.
enum ArgumentProblem {
  /// Refuses an argument that is no text: it would be taken for another one.
  static func checkEncoding() throws(CommandFailure) {
    let count = Int(CommandLine.argc)
    for index in 0..<count {
      guard let start = CommandLine.unsafeArgv[index] else { continue }
      let bytes = UnsafeBufferPointer(start: start, count: strlen(start)).map { UInt8(bitPattern: $0) }
      guard String(validating: bytes, as: UTF8.self) == nil else { continue }
      let shown = String(decoding: bytes, as: UTF8.self)
      throw CommandFailure(
        .commandLineWrong, "argument \(index) is not UTF-8: `\(shown)`",
        help: "names of files are UTF-8 here: rename it; an address has other bytes as percent signs, such as `%E9`")
    }
  }

  /// The argument parser's message as a message and a help.
  static func words(_ text: String, _ arguments: [String]) -> (message: String, help: String) {
    var message = text.split(separator: "\n").joined(separator: " ")
    if message.isEmpty { message = "the command line is wrong" }
    for end in [". Did you mean", " Did you mean"] {
      guard let place = message.firstRange(of: end) else { continue }
      message = String(message[..<place.lowerBound])
      break
    }
    let command = command(of: arguments)
    let page = (["showcaller"] + command.path + ["--help"]).joined(separator: " ")
    var help = "`\(page)` shows what it takes"
    if command.path == ["at"], let problem = AtCommand.problem(in: command.words) {
      return (problem.message, problem.help ?? help)
    }
    if let device = unexpected(in: text, of: command) { help = "a device is named by `-d \(device)`; \(help)" }
    if command.path == ["replay"], message.lowercased().hasPrefix("unexpected argument"), let word = command.words.last
    {
      help = "the edited document is named by `--with \(ShellWord.quoted(word))`; \(help)"
    }
    if let option = quoted(in: message), message.hasPrefix("Unknown option") {
      let takers = takers(of: option)
      let nearest = Suggestions.nearest(to: option, among: command.options)
      if !takers.isEmpty {
        help = "\(Self.listed(takers)) \(takers.count == 1 ? "takes" : "take") it; \(help)"
      } else if let nearest {
        help = "did you mean `\(nearest)`?"
      }
      message = "unknown option `\(option)`"
    }
    if let values = values(in: &message) { help = "\(values); \(help)" }
    if let first = message.first, message.dropFirst().first?.isUppercase != true {
      message = first.lowercased() + message.dropFirst()
    }
    return (message, help)
  }

  /// What could stand in place of a value that is invalid; the parser's own list is taken out of the message.
  private static func values(in message: inout String) -> String? {
    guard let invalid = message.firstRange(of: "is invalid for '") else { return nil }
    if let list = message.firstRange(of: ". Please provide one of") {
      let words = message[list.upperBound...].replacing(" the following:", with: "").split { " ,.'".contains($0) }
        .map(String.init).filter { !["-", "and", "or"].contains($0) }
      message = String(message[..<list.lowerBound])
      guard let last = words.last, words.count > 1 else { return nil }
      return "there are \(words.dropLast().joined(separator: ", ")) and \(last)"
    }
    let rest = message[invalid.upperBound...]
    let option = String(rest.prefix { $0 != " " && $0 != "'" })
    switch option {
    case "--report": return ReportTarget.usage
    case "--speed" where CommandLine.arguments.dropFirst().first == "serve":
      return "write 0.1x to 1000x, such as `60x`"
    case "--speed": return "write 0.1x to 100x, such as `20x`"
    case "--wait-lock": return "write a time such as `30s` or `1m`"
    case "--timeout": return "write a time such as `30s` or `2m`"
    case "--host", "--to-host": return "write an address such as `192.0.2.14` or `[2001:db8::1]:8009`"
    case _ where rest.contains("<number>"): return "write a whole number"
    default: return nil
    }
  }

  private static func quoted(in message: String) -> String? {
    let parts = message.split(separator: "'", omittingEmptySubsequences: false)
    return parts.count >= 3 ? String(parts[1].prefix { $0 != "=" }) : nil
  }

  /// Words that a command has no use for and that may be the name of a device, as a shell takes them.
  private static func unexpected(in message: String, of command: Command) -> String? {
    guard command.options.contains("--device"), message.lowercased().contains("unexpected argument") else { return nil }
    // Several words are one name where nothing else can be meant.
    let isOne = message.lowercased().hasPrefix("unexpected")
    guard let last = command.words.last, isOne || !command.takesWords, !last.contains("://") else { return nil }
    let name = command.takesWords ? last : command.words.joined(separator: " ")
    return name.contains(" ") && !name.contains { "\"$`\\!".contains($0) } ? "\"\(name)\"" : ShellWord.quoted(name)
  }

  private struct Command {
    var path: [String] = []
    var options: [String] = []
    /// Whether it takes words that are no options.
    var takesWords = false
    /// Those of the line.
    var words: [String] = []
  }

  /// The command that a line is about, with the names of its options.
  private static func command(of arguments: [String]) -> Command {
    guard var tree = CommandTree.all() else { return Command() }
    var path: [String] = []
    for word in arguments {
      guard !word.hasPrefix("-"), let next = tree.subcommand(word) else { break }
      path.append(word)
      tree = next
    }
    return Command(
      path: path, options: tree.arguments.filter(\.isShown).flatMap(\.names),
      takesWords: tree.arguments.contains { $0.kind == .positional },
      words: words(of: tree, in: arguments.dropFirst(path.count)))
  }

  /// The words that are neither options nor their values.
  private static func words(of tree: CommandTree, in arguments: some Sequence<String>) -> [String] {
    var words: [String] = []
    var isValue = false
    for argument in arguments {
      if isValue {
        isValue = false
      } else if argument.hasPrefix("-"), argument != "-" {
        isValue = tree.argument(named: argument)?.kind == .option
      } else {
        words.append(argument)
      }
    }
    return words
  }

  /// The commands that take an option.
  private static func takers(of option: String) -> [String] {
    guard option.hasPrefix("--"), let tree = CommandTree.all() else { return [] }
    return tree.subcommands.filter { $0.argument(named: option)?.isShown == true }.map(\.name)
  }

  private static func listed(_ names: [String]) -> String {
    let shown = names.prefix(3).map { "`\($0)`" }
    if names.count > 3 { return shown.joined(separator: ", ") + " and others" }
    return shown.joined(separator: " and ")
  }
}
