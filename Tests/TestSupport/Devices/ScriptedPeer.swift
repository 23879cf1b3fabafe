package import CastProtocol
package import CastTransport
import Synchronization

/// A device that says what a test tells it to: the far end of one connection, in memory or over a socket.
package final class ScriptedPeer: Sendable {
  /// A message of the sender.
  package struct Request: Sendable {
    package var source: EndpointID
    package var destination: EndpointID
    package var namespace: Namespace
    package var payload: CastMessage.Payload
    /// `null` where the payload is none.
    package var json: JSONValue
    package var type: String { json["type"]?.string ?? "" }
    package var id: Int { json["requestId"]?.int ?? 0 }
    /// As it came, to be sent back.
    package var requestID: JSONValue { json["requestId"] ?? 0 }
  }
  package typealias Script = @Sendable (ScriptedPeer, Request) -> Void

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
  private let answersChallenges: Bool

  /// - Parameters:
  ///   - answersChallenges: Whether it tells who asks for a proof that it has none.
  ///   - script: Gets every message but PING and PONG, one after the other; those in other words than JSON, too, on
  ///     namespaces that only an app knows.
  package init(_ channel: any ByteChannel, answersChallenges: Bool = false, script: @escaping Script) {
    self.channel = channel
    self.script = script
    self.answersChallenges = answersChallenges
    var limits = ChannelStateMachine.Limits()
    limits.messagesPerSecond = 1_000_000
    limits.bytesPerSecond = 1 << 40
    state = Mutex(State(machine: ChannelStateMachine(role: .receiver, limits: limits, now: .zero)))
    channel.start { event in self.receive(event) }
  }

  /// Everything the sender said in JSON, oldest first.
  package var requests: [Request] { state.withLock { $0.requests } }
  /// How many of these came with each write.
  package var batches: [Int] { state.withLock { $0.batches } }
  /// Whether the connection has ended.
  package var isClosed: Bool { state.withLock { $0.isClosed } }
  /// Those of one type.
  package func requests(_ type: String) -> [Request] { requests.filter { $0.type == type } }

  /// From now on nothing is answered, not even a PING.
  package func mute() { state.withLock { $0.isMute = true } }
  /// Answers again; what came meanwhile is lost.
  package func unmute() { state.withLock { $0.isMute = false } }
  /// Ends the connection in good order.
  package func close() { channel.close() }
  /// Ends it as a crash does.
  package func cut() { channel.abort() }
  /// Sends bytes, whatever they are.
  package func send(raw bytes: [UInt8]) { channel.send(bytes) }

  /// Sends a JSON message; to everyone unless told otherwise.
  package func send(
    _ json: JSONValue, in namespace: Namespace, from source: EndpointID = .receiver,
    to destination: EndpointID = .everyone
  ) {
    send(CastMessage(source: source, destination: destination, namespace: namespace, json: json))
  }

  /// Sends messages in one write.
  package func send(_ messages: [CastMessage]) {
    guard let bytes = try? ChannelStateMachine.encode(messages) else { return }
    channel.send(bytes)
  }

  /// Sends a message.
  package func send(_ message: CastMessage) { send([message]) }

  private func receive(_ event: ByteChannelEvent) {
    guard case .received(let bytes) = event else {
      state.withLock { $0.isClosed = true }
      return
    }
    let requests = state.withLock { state -> [Request] in
      if state.isMute { return [] }
      let requests = state.machine.receive(bytes, at: .zero).compactMap { effect -> Request? in
        switch effect {
        case .deliver(let message): return request(message)
        case .send(let bytes):
          channel.send(bytes)
          return nil
        case .close, .heartbeat, .oddity: return nil
        }
      }
      state.batches.append(requests.count { !$0.json.isNull })
      return requests
    }
    // One after the other, as devices read them.
    for request in requests {
      if !request.json.isNull { state.withLock { $0.requests.append(request) } }
      script(self, request)
    }
  }

  private func request(_ message: CastMessage) -> Request? {
    if message.namespace == .deviceAuth, answersChallenges {
      let answer = DeviceAuthMessage.error(.internalError)
      send(
        CastMessage(
          source: .receiver, destination: .sender, namespace: .deviceAuth, payload: .binary(answer.encoded())))
    }
    var json = JSONValue.null
    if case .text(let text) = message.payload, let value = try? JSONValue(parsing: text) { json = value }
    if json.isNull, message.namespace.isOfPlatform { return nil }
    return Request(
      source: message.source, destination: message.destination, namespace: message.namespace,
      payload: message.payload, json: json)
  }
}

// MARK: what devices say

extension ScriptedPeer {
  /// An app that plays media.
  package static let app: JSONValue = application()

  /// An app as RECEIVER_STATUS lists it.
  package static func application(
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
  package func status(_ apps: [JSONValue]?, id: Int = 0, volume: JSONValue = ["level": 0.5, "muted": false]) {
    var status: JSONObject = ["volume": volume]
    status["applications"] = apps.map { .array($0) }
    send(["type": "RECEIVER_STATUS", "requestId": .int(id), "status": .object(status)], in: .receiver)
  }

  /// Sends MEDIA_STATUS to everybody; `nil` state is no session.
  package func media(
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
  package static let healthy: Script = { peer, request in
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
  package static func healthy(but special: @escaping @Sendable (ScriptedPeer, Request) -> Bool) -> Script {
    { peer, request in if !special(peer, request) { healthy(peer, request) } }
  }

  private var hasLaunched: Bool {
    let types = requests.filter { $0.namespace == .receiver }.map(\.type)
    return (types.lastIndex(of: "LAUNCH") ?? -1) > (types.lastIndex(of: "STOP") ?? -1)
  }
}
