import ArgumentParser
import CastClient
import CastProtocol
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Workspace

/// A command that does one thing on one device: a step or two, run by the engine that runs scenarios, leaving no files.
protocol OneLineCommand: AsyncParsableCommand, Sendable {
  var options: OneLineOptions { get }

  /// What is done, as a document writes it; `timeout` is what the user allows. Where no step takes it, it is for all of
  /// them together.
  func steps(timeout: Written?) throws -> [WrittenStep]

  /// Asks more of the device before it is commanded, or turns to another in its place.
  func prepared(
    _ target: (device: FoundDevice, opened: OpenedDevice), _ settings: Settings, times: TimeSources,
    configuration: ClientConfiguration
  ) async throws(CommandFailure) -> (device: FoundDevice, opened: OpenedDevice)

  /// Fills in what depends on the settings.
  func settle(_ plan: inout Plan, by settings: Settings) throws

  /// Fills in what depends on the state of the device.
  func settle(_ plan: inout Plan, on device: DeviceSnapshot) throws

  /// Whether it changes anything on the device: then nobody else may meanwhile.
  var changesDevice: Bool { get }

  /// Whether the items of the queue are asked for, too.
  var wantsQueue: Bool { get }

  /// What `--json` tells beside the status.
  func fields(_ state: DeviceState) -> JSONObject

  /// What is printed for people when it is done.
  func answer(_ state: DeviceState) -> [String]
}

extension OneLineCommand {
  func prepared(
    _ target: (device: FoundDevice, opened: OpenedDevice), _ settings: Settings, times: TimeSources,
    configuration: ClientConfiguration
  ) async throws(CommandFailure) -> (device: FoundDevice, opened: OpenedDevice) { target }
  func settle(_ plan: inout Plan, by settings: Settings) {}
  func settle(_ plan: inout Plan, on device: DeviceSnapshot) {}
  var changesDevice: Bool { true }
  var wantsQueue: Bool { false }
  func fields(_ state: DeviceState) -> JSONObject { [:] }
  func answer(_ state: DeviceState) -> [String] { [state.line] }

  func run() async throws {
    let settings = try Settings.load()
    var plan = try compiled(settings)
    do throws(CommandFailure) {
      plan.device = try options.device.selector(settings)
    } catch {
      throw ExitCode(fail(error))
    }
    try settle(&plan, by: settings)
    let run = OneLineRun(
      times: TimeSources(show: TimeSource(ContinuousClock())), configuration: try configuration(settings),
      options: options, settings: settings,
      locks: changesDevice ? DeviceLocks(.process, for: Self.spokenName, isBrief: true) : nil)
    let exit = await perform(plan, in: run, until: Interruptions.begin())
    throw ExitCode(exit)
  }

  /// How it is called on the command line.
  private static var spokenName: String {
    let isOfQueue = QueueCommand.configuration.subcommands.contains { $0 == Self.self }
    return "showcaller \(isOfQueue ? "queue " : "")\(configuration.commandName ?? "")"
  }

  /// The plan that the words stand for.
  private func compiled(_ settings: Settings) throws -> Plan {
    let timeout = Written(options.timeout)
    var steps = try steps(timeout: timeout)
    let isForAll = timeout != nil && !steps.isEmpty && !steps.contains { $0.timeout != nil }
    // So that it is read, too.
    let isOfStep = isForAll && steps[0].takesTimeout
    if isOfStep { steps[0].timeout = timeout }
    let document = CommandDocument(
      steps, timeouts: settings.timeouts, limit: isForAll && !isOfStep ? timeout : nil,
      arguments: Array(CommandLine.arguments.dropFirst()))
    var plan = try document.compile()
    if isOfStep { plan.timeout = plan.steps.first?.timeout ?? plan.timeout }
    let isWatchedToItsEnd = steps.contains { $0.verb == Self.waitForTheEnd.verb }
    plan.takeover = isWatchedToItsEnd ? .fail : .ignore
    for index in plan.steps.indices where plan.steps[index].verb == Self.waitForTheEnd.verb {
      // A film is as long as it is; a connection that breaks meanwhile is made anew, as often as it takes.
      plan.steps[index].timeout = plan.timeout
      plan.steps[index].retry.attempts = Self.mostReconnects
      plan.steps[index].retry.factor = 1
      plan.steps[index].retry.errors = [.connectionLost]
    }
    return plan
  }

