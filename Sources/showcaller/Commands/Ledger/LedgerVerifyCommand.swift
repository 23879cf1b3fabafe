import ArgumentParser
import ScenarioLanguage
import Signage

/// `showcaller ledger verify`: finds the first line of a ledger that is not as it was written.
struct LedgerVerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Check that no line of a ledger was changed, moved or taken out.",
    discussion: """
      Exits 0 where the ledger is intact, and 1 at the first line that is not. Lines that were cut off at the end cannot \
      be missed: compare the last hash with one that was written down elsewhere. With --key every file but the last has \
      to be signed with that key.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Option(
    help: ArgumentHelp("The public key of who signed the files, as `ledger key` prints it.", valueName: "file"),
    completion: .file(extensions: ["pem"]))
  var key: String?

  func run() throws {
    var reader = LedgerReader()
    let files = try ledger.sorted { $0.link.number }
    let key = try key.map(LedgerSigning.publicKey)
    for (index, file) in files.enumerated() {
      let before = reader
      try LedgerOptions.read(file, &reader) { step in
        guard let problem = step.problem else { return }
        throw CommandFailure(.expectationFailed, "\(file):\(problem.line): \(problem.message)", help: problem.help)
      }
      let count = reader.count - before.count
      let numbers =
        count == 0 ? "" : ", numbers \((reader.last?.number ?? 0) - count + 1) to \(reader.last?.number ?? 0)"
      let signature = try LedgerSigning.check(
        file, endsWith: count == 0 ? nil : reader.last, by: key, isLast: index == files.count - 1)
      Terminal.print("\(TerminalText.escaped(file)): \(Self.lines(count))\(numbers)\(signature)")
    }
    if let first = reader.first?.link.number, first > 1 {
      Terminal.print("begins with number \(first): the files before it were not named")
    }
    Terminal.print("intact: \(Self.lines(reader.count))" + (reader.last.map { ", the last hash is \($0.hash)" } ?? ""))
  }

  private static func lines(_ count: Int) -> String { count == 1 ? "1 line" : "\(count) lines" }
}
