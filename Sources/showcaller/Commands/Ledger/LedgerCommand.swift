import ArgumentParser

/// `showcaller ledger`: the proof of play that playlists leave behind.
struct LedgerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ledger", abstract: "Check, sum up and export what playlists showed, from their ledgers.",
    discussion: "Files are named in any order. Of lines that are damaged standard error tells which.",
    subcommands: [
      LedgerVerifyCommand.self, LedgerSumCommand.self, LedgerTableCommand.self, LedgerPlaylogCommand.self,
      LedgerKeyCommand.self,
    ])
}
