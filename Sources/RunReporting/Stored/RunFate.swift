import ScenarioLanguage

/// What is known of a run whose events have no end.
package enum RunFate: Hashable, Sendable {
  /// Only its events are there: it still runs, or it died.
  case unknown
  /// Its process still has its folder.
  case running
  /// It died, and this command goes on with it; `note` says what it needs besides.
  case died(resumeLine: String, note: String? = nil)
  /// It died, another run has gone on with it, and this command tells how that went.
  case resumed(by: String, reportLine: String)

  /// What reports say of the run.
  package var message: String {
    switch self {
    case .running: "the run still goes on"
    case .unknown, .died, .resumed: "the run did not finish"
    }
  }

  /// The same in more words.
  package var detail: String {
    switch self {
    case .unknown: "it still runs, or it was ended before it could tell"
    case .running: "this is what it has done so far"
    case .died: "it was ended before it could tell"
    case .resumed(let run, _): "run \(run) has gone on with it"
    }
  }

  /// What somebody can do about it, as a line of a terminal.
  var help: String? {
    switch self {
    case .unknown, .running: nil
    case .died(let line, let note): "`\(line)` goes on with it\(note.map { "; \($0)" } ?? "")"
    case .resumed(let run, let line): "run \(run) has gone on with it: `\(line)`"
    }
  }

  /// A command to paste, what it does, and what it needs besides.
  var command: (purpose: String, line: String, note: String?)? {
    switch self {
    case .unknown, .running: nil
    case .died(let line, let note): ("go on with it", line, note)
    case .resumed(_, let line): ("the report of the run that has gone on with it", line, nil)
    }
  }

  /// What became of a step that ran when the events ended.
  var stepReason: String { self == .running ? "it still runs" : "the run ended while it ran" }

  /// The warning about a stream without an end.
  package var warning: String {
    let words = self == .running ? "has no end yet" : "has no run.finished at its end"
    return "\(message): it \(words)"
  }
}
