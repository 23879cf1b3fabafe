import ArgumentParser
import ScenarioLanguage
import Signage
import Workspace

/// Makes the program of a playlist that a command line names.
extension DocumentLoader {
  /// - Throws: Where the document has errors or is no playlist, or nobody knows its time zone.
  func program() throws -> Program {
    let plan = try playlist()
    guard let zone = SystemTime(.process).rules(ofZone: plan.timeZone) else {
      throw CommandFailure(
        .commandLineWrong, "the clocks of \(plan.timeZone ?? "this computer's zone") are not known here",
        help: "install the zone database: `apt-get install tzdata`")
    }
    return Program(plan, in: zone)
  }
}

extension DocumentOptions {
  func program() throws -> Program { try loader.program() }

  /// Unix time in seconds.
  static var now: Int { Int(Surroundings.process.unixTime()) }
}