  private func configuration(_ settings: Settings) throws -> ClientConfiguration {
    var client = ClientConfiguration()
    // Replies are addressed to everyone: ids that start anywhere rarely meet another sender's (docs/protocol.md 4.4).
    var system = SystemRandomNumberGenerator()
    client.firstRequestID = Int.random(in: 1...1_000_000_000, using: &system)
    client.historyLimit = ClientConfiguration.commandHistoryLimit
    client.connectTimeout = settings.timeouts.connect
    client.replyTimeout = settings.timeouts.reply
    client.authentication = try options.authentication.trust.rules(
      mode: options.authentication.auth ?? settings.authenticationMode)
    return client
  }

  /// Connects, does what the plan says, and tells what came of it.
  /// - Returns: The exit code.
  private func perform(_ plan: Plan, in run: OneLineRun, until line: InterruptionLine) async -> Int32 {
    var plan = plan
    let opened: OneLineRun.Connected
    let connecting = await line.cancelling {
      await run.connect { target throws(CommandFailure) in
        try await prepared(target, run.settings, times: run.times, configuration: run.configuration)
      }
    }
    switch connecting {
    case .interrupted(let interruption): return fail(.interrupted(interruption))
    case .done(.failure(let failure)): return fail(failure)
    case .done(.success(let connected)): opened = connected
    }
    do {
      try settle(&plan, on: await opened.connection.snapshot)
    } catch {
      await opened.connection.disconnect()
      return fail(CommandFailure(any: error) ?? CommandFailure(.bug, "\(error)"), on: await opened.state(at: run.times))
    }
    let running = await opened.connection.snapshot.receiver?.application?.appID
    var queue: [QueueItem]?
    if wantsQueue {
      let deadline = run.times.show.now + (options.timeout == nil ? run.settings.timeouts.step : plan.timeout)
      switch await line.cancelling({ await opened.queue(until: deadline) }) {
      case .interrupted(let interruption): return fail(.interrupted(interruption))
      case .done(.failure(let error)):
        await opened.connection.disconnect()
        return fail(CommandFailure(failed: error), on: await opened.state(at: run.times))
      case .done(.success(let items)): queue = items
      }
    }
    let report = OneLineReport()
    let outcome = await run.run(plan, on: opened, until: line.stream(), reportingTo: report)
    var state = await opened.state(at: run.times)
    state.queue = queue
    state.messages = await opened.connection.observations(after: 0).filter { $0.scope == .message }
    if let other = await opened.other(at: run.times) { state.other = other }
    let ending = OneLineEnding(
      exit: outcome.exitCode, error: report.error, state: state, app: plan.steps.first?.loadedApp ?? running)
    return tell(state, report, ending)
  }

  /// Tells of what went wrong before anything was done.
  private func fail(_ failure: CommandFailure, on state: DeviceState? = nil) -> Int32 {
    Terminal.tell(failure.message, help: failure.help)
    if options.json { print(state, exit: failure.code.rawValue, error: failure.errorJSON) }
    return failure.code.rawValue
  }

  private func tell(_ state: DeviceState, _ report: OneLineReport, _ ending: OneLineEnding) -> Int32 {
    for warning in report.warnings { Terminal.say("warning: \(TerminalText.escaped(warning))") }
    if let error = ending.error {
      Terminal.tell(error["message"]?.string ?? "the command failed", help: error["help"]?.string)
    }
    if options.json {
      print(state, exit: ending.exit, error: ending.error)
    } else if ending.error == nil {
      for line in answer(state) { Terminal.print(line) }
    }
    return ending.exit
  }

  private func print(_ state: DeviceState?, exit: Int32, error: JSONObject?) {
    var object: JSONObject = ["v": 1, "ok": .bool(exit == 0), "exit": .int(Int(exit))]
    if let state {
      object["device"] = .object(DeviceState.json(state.device))
      object["status"] = .object(state.json)
      object["queue"] = state.queueJSON
      object.members += fields(state).members
      object["other"] = state.other.map { other in
        ["device": .object(DeviceState.json(other.device)), "status": .object(other.view.json)]
      }
    }
    object["error"] = error.map(JSONValue.object)
    Terminal.print(JSONValue.object(object).serialized())
  }

  /// Waits for the end of what plays, and judges whether it was its own end.
  static var untilFinished: [WrittenStep] {
    [
      waitForTheEnd,
      WrittenStep("expect", .map([("idle_reason", .fixed("finished"))]), within: .fixed("0s")),
    ]
  }

  private static var mostReconnects: Int { 1_000 }

  static var waitForTheEnd: WrittenStep { WrittenStep("wait_until", .map([("player", .fixed("idle"))])) }
}

extension Plan.Step {
  /// The app that it loads into; `nil` where it loads nothing.
  fileprivate var loadedApp: String? {
    switch action {
    case .load(let load): load.appID ?? load.defaultAppID
    case .queue(let queue): queue.appID ?? queue.defaultAppID
    default: nil
    }
  }
}
