import CastProtocol
import CastTransport
import TestSupport
import Testing

@testable import CastClient

/// The published recordings as a device: our client against what real devices, and other senders' test devices, said.
@Suite("Recorded devices", .serialized, .enabled(if: Reference.has("recordings")))
struct RecordedDeviceTests {
  /// No time passes on the network's clock: the client asks for nothing by itself, and no answer is too late.
  private static let times = TimeSources(show: TimeSource(ContinuousClock()), network: TimeSource(StoppedClock()))
  private static var deadline: Duration { times.show.now + .seconds(20) }

  private typealias Words = RecordedDevice.Words

  /// One recorded message.
  private struct Recorded {
    let place: String
    let direction: String
    let namespace: Namespace
    let payload: JSONValue
    let source: EndpointID?
    let destination: EndpointID

    var type: String { (payload["type"] ?? payload["responseType"])?.string ?? "" }
    /// The id of the request it answered; 0: none.
    var requestID: Int { (payload["requestId"] ?? payload["launchRequestId"])?.int ?? 0 }

    static func all(in file: String) throws -> [Recorded] {
      let json = try JSONValue(parsing: Reference.bytes("recordings/\(file)"))
      return try #require(json.array).enumerated().map { index, message in
        Recorded(
          place: "\(file) \(index)", direction: message["direction"]?.string ?? "",
          namespace: Namespace(rawValue: message["namespace"]?.string ?? ""),
          payload: try #require(message["payload"]), source: message["sourceId"]?.string.map { EndpointID($0) },
          // The page's own bus spells everyone `*:*`.
          destination: message["destinationId"]?.string.flatMap { $0.contains(":") ? nil : EndpointID($0) } ?? .everyone
        )
      }
    }
  }

  private static let files: [String] =
    (try? Reference.files(in: "recordings").filter { $0.hasSuffix(".json") }) ?? []

  /// A sender and the device it plays against.
  private final class Play {
    let device: RecordedDevice
    let connection: CastConnection
    /// The app we have joined.
    var app: AppSession?
    var played = 0

    init(_ device: RecordedDevice, _ connection: CastConnection) {
      self.device = device
      self.connection = connection
    }

    /// Says it of its own accord; everything said before is taken in when this returns.
    func say(_ words: Words) async throws {
      device.say(words)
      try await connection.refreshReceiver()
    }

    /// Sees to it that we are connected to an app at `source`, or at any where nobody says which.
    func join(_ source: EndpointID?) async throws -> AppSession {
      if device.merge.transport == nil || source != nil && device.merge.transport != source {
        let transport = source?.rawValue ?? "web-1"
        let app = ScriptedPeer.application(session: "session of \(transport)", transport: transport)
        let status: JSONValue = [
          "type": "RECEIVER_STATUS", "requestId": 0,
          "status": ["applications": [app], "volume": device.merge.volume ?? [:]],
        ]
        try await say(Words(payload: status, namespace: .receiver, source: .receiver))
      }
      let session = device.merge.app?["sessionId"]?.string
      if let app, app.sessionID == session, app.transportID == device.merge.transport { return app }
      let appID = try #require(device.merge.app?["appId"]?.string)
      let joined = try await connection.launch(appID, join: .only, until: RecordedDeviceTests.deadline)
      app = joined
      return joined
    }
  }

  @Test(
    "Each recording is played through: nothing fails, and every status is merged as recorded", .timeLimit(.minutes(1)),
    arguments: files)
  func everyRecording(file: String) async throws {
    let device = try await RecordedDevice.start()
    let connector = DeviceConnector(times: Self.times, configuration: .remembering)
    let play = Play(device, try await connector.connect(to: device.address).connection)
    for message in try Recorded.all(in: file) where message.namespace.rawValue.hasPrefix("urn:") {
      switch message.direction {
      case "in": try await hear(message, play)
      case "out": try await ask(message, play)
      default: continue
      }
      let differences = device.merge.differences(from: await play.connection.snapshot)
      #expect(differences == [], "\(message.place) \(message.type)")
    }
    let observations = await play.connection.observations(after: 0)
    #expect(observations.allSatisfy { $0.loss == nil } && observations.last?.snapshot.isConnected == true)
    #expect(play.played == Self.messages[file])
    await play.connection.disconnect()
    await device.stop()
  }

  /// How many messages of each file are played; the rest are other buses' or no sender's.
  private static let messages = [
    "ajhsu-chromecast-device-emulator.json": 9, "chromium-openscreen-test-shapes.json": 13,
    "gnome-network-displays-trace.json": 8, "go-chromecast.json": 3, "home-assistant-core-issues.json": 21,
    "homey-cast-statuses.json": 6, "iptv-player-tv-spike.json": 7, "mdns-and-setup.json": 0,
    "node-and-nodered.json": 4, "other-sender-issues.json": 21, "pychromecast-issues.json": 6, "sharpcaster.json": 5,
    "synthetic-from-docs.json": 24, "vitalidze-chromecast-java-api-v2.json": 20,
  ]

  @Test("There are 14 recordings") func count() { #expect(Self.files.count == Self.messages.count) }

  // MARK: what devices said

  /// Lets the device say `message`: in answer to a request that it fits, or of its own accord.
  private func hear(_ message: Recorded, _ play: Play) async throws {
    play.played += 1
    var words = Words(
      payload: message.payload, namespace: message.namespace, source: message.source ?? .receiver,
      destination: message.destination)
    if message.namespace == .media || message.type == "CLOSE" || message.type == "TIME_TICK" {
      words.source = try await play.join(message.source).transportID
    }
    if message.type == "CLOSE" { play.app = nil }
    guard message.requestID != 0 else { return try await play.say(words) }
    switch (message.namespace, message.type) {
    case (.receiver, "RECEIVER_STATUS"):
      play.device.prepare([words], for: "GET_STATUS" + Namespace.receiver.rawValue)
      try await play.connection.refreshReceiver()
    case (.receiver, "GET_APP_AVAILABILITY"):
      try await availability(words, play)
    case (.receiver, "LAUNCH_STATUS"):
      try await launchStatus(words, play)
    case (.receiver, "LAUNCH_ERROR"):
      play.device.prepare([words], for: "LAUNCH" + Namespace.receiver.rawValue)
      let error = await failure { () throws(ClientError) in
        try await play.connection.launch("0BADF00D", join: .auto, until: Self.deadline)
      }
      let wasCancelled = message.payload["reason"] == "CANCELLED"
      #expect(error?.class == (wasCancelled ? .launchCancelled : .launchFailed), "\(message.place)")
      #expect(error?.wire?["reason"] == message.payload["reason"], "\(message.place)")
    case (.receiver, "INVALID_REQUEST"):
      play.device.prepare([words], for: "GET_STATUS" + Namespace.receiver.rawValue)
      let error = await failure { () throws(ClientError) in try await play.connection.refreshReceiver() }
      #expect(error?.class == .invalidRequest, "\(message.place)")
    case (.media, "MEDIA_STATUS"):
      play.device.prepare([words], for: "GET_STATUS" + Namespace.media.rawValue)
      try await play.connection.refreshMedia(in: try #require(play.app))
    case (.media, "LOAD_FAILED"), (.media, "LOAD_CANCELLED"):
      play.device.prepare([words], for: "LOAD" + Namespace.media.rawValue)
      let error = await failure { () throws(ClientError) in
        guard let app = play.app else { throw ClientError(.invalidState, "no app") }
        return try await play.connection.load(
          LoadRequest(media: MediaInformation(content: "a.mp4")), in: app, until: Self.deadline)
      }
      #expect(error?.class == (message.type == "LOAD_FAILED" ? .loadFailed : .loadCancelled), "\(message.place)")
    case (.media, "INVALID_REQUEST"), (.media, "INVALID_PLAYER_STATE"), (.media, "ERROR"):
      try await refusal(words, message, play)
    default:
      // An answer to somebody else.
      try await play.say(words)
    }
  }

  /// A command that the app refuses.
  private func refusal(_ words: Words, _ message: Recorded, _ play: Play) async throws {
    play.device.prepare([words], for: "PAUSE" + Namespace.media.rawValue)
    let error = await failure { () throws(ClientError) in
      guard let app = play.app else { throw ClientError(.refusedLocally, "no app") }
      try await play.connection.command(MediaRequest(.pause, session: 1), in: app, until: Self.deadline)
    }
    let classes: [String: ClientError.Class] = [
      "INVALID_REQUEST": .invalidRequest, "INVALID_PLAYER_STATE": .invalidState, "ERROR": .mediaError,
    ]
    #expect(error?.class == classes[message.type], "\(message.place)")
    #expect(error?.wire?["reason"] == message.payload["reason"], "\(message.place)")
  }

  private func availability(_ words: Words, _ play: Play) async throws {
    play.device.prepare([words], for: "GET_APP_AVAILABILITY" + Namespace.receiver.rawValue)
    let told = words.payload["availability"]?.object?.members ?? []
    let available = try await play.connection.availableApps(of: told.map(\.name))
    #expect(available == Set(told.filter { $0.value == "APP_AVAILABLE" }.map(\.name)))
  }

  /// LAUNCH_STATUS is no end of a launch: the app has to be listed after it.
  private func launchStatus(_ words: Words, _ play: Play) async throws {
    let id = "1A2B3C\(10 + play.played)"
    let app = ScriptedPeer.application(id, session: "launched \(play.played)", transport: "web-2")
    let status: JSONValue = [
      "type": "RECEIVER_STATUS", "requestId": 0,
      "status": ["applications": [app], "volume": play.device.merge.volume ?? [:]],
    ]
    play.device.prepare(
      [words, Words(payload: status, namespace: .receiver, source: .receiver)],
      for: "LAUNCH" + Namespace.receiver.rawValue)
    let launched = try await play.connection.launch(id, join: .auto, until: Self.deadline)
    #expect(launched.transportID == EndpointID("web-2"))
    play.app = launched
  }

  // MARK: what senders asked

  /// Sends what another sender sent, as ours writes it; the device answers as the app would.
  private func ask(_ message: Recorded, _ play: Play) async throws {
    guard message.namespace == .media, let request = MediaRequest(message.payload) else { return }
    let app = try await play.join(nil)
    play.played += 1
    let known = play.device.merge.media?["mediaSessionId"]?.int ?? 0
    let isLoad = ["LOAD", "QUEUE_LOAD"].contains(message.type)
    var element: JSONObject = [
      "mediaSessionId": .int(isLoad ? known + 1 : max(1, known)), "playerState": "PLAYING", "currentTime": 0,
      "playbackRate": 1, "supportedMediaCommands": 12303,
    ]
    if isLoad { element["media"] = message.payload["media"] ?? message.payload["items"]?.array?.first?["media"] }
    let reply: JSONValue = ["type": "MEDIA_STATUS", "requestId": 1, "status": [.object(element)]]
    play.device.prepare(
      [Words(payload: reply, namespace: .media, source: app.transportID)], for: message.type + Namespace.media.rawValue)
    switch request.command {
    case .load(let load):
      #expect(try await play.connection.load(load, in: app, until: Self.deadline) == known + 1)
    case .queueLoad(let queue):
      #expect(try await play.connection.load(queue, in: app, until: Self.deadline) == known + 1)
    default:
      try await play.connection.command(request, in: app, until: Self.deadline)
    }
  }

  // MARK: a whole session

  @Test(
    "The recorded session of GNOME Network Displays is one of ours: launch, load, playing", .timeLimit(.minutes(1)))
  func wholeSession() async throws {
    let recorded = try Recorded.all(in: "gnome-network-displays-trace.json")
    func words(_ indexes: Int...) throws -> [Words] {
      try indexes.map { index in
        let message = recorded[index]
        return Words(
          payload: message.payload, namespace: message.namespace, source: try #require(message.source),
          destination: message.destination == EndpointID("sender-gnd") ? .sender : message.destination)
      }
    }
    let device = try await RecordedDevice.start()
    device.prepare(try words(2), for: "GET_STATUS" + Namespace.receiver.rawValue)
    device.prepare(try words(4, 5), for: "LAUNCH" + Namespace.receiver.rawValue)
    device.prepare(try words(7), for: "CONNECT" + Namespace.connection.rawValue)
    device.prepare(try words(9, 10, 11), for: "LOAD" + Namespace.media.rawValue)
    let connector = DeviceConnector(times: Self.times, configuration: .remembering)
    let connection = try await connector.connect(to: device.address).connection
    #expect(await connection.snapshot.receiver?.application?.appID == "2C6A6E3D")
    let app = try await connection.launch("CC1AD845", join: .auto, until: Self.deadline)
    #expect(app.isOurs && app.transportID == recorded[6].destination)
    let load = try #require(LoadRequest(recorded[8].payload))
    #expect(try await connection.load(load, in: app, until: Self.deadline) == 1)
    try await connection.refreshReceiver()
    let snapshot = await connection.snapshot
    #expect(snapshot.media?.playerState == .playing && snapshot.media?.media?.contentID == load.media.contentID)
    #expect(device.merge.differences(from: snapshot) == [])
    await connection.disconnect()
    await device.stop()
  }
}
