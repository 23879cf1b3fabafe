import ScenarioLanguage
import RunReporting
import Signage
import Workspace

/// The ledger of one playlist, open to be written.
struct PlaylistLedger: Sendable {
  let path: String
  private let file: LedgerFile
  private let writer: LedgerWriter

  /// Opens it, and goes on where it ends.
  /// - Parameter path: Its name and folder.
  /// - Throws: Where it cannot be written, or another process writes it.
  init(_ path: String, of program: Program) throws {
    let ledger = program.plan.ledger
    let base = path.split(separator: "/").last.map(String.init) ?? path
    let name = LedgerName(base, rotation: ledger.rotation, in: program.zone)
    let format = LedgerFile.Format(
      lineLimit: LedgerLine.byteLimit, files: { name.files(among: $0) },
      number: { LedgerLine.link(of: $0)?.number })
    let file = try LedgerFile(path, format: format) { problem in
      if let problem {
        Terminal.say("warning: \(TerminalText.escaped(problem.message)); it is tried again")
      } else {
        Terminal.say("the ledger \(TerminalText.escaped(path)) is written again")
      }
    }
    let last = file.end.flatMap { LedgerLine.link(of: $0.line) } ?? .start
    writer = LedgerWriter(
      name, after: last, in: file.end?.file, existing: file.files, zone: program.zone,
      write: { file.append($0, to: $1) })
    self.file = file
    self.path = path
  }

  var sink: any LedgerSink { writer }

  /// Waits until everything is on the disk.
  /// - Returns: Why it is not whole, or `nil`.
  func close() -> WorkspaceError? {
    if let failure = file.close(until: LastWait.deadline) { return failure }
    guard writer.missed > 0 else { return nil }
    return WorkspaceError(.notWritten, "\(writer.missed) records are missing in the ledger \(path): too many waited")
  }

  /// Where the ledger of a playlist is, unless the command line says so: where the playlist says, else in the state folder.
  /// What virtual screens show is no proof of anything: it never goes there.
  static func path(for plan: PlaylistPlan, isVirtual: Bool) -> String {
    let name = plan.ledger.file ?? "plays.jsonl"
    if isVirtual { return ".showcaller/virtual/\(plan.id)/\(name.split(separator: "/").last ?? "plays.jsonl")" }
    if name.hasPrefix("/") { return name }
    if plan.ledger.file != nil { return "\(Files.folder(of: plan.file))/\(name)" }
    guard let state = Surroundings.process.stateFolder else { return ".showcaller/ledgers/\(plan.id)/\(name)" }
    return "\(state)/ledgers/\(plan.id)/\(name)"
  }
}
