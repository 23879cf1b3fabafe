import ArgumentParser

/// `showcaller fleet`: many sites, and labs, on an MQTT broker.
struct FleetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fleet", _superCommandName: ShowcallerCommand.name,
    abstract: "Many sites, and labs of devices, on an MQTT broker.",
    subcommands: [WorkCommand.self])
}
