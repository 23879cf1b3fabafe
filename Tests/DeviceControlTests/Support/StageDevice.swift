import CastProtocol
import CastTransport
import Synchronization
import TestSupport

/// A device on which a test says what runs and what plays, and how each request is answered. It outlives its connections.
final class StageDevice: Sendable {
  struct Scene: Sendable {
    /// What runs, as RECEIVER_STATUS lists it; `nil`: nothing.
    var app: JSONValue?
    /// Members of the media status; `nil`: nothing is loaded.
    var media: JSONObject?
    var mediaSession = 1
    var volume: JSONObject = ["level": 0.5, "muted": false, "controlType": "attenuation"]
    /// The queue's items, as QUEUE_ITEMS lists them.
    var items: [JSONValue] = []
    /// Types of requests that are never answered; `media`: none of the app's.
    var silent: Set<String> = []
    /// What answers a type of request instead of a status; the request id is put in.
    var replies: [String: JSONObject] = [:]
    /// What a type of request changes before it is answered.
    var changes: [String: @Sendable (inout Scene, JSONValue) -> Void] = [:]
    /// What an app that is launched lists.
    var namespaces: [Namespace] = [.media]
    fileprivate var launches = 0

    init(app: JSONValue? = nil, media: JSONObject? = nil) { (self.app, self.media) = (app, media) }

    /// Sets members of the media status; `null` takes one away.
    mutating func change(_ members: JSONObject) {
      for member in members.members { media?[member.name] = member.value.isNull ? nil : member.value }
    }

    /// Another sender's app takes the place of whatever runs.
    mutating func takeOver() {
      app = ScriptedPeer.application(
        "233637DE", session: "theirs", transport: "t-theirs", more: ["displayName": "YouTube"])
      media = nil
    }
  }

  private struct State {
    var scene: Scene
    var peers: [ScriptedPeer] = []
    var others: [ScriptedPeer.Request] = []
  }
  private let state: Mutex<State>

  init(_ scene: Scene) { state = Mutex(State(scene: scene)) }

  /// Takes a connection.
  func accept(_ channel: any ByteChannel) {
    let peer = ScriptedPeer(channel) { [self] peer, request in answer(peer, request) }
    state.withLock { $0.peers.append(peer) }
  }

  /// The far end of the newest connection.
  var peer: ScriptedPeer? { state.withLock { $0.peers.last } }
  /// How many connections there were.
  var connections: Int { state.withLock { $0.peers.count } }
  var scene: Scene { state.withLock { $0.scene } }

  private static let asking: Set<String> = [
    "GET_STATUS", "QUEUE_GET_ITEM_IDS", "QUEUE_GET_ITEMS", "CONNECT", "CLOSE", "GET_APP_AVAILABILITY",
  ]

  /// What was sent but questions, over all connections, without request ids.
  var sent: [JSONValue] {
    state.withLock { $0.peers }.flatMap(\.requests).filter { !Self.asking.contains($0.type) }.map { request in
      var object = request.json.object ?? [:]
      object["requestId"] = nil
      return .object(object)
    }
  }
  /// The types of these.
  var sentTypes: [String] { sent.compactMap { $0["type"]?.string } }
  /// What was sent in other words than JSON.
  var others: [ScriptedPeer.Request] { state.withLock { $0.others } }
  /// How often a type of request came.
  func count(_ type: String) -> Int { state.withLock { $0.peers }.reduce(0) { $0 + $1.requests(type).count } }

  /// Changes the scene without a word.
  func set(_ change: (inout Scene) -> Void) { state.withLock { change(&$0.scene) } }

  /// Changes what runs, and tells everybody.
  func showReceiver(_ change: (inout Scene) -> Void) {
    set(change)
    if let peer { status(peer, 0) }
  }

  /// Changes what plays, and tells everybody.
  func showMedia(_ change: (inout Scene) -> Void) {
    set(change)
    if let peer { media(peer, 0) }
  }

  // MARK: answers

  private func answer(_ peer: ScriptedPeer, _ request: ScriptedPeer.Request) {
    if request.json.isNull { state.withLock { $0.others.append(request) } }
    guard request.namespace == .receiver || request.namespace == .media else { return }
    let (change, reply) = state.withLock { state in
      (state.scene.changes[request.type], state.scene.replies[request.type])
    }
    act(request)
    if let change { state.withLock { change(&$0.scene, request.json) } }
    if scene.silent.contains(request.type) || scene.silent.contains("media") && request.namespace == .media { return }
    if var reply {
      reply["requestId"] = .int(request.id)
      return peer.send(
        .object(reply), in: request.namespace, from: request.namespace == .media ? transport : .receiver)
    }
    switch (request.namespace, request.type) {
    case (.receiver, "GET_STATUS"), (.receiver, "LAUNCH"), (.receiver, "STOP"), (.receiver, "SET_VOLUME"):
      status(peer, request.id)
    case (.media, "QUEUE_GET_ITEM_IDS"):
      let ids = scene.items.compactMap { $0["itemId"] }
      peer.send(
        ["type": "QUEUE_ITEM_IDS", "requestId": .int(request.id), "itemIds": .array(ids)], in: .media, from: transport)
    case (.media, "QUEUE_GET_ITEMS"):
      peer.send(
        ["type": "QUEUE_ITEMS", "requestId": .int(request.id), "items": .array(scene.items)], in: .media,
        from: transport)
    case (.media, _): media(peer, request.id)
    default: break
    }
  }

  /// What any device does with a request that it takes.
  private func act(_ request: ScriptedPeer.Request) {
    state.withLock { state in
      if state.scene.replies[request.type] != nil || state.scene.silent.contains(request.type) { return }
      switch (request.namespace, request.type) {
      case (.receiver, "LAUNCH"):
        state.scene.launches += 1
        let number = state.scene.launches
        state.scene.app = ScriptedPeer.application(
          request.json["appId"]?.string ?? "", session: "ours-\(number)", transport: "t-ours-\(number)",
          namespaces: state.scene.namespaces)
        state.scene.media = nil
      case (.receiver, "STOP"): (state.scene.app, state.scene.media) = (nil, nil)
      case (.receiver, "SET_VOLUME"):
        for member in request.json["volume"]?.object?.members ?? [] { state.scene.volume[member.name] = member.value }
      case (.media, "LOAD"):
        state.scene.mediaSession += 1
        state.scene.media = ["media": request.json["media"] ?? [:]]
      default: break
      }
    }
  }

  private var transport: EndpointID { EndpointID(scene.app?["transportId"]?.string ?? "t-1") }

  private func status(_ peer: ScriptedPeer, _ id: Int) {
    let scene = scene
    peer.status(scene.app.map { [$0] }, id: id, volume: .object(scene.volume))
  }

  private func media(_ peer: ScriptedPeer, _ id: Int) {
    let scene = scene
    let state = scene.media.map { $0["playerState"]?.string ?? "PLAYING" }
    peer.media(
      scene.mediaSession, state, id: id, from: transport.rawValue, more: scene.media ?? [:])
  }
}
