import ArgumentParser
import CastProtocol
import ScenarioLanguage

/// `showcaller plan`: shows what a scenario compiles to, with deadlines and retry times.
struct PlanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan", abstract: "Show what a scenario compiles to: its steps, deadlines and retry times.")

  @OptionGroup var document: DocumentOptions

  @Flag(help: "Print the plan as JSON.")
  var json = false

  func run() async throws {
    let plans = try document.compilePlans(to: "planned").rows
    // One object a line; a listing of its own for each row of the matrix.
    let texts = plans.map { json ? $0.json.serialized() : PlanListing($0).text }
    Terminal.print(texts.joined(separator: "\n"))
  }
}
