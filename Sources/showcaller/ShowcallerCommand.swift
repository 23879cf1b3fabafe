import ArgumentParser

@main
struct ShowcallerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "showcaller", abstract: "Calls the show on Google Cast screens.")
  func run() async throws {}
}
