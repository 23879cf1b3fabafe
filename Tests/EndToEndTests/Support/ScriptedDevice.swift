import CastProtocol
import CastTransport
import Synchronization
import TestSupport

/// A device on loopback behind real TLS that does what a test's script says, wrong as it may be.
final class ScriptedDevice: Sendable {
  typealias Message = ScriptedPeer.Request
  typealias Script = @Sendable (Message, ScriptedPeer) -> Void

  private let server: TLSServer
  var port: Int { server.port }
  var address: String { "127.0.0.1:\(port)" }

  private init(server: TLSServer) { self.server = server }

  /// Listens; `script` gets every message but PING and PONG.
  static func start(_ script: @escaping Script) async throws -> ScriptedDevice {
    let server = try await TLSServer.listen(host: "127.0.0.1", port: 0) { channel in
      _ = ScriptedPeer(channel, answersChallenges: true) { peer, message in script(message, peer) }
    }
    return ScriptedDevice(server: server)
  }

  func stop() async { await server.close() }
}

extension ScriptedDevice {
  static let transportID = EndpointID("a1b2c3d4-0000-4000-8000-000000000001")

  /// RECEIVER_STATUS with or without the Default Media Receiver.
  static func receiverStatus(requestID: JSONValue, running appID: String? = nil, name: String = "Test") -> JSONValue {
    var status: JSONObject = [
      "userEq": [:], "volume": ["controlType": "attenuation", "level": 0.5, "muted": false, "stepInterval": 0.05],
    ]
    if let appID {
      status["applications"] = [
        [
          "appId": .string(appID), "appType": "WEB", "displayName": .string(name), "isIdleScreen": false,
          "namespaces": [["name": .string(Namespace.media.rawValue)]],
          "sessionId": .string(transportID.rawValue), "statusText": "", "transportId": .string(transportID.rawValue),
        ]
      ]
    }
    return ["type": "RECEIVER_STATUS", "requestId": requestID, "status": .object(status)]
  }

  /// MEDIA_STATUS of media session 1.
  static func mediaStatus(
    requestID: JSONValue, state: String, url: String = "https://media.example.com/welcome.mp4",
    more: JSONObject = [:]
  ) -> JSONValue {
    var status: JSONObject = [
      "mediaSessionId": 1, "playbackRate": 1, "playerState": .string(state), "currentTime": 0,
      "supportedMediaCommands": 12303, "volume": ["level": 1, "muted": false],
      "media": [
        "contentId": .string(url), "contentType": "video/mp4", "streamType": "BUFFERED", "duration": 60,
      ],
    ]
    for member in more.members { status[member.name] = member.value }
    return ["type": "MEDIA_STATUS", "requestId": requestID, "status": [.object(status)]]
  }

  /// A well-behaved device for `hello.yaml`; `instead` may answer a message in its own way and return true.
  static func wellBehaved(instead: @escaping @Sendable (Message, ScriptedPeer) -> Bool = { _, _ in false }) -> Script {
    let running = Mutex(false)
    return { message, peer in
      if instead(message, peer) { return }
      switch (message.namespace, message.type) {
      case (.receiver, "GET_STATUS"):
        let appID = running.withLock { $0 } ? "CC1AD845" : nil
        peer.send(receiverStatus(requestID: message.requestID, running: appID), in: .receiver)
      case (.receiver, "LAUNCH"):
        running.withLock { $0 = true }
        peer.send(receiverStatus(requestID: message.requestID, running: "CC1AD845"), in: .receiver)
      case (.receiver, "STOP"):
        running.withLock { $0 = false }
        peer.send(receiverStatus(requestID: message.requestID), in: .receiver)
      case (.receiver, "SET_VOLUME"):
        peer.send(receiverStatus(requestID: message.requestID, running: "CC1AD845"), in: .receiver)
      case (.media, "GET_STATUS"):
        let empty: JSONValue = ["type": "MEDIA_STATUS", "requestId": message.requestID, "status": []]
        peer.send(empty, in: .media, from: transportID, to: message.source)
      case (.media, "LOAD"):
        peer.send(mediaStatus(requestID: message.requestID, state: "PLAYING"), in: .media, from: transportID)
      case (.media, "STOP"):
        let idle = mediaStatus(requestID: message.requestID, state: "IDLE", more: ["idleReason": "CANCELLED"])
        peer.send(idle, in: .media, from: transportID)
      default: break
      }
    }
  }
}
