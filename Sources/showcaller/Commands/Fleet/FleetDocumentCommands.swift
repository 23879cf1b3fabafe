import ArgumentParser
import FleetControl
import FleetMessages
import ScenarioLanguage
import Workspace

/// `showcaller fleet push`: a playlist for sites.
struct FleetPushCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "push", abstract: "Give a playlist to sites: a canary first, then waves, and back where it does harm.",
    discussion: """
      The document is checked first, and goes with the files that it includes. Sites that have it already are left \
      alone, so that the same command goes on with a roll-out that was interrupted. A wave is good when each of its \
      sites shows the document, is online, and has no more dark screens and no new alerts; otherwise all sites that got \
      it get back what they had. Exits 1 then, 3 where the document has errors, 4 where no site matches.
      """)

  @Argument(help: ArgumentHelp("The playlist.", valueName: "document"), completion: .file(extensions: ["yaml", "yml"]))
  var document: String

  @OptionGroup var rollout: RolloutOptions
  @OptionGroup var options: FleetOptions

  func run() async throws {
    var inputs = GivenInputs()
    // Secrets are at the sites.
    inputs.leavesOutSecrets = true
    let loaded = try DocumentLoader(document, inputs: inputs, in: .process).playlist()
    try await rollout.perform(.files(try FleetFiles.of(loaded, at: document)), id: loaded.plan.id, options)
  }
}

/// `showcaller fleet rollback`: what was there before.
struct FleetRollbackCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollback", abstract: "Give sites back the document that they had before the last one.",
    discussion:
      "In waves, as `fleet push`; --at-once for all at the same time. A second rollback brings back the first.")

  @Argument(help: ArgumentHelp("The id of the playlist.", valueName: "id"))
  var id: String

  @OptionGroup var rollout: RolloutOptions
  @OptionGroup var options: FleetOptions

  func run() async throws { try await rollout.perform(.previous, id: id, options) }
}

/// `showcaller fleet remove`: a document is taken off.
struct FleetRemoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Take a document off the screens of sites.",
    discussion: "In waves, as `fleet push`. `fleet rollback` brings it back.")

  @Argument(help: ArgumentHelp("The id of the playlist.", valueName: "id"))
  var id: String

  @OptionGroup var rollout: RolloutOptions
  @OptionGroup var options: FleetOptions

  func run() async throws { try await rollout.perform(.removal, id: id, options) }
}
