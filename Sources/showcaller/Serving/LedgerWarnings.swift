import RunReporting
import ScenarioLanguage
import Signage
import Synchronization
import Workspace

/// Tells what becomes of a playlist's ledger, in the log and to whom `notify` says.
final class LedgerWarnings: Sendable {
  private let outside: ServedOutside
  private let incident: Incident
  private let title: String
  /// What is so until the process ends.
  private let lasting = Mutex<String?>(nil)

  init(_ outside: ServedOutside) {
    self.outside = outside
    let plan = outside.program.plan
    incident = Incident(.ledgerGap, plan.id)
    title = TerminalText.escaped(plan.title)
  }

  func tell(_ news: PlaylistLedger.News) {
    switch news {
    case .changed(let text):
      lasting.withLock { $0 = text }
      outside.note(incident, text)
      Terminal.say("warning: \(title): \(TerminalText.escaped(text))")
    case .failing(let problem):
      outside.note(incident, problem.message)
      Terminal.say("warning: \(TerminalText.escaped(problem.message)); it is tried again")
    case .works:
      outside.note(incident, lasting.withLock { $0 })
      Terminal.say("the ledger of \(title) is written again")
    }
  }
}
