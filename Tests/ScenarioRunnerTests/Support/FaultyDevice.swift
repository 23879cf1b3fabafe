import CastProtocol
import CastTransport
import Synchronization
import TestSupport

/// A device that does one thing wrong, and everything before it just well enough.
final class FaultyDevice: Sendable {
  enum Behaviour: Sendable {
    /// Answers so many LAUNCH with LAUNCH_ERROR, then launches.
    case launchError(String, times: Int)
    /// Answers LAUNCH with LAUNCH_STATUS alone.
    case launchStatusOnly
    case closesAtOnce
    /// Runs another sender's app from the beginning.
    case runs(String, String)
    /// Says nothing at all.
    case silent
    /// Launches, then closes the socket after a time.
    case closesAfterLaunch(Duration)
    /// Launches and loads, then never says a word, not even PONG.
    case silentAfterLoad
    /// Launches; then another sender's YouTube takes its place.
    /// In between nothing runs for a `gap`.
    case takenOver(after: Duration, gap: Duration? = nil)
    /// Launches; then another sender stops the app.
    case appStopped(after: Duration)
    /// Launches; then the app is gone in one status, and back after a `gap` as the session that it was.
    case appBack(after: Duration, gap: Duration)
    /// Launches and loads; answers these requests never.
    case ignores(Set<String>)
    /// Launches and loads; tells of active tracks only after a time, and then these; `nil`: never.
    case tracks([Int]?, after: Duration)
    /// Launches and loads, in one media session for all loads; track 1 is on in the first, none later, which only an
    /// answer to GET_STATUS tells.
    case firstLoadHasTracks
    /// Launches an app that lists no namespaces.
    case nameless
    /// Launches; LOAD is answered by a loading session and, in the same write, by LOAD_FAILED.
    case failsLoad
    /// Launches an app that repeats what it is told on a namespace of its own, a second later.
    case echo(Namespace)
    /// Launches an app that plays no media and has a namespace of its own, on which it repeats what it is told.
    case plain(Namespace)
    /// Launches when a person has allowed it; `nil`: nobody ever does.
    case asks(for: Duration?)
    /// Launches and loads; then another sender loads something else into the same app.
    case mediaTakenOver(after: Duration)
  }

  private struct State {
    var launches = 0
    var running: (id: String, name: String, session: String)?
    var received: [String] = []
    var isMute = false
    var media: JSONValue?
    var tellsTracks = false
  }

  private let behaviour: Behaviour
  private let state = Mutex(State())

  init(_ behaviour: Behaviour) { self.behaviour = behaviour }

  /// How often a message of this type came.
  func received(_ type: String) -> Int { state.withLock { $0.received.count { $0 == type } } }

  func serve(_ channel: any ByteChannel, _ times: TimeSources) {
    if case .runs(let id, let name) = behaviour { state.withLock { $0.running = (id, name, "theirs") } }
    let peer = ScriptedPeer(channel) { [self] peer, request in answer(request, of: peer, times) }
    if case .silent = behaviour { peer.mute() }
    if state.withLock({ $0.isMute }) { peer.mute() }
    if case .closesAtOnce = behaviour { peer.close() }
  }

