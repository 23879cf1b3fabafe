import ScenarioLanguage

extension ReportKind {
  /// Commands of a GitHub workflow that mark lines of the documents (docs/runs.md "GitHub").
  package static let github = document(
    "github", "annotations of a GitHub workflow", of: RunTranscript.self
  ) { GitHubDocument($0).text }
}

/// Runs as workflow commands, a line for each thing that is wrong.
struct GitHubDocument {
  private enum Level: String { case error, warning, notice }

  /// What is longer is cut: a log shows it, too.
  private static let messageLimit = 8_000

  private(set) var text = ""

  init(_ parts: [ReportPart<RunResults>]) {
    for part in parts {
      switch part {
      case .run(let results):
        for suite in results.suites { for one in suite.cases { add(one, of: suite) } }
        if let notice = results.notice { add(notice) }
      case .notice(let notice): add(notice)
      }
    }
  }

  private mutating func add(_ one: ReportCase, of suite: ReportSuite) {
    let title = "\(suite.title): \(one.name)"
    switch one.outcome {
    case .failed(let finding), .error(let finding), .unfinished(let finding):
      // The place stands in the command, and the message above the rest.
      let lines = finding.lines.filter { $0 != one.cause.text && $0 != finding.message }
      add(.error, one.cause, title, ([finding.message] + lines).joined(separator: "\n"))
    case .flaky:
      let tries = one.failedAttempts.map { "try \($0.attempt) of \(one.attempts): \($0.error.message)" }
      add(.warning, one.cause, title, (["passed, but not at once"] + tries).joined(separator: "\n"))
    case .ignored(let reason): add(.warning, one.cause, title, reason)
    case .passed, .skipped, .notRun, .stopped: break
    }
  }

  private mutating func add(_ notice: RunNotice) {
    let message = [notice.message, notice.detail].filter { !$0.isEmpty }.joined(separator: "\n")
    add(
      notice.reason == .notBegun ? .notice : .error, SourcePlace(file: notice.file, line: 1, column: 1), "run", message)
  }

  private mutating func add(_ level: Level, _ place: SourcePlace, _ title: String, _ message: String) {
    let properties = [
      ("file", place.file), ("line", String(place.line)), ("col", String(place.column)),
      ("title", TerminalText.escaped(title)),
    ]
    let written = properties.filter { !$0.1.isEmpty }.map { "\($0.0)=\(Self.property($0.1))" }.joined(separator: ",")
    let lines = message.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
      TerminalText.escaped(String($0))
    }
    let shown = lines.joined(separator: "\n")
    let cut = shown.count > Self.messageLimit ? shown.prefix(Self.messageLimit) + "…" : shown
    text += "::\(level.rawValue) \(written)::\(Self.data(cut))\n"
  }

  /// What follows `::`, where a line break would end the command.
  private static func data(_ text: String) -> String {
    text.escapingScalars(escape)
  }

  private static func property(_ text: String) -> String {
    text.escapingScalars { $0 == ":" ? "%3A" : $0 == "," ? "%2C" : escape($0) }
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "%": "%25"
    case "\r": "%0D"
    case "\n": "%0A"
    default: nil
    }
  }
}
