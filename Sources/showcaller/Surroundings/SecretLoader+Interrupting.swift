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
    let loaded = try await values(
      of: document.secrets, in: document.sources, allowsCommands: allowsCommands, remembering: remembered, until: line)
    return Secrets(loaded.values, saved: loaded.saved)
  }

  /// As ``secrets(of:allowsCommands:remembering:until:)``, of any document.
  /// - Parameter sources: Where problems are.
  func values(
    of secrets: [Plan.Secret], in sources: [SourceFile], allowsCommands: Bool?, remembering remembered: GivenSecrets,
    until line: InterruptionLine?
  ) async throws -> SecretLoader.Loaded {
    let loader = try secretLoader(of: secrets, allowsCommands: allowsCommands, remembering: remembered)
    guard let loader else { return SecretLoader.Loaded() }
    let loaded = try await loader.load(secrets, until: line)
    try refuse(loaded.problems, in: sources)
    return loaded
  }
}

extension SecretLoader {
  /// As ``load(_:)``, for what a signal may end.
  /// - Throws: Where the first signal of `line` comes before the values are there, its exit code.
  func load(_ secrets: [Plan.Secret], until line: InterruptionLine?) async throws -> Loaded {
    if let line {
      let ending = await line.cancelling { () async -> Result<Loaded, any Error> in
        do { return .success(try await load(secrets)) } catch { return .failure(error) }
      }
      switch ending {
      case .done(let result): return try result.get()
      case .interrupted(let interruption):
        throw CommandFailure(ExitCode(interruption.exit), "interrupted before the run began")
      }
    }
    return try await load(secrets)
  }
}
