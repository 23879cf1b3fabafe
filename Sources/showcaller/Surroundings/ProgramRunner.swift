import DeviceControl
import RunReporting
import ScenarioRunner
import Workspace

/// Starts the programs of `exec` steps, with few variables.
enum ProgramRunner {
  static func run(_ call: ProgramCall) async -> ProgramCall.End {
    let variables = Surroundings.process.environment.ofPrograms + call.environment.map { "\($0.name)=\($0.value)" }
    let program = ChildProgram(
      command: call.command, environment: variables, input: call.input, outputLimit: ProgramCall.outputLimit,
      standardError: .kept(ProgramCall.standardErrorLimit), limit: call.limit)
    return switch await program.run() {
    case .exited(let code, let output, let errors): .exited(code, output: output, standardError: errors)
    case .signalled(let number, let errors): .signalled(number, standardError: errors)
    case .overdue: .overdue
    case .tooMuchOutput: .tooMuchOutput
    case .notStarted(let reason): .notStarted(reason)
    }
  }
}
