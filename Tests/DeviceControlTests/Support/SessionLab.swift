import CastClient
import CastProtocol
import CastTransport
import RunReporting
import ScenarioLanguage
import Simulation
import Synchronization
import TestSupport

@testable import DeviceControl

/// A session with a device that plays its part as a test says, on a virtual clock, with all that it tells.
struct SessionLab: Sendable {
  /// What the session is made of.
  struct Setting: Sendable {
    var scene = StageDevice.Scene()
    var selector = Plan.DeviceSelector(span: Make.span)
    var policies = SessionPolicies(
      Plan(id: "doc", title: "Doc", file: "a.yaml", device: Plan.DeviceSelector(span: Make.span)))
    var monitors: [Plan.Monitor] = []
    var owner = ToldOwner()
    var role: String?
    var found = [SessionLab.device]
    /// Instead of a connection, one after the other; `nil` lets one succeed.
    var refusals: [ClientError?] = []
    var facts = AuthenticationFacts.unchecked
    var tls: String?
    var latency = Duration.zero
    /// Where the device is when it is looked for again; `nil`: where it was.
    var movedTo: HostAndPort?
    var reappearances: @Sendable (FoundDevice) -> AsyncStream<HostAndPort> = { _ in AsyncStream { $0.finish() } }
    var lookFailure: RunError?
    var localMedia: LocalMedia?

    /// For a scenario with default settings.
    init(_ change: (inout Setting) -> Void = { _ in }) { change(&self) }

    /// For a one-line command.
    static func command(_ change: (inout Setting) -> Void = { _ in }) -> Setting {
      var setting = Setting()
      setting.policies = SessionPolicies(commands: Plan.Timeouts())
      change(&setting)
      return setting
    }
  }

  static let device = FoundDevice(
    name: "Lobby TV", id: "abc-1", model: "Chromecast", address: HostAndPort(host: "192.0.2.1", port: 8009), via: .host)

  let network: SimulatedNetwork
  let stage: StageDevice
  let events: ToldEvents
  let owner: ToldOwner
  let session: DeviceSession
  /// Which devices were connected to, as they were asked for.
  let asked: AskedDevices

  var now: Duration { network.times.show.now }
  func wait(_ duration: Duration) async throws { try await network.times.show.sleep(for: duration) }
  /// Runs beside the test, which has to wait for it.
  @discardableResult
  func spawn(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> { network.times.show.spawn(body) }

  func scope(_ limit: Duration = .seconds(10)) -> ActionScope { ActionScope(stepID: "s1", deadline: now + limit) }

  /// Does what is asked; answers why it failed.
  func perform(_ action: DeviceAction, for limit: Duration = .seconds(10)) async -> StepFailure? {
    do throws(StepFailure) {
      try await session.perform(action, in: scope(limit))
      return nil
    } catch {
      return error
    }
  }

  /// Runs `body` with a session that has found its device and is not connected yet.
  static func run<T: Sendable>(
    _ setting: Setting = Setting(), _ body: @escaping @Sendable (SessionLab) async throws -> T
  ) throws -> T {
    let executor = SimulationExecutor(seed: 1)
    let network = SimulatedNetwork(executor: executor, seed: 1)
    let result: Result<T, any Error> = try executor.run { _ in
      let lab = SessionLab(setting, on: network)
      let result: Result<T, any Error>
      do { result = .success(try await body(lab)) } catch { result = .failure(error) }
      await lab.session.close()
      for connection in lab.asked.opened { await connection.disconnect() }
      return result
    }
    return try result.get()
  }

  /// The same, connected to its device.
  static func connected<T: Sendable>(
    _ setting: Setting = Setting(), _ body: @escaping @Sendable (SessionLab) async throws -> T
  ) throws -> T {
    try run(setting) { lab in
      if let failure = await lab.connect() { throw failure }
      return try await body(lab)
    }
  }

  /// Finds the device, connects to it and watches it.
  func connect() async -> StepFailure? {
    if let failure = await session.find(besides: []) { return failure }
    if let failure = await session.connectAndJoin() { return failure }
    await session.catchUp()
    await session.startWatching()
    return nil
  }

  /// Another device on the same network. Whoever connects to it closes it.
  func another(_ change: (inout Setting) -> Void = { _ in }) -> SessionLab {
    var setting = Setting()
    change(&setting)
    return SessionLab(setting, on: network)
  }

  private init(_ setting: Setting, on network: SimulatedNetwork) {
    let (stage, events, asked) = (StageDevice(setting.scene), ToldEvents(), AskedDevices(setting.refusals))
    (self.network, self.stage, self.events, self.asked, owner) = (network, stage, events, asked, setting.owner)
    var access = DeviceAccess(
      find: { _, _ throws(RunError) in
        if let failure = setting.lookFailure { throw failure }
        return setting.found
      },
      connect: { device, tap throws(ClientError) in
        if let refusal = asked.next(device, at: network.times.show.now) { throw refusal }
        let (sender, receiver, link) = network.connect()
        stage.accept(receiver)
        var configuration = ClientConfiguration()
        configuration.historyLimit = ClientConfiguration.runHistoryLimit
        configuration.wireTap = tap
        let connection = CastConnection(channel: sender, times: network.times, configuration: configuration)
        asked.note(connection, link)
        try await connection.open()
        return OpenedDevice(
          connection: connection, tls: setting.tls, latency: setting.latency, authentication: setting.facts)
      })
    if let moved = setting.movedTo { access.resolve = { _, _ throws(RunError) in moved } }
    access.reappearances = setting.reappearances
    access.localMedia = setting.localMedia
    session = DeviceSession(
      role: setting.role, selector: setting.selector, monitors: setting.monitors, policies: setting.policies,
      access: access, times: network.times,
      emitter: EventEmitter(show: network.times.show, wallClock: { 0 }, sink: events), owner: setting.owner,
      random: { 0.5 })
  }
}

/// Which devices a session asked to be connected to, and the connections it got.
final class AskedDevices: Sendable {
  private struct State {
    var refusals: [ClientError?]
    var devices: [FoundDevice] = []
    var times: [Duration] = []
    var opened: [CastConnection] = []
    var links: [InMemoryLink] = []
  }
  private let state: Mutex<State>

