import Conformance
import RunReporting
package import ScenarioLanguage
package import Workspace

/// What may follow on a command line, whatever the shell.
package struct Completion: Sendable {
  package struct Candidate: Hashable, Sendable {
    package var text: String
    package var description = ""
    /// More of the same word must follow, so no space does.
    package var isPart = false
  }

  /// What of the word being completed stands before each candidate, such as `--device=`.
  package var prefix = ""
  package var candidates: [Candidate] = []
  /// Files with one of these endings, and folders; all files where it is empty.
  package var extensions: [String]?
  package var wantsFolders = false

  /// What may stand in place of `word` after `words`, the first of which is the program.
  package static func of(
    _ word: String, after words: [String], commands: CommandTree, outside: Outside
  ) -> Completion {
    var parser = LineParser(command: commands)
    for word in words.dropFirst() { parser.read(word) }
    var completion = parser.completion(of: word, outside: outside)
    let rest = word.dropFirst(completion.prefix.count)
    completion.candidates.removeAll { !$0.text.hasPrefix(rest) }
    // A line break or an escape sequence in a device's name is not typed by anybody.
    completion.candidates.removeAll { $0.text.unicodeScalars.contains(where: \.isDisplayControl) }
    return completion
  }

  /// What completions know besides the commands; asked for only when needed.
  package struct Outside: Sendable {
    package var devices: @Sendable () -> [KnownDevices.Device]
    /// Codes and kinds with their titles, which `explain` takes.
    package var topics: @Sendable () -> [(name: String, title: String)]
    /// What `--set` and `--row` may name in a document, as `name` or `name=value`.
    package var settings: @Sendable (_ file: String) -> [String]
    package var rows: @Sendable (_ file: String) -> [String]
    /// The documents that a file is, or that a folder has.
    package var documents: @Sendable (_ file: String) -> [DocumentHeader]
    /// What `report` takes besides a file: names of runs, the newest first.
    package var runs: @Sendable () -> [String]
    /// The keys of a text style.
    package var styleKeys: [String]

    package init(
      devices: @escaping @Sendable () -> [KnownDevices.Device],
      topics: @escaping @Sendable () -> [(name: String, title: String)],
      settings: @escaping @Sendable (_ file: String) -> [String],
      rows: @escaping @Sendable (_ file: String) -> [String],
      documents: @escaping @Sendable (_ file: String) -> [DocumentHeader],
      runs: @escaping @Sendable () -> [String], styleKeys: [String]
    ) {
      self.devices = devices
      self.topics = topics
      self.settings = settings
      self.rows = rows
      self.documents = documents
      self.runs = runs
      self.styleKeys = styleKeys
    }
  }

  /// Reads the words before the one that is completed, as far as they decide what may follow.
  private struct LineParser {
    var command: CommandTree
    private var pending: CommandTree.Argument?
    private var used: Set<String> = []
    private var positionals = 0
    /// The first word that is no option: for most commands their document.
    private var file: String?
    private var isLiteral = false

    /// How many runs are offered.
    private static let shownRuns = 20

    init(command: CommandTree) { self.command = command }

    mutating func read(_ word: String) {
      if pending != nil {
        pending = nil
      } else if !isLiteral, word == "--" {
        isLiteral = true
      } else if !isLiteral, word.hasPrefix("-"), word != "-" {
        let name = String(word.prefix { $0 != "=" })
        guard let argument = command.argument(named: name) else { return }
        if !argument.isRepeating { used.formUnion(argument.names) }
        if argument.kind == .option, name == word { pending = argument }
      } else if positionals == 0, let subcommand = command.subcommand(word) {
        // `help` takes the names of its neighbours.
        let subcommands = word == "help" ? command.subcommands.filter { $0.name != "help" } : subcommand.subcommands
        command = subcommand
        command.subcommands = subcommands
        used = []
      } else {
        if positionals == 0 { file = word }
        positionals += 1
      }
    }

    func completion(of word: String, outside: Outside) -> Completion {
      if let pending { return values(of: pending, word: word, outside) }
      if !isLiteral, word.hasPrefix("-") {
        if let equals = word.firstIndex(of: "=") {
          let name = String(word[..<equals])
          guard let argument = command.argument(named: name), argument.kind == .option else { return Completion() }
          var completion = values(of: argument, word: String(word[word.index(after: equals)...]), outside)
          completion.prefix = name + "=" + completion.prefix
          return completion
        }
        return Completion(candidates: options)
      }
      if !command.subcommands.isEmpty, positionals == 0 {
        return Completion(
          candidates: command.subcommands.map { .init(text: $0.name, description: $0.abstract) })
      }
      let places = command.positionals
      guard let place = positionals < places.count ? places[positionals] : places.last(where: \.isRepeating) else {
        return Completion(candidates: options)
      }
      return values(of: place, word: word, outside)
    }

    private var options: [Candidate] {
      var result: [Candidate] = []
      for argument in command.arguments where argument.kind != .positional && argument.isShown {
        for name in argument.names where !used.contains(name) {
          result.append(Candidate(text: name, description: argument.abstract))
        }
      }
      return result
    }

    private func values(of argument: CommandTree.Argument, word: String, _ outside: Outside) -> Completion {
      switch (command.name, argument.longName) {
      case (_, "--device"), ("watch", ""), ("record", ""), ("auth", ""), ("conform", ""):
        return Completion(
          candidates: outside.devices().map {
            .init(text: $0.name, description: $0.model.isEmpty ? $0.host : "\($0.model), \($0.host)")
          })
      case (_, "--host"):
        return Completion(candidates: outside.devices().map { .init(text: $0.address, description: $0.name) })
      case (_, "--report"):
        if let equals = word.firstIndex(of: "=") {
          return Completion(prefix: String(word[...equals]), extensions: [])
        }
        return Completion(
          candidates: ReportKind.all.map { .init(text: $0.name + "=", isPart: true) })
      case (_, "--set"):
        return Completion(candidates: file.map(outside.settings)?.map { .init(text: $0 + "=", isPart: true) } ?? [])
      case (_, "--row"): return Completion(candidates: file.map(outside.rows)?.map { .init(text: $0) } ?? [])
      case (_, "--tag"):
        return Completion(
          candidates: DocumentSelection.tags(of: file.map(outside.documents) ?? []).map { .init(text: $0) })
      case ("conform", "--only"), ("conform", "--print"):
        return Completion(
          candidates: ConformanceCheck.all.map { .init(text: $0.id, description: $0.statement) })
      case (_, "--only"):
        return Completion(
          candidates: (file.map(outside.documents) ?? []).map { .init(text: $0.id, description: $0.file) })
      case ("style", ""):
        return Completion(candidates: outside.styleKeys.map { .init(text: $0 + "=", isPart: true) })
      case ("report", ""):
        let runs = [StoredRun.newest] + outside.runs().prefix(Self.shownRuns)
        // Else it is a file.
        guard runs.contains(where: { $0.hasPrefix(word) }) else { return Completion(extensions: []) }
        return Completion(candidates: runs.map { .init(text: $0) })
      case ("explain", ""):
        return Completion(candidates: outside.topics().map { .init(text: $0.name, description: $0.title) })
      default: break
      }
      switch argument.values {
      case .none: return Completion()
      case .list(let values): return Completion(candidates: values.map { .init(text: $0) })
      case .files(let extensions): return Completion(extensions: extensions)
      case .folders: return Completion(wantsFolders: true)
      }
    }
  }
}
