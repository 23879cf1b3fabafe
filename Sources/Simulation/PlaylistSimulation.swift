import CastClient
package import CastProtocol
import CastReceiver
package import CastTransport
package import DeviceControl
package import RunReporting
package import ScenarioLanguage
package import Signage
import Synchronization

/// Playlists served on virtual receivers on a virtual clock, in memory: a week in seconds, without a socket.
package struct PlaylistSimulation: Sendable {
  /// Drives the order of what is due together, the link's delays and everything that looks random.
  package var seed: UInt64 = 0
  /// What happens on the links between screens and receivers.
  package var link = LinkScript()
  /// When each device can be reached, and where.
  package var presences = DevicePresences()
  /// What goes wrong with the virtual receivers.
  package var faults: ReceiverPlan?
  /// Sees the devices and all that joins them.
  package var watch = SimulationWatch()
  /// Unix time at which it begins.
  package var start: Double
  /// For how long it is served.
  package var length: Duration
  /// What answers each connection in place of the virtual receivers.
  package var accept: (@Sendable (any ByteChannel, TimeSources) -> Void)?
  /// Whether what the screens tell is kept; of a week that is much.
  package var keepsMoments = true
  /// When nothing serves: the daemon is told to stop at the begin of each and starts again at its end.
  package var pauses: [Range<Duration>] = []
  /// What screens left behind when they were served last, by name.
  package var memories: [String: JSONValue] = [:]
  /// The ids of apps that other senders use, besides the playlist's own.
  package var otherApps: [String] = []
  /// Devices of the network that are not the playlist's at the beginning.
  package var otherDevices: [Plan.DeviceSelector] = []
  /// The values of the playlist's secrets; names stand in for those that have none.
  package var secrets = Secrets().withStandIns
  /// Those of who serves after the first pause; `nil`: the same.
  package var secretsAfterPause: Secrets?
  /// How files of this computer come to the receivers; `nil`: by the addresses that stand for them.
  package var localMedia: LocalMedia?
  /// How long the site's program takes to switch the screens on after quiet hours; `nil`: there is none.
  package var switchingOn: Duration?
  /// What happens beside the screens: other senders, edits.
  package var beside: (@Sendable (Stage) async -> Void)?

  /// What a test may act on.
  package struct Stage: Sendable {
    package let devices: SimulatedDevices
    package let times: TimeSources
    /// The first server; after a pause another one serves.
    package let server: PlaylistServer
    package let triggers: TriggerBoard
    /// The users of the devices.
    package let claims: DeviceClaims
    /// When the screens have their turns.
    package let turns: ScreenTurns
    /// Unix time.
    package let unixTime: @Sendable () -> Double
    /// What the screens would go on with if they were killed now, by name.
    package let memories: @Sendable () -> [String: JSONValue]
  }

  /// What happened.
  package struct Outcome: Sendable {
    package struct Moment: Sendable {
      /// Unix time.
      package var time: Double
      package var screen: String
      package var event: ScreenEvent
    }
    package var moments: [Moment] = []
    package var records: [LedgerRecord] = []
    /// What the screens would go on with, by name.
    package var memories: [String: JSONValue] = [:]
  }

  /// - Parameters:
  ///   - start: Unix time at which it begins.
  ///   - length: For how long it is served.
  package init(from start: Double, for length: Duration) {
    self.start = start
    self.length = length
  }

  /// Serves one playlist.
  /// - Throws: ``SimulationError`` when the code under simulation misbehaves.
  package func run(_ program: Program) throws -> Outcome {
    let executor = SimulationExecutor(seed: seed)
    let network = SimulatedNetwork(executor: executor, seed: seed &+ 1, script: link)
    let collected = Collected(memories)
    return try executor.run(
      limit: length + .seconds(86_400), settling: SimulationExecutor.settlingTime + link.longestWay
    ) { [self] _ in
      var needs = VirtualDeviceNeeds(of: [program.plan])
      needs.apps += otherApps.map { .init($0, []) }
      if !needs.devices.isEmpty { needs.devices[0] += otherDevices.map { .init($0, isOne: false) } }
      needs.faults = faults
      var devices = SimulatedDevices(for: needs, on: network, seed: seed, watch: watch)
      devices.presences = presences
      devices.accept = accept
      devices.client.historyLimit = ClientConfiguration.commandHistoryLimit
      let unixTime: @Sendable () -> Double = { start + executor.now.seconds }
      let waits = Mutex(SeededGenerator(seed: seed &+ 2))
      var world = ScreenWorld(
        access: devices.access, times: network.times, unixTime: unixTime,
        random: { waits.withLock { Double($0.next(below: 1_000_001)) / 1_000_000 } }, ledger: collected,
        tell: { screen, event in
          if keepsMoments { collected.add(.init(time: unixTime(), screen: screen, event: event)) }
        })
      world.access.localMedia = localMedia
      world.secrets = secrets
      world.addressSeal = AddressSeal(key: [])
      if let switchingOn { world.switchedOn = { try? await network.times.show.sleep(for: switchingOn) } }
      world.recall = { collected.memory(of: $0) }
      world.remember = { collected.remember($0, $1) }
      let first = PlaylistServer(program, seed: seed, in: world)
      let show = network.times.show
      let stage = Stage(
        devices: devices, times: network.times, server: first, triggers: world.triggers, claims: world.claims,
        turns: world.turns,
        unixTime: unixTime, memories: { collected.outcome.memories })
      let acting = beside.map { beside in show.spawn { await beside(stage) } }
      var server = first
      for pause in pauses.filter({ $0.lowerBound < length }) + [length..<length] {
        let serving = show.spawn { [server] in await server.run() }
        try? await show.sleep(until: pause.lowerBound)
        serving.cancel()
        await serving.value
        try? await show.sleep(until: min(pause.upperBound, length))
        world.secrets = secretsAfterPause ?? secrets
        server = PlaylistServer(program, seed: seed, in: world)
      }
      acting?.cancel()
      await acting?.value
      devices.stop()
      return collected.outcome
    }
  }
}

/// Takes what the screens of a simulation tell.
private final class Collected: LedgerSink {
  private let state: Mutex<PlaylistSimulation.Outcome>

  init(_ memories: [String: JSONValue]) {
    var outcome = PlaylistSimulation.Outcome()
    outcome.memories = memories
    state = Mutex(outcome)
  }

  var outcome: PlaylistSimulation.Outcome { state.withLock { $0 } }

  func record(_ record: LedgerRecord) { state.withLock { $0.records.append(record) } }
  func add(_ moment: PlaylistSimulation.Outcome.Moment) { state.withLock { $0.moments.append(moment) } }
  func memory(of screen: String) -> JSONValue? { state.withLock { $0.memories[screen] } }
  func remember(_ screen: String, _ memory: JSONValue) { state.withLock { $0.memories[screen] = memory } }
}
