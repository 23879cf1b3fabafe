import ArgumentParser
import CastClient
import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Workspace

/// A command that does one thing on one device: a step or two, performed on whatever runs there, leaving no files.
protocol OneLineCommand: AsyncParsableCommand, Sendable {
  var options: OneLineOptions { get }

  /// Reads what is to be done.
  func read(_ reader: inout CommandReader) throws

  /// Whether it ends only when what plays has ended.
  var watchesToTheEnd: Bool { get }

  /// Whether `--timeout` is for all steps together; else it is for the only one.
  var limitIsForAll: Bool { get }

  /// Asks more of the device before it is commanded, or turns to another in its place.
  func prepared(
    _ target: (device: FoundDevice, opened: OpenedDevice), _ settings: Settings, times: TimeSources,
    configuration: ClientConfiguration
  ) async throws(CommandFailure) -> (device: FoundDevice, opened: OpenedDevice)

  /// Fills in what depends on the settings.
  func settle(_ steps: inout [Plan.Step], by settings: Settings)

  /// Fills in what depends on the state of the device.
  func settle(_ steps: inout [Plan.Step], on view: StatusView) throws(StepFailure)

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
  func settle(_ steps: inout [Plan.Step], by settings: Settings) {}
  func settle(_ steps: inout [Plan.Step], on view: StatusView) {}
  var watchesToTheEnd: Bool { false }
  var limitIsForAll: Bool { false }
  var changesDevice: Bool { true }
  var wantsQueue: Bool { false }
  func fields(_ state: DeviceState) -> JSONObject { [:] }
  func answer(_ state: DeviceState) -> [String] { [state.line] }

  func run() async throws {
    let settings = try Settings.load()
    let order = try order(settings)
    let selector: Plan.DeviceSelector
    do throws(CommandFailure) {
      selector = try options.device.selector(settings)
    } catch {
      throw ExitCode(fail(error))
    }
    let run = OneLineRun(
      selector: selector, times: TimeSources(show: TimeSource(ContinuousClock())),
      configuration: try configuration(settings), options: options, settings: settings,
      locks: changesDevice ? DeviceLocks(.process, for: Self.spokenName, isBrief: true) : nil)
    throw ExitCode(await perform(order, in: run, until: Interruptions.begin()))
  }

  /// How it is called on the command line.
  private static var spokenName: String {
    let isOfQueue = QueueCommand.configuration.subcommands.contains { $0 == Self.self }
    return "showcaller \(isOfQueue ? "queue " : "")\(configuration.commandName ?? "")"
  }

