import ArgumentParser
import CastProtocol
import ScenarioLanguage
import Workspace

/// `showcaller plan`: shows what a document compiles to: a scenario with deadlines and retry times, a playlist with what is
/// on when.
struct PlanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan", _superCommandName: ShowcallerCommand.name,
    abstract: "Show what a document compiles to: steps, deadlines and retry times, or what is on when.")

  @OptionGroup var document: DocumentOptions

  @Flag(help: "Print the plan as JSON.")
  var json = false

  @Flag(help: "Print the messages that the steps send, one a line, after lines that begin with #.")
  var wire = false

  @Option(
    name: .customLong("row"),
    help: ArgumentHelp("Show the rows of the matrix with this value, as often as it takes.", valueName: "name=value"))
  var row: [String] = []

  func validate() throws {
    if json, wire { throw ValidationError("--json and --wire exclude each other") }
  }

  func run() async throws {
    let (compiled, plans) = try document.loader.compile()
    switch compiled {
    case .scenario:
      // One object a line; a listing of its own for each row of the matrix.
      let texts = try document.loader.rows(of: plans, fitting: row).map { plan in
        if wire { return PlanWire(plan).lines.joined(separator: "\n") }
        return json ? plan.json.serialized() : PlanListing(plan).text
      }
      Terminal.print(texts.joined(separator: "\n"))
    case .playlist where wire:
      throw CommandFailure(
        .commandLineWrong, "`--wire` shows the messages of a scenario, this is a playlist",
        help: "`showcaller plan` without it lists the rules and what they play")
    case .playlist(let plan): Terminal.print(json ? plan.json.serialized() : PlaylistListing(plan).text)
    case .library: throw document.loader.isLibrary
    }
  }
}
