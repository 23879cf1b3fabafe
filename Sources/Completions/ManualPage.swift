/// The manual page of a program, made of its commands (man(7)).
package struct ManualPage {
  private var lines: [String] = []

  /// The page of section 1.
  /// - Parameters:
  ///   - tree: The program.
  ///   - version: What it calls itself, such as `showcaller 1.0`.
  ///   - exits: Exit codes and what they mean.
  package static func text(of tree: CommandTree, version: String, exits: [(code: Int, meaning: String)]) -> String {
    var page = ManualPage()
    page.lines = [".TH \(quoted(tree.name.uppercased())) 1 \"\" \(quoted(version)) \"\""]
    page.section("NAME")
    page.lines.append("\(escaped(tree.name)) \\- \(escaped(tree.abstract.trimmedDot))")
    page.section("SYNOPSIS")
    page.lines += [".B \(escaped(tree.name))", "\\fIcommand\\fR [\\fIoptions\\fR] [\\fIarguments\\fR]"]
    if !tree.discussion.isEmpty {
      page.section("DESCRIPTION")
      page.paragraphs(tree.discussion)
    }
    page.section("COMMANDS")
    for command in tree.subcommands { page.command(command, path: "") }
    page.section("EXIT STATUS")
    for exit in exits { page.lines += [".TP", ".B \(exit.code)", escaped(exit.meaning)] }
    page.section("FILES")
    for (place, meaning) in files { page.lines += [".TP", ".I \(escaped(place))", escaped(meaning)] }
    return page.lines.joined(separator: "\n") + "\n"
  }

  private static let files = [
    ("$XDG_CONFIG_HOME/showcaller/config.yaml", "Settings and known devices."),
    ("$XDG_STATE_HOME/showcaller", "Ledgers, their key, what screens go on with after a restart, and keys of devices."),
    ("$XDG_CACHE_HOME/showcaller", "The last discovery, and copies of calendars and of scripts for receiver pages."),
    (".showcaller/runs", "What runs leave behind."),
  ]

  private mutating func section(_ title: String) { lines.append(".SH \(title)") }

  private mutating func command(_ command: CommandTree, path: String) {
    let name = path.isEmpty ? command.name : "\(path) \(command.name)"
    if command.subcommands.isEmpty {
      let places = command.positionals.filter(\.isShown).map { place in
        "\\fI\(Self.escaped(place.valueName))\\fR\(place.isRepeating ? "..." : "")"
      }
      lines += [".SS \(Self.quoted(name))", ".B \(Self.escaped(name))", ([""] + places).joined(separator: " ")]
      if lines.last == "" { lines.removeLast() }
      lines.append(".PP")
    } else {
      lines.append(".SS \(Self.quoted(name))")
    }
    lines.append(Self.escaped(command.abstract))
    paragraphs(command.discussion)
    for argument in command.arguments where argument.isShown && argument.longName != "--help" {
      self.argument(argument)
    }
    for inner in command.subcommands { self.command(inner, path: name) }
  }

  private mutating func argument(_ argument: CommandTree.Argument) {
    let value = "\\fI\(Self.escaped(argument.valueName))\\fR"
    let names = argument.names.map { "\\fB\(Self.escaped($0))\\fR" }.joined(separator: ", ")
    let head =
      switch argument.kind {
      case .positional: value
      case .option: "\(names) \(value)"
      case .flag: names
      }
    lines += [".TP", head, Self.escaped(argument.abstract)]
  }

  /// Text with its line breaks where it is indented, as examples are.
  private mutating func paragraphs(_ text: String) {
    for part in text.split(separator: "\n\n") {
      let isTable = part.split(separator: "\n").contains { $0.contains("   ") }
      lines.append(".PP")
      if isTable { lines.append(".nf") }
      lines += part.split(separator: "\n").map { Self.escaped(String($0)) }
      if isTable { lines.append(".fi") }
    }
  }

  /// Text in which nothing is a request.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "\n": escaped += " "
      default: escaped.append(character)
      }
    }
    // A line that begins with a dot or a quote is a request.
    return [".", "'"].contains(escaped.first) ? "\\&" + escaped : escaped
  }

  private static func quoted(_ text: String) -> String { "\"\(escaped(text).replacing("\"", with: "\\(dq"))\"" }
}

extension String {
  fileprivate var trimmedDot: String { hasSuffix(".") ? String(dropLast()) : self }
}
