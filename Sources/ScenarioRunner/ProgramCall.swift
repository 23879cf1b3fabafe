/// A program that a document asks for: no shell, a clean environment, and limits.
package struct ProgramCall: Sendable {
  /// What a program may write on its standard output.
  package static let outputLimit = 64 * 1024
  /// What is kept of its standard error.
  package static let standardErrorLimit = 4 * 1024

  /// The program and its arguments.
  package var command: [String]
  /// What it reads on standard input.
  package var input: [UInt8] = []
  /// Added to the few variables that every program needs.
  package var environment: [(name: String, value: String)] = []
  /// Real time; the program and all it started are killed then.
  package var limit: Duration = .seconds(30)

  package init(command: [String]) { self.command = command }

  /// How a program ended.
  package enum End: Hashable, Sendable {
    case exited(Int32, output: [UInt8], standardError: [UInt8])
    case signalled(Int32, standardError: [UInt8])
    case overdue
    case tooMuchOutput
    case notStarted(String)
  }
}
