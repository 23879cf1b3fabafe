import ArgumentParser
import ScenarioLanguage
import Signage
import Workspace

/// Makes the program of a playlist that a command line names.
extension DocumentLoader {
  /// - Throws: Where the document has errors or is no playlist, or nobody knows its time zone.
  func program() throws -> Program {
    let loaded = try playlist()
    return Program(loaded.plan, in: try loaded.clocks())
  }
}

extension DocumentOptions {
  func program() throws -> Program { try loader.program() }

  /// Unix time in seconds.
  static var now: Int { Int(Surroundings.process.unixTime()) }
}
