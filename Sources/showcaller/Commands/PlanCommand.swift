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
    let (_, plan) = try document.compilePlan(to: "planned")
    Terminal.print(json ? plan.json.serialized() : PlanListing(plan).text)
  }
}
