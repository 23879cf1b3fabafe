import ArgumentParser
import CastClient
import CastProtocol
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Synchronization
import Workspace

/// What a one-line command works with: the device it means, connected once, and the engine that runs scenarios.
struct OneLineRun: Sendable {
  let times: TimeSources
  let configuration: ClientConfiguration
  let options: OneLineOptions
  let settings: Settings
  /// Where the device is kept from other runs; `nil` for a command that changes nothing there.
  let locks: DeviceLocks?

  private var locking: DeviceLocking {
    locks.map { DeviceLocking($0, patience: options.lock.patience) } ?? .none
  }

  typealias Target = (device: FoundDevice, opened: OpenedDevice)

  /// Finds and connects the device.
  /// - Parameter prepare: Asks more of it, or turns to another in its place.
  func connect(
    _ prepare: @Sendable (Target) async throws(CommandFailure) -> Target
  ) async -> Result<Connected, CommandFailure> {
    do throws(CommandFailure) {
      let hold = DeviceHold(locking)
      let first = try await options.device.connect(
        settings, times: times, configuration: configuration, keepingBy: hold)
      let (device, opened) = try await prepare(first)
      return .success(Connected(device, opened))
    } catch {
      return .failure(error)
    }
  }

  /// Does what the plan says on a device that is connected.
  func run(
    _ plan: Plan, on connected: Connected, until interruptions: AsyncStream<Runner.Interruption>,
    reportingTo report: OneLineReport
  ) async -> Runner.Outcome {
    var run = RunConfiguration(
      runID: "", toolVersion: ShowcallerCommand.version, wallClock: Surroundings.process.unixTime)
    run.joinsRunningApp = true
    run.authentication = configuration.authentication?.mode
    run.locking = locking
    let (times, client) = (times, configuration)
    var access = LiveDevices.access(times: times, configuration: client)
    let resolver = access.find
    access.find = { selector, limit throws(RunError) in
      if selector == plan.device { return [connected.device] }
      return try await resolver(selector, limit)
    }
    access.connect = { device, wireTap throws(ClientError) in
      let isFirst = device.address == connected.device.address
      if isFirst, let opened = connected.takeFirst() { return opened }
      let opened = try await LiveDevices.connect(
        to: device, times: times, configuration: client, wireTap: wireTap)
      connected.note(opened.connection, of: device, isFirst: isFirst)
      return opened
    }
    let watching = plan.steps.first { $0.verb == LoadCommand.waitForTheEnd.verb }
    return await Runner.run(
      plan, on: access, times: times, configuration: run, interruptions: interruptions,
      reportingTo: LockRelease(locks: locks, step: watching?.id, sink: report))
  }

  /// Lets others have the device from the step on that only watches it: a film is long.
  private struct LockRelease: EventSink {
    let locks: DeviceLocks?
    let step: String?
    let sink: any EventSink

    func record(_ event: Event) {
      if let step, event.step == step, case .stepStarted = event.kind { locks?.releaseAll() }
      sink.record(event)
    }
  }

  /// The device and its connection: the first, until the engine has to make another; and another device's, where the
  /// command has to do with two.
  final class Connected: Sendable {
    private struct State {
      var first: OpenedDevice?
      var connection: CastConnection
      var other: (device: FoundDevice, connection: CastConnection)?
    }

    let device: FoundDevice
    private let state: Mutex<State>

    init(_ device: FoundDevice, _ first: OpenedDevice) {
      self.device = device
      state = Mutex(State(first: first, connection: first.connection))
    }

    var connection: CastConnection { state.withLock { $0.connection } }

    fileprivate func takeFirst() -> OpenedDevice? {
      state.withLock { state in
        defer { state.first = nil }
        return state.first
      }
    }

    fileprivate func note(_ connection: CastConnection, of device: FoundDevice, isFirst: Bool) {
      state.withLock { state in
        if isFirst { state.connection = connection } else { state.other = (device, connection) }
      }
    }

    /// What the device shows now.
    func state(at times: TimeSources) async -> DeviceState {
      DeviceState(device: device, view: StatusView(await connection.snapshot, at: times.show.now))
    }

    /// The other device and what it shows now.
    func other(at times: TimeSources) async -> DeviceState.Other? {
      guard let (device, connection) = state.withLock({ $0.other }) else { return nil }
      return DeviceState.Other(device: device, view: StatusView(await connection.snapshot, at: times.show.now))
    }

    /// All items of the queue of the app that runs, in their order; nothing where none plays.
    func queue(until deadline: Duration) async -> Result<[QueueItem], ClientError> {
      let connection = connection
      guard let running = await connection.snapshot.receiver?.application, !running.isIdleScreen,
        let transportID = running.transportID, running.namespaces.contains(.media)
      else { return .success([]) }
      let session = AppSession(
        appID: running.appID, sessionID: running.sessionID, transportID: transportID, isOurs: false)
      do throws(ClientError) {
        let joined = try await connection.resume(session, playing: nil, until: deadline)
        guard await connection.snapshot.media != nil else { return .success([]) }
        return .success(try await connection.queue(in: joined, needsItems: true, until: deadline))
      } catch {
        return .failure(error)
      }
    }
  }
}
