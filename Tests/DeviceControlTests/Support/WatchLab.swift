import CastClient
import CastProtocol
import CastReceiver
import CastTransport
import RunReporting
import ScenarioLanguage
import Simulation
import Synchronization

@testable import DeviceControl

/// A watch of a virtual receiver on a virtual clock, with a terminal and a reader that remember.
final class WatchLab: Sendable {
  struct Unreachable: Error, Equatable { var reason: String }
  typealias Session = WatchSession<Unreachable>

  /// A terminal of 100 by 30 cells unless a test resizes it.
  final class Terminal: WatchTerminal {
    private struct State {
      var size = WatchScreen.Size(columns: 100, rows: 30)
      var isThere = true
      var calls: [String] = []
      var screens: [[String]] = []
    }
    private let state = Mutex(State())
    private let stream: AsyncStream<[UInt8]>
    private let continuation: AsyncStream<[UInt8]>.Continuation
    let takesKeys: Bool
    let usesColor = false

    init(takesKeys: Bool = true) {
      self.takesKeys = takesKeys
      (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
    }

    var size: WatchScreen.Size { state.withLock { $0.size } }
    func enter() { state.withLock { $0.calls.append("enter") } }
    func leave() { state.withLock { $0.calls.append("leave") } }
    func stop() { state.withLock { $0.calls.append("stop") } }
    func keys() -> AsyncStream<[UInt8]> { stream }
    func draw(_ lines: [String], rows: Int) -> Bool {
      state.withLock { state in
        state.screens.append(lines)
        return state.isThere
      }
    }

    /// What was done to the terminal but drawing.
    var calls: [String] { state.withLock { $0.calls } }
    /// How often it was drawn.
    var draws: Int { state.withLock { $0.screens.count } }
    /// What stands on it.
    var screen: String { state.withLock { ($0.screens.last ?? []).joined(separator: "\n") } }
    /// Whether a line that was ever drawn had this in it.
    func showed(_ text: String) -> Bool {
      state.withLock { $0.screens.contains { $0.contains { $0.contains(text) } } }
    }
    func press(_ keys: String) { continuation.yield(Array(keys.utf8)) }
    func endKeys() { continuation.finish() }
    func resize(_ columns: Int, _ rows: Int) {
      state.withLock { $0.size = WatchScreen.Size(columns: columns, rows: rows) }
    }
    func goAway() { state.withLock { $0.isThere = false } }
  }

  /// Reads lines until it has enough of them.
  final class Reader: WatchReader {
    private let told = Mutex<[WatchEvent]>([])
    private let limit: Int
    init(limit: Int = .max) { self.limit = limit }
    func tell(_ event: WatchEvent) -> Bool {
      told.withLock { told in
        told.append(event)
        return told.count < limit
      }
    }
    var events: [WatchEvent] { told.withLock { $0 } }
    /// The objects for programs, one a line.
    var lines: [String] { events.compactMap { $0.json.map { JSONValue.object($0).serialized() } } }
    /// `connected`, `status` and so on.
    var names: [String] { events.compactMap { $0.json?["event"]?.string } }
  }

  static let device = FoundDevice(
    name: "Lobby TV", id: "a", model: "Chromecast", address: HostAndPort(host: "192.0.2.1", port: 8009), via: .host)

  private struct State {
    var links: [InMemoryLink] = []
    var refusals = 0
    var isSilent = false
    /// How long connections last that the device ends; `nil`: it ends none.
    var lasting: Duration?
    var tries: [Duration] = []
    var end: Session.End?
  }

  let receiver: VirtualReceiver
  let network: SimulatedNetwork
  private let state = Mutex(State())

  private init(_ network: SimulatedNetwork) {
    self.network = network
    receiver = VirtualReceiver(configuration: .init(id: "a"), times: network.times)
  }

  var now: Duration { network.times.show.now }
  func wait(_ duration: Duration) async throws { try await network.times.show.sleep(for: duration) }

  /// When each try to reach the device again was made.
  var tries: [Duration] { state.withLock { $0.tries } }
  /// How the watch ended; `nil` while it goes on.
  var end: Session.End? { state.withLock { $0.end } }