  init(_ refusals: [ClientError?]) { state = Mutex(State(refusals: refusals)) }

  fileprivate func next(_ device: FoundDevice, at time: Duration) -> ClientError? {
    state.withLock { state in
      state.devices.append(device)
      state.times.append(time)
      return state.refusals.isEmpty ? nil : state.refusals.removeFirst()
    }
  }

  fileprivate func note(_ connection: CastConnection, _ link: InMemoryLink) {
    state.withLock { state in
      state.opened.append(connection)
      state.links.append(link)
    }
  }

  var devices: [FoundDevice] { state.withLock { $0.devices } }
  /// When each was asked for.
  var times: [Duration] { state.withLock { $0.times } }
  var opened: [CastConnection] { state.withLock { $0.opened } }
  /// The newest connection breaks without a word.
  func cut() { state.withLock { $0.links.last }?.sever() }
  func refuse(_ errors: [ClientError?]) { state.withLock { $0.refusals = errors } }
}

/// All events of a test.
final class ToldEvents: EventSink {
  private let told = Mutex<[Event]>([])
  func record(_ event: Event) { told.withLock { $0.append(event) } }

  var all: [Event] { told.withLock { $0 } }
  /// What those of one type say.
  func fields(_ type: EventType) -> [JSONObject] { all.filter { $0.type == type }.map(\.fields) }
  /// `R704 warning: ...` of each diagnostic.
  var diagnostics: [String] {
    fields(.diagnostic).map {
      "\($0["code"]?.string ?? "") \($0["severity"]?.string ?? ""): \($0["message"]?.string ?? "")"
    }
  }
}

/// An owner that remembers what it was told.
final class ToldOwner: SessionOwner {
  struct State: Sendable {
    var endsOnLoss = false
    var judgesRules = false
    var hasEndedByLoss = false
    var isInterrupted = false
    var runningStep: String?
    var values: [String: JSONValue] = [:]
    var told: [String] = []
  }
  private let state: Mutex<State>

  init(_ change: (inout State) -> Void = { _ in }) {
    var state = State()
    change(&state)
    self.state = Mutex(state)
  }

  func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }
  /// `taken: ...`, `gone: ...`, `broken: ...`, oldest first.
  var told: [String] { state.withLock { $0.told } }

  var endsOnLoss: Bool { state.withLock { $0.endsOnLoss } }
  var judgesRules: Bool { state.withLock { $0.judgesRules } }
  var hasEndedByLoss: Bool { state.withLock { $0.hasEndedByLoss } }
  var isInterrupted: Bool { state.withLock { $0.isInterrupted } }
  var runningStep: String? { state.withLock { $0.runningStep } }
  func values(for device: DeviceSession) -> [String: JSONValue] { state.withLock { $0.values } }
  func isTakenOver(_ failure: StepFailure) { set { $0.told.append("taken: \(failure.message)") } }
  func isGone(_ failure: StepFailure, from device: DeviceSession, view: StatusView) {
    set { $0.told.append("gone: \(failure.message)") }
  }
  func isBroken(_ monitor: Plan.Monitor) { set { $0.told.append("broken: \(monitor.name)") } }
}
