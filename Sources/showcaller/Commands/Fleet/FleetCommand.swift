import ArgumentParser
import CastTransport

/// `showcaller fleet`: many sites, and labs, on an MQTT broker.
struct FleetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fleet",
    abstract: "See what many sites show, give them documents and orders, and run what a lab is sent, through a broker.",
    discussion: """
      Sites are processes of `serve --broker`. GLOB is the name of a site in which * stands for any characters and ? for \
      one. Documents and orders are signed with the operator's key, which `fleet key` makes.
      """,
    subcommands: [
      FleetKeyCommand.self, FleetSitesCommand.self, FleetStatusCommand.self, FleetWatchCommand.self,
      FleetAlertsCommand.self, FleetOrderCommand.self, FleetPushCommand.self, FleetRollbackCommand.self,
      FleetRemoveCommand.self, WorkCommand.self,
    ])
}

/// `showcaller fleet key`: the operator's public key.
struct FleetKeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key", abstract: "Print the public key that sites take documents and orders from.",
    discussion: """
      Give it to each site: `serve --operator-key FILE`. The key is made where there is none; the private one stays in \
      the state folder, or in the file of --key. Whoever has it decides what all screens show.
      """)

  @Option(
    help: ArgumentHelp("Where the private key is, or is made.", valueName: "file"),
    completion: .file(extensions: ["pem"]))
  var key: String?

  func run() throws {
    let key = try OperatorKeys.key(key, makes: true)
    StandardStream.output.write(String(decoding: key.verifying.pem, as: UTF8.self))
  }
}
