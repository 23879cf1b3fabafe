import ArgumentParser
import ScenarioLanguage
import Signage

/// `showcaller ledger verify`: finds the first line of a ledger that is not as it was written.
struct LedgerVerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Check that no line of a ledger was changed, moved or taken out.",
    discussion: """
      Exits 0 where the ledger is intact, and 1 at the first line that is not. Lines that were cut off at the end cannot \
      be missed: compare the last hash with one that was written down elsewhere.
      """)

  @OptionGroup var ledger: LedgerOptions

  func run() throws {
    var reader = LedgerReader()
    let files = try ledger.sorted { $0.link.number }
    for file in files {
      let before = reader
      try LedgerOptions.read(file, &reader) { step in
        guard let problem = step.problem else { return }
        throw CommandFailure(.expectationFailed, "\(file):\(problem.line): \(problem.message)", help: problem.help)
      }
      let count = reader.count - before.count
      let numbers =
        count == 0 ? "" : ", numbers \((reader.last?.number ?? 0) - count + 1) to \(reader.last?.number ?? 0)"
      Terminal.print("\(TerminalText.escaped(file)): \(Self.lines(count))\(numbers)")
    }
    if let first = reader.first?.link.number, first > 1 {
      Terminal.print("begins with number \(first): the files before it were not named")
    }
    Terminal.print("intact: \(Self.lines(reader.count))" + (reader.last.map { ", the last hash is \($0.hash)" } ?? ""))
  }

  private static func lines(_ count: Int) -> String { count == 1 ? "1 line" : "\(count) lines" }
}
