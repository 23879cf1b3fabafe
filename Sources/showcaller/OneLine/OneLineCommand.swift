import ArgumentParser
import CastClient
import CastProtocol
import CastTransport
import DeviceControl
import MediaServer
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Workspace

/// A command that does one thing on one device, on whatever runs there, leaving no files.
protocol OneLineCommand: AsyncParsableCommand, Sendable {
  var options: OneLineOptions { get }

  /// What its words ask of the device; `nil` where one is wrong, which the reader was told.
  func command(_ reader: inout CommandReader) throws -> DeviceCommand?

  /// Which device it is about.
  var target: CommandRun.Target { get }

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
  var target: CommandRun.Target { .device }
  var changesDevice: Bool { true }
  var wantsQueue: Bool { false }
  func fields(_ state: DeviceState) -> JSONObject { [:] }
  func answer(_ state: DeviceState) -> [String] { [state.line] }

  func run() async throws {
    // One device: a second thread would only have to be started.
    TransportEventLoops.share(threads: 1)
    let settings = try Settings.load()
    let command = try command(settings)
    let selector: Plan.DeviceSelector
    do throws(CommandFailure) {
      selector = try options.device.selector(settings)
    } catch {
      throw ExitCode(fail(error))
    }
    let locks = changesDevice ? DeviceLocks(.process, for: Self.spokenName, isBrief: true) : nil
    let hold = DeviceHold(locks.map { DeviceLocking($0, patience: options.lock.patience) } ?? .none)
    let times = TimeSources(show: TimeSource(ContinuousClock()))
    let client = try configuration(settings)
    let media = MediaServer()
    var access = LiveDevices.access(times: times, configuration: client)
    access.localMedia = .file(by: media)
    let run = CommandRun(
      selector,
      search: options.device.search(settings, times: times, configuration: client, keepingBy: hold),
      access: access, timeouts: settings.timeouts)
    let line = await Interruptions.begin()
    let connecting = await line.cancelling { await run.connect(to: target, other: command.other) }
    let connected: ConnectedDevices
    switch connecting {
    case .interrupted(let interruption): throw ExitCode(fail(CommandFailure(interruption)))
    case .done(.failure(let failure)): throw ExitCode(fail(CommandFailure(reaching: failure)))
    case .done(.success(let devices)): connected = devices
    }
    let report = OneLineReport()
    let performer = run.performer(
      on: connected, takeover: command.takeover,
      emitter: EventEmitter(show: times.show, wallClock: Surroundings.process.unixTime, sink: report),
      random: { Double.random(in: 0...1) }, willOnlyWatch: { locks?.releaseAll() })
    let code = await perform(command, by: performer, on: connected, settings, times, until: line, report)
    await media.close()
    throw ExitCode(code)
  }

  /// How it is called on the command line.
  private static var spokenName: String {
    let isOfQueue = QueueCommand.configuration.subcommands.contains { $0 == Self.self }
    return "showcaller \(isOfQueue ? "queue " : "")\(configuration.commandName ?? "")"
  }

  /// What the words stand for.
  /// - Throws: Exit code 2, after telling what is wrong with the words.
  private func command(_ settings: Settings) throws -> DeviceCommand {
    let host = (try? options.device.selector(settings))?.host?.host
    var reader = CommandReader(.own, receiverIsHere: host.map(URLScalar.isLoopback) ?? false) {
      settings.selector(for: $0)
    }
    var command = try command(&reader)
    // Read also where another word is wrong: each mistake is told.
    let limit = options.timeout.flatMap { reader.duration($0.text) }
    command?.limit = limit
    let findings = reader.findings
    DiagnosticPrinter.standardError.print(findings.problems, of: findings.sources)
    guard findings.isSound, let command else { throw ExitCode.commandLineWrong }
    return command
  }

  private func configuration(_ settings: Settings) throws -> ClientConfiguration {
    try ClientConfiguration(
      settings, options.authentication, historyLimit: ClientConfiguration.commandHistoryLimit)
  }

  /// Does what was asked, and tells what came of it.
  /// - Returns: The exit code.
  private func perform(
    _ command: DeviceCommand, by performer: CommandPerformer, on connected: ConnectedDevices, _ settings: Settings,
    _ times: TimeSources, until line: InterruptionLine, _ report: OneLineReport
  ) async -> Int32 {
    let doing = await line.cancelling { await carryOut(command, by: performer, on: connected.device, settings) }
    await performer.leave()
    var state = await connected.state(at: times)
    state.messages = await connected.connection.observations(after: 0).filter { $0.scope == .message }
    state.other = await connected.other(at: times)
    switch doing {
    case .interrupted(let interruption):
      return tell(state, report, StepFailure(interruption), exit: interruption.rawValue)
    case .done(let done):
      state.queue = done.queue
      return tell(state, report, done.failure?.withCure, exit: done.failure?.errorClass.exitCode ?? 0)
    }
  }

  /// Does what was asked on a device that is connected.
  private func carryOut(
    _ command: DeviceCommand, by performer: CommandPerformer, on device: FoundDevice, _ settings: Settings
  ) async -> OneLineOutcome {
    if let failure = await performer.connect(device) { return OneLineOutcome(failure: failure) }
    var outcome = OneLineOutcome()
    do throws(StepFailure) {
      if wantsQueue { outcome.queue = try await performer.queue(within: command.limit ?? settings.timeouts.step) }
      outcome.failure = await performer.perform(command)
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
    for warning in report.warnings { Terminal.say(TerminalText.escaped(warning)) }
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

/// What came of it on the device.
struct OneLineOutcome: Sendable {
  var failure: StepFailure?
  var queue: [QueueItem]?
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