  /// The next tries to connect fail.
  func refuse(_ count: Int) { state.withLock { $0.refusals = count } }
  /// From now on connections are made, and break without a word before the device answers more.
  func fallSilent() { state.withLock { $0.isSilent = true } }
  /// From now on the device ends each connection after this time; `nil`: no more.
  func endConnections(after time: Duration?) { state.withLock { $0.lasting = time } }
  /// The watching connection breaks without a word.
  func cut() { state.withLock { $0.links.last }?.sever() }

  private func connect() async throws(ClientError) -> OpenedDevice {
    let isRefused = state.withLock { state in
      state.tries.append(network.times.show.now)
      defer { state.refusals = max(0, state.refusals - 1) }
      return state.refusals > 0
    }
    if isRefused { throw ClientError(.unreachable, "connection refused") }
    let (sender, device, link) = network.connect()
    receiver.accept(device)
    state.withLock { $0.links.append(link) }
    let connection = CastConnection(channel: sender, times: network.times, configuration: ClientConfiguration())
    try await connection.open()
    if state.withLock({ $0.isSilent }) { link.sever() }
    if let time = state.withLock({ $0.lasting }) {
      _ = network.times.show.spawn { [show = network.times.show] in
        try? await show.sleep(for: time)
        device.close()
      }
    }
    return OpenedDevice(connection: connection, latency: .zero)
  }

  /// Another sender's connection.
  func other() async throws -> CastConnection {
    let (sender, device, _) = network.connect()
    receiver.accept(device)
    let connection = CastConnection(channel: sender, times: network.times, configuration: ClientConfiguration())
    try await connection.open()
    return connection
  }

  /// Another sender's film of ten minutes plays; it leaves.
  func film() async throws {
    let theirs = try await other()
    let app = try await theirs.launch("CC1AD845", join: .never, until: now + .seconds(15))
    var media = MediaInformation()
    media.contentID = "https://cdn.example.com/a.mp4"
    media.contentType = "video/mp4"
    media.metadata = ["title": "Sintel"]
    media.duration = 600
    _ = try await theirs.load(LoadRequest(media: media), in: app, until: now + .seconds(30))
    await theirs.disconnect()
  }

  /// Watches while `body` runs, on a clock that jumps; the simulation fails on what is left running.
  /// - Parameter isThere: Whether the device can be reached at first.
  static func watch(
    on display: WatchDisplay, for limit: Duration? = nil, isThere: Bool = true, playsFilm: Bool = true,
    isSilent: Bool = false, _ body: @escaping @Sendable (WatchLab, Session) async throws -> Void
  ) throws {
    let executor = SimulationExecutor(seed: 1)
    let network = SimulatedNetwork(executor: executor, seed: 1)
    let result: Result<Void, any Error> = try executor.run { _ in
      let lab = WatchLab(network)
      defer { lab.receiver.stop() }
      do {
        if playsFilm { try await lab.film() }
        if isSilent { lab.fallSilent() }
        try await lab.watch(on: display, for: limit, isThere: isThere, body)
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  private func watch(
    on display: WatchDisplay, for limit: Duration?, isThere: Bool,
    _ body: @Sendable (WatchLab, Session) async throws -> Void
  ) async throws {
    let world = Session.World(
      open: {
        if !isThere { return .failure(Unreachable(reason: "nobody answers")) }
        do throws(ClientError) {
          return .success((Self.device, try await self.connect()))
        } catch {
          return .failure(Unreachable(reason: error.message))
        }
      },
      access: DeviceAccess(
        find: { _, _ throws(RunError) in [Self.device] },
        connect: { _, _ throws(ClientError) in try await self.connect() }),
      times: network.times, timeOfDay: { "09:00:00" }, random: { 0.5 })
    let session = Session(world, timeouts: Plan.Timeouts(), limit: limit, on: display)
    let running = network.times.show.spawn {
      let end = await session.run()
      self.state.withLock { $0.end = end }
    }
    // Connected, and what plays is known.
    try await wait(.seconds(1))
    let result: Result<Void, any Error>
    do { result = .success(try await body(self, session)) } catch { result = .failure(error) }
    session.interrupt()
    await running.value
    try result.get()
  }
}
