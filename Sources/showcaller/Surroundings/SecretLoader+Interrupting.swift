import ArgumentParser
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Workspace

extension SecretLoader {
  /// As ``load(_:)``, for a run.
  /// - Throws: Where the first signal of `line` comes before the values are there, its exit code.
  func load(
    _ secrets: [Plan.Secret], until line: InterruptionLine?
  ) async throws -> (values: Secrets, problems: [Diagnostic]) {
    let loaded: Loaded
    if let line {
      let ending = await line.cancelling { () async -> Result<Loaded, any Error> in
        do { return .success(try await load(secrets)) } catch { return .failure(error) }
      }
      switch ending {
      case .done(let result): loaded = try result.get()
      case .interrupted(let interruption):
        throw CommandFailure(ExitCode(interruption.rawValue), "interrupted before the run began")
      }
    } else {
      loaded = try await load(secrets)
    }
    return (Secrets(loaded.values, saved: loaded.saved), loaded.problems)
  }
}
