import Workspace

/// A program that a served playlist starts: with few variables, for a short time.
enum ServedProgram {
  private static let limit = Duration.seconds(10)

  /// Runs it to its end.
  /// - Returns: What went wrong; `nil`: it ended with 0.
  static func run(_ command: [String], input: [UInt8]) async -> String? {
    let program = ChildProgram(
      command: command, environment: Surroundings.process.environment.ofPrograms, input: input, outputLimit: 64 << 10,
      standardError: .kept(500), limit: limit)
    let name = command.first ?? ""
    switch await program.run() {
    case .exited(0, _, _): return nil
    case .exited(let code, _, let errors):
      let words = String(decoding: errors, as: UTF8.self).split(separator: "\n").last.map { ": \($0)" } ?? ""
      return "\(name) ended with \(code)\(words)"
    case .signalled(let number, _): return "\(name) was ended by signal \(number)"
    case .overdue: return "\(name) took longer than 10s"
    case .tooMuchOutput: return "\(name) writes without end"
    case .notStarted(let reason): return "\(name) cannot be started: \(reason)"
    }
  }
}