  private func answer(_ message: ScriptedPeer.Request, of channel: ScriptedPeer, _ times: TimeSources) {
    if let namespace = ownNamespace, message.namespace == namespace {
      times.show.spawn {
        try? await times.show.sleep(for: .seconds(1))
        channel.send(
          CastMessage(
            source: message.destination, destination: .everyone, namespace: namespace, payload: message.payload))
      }
      return
    }
    let (json, type) = (message.json, message.type)
    if type.isEmpty { return }
    state.withLock { $0.received.append(type) }
    let id = message.requestID
    switch (message.namespace, type) {
    case (.receiver, "GET_STATUS"): send(receiverStatus(id), from: .receiver, .receiver, on: channel)
    case (.receiver, "LAUNCH"): launch(json["appId"]?.string ?? "", id, on: channel, times)
    case (.receiver, "STOP"):
      state.withLock { $0.running = nil }
      send(receiverStatus(id), from: .receiver, .receiver, on: channel)
    case (_, let type) where isIgnored(type): break
    case (.media, "GET_STATUS") where tellsMedia && state.withLock { $0.media != nil }:
      sendMedia(id, message.destination, channel)
    case (.media, "EDIT_TRACKS_INFO"): sendMedia(id, message.destination, channel)
    case (.media, "LOAD") where isFailing:
      var status = JSONObject()
      status["mediaSessionId"] = 1
      status["playerState"] = "IDLE"
      status["extendedStatus"] = ["playerState": "LOADING", "media": json["media"] ?? [:]]
      let failed: JSONValue = ["type": "LOAD_FAILED", "requestId": id, "detailedErrorCode": 104]
      let loading: JSONValue = ["type": "MEDIA_STATUS", "requestId": 0, "status": [.object(status)]]
      let both = [loading, failed].map {
        CastMessage(source: message.destination, destination: .everyone, namespace: .media, json: $0)
      }
      channel.send(both)
    case (.media, "GET_STATUS"):
      send(["type": "MEDIA_STATUS", "requestId": id, "status": []], from: message.destination, .media, on: channel)
    case (.media, "LOAD"):
      let status: JSONValue = [
        "mediaSessionId": 1, "playerState": "PLAYING", "currentTime": json["currentTime"] ?? 0, "playbackRate": 1,
        "supportedMediaCommands": 15, "media": json["media"] ?? [:],
      ]
      state.withLock { $0.media = status }
      sendMedia(id, message.destination, channel)
      if case .tracks(_, let delay) = behaviour, delay > .zero {
        times.show.spawn { [self] in
          try? await times.show.sleep(for: delay)
          state.withLock { $0.tellsTracks = true }
          sendMedia(0, message.destination, channel)
        }
      }
      if case .silentAfterLoad = behaviour {
        state.withLock { $0.isMute = true }
        channel.mute()
      }
      guard case .mediaTakenOver(let delay) = behaviour else { return }
      times.show.spawn { [self] in
        try? await times.show.sleep(for: delay)
        let theirs: JSONValue = ["contentId": "https://cdn.example.com/theirs.mp4", "metadata": ["title": "Theirs"]]
        let old: JSONValue = [
          "mediaSessionId": 1, "playerState": "IDLE", "idleReason": "INTERRUPTED",
          "extendedStatus": ["playerState": "LOADING", "media": theirs],
        ]
        send(["type": "MEDIA_STATUS", "requestId": 0, "status": [old]], from: message.destination, .media, on: channel)
      }
    default: break
    }
  }

