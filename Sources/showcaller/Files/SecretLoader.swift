import ArgumentParser
import Glibc
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Workspace

/// Gets the values of a plan's secrets before a run.
struct SecretLoader: Sendable {
  /// `--secret`, by name.
  let given: [(name: String, argument: String)]
  /// Whether `command:` may start programs (`--allow-exec`); `nil` leaves such secrets without a value.
  let allowsCommands: Bool?

  typealias Loaded = (values: Secrets, problems: [Diagnostic])

  /// The values, or the problems: N403, each at its place in the document.
  /// - Throws: Where the first signal of `line` comes before they are there, its exit code.
  func load(_ secrets: [Plan.Secret], until line: InterruptionLine?) async throws -> Loaded {
    guard let line else { return try await load(secrets) }
    let ending = await line.cancelling { () async -> Result<Loaded, any Error> in
      do { return .success(try await load(secrets)) } catch { return .failure(error) }
    }
    switch ending {
    case .done(let result): return try result.get()
    case .interrupted(let interruption):
      throw CommandFailure(ExitCode(interruption.rawValue), "interrupted before the run began")
    }
  }

  private func load(_ secrets: [Plan.Secret]) async throws -> Loaded {
    var values: [String: String] = [:]
    var problems: [Diagnostic] = []
    var saved: Set<String> = []
    for secret in secrets {
      try Task.checkCancellation()
      if let argument = given.last(where: { $0.name == secret.name })?.argument {
        values[secret.name] = try await read(argument, for: secret.name)
        continue
      }
      switch await value(of: secret) {
      case .success(let value?): values[secret.name] = value
      case .success(nil): if secret.source == .saved { saved.insert(secret.name) }
      case .failure(let problem): problems.append(problem.diagnostic(for: secret, neededAt: nil))
      }
    }
    return (Secrets(values, saved: saved), problems)
  }

  private func value(of secret: Plan.Secret) async -> Result<String?, SecretProblem> {
    switch secret.source {
    case .environment(let name):
      guard let value = Terminal.environment(name) else { return .failure(.notSet(name)) }
      return value.isEmpty ? .failure(.emptyVariable(name)) : .success(value)
    case .file(let path, let file):
      return SecretFile.read(SecretFile.path(path, declaredIn: file)).map { $0 }.mapError { .file(path, $0) }
    case .command(let command):
      guard let allowsCommands else { return .success(nil) }
      guard allowsCommands else {
        return .failure(.command(command.first ?? "", "is a program, and programs need `--allow-exec`"))
      }
      return await SecretCommand.output(of: command).map { $0 }
    case .saved: return .success(nil)
    }
  }

  /// `@file`, or `@-` for standard input.
  private func read(_ argument: String, for name: String) async throws -> String {
    let path = String(argument.dropFirst())
    let result: Result<String, FileProblem> =
      path == "-" ? try await Self.standardInput().flatMap { SecretFile.text(of: $0) } : SecretFile.read(path)
    switch result {
    case .success(let text): return text
    case .failure(let problem):
      let reason =
        switch problem {
        case .notFound: "there is no such file"
        case .empty: "it is empty"
        case .notRegular(let what): "it is \(what)"
        case .tooLarge(let limit): "it is larger than \(limit >> 10) KiB"
        case .unreadable(let reason): reason
        case .symbolicLink, .outside: "it cannot be read"
        }
      throw CommandFailure(
        .documentInvalid, "cannot read secret `\(name)` from \(path == "-" ? "<stdin>" : path): \(reason)")
    }
  }

  /// - Throws: When the task is cancelled.
  private static func standardInput() async throws -> Result<[UInt8], FileProblem> {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while bytes.count <= SecretFile.byteLimit {
      // A blocking read could not be ended by Ctrl-C.
      var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      while poll(&waiting, 1, 0) == 0 { try await Task.sleep(for: .milliseconds(20)) }
      switch DescriptorReader.read(STDIN_FILENO, into: &chunk) {
      case .success(0): return .success(bytes)
      case .success(let count): bytes += chunk.prefix(count)
      case .failure(let error): return .failure(ProjectFiles.problem(error.code))
      }
    }
    return .failure(.tooLarge(SecretFile.byteLimit))
  }
}
