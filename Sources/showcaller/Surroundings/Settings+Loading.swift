import ArgumentParser
import CastClient
import ScenarioLanguage
import Workspace

extension Settings {
  /// Reads the settings of this process, and tells what is wrong with their file.
  /// - Throws: Exit code 3, after telling why, for a file with mistakes; 2 for one that cannot be read.
  static func load() throws -> Settings {
    do throws(WorkspaceError) {
      return try load(in: .process)
    } catch {
      if error.code == .told { throw ExitCode(error.exit) }
      throw error
    }
  }

  /// How devices have to prove themselves, for the client.
  var authenticationMode: AuthenticationMode {
    switch authentication.content {
    case .none: .none
    case .report: .report
    case .require: .require
    case .pin: .pin
    }
  }
}
