import ArgumentParser
import Signage

/// `showcaller ledger csv`: plays as a table.
struct LedgerTableCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "csv", abstract: "Print plays as comma-separated values, one play a row.",
    discussion: "Times are in UTC. Exits 1 where lines are damaged, which are left out.")

  @OptionGroup var ledger: LedgerOptions

  func run() throws {
    var output = BufferedOutput()
    output.write(LedgerTable.head)
    let isIntact = try ledger.readLines { line in
      if let row = LedgerTable.row(line) { output.write(row) }
    }
    output.flush()
    if !isIntact { throw ExitCode.expectationFailed }
  }
}
