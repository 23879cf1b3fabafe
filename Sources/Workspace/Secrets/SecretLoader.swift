import Glibc
package import ScenarioLanguage
import Synchronization

/// What `--secret` gave, for several documents that want the same: standard input can be read once.
package final class GivenSecrets: Sendable {
  private struct Value {
    var text: String
    /// Whether it can be read once only.
    var isFromInput: Bool
  }
  private let values = Mutex<[String: Value]>([:])

  package init() {}

  fileprivate subscript(name: String) -> String? { values.withLock { $0[name]?.text } }

  fileprivate func keep(_ text: String, for name: String, isFromInput: Bool) {
    values.withLock { $0[name] = Value(text: text, isFromInput: isFromInput) }
  }

  /// Has files read again: they may have changed.
  package func forgetFiles() { values.withLock { $0 = $0.filter(\.value.isFromInput) } }
}

/// Gets the values of a plan's secrets before a run.
package struct SecretLoader: Sendable {
  /// What came of it.
  package struct Loaded: Sendable {
    /// By name.
    package var values: [String: String] = [:]
    /// Names that have no value before a step saves it.
    package var saved: Set<String> = []
    /// N403, each at its place in the document.
    package var problems: [Diagnostic] = []

    package init() {}
  }

  /// `--secret`, by name.
  private let given: [(name: String, argument: String)]
  private let allowsCommands: Bool?
  private let isResumed: Bool
  private let surroundings: Surroundings
  private let remembered: GivenSecrets

  /// - Parameters:
  ///   - given: `--secret`, by name: `@file`, or `@-` for standard input.
  ///   - allowsCommands: Whether `command:` may start programs (`--allow-exec`); `nil` leaves such secrets without a value.
  ///   - isResumed: Whether a run is gone on with.
  ///   - remembered: What was read for other documents, and is read for this one.
  package init(
    given: [(name: String, argument: String)], allowsCommands: Bool?, isResumed: Bool = false,
    in surroundings: Surroundings,
    remembering remembered: GivenSecrets = GivenSecrets()
  ) {
    self.remembered = remembered
    self.given = given
    (self.allowsCommands, self.isResumed) = (allowsCommands, isResumed)
    self.surroundings = surroundings
  }

  /// The values, and what is wrong with those that have none.
  /// - Throws: ``WorkspaceError`` for a `--secret` that cannot be read; when the task is cancelled.
  package func load(_ secrets: [Plan.Secret]) async throws -> Loaded {
    var loaded = Loaded()
    for secret in secrets {
      try Task.checkCancellation()
      if let argument = given.last(where: { $0.name == secret.name })?.argument {
        let value =
          if let known = remembered[secret.name] { known } else { try await read(argument, for: secret.name) }
        remembered.keep(value, for: secret.name, isFromInput: argument == "@-")
        loaded.values[secret.name] = value
        continue
      }
      switch await value(of: secret) {
      case .success(let value?): loaded.values[secret.name] = value
      case .success(nil): if secret.source == .saved { loaded.saved.insert(secret.name) }
      case .failure(let problem):
        loaded.problems.append(problem.diagnostic(for: secret, neededAt: nil, isResumed: isResumed))
      }
    }
    return loaded
  }

  private func value(of secret: Plan.Secret) async -> Result<String?, SecretProblem> {
    switch secret.source {
    case .environment(let name):
      guard let value = surroundings.environment[name] else { return .failure(.notSet(name)) }
      return value.isEmpty ? .failure(.emptyVariable(name)) : .success(value)
    case .file(let path, let file):
      return SecretFile.read(SecretFile.path(path, declaredIn: file)).map { $0 }.mapError { .file(path, $0) }
    case .command(let command):
      guard let allowsCommands else { return .success(nil) }
      guard allowsCommands else {
        return .failure(.command(command.first ?? "", "is a program, and programs need `--allow-exec`"))
      }
      return await SecretCommand.output(of: command, in: surroundings).map { $0 }
    case .saved: return .success(nil)
    }
  }

  /// `@file`, or `@-` for standard input.
  private func read(_ argument: String, for name: String) async throws -> String {
    let path = String(argument.dropFirst())
    let result =
      path == "-" ? try await standardInput().flatMap { SecretFile.text(of: $0) } : SecretFile.read(path)
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
      throw WorkspaceError(
        .documentInvalid, "cannot read secret `\(name)` from \(path == "-" ? "<stdin>" : path): \(reason)",
        help: path == "-" && problem == .empty
          ? "`--secret \(name)=@-` reads it from standard input: write `< FILE` behind the command" : nil)
    }
  }

  /// - Throws: When the task is cancelled.
  private func standardInput() async throws -> Result<[UInt8], FileProblem> {
    let descriptor = surroundings.standardInput
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while bytes.count <= SecretFile.byteLimit {
      // A blocking read could not be ended by Ctrl-C.
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      while poll(&waiting, 1, 0) == 0 { try await Task.sleep(for: .milliseconds(20)) }
      do throws(FileError) {
        let count = try Descriptor.read(descriptor, into: &chunk)
        if count == 0 { return .success(bytes) }
        bytes += chunk.prefix(count)
      } catch {
        return .failure(FileProblem(error))
      }
    }
    return .failure(.tooLarge(SecretFile.byteLimit))
  }
}
