import ArgumentParser
import CastClient
import CastProtocol
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Synchronization
import Workspace

/// What a one-line command works with: the device it means, connected once.
struct OneLineRun: Sendable {
  let selector: Plan.DeviceSelector
  let times: TimeSources
  let configuration: ClientConfiguration
  let options: OneLineOptions
  let settings: Settings
  private let locks: DeviceLocks?
  /// What keeps other runs off the devices.
  private let hold: DeviceHold

  /// - Parameter locks: Where the devices are kept from other runs; `nil` for a command that changes nothing there.
  init(
    selector: Plan.DeviceSelector, times: TimeSources, configuration: ClientConfiguration, options: OneLineOptions,
    settings: Settings, locks: DeviceLocks?
  ) {
    self.selector = selector
    self.times = times
    self.configuration = configuration
    self.options = options
    self.settings = settings
    self.locks = locks
    hold = DeviceHold(locks.map { DeviceLocking($0, patience: options.lock.patience) } ?? .none)
  }

  typealias Target = (device: FoundDevice, opened: OpenedDevice)

  /// Finds and connects the device.
  /// - Parameter prepare: Asks more of it, or turns to another in its place.
  func connect(
    _ prepare: @Sendable (Target) async throws(CommandFailure) -> Target
  ) async -> Result<Connected, CommandFailure> {
    do throws(CommandFailure) {
      let first = try await options.device.connect(
        settings, times: times, configuration: configuration, keepingBy: hold)
      let (device, opened) = try await prepare(first)
      return .success(Connected(device, opened))
    } catch {
      return .failure(error)
    }
  }

  /// What does the command on a device that is connected.
  func performer(
    on connected: Connected, takeover: Plan.Takeover, reportingTo report: OneLineReport
  ) -> CommandPerformer {
    let (times, client, selector) = (times, configuration, selector)
    var access = LiveDevices.access(times: times, configuration: client)
    access.connect = { device, wireTap throws(ClientError) in
      let isFirst = device.address == connected.device.address
      if isFirst, let opened = connected.takeFirst() { return opened }
      let opened = try await LiveDevices.connect(
        to: device, times: times, configuration: client, wireTap: wireTap)
      connected.note(opened.connection, of: device, isFirst: isFirst)
      return opened
    }
    var policies = SessionPolicies(commands: settings.timeouts, takeover: takeover)
    policies.hold = hold
    policies.authentication = client.authentication?.mode
    let emitter = EventEmitter(show: times.show, wallClock: Surroundings.process.unixTime, sink: report)
    return CommandPerformer(
      on: selector, policies: policies, access: access, times: times, emitter: emitter,
      random: { Double.random(in: 0...1) }, willOnlyWatch: { [locks] in locks?.releaseAll() })
  }

  /// The device and its connection: the first, until the session has to make another; and another device's, where the
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
  }
}
