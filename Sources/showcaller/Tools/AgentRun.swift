import CastProtocol
import RunReporting
import ScenarioLanguage
import Synchronization
import ToolServers
import Workspace

/// Simulations and runs for an agent, each in a process of its own: it can be ended, whatever it does.
enum AgentRun {
  private static let outputLimit = 32 << 20
  private static let textLimit = 256 << 10
  /// Real time for a simulation.
  private static let simulationLimit = Duration.seconds(60)
  /// A run that is ended has this long for its `finally`.
  private static let grace = Duration.seconds(5)

  static func simulate(_ scenario: AgentCall.Scenario) async throws -> AgentAnswer {
    let path = try AgentPath.existing(scenario.path)
    if DocumentHeader(try SourceFile(readingFrom: path)).kind == .playlist {
      let end = await program(["simulate"] + arguments(of: scenario, path), limit: simulationLimit).run()
      let (code, output, told) = try exited(end, within: simulationLimit)
      let text = String(decoding: output, as: UTF8.self) + told
      return AgentAnswer(text: text, structured: ["kind": "playlist", "exit": .int(Int(code))], isError: code != 0)
    }
    return try await play(["simulate"] + arguments(of: scenario, path), limit: simulationLimit) { _, _, _ in }
  }

  static func run(
    _ scenario: AgentCall.Scenario, speed: Double, limit: Double, _ progress: @escaping AgentDesk.Progress
  ) async throws -> AgentAnswer {
    let path = try AgentPath.existing(scenario.path)
    let words = ["run", "--virtual", "--speed", "\(speed.decimals(3))x"] + arguments(of: scenario, path)
    return try await play(words, limit: .seconds(limit), progress)
  }

  private static func arguments(of scenario: AgentCall.Scenario, _ path: String) -> [String] {
    var words = [path]
    for row in scenario.rows { words += ["--row", row] }
    for setting in scenario.settings { words += ["--set", setting] }
    if let seed = scenario.seed { words += ["--seed", String(seed)] }
    return words
  }

  private static func program(_ words: [String], limit: Duration) -> ChildProgram {
    var program = ChildProgram(
      command: ["/proc/self/exe"] + words, environment: Surroundings.process.environment.entries,
      outputLimit: outputLimit, standardError: .kept(textLimit), limit: limit)
    program.grace = grace
    return program
  }

  /// Plays a scenario, and reads its events as they come.
  private static func play(
    _ words: [String], limit: Duration, _ progress: @escaping AgentDesk.Progress
  ) async throws -> AgentAnswer {
    let reading = EventReading(progress)
    var program = program(words + ["--report", "json=-"], limit: limit)
    program.onOutput = { reading.read($0) }
    let (code, _, told) = try exited(await program.run(), within: limit)
    let evidence = reading.evidence
    guard evidence.hasBegun else {
      return AgentAnswer(
        text: told, structured: ["exit": .int(Int(code)), "error": ["message": .string(told)]], isError: true)
    }
    var structured = evidence.json
    structured["exit"] = .int(Int(code))
    structured["passed"] = .bool(code == 0)
    return AgentAnswer(text: told, structured: structured)
  }

  private static func exited(
    _ end: ChildProgram.End, within limit: Duration
  ) throws(AgentProblem) -> (code: Int32, output: [UInt8], told: String) {
    switch end {
    case .exited(let code, let output, let errors): return (code, output, String(decoding: errors, as: UTF8.self))
    case .signalled(let number, let errors):
      throw AgentProblem("it was ended by signal \(number): " + String(decoding: errors.suffix(2_000), as: UTF8.self))
    case .overdue:
      throw AgentProblem(
        "it took longer than \(limit.spelled) and was ended",
        help: "give more `timeout` or a higher `speed`, or shorten the document's waits")
    case .tooMuchOutput: throw AgentProblem("it told more than \(outputLimit >> 20) MiB of events")
    case .notStarted(let reason): throw AgentProblem("it cannot be started: \(reason)")
    }
  }
}

/// The events of a run as they come.
private final class EventReading: Sendable {
  private struct State {
    var reader = StoredEventReader(lineLimit: 8 << 20)
    var evidence = RunEvidence()
  }

  private let state = Mutex(State())
  private let progress: AgentDesk.Progress

  init(_ progress: @escaping AgentDesk.Progress) { self.progress = progress }

  func read(_ bytes: ArraySlice<UInt8>) {
    let (done, total) = state.withLock { state in
      var events: [Event] = []
      state.reader.read(bytes) { events.append($0) }
      for event in events { state.evidence.record(event) }
      return (state.evidence.stepsDone, state.evidence.stepsInAll)
    }
    progress(done, total, "\(done)\(total.map { " of \($0)" } ?? "") steps")
  }

  var evidence: RunEvidence { state.withLock { $0.evidence } }
}
