import ScenarioLanguage

/// Answers a completion script: `showcaller ---complete SHELL ...`. It never says an error, and always ends with 0.
package struct CompletionAnswer: Sendable {
  /// The word that asks for one.
  package static let command = "---complete"

  private let commands: CommandTree
  private let outside: Completion.Outside
  /// What `~` stands for.
  private let home: String?

  package init(commands: CommandTree, outside: Completion.Outside, home: String?) {
    self.commands = commands
    self.outside = outside
    self.home = home
  }

  /// The lines for a shell that called with these arguments.
  package func text(_ arguments: [String]) -> String {
    guard let shell = arguments.first.flatMap(ShellKind.init(rawValue:)) else { return "" }
    switch shell {
    case .bash:
      guard arguments.count == 3 else { return "" }
      let line = ShellLine(arguments[2], breaks: arguments[1])
      return bash(line, Completion.of(line.last, after: line.words, commands: commands, outside: outside))
    case .zsh, .fish:
      guard arguments.count >= 2, let word = arguments.last else { return "" }
      let words = Array(arguments[1..<(arguments.count - 1)])
      let completion = Completion.of(word, after: words, commands: commands, outside: outside)
      return shell == .zsh ? zsh(completion) : fish(word, completion)
    }
  }

  /// A line with how to insert, then what readline is to put in place of the word as it sees it.
  private func bash(_ line: ShellLine, _ completion: Completion) -> String {
    let texts = texts(line.last, completion)
    // A space comes after a whole word only.
    let isPart = completion.candidates.contains(where: \.isPart) || texts.count == 1 && texts[0].hasSuffix("/")
    return ([isPart ? "part" : "words"] + texts.map(line.quoted)).joined(separator: "\n") + "\n"
  }

  /// The candidates, or the files, as whole words.
  private func texts(_ word: String, _ completion: Completion) -> [String] {
    guard completion.extensions != nil || completion.wantsFolders else {
      return completion.candidates.map { completion.prefix + $0.text }
    }
    let typed = String(word.dropFirst(completion.prefix.count))
    return FileCandidates.of(typed, extensions: completion.extensions, home: home).map { completion.prefix + $0 }
  }

  /// How to complete, what stands before, then a candidate a line with its description behind a tab.
  private func zsh(_ completion: Completion) -> String {
    let mode =
      if let extensions = completion.extensions {
        extensions.isEmpty ? "files" : "yaml"
      } else if completion.wantsFolders {
        "folders"
      } else {
        completion.candidates.contains(where: \.isPart) ? "part" : "words"
      }
    let lines = completion.candidates.map { "\($0.text)\t\(oneLine($0.description))" }
    return ([mode, completion.prefix] + lines).joined(separator: "\n") + "\n"
  }

  /// A candidate a line with its description behind a tab.
  private func fish(_ word: String, _ completion: Completion) -> String {
    if completion.extensions != nil || completion.wantsFolders {
      return texts(word, completion).map { $0 + "\n" }.joined()
    }
    return completion.candidates.map { candidate in
      let description = candidate.description.isEmpty ? "" : "\t" + oneLine(candidate.description)
      return completion.prefix + candidate.text + description + "\n"
    }.joined()
  }

  private func oneLine(_ text: String) -> String {
    TerminalText.escaped(text.replacing("\n", with: " ").replacing("\t", with: " "))
  }
}