  private func launch(_ app: String, _ id: JSONValue, on channel: ScriptedPeer, _ times: TimeSources) {
    let count = state.withLock { state in
      state.launches += 1
      return state.launches
    }
    if case .launchError(let reason, let number) = behaviour, count <= number {
      let error: JSONValue = ["type": "LAUNCH_ERROR", "requestId": id, "reason": .string(reason)]
      return send(error, from: .receiver, .receiver, on: channel)
    }
    if case .launchStatusOnly = behaviour {
      let status: JSONValue = ["type": "LAUNCH_STATUS", "launchRequestId": id, "status": "USER_ALLOWED"]
      return send(status, from: .receiver, .receiver, on: channel)
    }
    if case .asks(let delay) = behaviour {
      let status: JSONValue = ["type": "LAUNCH_STATUS", "launchRequestId": id, "status": "USER_PENDING_AUTHORIZATION"]
      send(status, from: .receiver, .receiver, on: channel)
      send(status, from: .receiver, .receiver, on: channel)
      guard let delay else { return }
      times.show.spawn { [self] in
        try? await times.show.sleep(for: delay)
        state.withLock { $0.running = (app, "App \(app)", "session-\(count)") }
        send(receiverStatus(id), from: .receiver, .receiver, on: channel)
      }
      return
    }
    state.withLock { $0.running = (app, "App \(app)", "session-\(count)") }
    send(receiverStatus(id), from: .receiver, .receiver, on: channel)
    switch behaviour {
    case .closesAfterLaunch(let delay):
      times.show.spawn {
        try? await times.show.sleep(for: delay)
        channel.close()
      }
    case .appStopped(let delay):
      times.show.spawn { [self] in
        try? await times.show.sleep(for: delay)
        state.withLock { $0.running = nil }
        send(receiverStatus(0), from: .receiver, .receiver, on: channel)
      }
    case .appBack(let delay, let gap):
      let running = state.withLock { $0.running }
      times.show.spawn { [self] in
        for (time, app) in [(delay, nil), (gap, running)] {
          try? await times.show.sleep(for: time)
          state.withLock { $0.running = app }
          send(receiverStatus(0), from: .receiver, .receiver, on: channel)
        }
      }
    case .takenOver(let delay, let gap):
      times.show.spawn { [self] in
        try? await times.show.sleep(for: delay)
        if let gap {
          state.withLock { $0.running = nil }
          send(receiverStatus(0), from: .receiver, .receiver, on: channel)
          try? await times.show.sleep(for: gap)
        }
        state.withLock { $0.running = ("233637DE", "YouTube", "theirs") }
        send(receiverStatus(0), from: .receiver, .receiver, on: channel)
      }
    default: break
    }
  }

  private func isIgnored(_ type: String) -> Bool {
    if case .ignores(let types) = behaviour { types.contains(type) } else { false }
  }

  private var tellsMedia: Bool {
    switch behaviour {
    case .ignores, .tracks, .firstLoadHasTracks, .takenOver, .appStopped, .appBack: true
    default: false
    }
  }

  private var isFailing: Bool { if case .failsLoad = behaviour { true } else { false } }

  /// What plays, with the tracks that are on where it tells of them.
  private func sendMedia(_ id: JSONValue, _ app: EndpointID, _ channel: ScriptedPeer) {
    let (media, tellsTracks) = state.withLock { ($0.media, $0.tellsTracks) }
    var status = media?.object ?? [:]
    if case .tracks(let tracks?, let delay) = behaviour, tellsTracks || delay == .zero {
      status["activeTrackIds"] = .array(tracks.map(JSONValue.int))
    }
    if case .firstLoadHasTracks = behaviour {
      if received("LOAD") < 2 {
        status["activeTrackIds"] = [1]
      } else if state.withLock({ $0.received.last }) == "GET_STATUS" {
        status["activeTrackIds"] = []
      }
    }
    send(["type": "MEDIA_STATUS", "requestId": id, "status": [.object(status)]], from: app, .media, on: channel)
  }

  private func receiverStatus(_ id: JSONValue) -> JSONValue {
    let running = state.withLock { $0.running }
    let apps: [JSONValue] = (running.map { [$0] } ?? []).map { app in
      [
        "appId": .string(app.id), "displayName": .string(app.name), "sessionId": .string(app.session),
        "transportId": .string(app.session), "statusText": "", "isIdleScreen": false,
        "namespaces": .array(namespaces.map { ["name": .string($0.rawValue)] }),
      ]
    }
    let volume: JSONValue = ["level": 1, "muted": false, "controlType": "attenuation", "stepInterval": 0.05]
    return [
      "type": "RECEIVER_STATUS", "requestId": id, "status": ["applications": .array(apps), "volume": volume],
    ]
  }

  private var ownNamespace: Namespace? {
    switch behaviour {
    case .echo(let namespace), .plain(let namespace): namespace
    default: nil
    }
  }

  private var namespaces: [Namespace] {
    if case .plain(let namespace) = behaviour { return [namespace] }
    if case .nameless = behaviour { return [] }
    return [.media] + (ownNamespace.map { [$0] } ?? [])
  }

  private func send(_ json: JSONValue, from source: EndpointID, _ namespace: Namespace, on channel: ScriptedPeer) {
    channel.send(json, in: namespace, from: source)
  }
}
