import DeviceControl
import RunReporting
import ScenarioRunner
import Workspace

/// Starts the programs of `exec` steps, with few variables.
enum ProgramRunner {
  /// What a program gets of our environment.
  private static let variables = ["PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "USER"]

  static func run(_ call: ProgramCall) async -> ProgramCall.End {
    let kept = variables.compactMap { name in Terminal.environment(name).map { "\(name)=\($0)" } }
    let program = ChildProgram(
      command: call.command, environment: kept + call.environment.map { "\($0.name)=\($0.value)" }, input: call.input,
      outputLimit: ProgramCall.outputLimit, complaint: .kept(ProgramCall.complaintLimit), limit: call.limit)
    return switch await program.run() {
    case .exited(let code, let output, let complaint): .exited(code, output: output, complaint: complaint)
    case .signalled(let number, let complaint): .signalled(number, complaint: complaint)
    case .overdue: .overdue
    case .tooMuchOutput: .tooMuchOutput
    case .notStarted(let reason): .notStarted(reason)
    }
  }
}
