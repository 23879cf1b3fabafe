import Dispatch
import ScenarioLanguage
import Signage
import Workspace

/// The ledger of a playlist on this computer, open for as long as the playlist is served.
struct PlaylistLedger: LedgerSink {
  /// Its name and folder.
  let path: String
  private let file: LedgerFile
  private let writer: LedgerWriter
  private let name: LedgerName

  /// Goes on where the last process left it.
  /// - Parameters:
  ///   - given: Where it is, if somebody says so; else it is where the playlist says.
  ///   - tell: Learns, on a thread of its own, that a record cannot be written, and with `nil` that it could be in the end.
  init(
    of program: Program, at given: String? = nil, tell: @escaping @Sendable (WorkspaceError?) -> Void
  ) throws(WorkspaceError) {
    let (plan, zone) = (program.plan, program.zone)
    let path = if let given { given } else { try LedgerFile.path(of: plan, in: .process) }
    self.path = path
    let name = LedgerName(
      path.split(separator: "/").last.map(String.init) ?? "", rotation: plan.ledger.rotation, in: zone)
    self.name = name
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

  /// The files that were left for a newer one: nothing is written to them again.
  var leftFiles: [String] {
    let folder = Files.folder(of: path)
    // The newest is there only when all before it is.
    guard let current = writer.current, Files.kind(of: "\(folder)/\(current)") == .regular else { return [] }
    let names = name.files(among: Files.names(in: folder)).joined()
    return names.filter { $0 != current }.map { "\(folder)/\($0)" }
  }

  /// Waits for what is not on the disk yet, at most until `deadline`.
  /// - Returns: Why the ledger is not whole, or `nil`.
  func close(until deadline: DispatchTime = LastWait.deadline) -> WorkspaceError? {
    if let failure = file.close(until: deadline) { return failure }
    guard writer.missed > 0 else { return nil }
    return WorkspaceError(
      .notWritten, "\(writer.missed) records of the ledger \(path) are missing: too many waited for the disk")
  }
}
