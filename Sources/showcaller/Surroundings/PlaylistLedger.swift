import Dispatch
import ScenarioLanguage
import Signage
import Workspace

/// The ledger of a playlist on this computer, open for as long as the playlist is served.
struct PlaylistLedger: LedgerSink {
  private let file: LedgerFile
  private let writer: LedgerWriter

  /// Goes on where the last process left it.
  /// - Parameter tell: Learns, on a thread of its own, that a record cannot be written, and with `nil` that it could be in
  ///   the end.
  init(
    of program: Program, tell: @escaping @Sendable (WorkspaceError?) -> Void
  ) throws(WorkspaceError) {
    let (plan, zone) = (program.plan, program.zone)
    let path = try LedgerFile.path(of: plan, in: .process)
    let name = LedgerName(
      path.split(separator: "/").last.map(String.init) ?? "", rotation: plan.ledger.rotation, in: zone)
    let format = LedgerFile.Format(lineLimit: LedgerLine.byteLimit) { names in
      name.files(among: names)
    } number: { line in
      LedgerLine.link(of: line)?.number
    }
    file = try LedgerFile(path, format: format, tell: tell)
    let last = file.end.flatMap { LedgerLine.link(of: $0.line) } ?? .start
    writer = LedgerWriter(
      name, after: last, in: file.end?.file, existing: file.files, zone: zone, write: file.append)
  }

  func record(_ record: LedgerRecord) { writer.record(record) }

  /// Waits for what is not on the disk yet, at most until `deadline`.
  /// - Returns: Why the ledger is not whole, or `nil`.
  func close(until deadline: DispatchTime = LastWait.deadline) -> WorkspaceError? {
    if let failure = file.close(until: deadline) { return failure }
    guard writer.missed > 0 else { return nil }
    return WorkspaceError(
      .notWritten, "\(writer.missed) records of the ledger are missing: too many waited for the disk")
  }
}
