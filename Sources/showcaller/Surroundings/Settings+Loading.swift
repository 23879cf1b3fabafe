import ArgumentParser
import CastClient
import ScenarioLanguage
import Workspace

extension Settings {
  /// Reads the settings of this process, and tells what is wrong with their file.
  /// - Throws: Exit code 3, after telling why, for a file with mistakes; 2 for one that cannot be read.
  static func load() throws -> Settings {
    let reading = try read(in: .process)
    if let source = reading.source, !reading.problems.isEmpty {
      DiagnosticPrinter.standardError.print(reading.problems, of: [source])
    }
    if reading.problems.contains(where: { $0.severity == .error }) { throw ExitCode.documentInvalid }
    return reading.settings
  }

  /// How devices have to prove themselves, for the client.
  var authenticationMode: AuthenticationMode {
    switch authentication.content {
    case .none: .none
    case .report: .report
    case .require: .require
    }
  }
}
