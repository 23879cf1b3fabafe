import ArgumentParser
import CastClient
import CastProtocol
import ScenarioLanguage
import ScenarioRunner
import Synchronization

/// A command that does one thing on one device: a step or two, run by the engine that runs scenarios, leaving no files.
protocol OneLineCommand: AsyncParsableCommand {
  var options: OneLineOptions { get }

  /// What is done, as a document writes it; `timeout` is what the user allows.
  func steps(timeout: Written?) throws -> [WrittenStep]

  /// Asks more of the device before it is commanded, or turns to another in its place.
  func prepared(
    _ target: (device: FoundDevice, opened: OpenedDevice), _ settings: Settings, times: TimeSources,
    configuration: ClientConfiguration
  ) async throws(CommandFailure) -> (device: FoundDevice, opened: OpenedDevice)

  /// Fills in what depends on the state of the device.
  func settle(_ plan: inout Plan, on device: DeviceSnapshot) throws

  /// What is printed for people when it is done.
  func answer(_ state: DeviceState) -> [String]
}

extension OneLineCommand {
  func prepared(
    _ target: (device: FoundDevice, opened: OpenedDevice), _ settings: Settings, times: TimeSources,
    configuration: ClientConfiguration
  ) async throws(CommandFailure) -> (device: FoundDevice, opened: OpenedDevice) { target }
  func settle(_ plan: inout Plan, on device: DeviceSnapshot) {}
  func answer(_ state: DeviceState) -> [String] { [state.line] }

  func run() async throws {
    let settings = try Settings.load()
    let arguments = Array(CommandLine.arguments.dropFirst())
    let steps = try steps(timeout: Written(options.timeout))
    var plan = try CommandDocument(steps, timeouts: settings.timeouts, arguments: arguments).compile()
    plan.device = try options.device.selector(settings)
    let isWatchedToItsEnd = steps.contains { $0.verb == "wait_until" }
    plan.takeover = isWatchedToItsEnd ? .fail : .ignore

    let times = TimeSources(show: TimeSource(ContinuousClock()))
    var system = SystemRandomNumberGenerator()
    var client = ClientConfiguration()
    // Replies are addressed to everyone: ids that start anywhere rarely meet another sender's (cast-protocol.md 4.4).
    client.firstRequestID = Int.random(in: 1...1_000_000_000, using: &system)
    let (device, first) = try await connected(settings, times: times, configuration: client)
    do {
      try settle(&plan, on: await first.connection.snapshot)
    } catch {
      await first.connection.disconnect()
      throw error
    }

    var configuration = RunConfiguration(
      runID: "", toolVersion: ShowcallerCommand.version, wallClock: { WallClock.now })
    configuration.joinsRunningApp = true
    let report = OneLineReport()
    let latest = LatestConnection(first)
    let access = DeviceAccess(
      find: { _, _ throws(RunError) in [device] },
      connect: { [client] device, wireTap throws(ClientError) in
        if let opened = latest.takeFirst() { return opened }
        let opened = try await LiveDevices.connect(
          to: device, times: times, configuration: client, wireTap: wireTap)
        latest.connection = opened.connection
        return opened
      })
    let outcome = await Interruptions.watching { [plan, configuration] interruptions in
      await Runner.run(
        plan, on: access, times: times, configuration: configuration, interruptions: interruptions, reportingTo: report)
    }
    let state = DeviceState(
      device: device, view: StatusView(await latest.connection.snapshot, at: times.show.now))
    tell(state, report, exit: outcome.exitCode)
    throw ExitCode(outcome.exitCode)
  }

  private func connected(
    _ settings: Settings, times: TimeSources, configuration: ClientConfiguration
  ) async throws(CommandFailure) -> (device: FoundDevice, opened: OpenedDevice) {
    do {
      let target = try await options.device.connect(settings, times: times, configuration: configuration)
      return try await prepared(target, settings, times: times, configuration: configuration)
    } catch {
      if options.json {
        var object: JSONObject = ["class": "unreachable", "message": .string(error.message)]
        object["help"] = error.help.map(JSONValue.string)
        Terminal.print(
          (["v": 1, "ok": false, "exit": .int(Int(error.code.rawValue)), "error": .object(object)] as JSONValue)
            .serialized())
      }
      throw error
    }
  }

  private func tell(_ state: DeviceState, _ report: OneLineReport, exit: Int32) {
    for warning in report.warnings { Terminal.say("warning: \(TerminalText.escaped(warning))") }
    var error = exit == 0 ? nil : report.error
    if exit != 0, error == nil {
      let reason = state.view.value(of: FieldPath(["idle_reason"]))?.string ?? "idle"
      switch exit {
      case 130, 143: error = ["class": "interrupted", "message": "interrupted"]
      case 1: error = ["class": "expectation", "message": .string("it did not play to its end: \(reason)")]
      default: error = ["message": "the command failed"]
      }
    }
    if let help = error?["help"]?.string {
      let words = help.replacing("`skip_ad: { force: true }`", with: "`--force`")
      error?["help"] = .string(words.replacing("'join: only'", with: "`--join only`"))
    }
    if let error {
      Terminal.tell(error["message"]?.string ?? "the command failed", help: error["help"]?.string)
    }
    if options.json {
      var object: JSONObject = ["v": 1, "ok": .bool(exit == 0), "exit": .int(Int(exit))]
      object["device"] = .object(DeviceState.json(state.device))
      object["status"] = .object(state.json)
      object["error"] = error.map(JSONValue.object)
      Terminal.print(JSONValue.object(object).serialized())
    } else if error == nil {
      for line in answer(state) { Terminal.print(line) }
    }
  }

  /// Waits for the end of what plays, and judges whether it was its own end.
  func untilFinished(timeout: Written?) -> [WrittenStep] {
    [
      WrittenStep("wait_until", .map([("player", .fixed("idle"))]), timeout: timeout ?? .fixed("7d")),
      WrittenStep("expect", .map([("idle_reason", .fixed("finished"))]), within: .fixed("0s")),
    ]
  }
}

/// The connection a command uses: the first, until the engine has to make another.
private final class LatestConnection: Sendable {
  private struct State {
    var first: OpenedDevice?
    var connection: CastConnection
  }

  private let state: Mutex<State>

  init(_ first: OpenedDevice) { state = Mutex(State(first: first, connection: first.connection)) }

  func takeFirst() -> OpenedDevice? {
    state.withLock { state in
      defer { state.first = nil }
      return state.first
    }
  }

  var connection: CastConnection {
    get { state.withLock { $0.connection } }
    set { state.withLock { $0.connection = newValue } }
  }
}
