import ArgumentParser
import CastProtocol
import Signage

/// `showcaller ledger sum`: how often and how long what was shown, and what the rest of the time was.
struct LedgerSumCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sum", abstract: "Add up what was shown, and what the rest of the time was.",
    discussion: """
      Shown is what the receiver said was on. What is unrecorded lies between two records of a screen: nothing says what \
      was on then. Exits 1 where lines are damaged, which do not count.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Option(help: "Count plays by item, screen or rule.")
  var by = LedgerSum.Grouping.item

  @Option(help: "Count each day or month by itself.")
  var per: LedgerSum.Period?

  @Flag(help: "Print the sums as one JSON object, in seconds.")
  var json = false

  func run() throws {
    var sum = LedgerSum(by: by, per: per)
    let isIntact: Bool
    do {
      isIntact = try ledger.readLines { try sum.add($0) }
    } catch is LedgerSum.TooManyRows {
      throw CommandFailure(
        .commandLineWrong, "the sum has more than \(LedgerSum.rowLimit) rows",
        help: per == nil ? "name fewer files" : "name fewer files, or leave out --per")
    }
    if json { Terminal.print(sum.json.serialized()) } else { StandardStream.output.write(sum.text) }
    if !isIntact { throw ExitCode.expectationFailed }
  }
}

extension LedgerSum.Grouping: ExpressibleByArgument {}
extension LedgerSum.Period: ExpressibleByArgument {}
