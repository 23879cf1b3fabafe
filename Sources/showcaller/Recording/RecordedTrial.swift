import CastProtocol
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Simulation
import Workspace

/// Whether a scenario that was just recorded passes on a virtual receiver, in memory.
enum RecordedTrial {
  /// The epoch of simulations: what a trial says does not depend on the day.
  private static let epoch = 1_767_225_600.0

  /// - Returns: What to tell of it; `nil` where it passes.
  static func problem(of text: String, named name: String) -> String? {
    var inputs = PlanCompiler.Inputs()
    // Names stand in for them.
    inputs.needsSecrets = false
    let compiled = PlanCompiler.compile(SourceFile(name: name, bytes: Array(text.utf8)), inputs: inputs)
    guard let document = RunnableDocument(compiled.plans) else {
      let first = compiled.diagnostics.first.map { ": \($0.message)" } ?? ""
      return "it is not valid\(first); this is a bug in showcaller: please report it with the file"
    }
    let configuration = RunConfiguration(
      runID: "00000000000000000000000000", toolVersion: ShowcallerCommand.version, wallClock: { epoch })
    let outcome = try? ScenarioSimulation().run(document, configuration: configuration, reportingTo: NoSink())
    if outcome?.exitCode == 0 { return nil }
    return "it does not pass on a virtual receiver: `showcaller simulate` shows where"
  }

  private struct NoSink: EventSink {
    func record(_ event: Event) {}
  }
}
