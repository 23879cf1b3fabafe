import ArgumentParser
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Workspace

extension DocumentLoader {
  /// The values of all secrets that a row of the document needs.
  ///
  /// - Parameters:
  ///   - allowsCommands: Whether `command:` may start programs; `nil` leaves such secrets without a value.
  ///   - remembered: What was given to other documents, too.
  ///   - line: A signal ends the programs of secrets; `nil` where none are started.
  /// - Throws: Where one has none, after telling why; the signal's exit code after a signal.
  func secrets(
    of document: RunnableDocument, allowsCommands: Bool?, remembering remembered: GivenSecrets = GivenSecrets(),
    until line: InterruptionLine? = nil
  ) async throws -> Secrets {
    let loader = try secretLoader(of: document, allowsCommands: allowsCommands, remembering: remembered)
    guard let loader else { return Secrets() }
    let (values, problems) = try await loader.load(document.secrets, until: line)
    try refuse(problems, in: document)
    return values
  }
}

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
        throw CommandFailure(ExitCode(interruption.exit), "interrupted before the run began")
      }
    } else {
      loaded = try await load(secrets)
    }
    return (Secrets(loaded.values, saved: loaded.saved), loaded.problems)
  }
}
