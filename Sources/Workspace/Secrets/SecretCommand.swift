package import ScenarioLanguage

/// Runs the program of a `command:` secret: no shell, ten seconds, 64 KiB. Its standard input is empty, its standard error
/// ours.
package enum SecretCommand {
  /// What the program writes, as a secret, or why it is none. It gets all of our environment: a program that asks a
  /// keyring or an agent needs it.
  package static func output(
    of command: [String], in surroundings: Surroundings
  ) async -> Result<String, SecretProblem> {
    guard let program = command.first, !program.isEmpty else { return .failure(.command("", "is no program")) }
    func failure(_ reason: String) -> Result<String, SecretProblem> { .failure(.command(program, reason)) }
    let child = ChildProgram(
      command: command, environment: surroundings.environment.entries, outputLimit: SecretFile.byteLimit,
      standardError: .inherited, limit: .seconds(10))
    switch await child.run() {
    case .exited(0, let output, _):
      switch SecretFile.text(of: output) {
      case .success(let text): return .success(text)
      case .failure(.empty): return failure("wrote nothing")
      case .failure: return failure("wrote no UTF-8 text")
      }
    case .exited(let code, _, _): return failure("ended with exit code \(code)")
    case .signalled: return failure("was ended by a signal")
    case .overdue: return failure("was not done after 10 s")
    case .tooMuchOutput: return failure("wrote more than \(SecretFile.byteLimit / 1024) KiB")
    case .notStarted(let reason): return failure("could not be started: \(reason)")
    }
  }
}
