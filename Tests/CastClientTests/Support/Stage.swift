import CastProtocol
import CastTransport
import Simulation
import TestSupport

@testable import CastClient

/// What a connection test gets.
struct Stage: Sendable {
  let connection: CastConnection
  let peer: ScriptedPeer
  let link: InMemoryLink
  let clock: VirtualClock

  var now: Duration { clock.now.offset }
  func wait(_ duration: Duration) async throws { try await clock.sleep(for: duration) }

  /// Launches the usual app.
  func launch(join: JoinPolicy = .auto, within: Duration = .seconds(30)) async throws(ClientError) -> AppSession {
    try await connection.launch("CC1AD845", join: join, until: now + within)
  }

  func load(in app: AppSession, _ content: String = "a.mp4", within: Duration = .seconds(60)) async throws(ClientError)
    -> Int
  {
    try await connection.load(LoadRequest(media: MediaInformation(content: content)), in: app, until: now + within)
  }
}

/// Runs `body` with an opened connection to a scripted peer on the virtual clock; the simulation fails on leaks.
func onStage<T: Sendable>(
  configuration: ClientConfiguration = .remembering, seed: UInt64? = nil, opens: Bool = true,
  _ script: @escaping ScriptedPeer.Script = ScriptedPeer.healthy, _ body: @escaping @Sendable (Stage) async throws -> T
) throws -> T {
  let executor = SimulationExecutor(seed: seed)
  let network = SimulatedNetwork(executor: executor, seed: seed ?? 0)
  return try executor.run { clock in
    let (sender, receiver, link) = network.connect()
    let peer = ScriptedPeer(receiver, script: script)
    let connection = CastConnection(channel: sender, times: network.times, configuration: configuration)
    if opens { try await connection.open() }
    let result: Result<T, any Error>
    do {
      result = .success(try await body(Stage(connection: connection, peer: peer, link: link, clock: clock)))
    } catch {
      result = .failure(error)
    }
    await connection.disconnect()
    return try result.get()
  }
}

/// The error class `body` ends with; `nil` when it succeeds.
func failure<T>(_ body: () async throws(ClientError) -> T) async -> ClientError? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error
  }
}
