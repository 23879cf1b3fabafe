import CastClient
import CastProtocol
import CastTransport
import RunReporting
import ScenarioLanguage
import Simulation
import Synchronization
import TestSupport

@testable import DeviceControl

/// A device on which one app plays one thing, and which answers a request as a test says.
final class VerbDevice: Sendable {
  /// What the device shows, and what it shows after the request that a verb is about.
  struct Setting: Sendable {
    /// `nil`: nothing is loaded.
    var media: JSONObject?
    /// Members of the media status that the request changes; `null` takes one away.
    var answer: JSONObject = [:]
    var items: [Int] = []
    var itemsAfter: [Int]?
    var volume: JSONObject = ["level": 0.5, "muted": false, "controlType": "attenuation"]
    var isAppRunning = true
  }

  private let state: Mutex<Setting>

  private init(_ setting: Setting) { state = Mutex(setting) }

  private func answer(_ peer: ScriptedPeer, _ request: ScriptedPeer.Request) {
    switch (request.namespace, request.type) {
    case (.receiver, "GET_STATUS"): status(peer, request.id)
    case (.receiver, "SET_VOLUME"):
      state.withLock { state in
        for member in request.json["volume"]?.object?.members ?? [] { state.volume[member.name] = member.value }
      }
      status(peer, request.id)
    case (.receiver, "STOP"):
      state.withLock { $0.isAppRunning = false }
      status(peer, request.id)
    case (.media, "GET_STATUS"): media(peer, request.id)
    case (.media, "QUEUE_GET_ITEM_IDS"):
      let ids = state.withLock { $0.items }.map(JSONValue.int)
      peer.send(
        ["type": "QUEUE_ITEM_IDS", "requestId": .int(request.id), "itemIds": .array(ids)], in: .media,
        from: EndpointID("t-1"))
    case (.media, _):
      state.withLock { state in
        for member in state.answer.members { state.media?[member.name] = member.value.isNull ? nil : member.value }
        state.items = state.itemsAfter ?? state.items
      }
      media(peer, request.id)
    default: break
    }
  }

  private func status(_ peer: ScriptedPeer, _ id: Int) {
    let (isRunning, volume) = state.withLock { ($0.isAppRunning, $0.volume) }
    peer.status(isRunning ? [ScriptedPeer.app] : nil, id: id, volume: .object(volume))
  }

  private func media(_ peer: ScriptedPeer, _ id: Int) {
    let (media, items) = state.withLock { ($0.media, $0.items) }
    guard var media else { return peer.media(0, nil, id: id) }
    if !items.isEmpty { media["items"] = .array(items.map { ["itemId": .int($0)] }) }
    peer.media(1, "PLAYING", id: id, more: media)
  }

  private static let asking: Set<String> = [
    "GET_STATUS", "QUEUE_GET_ITEM_IDS", "QUEUE_GET_ITEMS", "CONNECT", "CLOSE", "GET_APP_AVAILABILITY",
  ]

  /// Does `action` on such a device, for ten seconds at most.
  /// - Returns: What was sent but questions, without request ids, and why it failed.
  static func perform(
    _ action: DeviceAction, on setting: Setting
  ) throws -> (sent: [JSONValue], failure: StepFailure?) {
    let executor = SimulationExecutor(seed: 1)
    let network = SimulatedNetwork(executor: executor, seed: 1)
    return try executor.run { _ in
      let device = VerbDevice(setting)
      let (sender, receiver, _) = network.connect()
      let peer = ScriptedPeer(receiver) { peer, request in device.answer(peer, request) }
      let connection = CastConnection(channel: sender, times: network.times, configuration: ClientConfiguration())
      try await connection.open()
      let found = FoundDevice(name: "TV", address: HostAndPort(host: "192.0.2.1", port: 8009), via: .host)
      let session = DeviceSession(
        selector: Plan.DeviceSelector(span: Make.span), policies: SessionPolicies(borrowing: Plan.Timeouts()),
        access: DeviceAccess(
          find: { _, _ throws(RunError) in [found] },
          connect: { _, _ throws(ClientError) in OpenedDevice(connection: connection, latency: .zero) }),
        times: network.times, emitter: EventEmitter(show: network.times.show, wallClock: { 0 }, sink: NoEvents()),
        owner: IndifferentOwner(), random: { 0.5 })
      await session.use(found, called: "tv")
      var failure = await session.connectAndJoin()
      await session.catchUp()
      let before = peer.requests.count
      if failure == nil {
        let scope = ActionScope(deadline: network.times.show.now + .seconds(10))
        do throws(StepFailure) { try await session.perform(action, in: scope) } catch { failure = error }
      }
      let sent = peer.requests.dropFirst(before).filter { !asking.contains($0.type) }.map { request in
        var object = request.json.object ?? [:]
        object["requestId"] = nil
        return JSONValue.object(object)
      }
      await session.close()
      await connection.disconnect()
      return (sent, failure)
    }
  }
}

/// For events that no test reads.
private struct NoEvents: EventSink {
  func record(_ event: Event) {}
}
