import CastProtocol
import CastTransport
import Simulation
import Synchronization

@testable import CastClient

/// A device that says what a test tells it to: the far end of an in-memory connection.
final class ScriptedPeer: Sendable {
  /// A message of the sender.
  struct Request: Sendable {
    var source: EndpointID
    var destination: EndpointID
    var namespace: Namespace
    var json: JSONValue
    var type: String { json["type"]?.string ?? "" }
    var id: Int { json["requestId"]?.int ?? 0 }
  }
  typealias Script = @Sendable (ScriptedPeer, Request) -> Void

  private struct State {
    var machine: ChannelStateMachine
    var requests: [Request] = []
    /// How many requests were complete after each read.
    var batches: [Int] = []
    var isClosed = false
    var isMute = false
  }
  private let state: Mutex<State>
  private let channel: any ByteChannel
  private let script: Script

  init(_ channel: any ByteChannel, script: @escaping Script) {
    self.channel = channel
    self.script = script
    var limits = ChannelStateMachine.Limits()
    limits.messagesPerSecond = 1_000_000
    limits.bytesPerSecond = 1 << 40
    state = Mutex(State(machine: ChannelStateMachine(role: .receiver, limits: limits, now: .zero)))
    channel.start { [weak self] event in self?.receive(event) }
  }

  /// Everything the sender said, oldest first.
  var requests: [Request] { state.withLock { $0.requests } }
  /// How many messages came with each write.
  var batches: [Int] { state.withLock { $0.batches } }
  var isClosed: Bool { state.withLock { $0.isClosed } }
  func requests(_ type: String) -> [Request] { requests.filter { $0.type == type } }

  /// From now on nothing is answered, not even a PING.
  func mute() { state.withLock { $0.isMute = true } }
  /// Answers again; what came meanwhile is lost.
  func unmute() { state.withLock { $0.isMute = false } }
  func close() { channel.close() }
  func send(raw bytes: [UInt8]) { channel.send(bytes) }

  func send(
    _ json: JSONValue, in namespace: Namespace, from source: EndpointID = .receiver,
    to destination: EndpointID = .everyone
  ) {
    send(CastMessage(source: source, destination: destination, namespace: namespace, json: json))
  }

  func send(_ message: CastMessage) {
    guard let bytes = try? ChannelStateMachine.encode([message]) else { return }
    channel.send(bytes)
  }

  private func receive(_ event: ByteChannelEvent) {
    guard case .received(let bytes) = event else {
      state.withLock { $0.isClosed = true }
      return
    }
    let requests = state.withLock { state -> [Request] in
      if state.isMute { return [] }
      let requests = state.machine.receive(bytes, at: .zero).compactMap { effect -> Request? in
        switch effect {
        case .deliver(let message):
          guard case .text(let text) = message.payload, let json = try? JSONValue(parsing: text) else { return nil }
          return Request(
            source: message.source, destination: message.destination, namespace: message.namespace, json: json)
        case .send(let bytes):
          channel.send(bytes)
          return nil
        case .close, .heartbeat, .oddity: return nil
        }
      }
      state.batches.append(requests.count)
      return requests
    }
    // One after the other, as devices read them.
    for request in requests {
      state.withLock { $0.requests.append(request) }
      script(self, request)
    }
  }
}

// MARK: what devices say

extension ScriptedPeer {
  static let app: JSONValue = application()

  static func application(
    _ id: String = "CC1AD845", session: String = "s-1", transport: String? = "t-1",
    namespaces: [Namespace] = [.media], more: JSONObject = [:]
  ) -> JSONValue {
    var app: JSONObject = [
      "appId": .string(id), "displayName": "App", "sessionId": .string(session), "statusText": "",
      "namespaces": .array(namespaces.map { ["name": .string($0.rawValue)] }),
    ]
    app["transportId"] = transport.map { .string($0) }
    for member in more.members { app[member.name] = member.value }
    return .object(app)
  }

  /// Sends RECEIVER_STATUS to everybody.
  func status(_ apps: [JSONValue]?, id: Int = 0, volume: JSONValue = ["level": 0.5, "muted": false]) {
    var status: JSONObject = ["volume": volume]
    status["applications"] = apps.map { .array($0) }
    send(["type": "RECEIVER_STATUS", "requestId": .int(id), "status": .object(status)], in: .receiver)
  }

  /// Sends MEDIA_STATUS to everybody; `nil` state is no session.
  func media(
    _ session: Int, _ state: String?, id: Int = 0, from transport: String = "t-1", more: JSONObject = [:]
  ) {
    var elements: [JSONValue] = []
    if let state {
      var element: JSONObject = [
        "mediaSessionId": .int(session), "playerState": .string(state), "currentTime": 0, "playbackRate": 1,
        "supportedMediaCommands": 15, "volume": ["level": 1, "muted": false],
      ]
      for member in more.members { element[member.name] = member.value }
      elements = [.object(element)]
    }
    send(
      ["type": "MEDIA_STATUS", "requestId": .int(id), "status": .array(elements)], in: .media,
      from: EndpointID(transport))
  }

  /// Answers what a healthy device would: GET_STATUS of both kinds, LAUNCH, STOP, LOAD and commands.
  static let healthy: Script = { peer, request in
    switch (request.namespace, request.type) {
    case (.receiver, "GET_STATUS"): peer.status(peer.hasLaunched ? [app] : nil, id: request.id)
    case (.receiver, "LAUNCH"): peer.status([app], id: request.id)
    case (.receiver, "STOP"): peer.status(nil, id: request.id)
    case (.media, "GET_STATUS"): peer.media(0, nil, id: request.id)
    case (.media, "LOAD"): peer.media(1, "PLAYING", id: request.id, more: ["media": request.json["media"] ?? [:]])
    case (.media, _): peer.media(1, "PLAYING", id: request.id)
    default: break
    }
  }

  /// Healthy, but where `special` answers (returns true) nothing else is said.
  static func healthy(but special: @escaping @Sendable (ScriptedPeer, Request) -> Bool) -> Script {
    { peer, request in if !special(peer, request) { healthy(peer, request) } }
  }

  private var hasLaunched: Bool {
    let types = requests.filter { $0.namespace == .receiver }.map(\.type)
    return (types.lastIndex(of: "LAUNCH") ?? -1) > (types.lastIndex(of: "STOP") ?? -1)
  }
}

// MARK: running

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
