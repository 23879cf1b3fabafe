import ArgumentParser
import CastProtocol
import ScenarioLanguage

/// `showcaller plan`: shows what a document compiles to: a scenario with deadlines and retry times, a playlist with what is
/// on when.
struct PlanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Show what a document compiles to: steps, deadlines and retry times, or what is on when.")

  @OptionGroup var document: DocumentOptions

  @Flag(help: "Print the plan as JSON.")
  var json = false

  func run() async throws {
    let (_, compiled, plans) = try document.compile()
    switch compiled {
    case .scenario:
      // One object a line; a listing of its own for each row of the matrix.
      let texts = plans.map { json ? $0.json.serialized() : PlanListing($0).text }
      Terminal.print(texts.joined(separator: "\n"))
    case .playlist(let plan): Terminal.print(json ? plan.json.serialized() : PlaylistListing(plan).text)
    case .library: throw document.isLibrary
    }
  }
}
