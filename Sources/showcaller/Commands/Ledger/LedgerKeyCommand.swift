import ArgumentParser
import CastTransport
import Workspace

/// `showcaller ledger key`: the public key by which others check this computer's signatures.
struct LedgerKeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key", abstract: "Print the public key that ledgers of this computer are signed with.",
    discussion: """
      Give it to whoever checks the ledgers, before the first one: `showcaller ledger verify --key FILE`. The key is made \
      where there is none; the private one stays in the state folder.
      """)

  func run() throws {
    guard let key = try LedgerSigning.key(makes: true).publicKey else {
      throw CommandFailure(.reportNotWritten, "the key of ledgers cannot be read")
    }
    StandardStream.output.write(String(decoding: key.pem, as: UTF8.self))
  }
}