  /// What the words stand for.
  /// - Throws: Exit code 2, after telling what is wrong with the words.
  private func order(_ settings: Settings) throws -> OneLineOrder {
    var reader = CommandReader(.own, timeouts: settings.timeouts)
    try read(&reader)
    let limit = options.timeout.flatMap { reader.duration($0.text, of: "timeout") }
    if let limit, !reader.steps.isEmpty { reader.steps[0].timeout = limit }
    let app = reader.steps.first?.loadedApp
    if watchesToTheEnd { reader.addWaitForTheEnd(atMost: limit) }
    let reading = reader.finished
    DiagnosticPrinter.standardError.print(reading.problems, of: reading.sources)
    guard reading.isSound else { throw ExitCode.commandLineWrong }
    var order = OneLineOrder(steps: reading.steps, given: limit, app: app)
    if limitIsForAll || watchesToTheEnd { order.limit = limit }
    order.takeover = watchesToTheEnd ? .fail : .ignore
    settle(&order.steps, by: settings)
    return order
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

  /// Connects, does what was asked, and tells what came of it.
  /// - Returns: The exit code.
  private func perform(_ order: OneLineOrder, in run: OneLineRun, until line: InterruptionLine) async -> Int32 {
    let connected: OneLineRun.Connected
    let connecting = await line.cancelling {
      await run.connect { target throws(CommandFailure) in
        try await prepared(target, run.settings, times: run.times, configuration: run.configuration)
      }
    }
    switch connecting {
    case .interrupted(let interruption): return fail(CommandFailure(interruption))
    case .done(.failure(let failure)): return fail(failure)
    case .done(.success(let device)): connected = device
    }
    let running = await connected.connection.snapshot.receiver?.application?.appID
    let report = OneLineReport()
    let performer = run.performer(on: connected, takeover: order.takeover, reportingTo: report)
    let doing = await line.cancelling { await carryOut(order, by: performer, on: connected.device, run.settings) }
    await performer.leave()
    var state = await connected.state(at: run.times)
    state.messages = await connected.connection.observations(after: 0).filter { $0.scope == .message }
    state.other = await connected.other(at: run.times)
    switch doing {
    case .interrupted(let interruption):
      return tell(state, report, StepFailure(interruption), exit: interruption.rawValue)
    case .done(let done):
      state.queue = done.queue
      var failure = done.failure
      // The only expectation of commands: that what plays ends by itself.
      if failure?.errorClass == .expectation {
        failure = StepFailure(endOfPlay: state.view, in: order.app ?? running)
      }
      return tell(state, report, failure?.withCure, exit: failure?.errorClass.exitCode ?? 0)
    }
  }

  /// Does what was asked on a device that is connected.
  private func carryOut(
    _ order: OneLineOrder, by performer: CommandPerformer, on device: FoundDevice, _ settings: Settings
  ) async -> OneLineOutcome {
    if let failure = await performer.reach(device) { return OneLineOutcome(failure: failure) }
    var outcome = OneLineOutcome()
    do throws(StepFailure) {
      var steps = order.steps
      let view = await performer.device.view()
      try settle(&steps, on: view)
      if wantsQueue { outcome.queue = try await performer.queue(within: order.given ?? settings.timeouts.step) }
      outcome.failure = await performer.perform(steps, within: order.limit)
    } catch {
      outcome.failure = error
    }
    return outcome
  }

  /// Tells of what went wrong before anything was done.
  private func fail(_ failure: CommandFailure) -> Int32 {
    Terminal.tell(failure.message, help: failure.help)
    if options.json { print(nil, exit: failure.code.rawValue, error: failure.errorJSON) }
    return failure.code.rawValue
  }

  private func tell(_ state: DeviceState, _ report: OneLineReport, _ failure: StepFailure?, exit: Int32) -> Int32 {
    for warning in report.warnings { Terminal.say("warning: \(TerminalText.escaped(warning))") }
    if let failure { Terminal.tell(failure.message, help: failure.help) }
    if options.json {
      print(state, exit: exit, error: failure.map { EventKind.Failure($0).fields })
    } else if failure == nil {
      for line in answer(state) { Terminal.print(line) }
    }
    return exit
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
}

/// What the words of a command come to.
struct OneLineOrder: Sendable {
  var steps: [Plan.Step]
  /// What `--timeout` says.
  var given: Duration?
  /// What all steps together may take; `nil`: as long as they take.
  var limit: Duration?
  var takeover = Plan.Takeover.ignore
  /// The app that it loads into; `nil` where it loads nothing.
  var app: String?

  init(steps: [Plan.Step], given: Duration?, app: String?) {
    self.steps = steps
    self.given = given
    self.app = app
  }
}

/// What came of it on the device.
struct OneLineOutcome: Sendable {
  var failure: StepFailure?
  var queue: [QueueItem]?
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

extension CommandLineText {
  /// The line of this process.
  static let own = CommandLineText(Array(CommandLine.arguments.dropFirst()))
}

extension StepFailure {
  /// A signal ended the command.
  fileprivate init(_ interruption: Runner.Interruption) {
    self.init(.interrupted, interruption == .interrupt ? "interrupted by Ctrl-C" : "terminated")
  }
}

extension CommandFailure {
  /// A signal ended the command before anything was done.
  fileprivate init(_ interruption: Runner.Interruption) {
    let failure = StepFailure(interruption)
    self.init(.init(interruption.rawValue), failure.message, class: failure.errorClass)
  }
}
