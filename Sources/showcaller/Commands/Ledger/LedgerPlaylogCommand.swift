import ArgumentParser
import ScenarioLanguage
import Signage

/// `showcaller ledger playlog`: plays as the report of a SMIL player.
struct LedgerPlaylogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "playlog", abstract: "Print the plays of a screen as the XML report of SMIL players (POPAI Playlog).",
    discussion: "Plays of which the receiver showed nothing are left out. Exits 1 where lines are damaged.")

  @OptionGroup var ledger: LedgerOptions

  @Option(help: ArgumentHelp("The screen, where the ledger has several.", valueName: "name"))
  var screen: String?

  func run() throws {
    var log = Playlog()
    let isIntact = try ledger.readLines { log.look(at: $0) }
    let screen = try screen(of: log)
    var output = BufferedOutput()
    output.write(log.head(of: screen))
    for file in try ledger.sorted(by: \.time) {
      // What is damaged has been told.
      var reader = LedgerReader()
      try LedgerOptions.read(file, &reader) { step in
        if let line = step.line, let element = log.element(line, of: screen) { output.write(element) }
      }
    }
    output.write(Playlog.tail)
    output.flush()
    if !isIntact { throw ExitCode.expectationFailed }
  }

  private func screen(of log: Playlog) throws -> String {
    let screens = log.screens.sorted()
    let names = "`\(screens.prefix(10).joined(separator: "`, `"))`"
    if let screen {
      guard screens.contains(screen) else {
        throw CommandFailure(
          .commandLineWrong, "nothing was shown on a screen `\(screen)`",
          help: screens.isEmpty ? nil : "screens are \(names)")
      }
      return screen
    }
    guard let only = screens.first else {
      throw CommandFailure(.commandLineWrong, "nothing was shown: a play log without a player cannot be written")
    }
    guard screens.count == 1 else {
      throw CommandFailure(
        .commandLineWrong, "a play log is of one player, and these are \(screens.count) screens",
        help: "name one with --screen: \(names)")
    }
    return only
  }
}
