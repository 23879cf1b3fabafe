import CastProtocol
import Testing

@testable import CastReceiver

/// Random and mutated requests from two senders: nothing traps, and everybody is told the same, well-formed things.
@Suite struct HostileSenderTests {
  @Test("8 000 requests, half of them nonsense, leave the receiver telling well-formed statuses", arguments: 0..<8)
  func requests(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var receiver = ReceiverHarness()
    receiver.start()
    _ = receiver.open(2) + receiver.connect(connection: 2) + receiver.connect(to: receiver.transport, connection: 2)
    var heardBy: [Int: [JSONValue]] = [:]
    var transport = receiver.transport
    for _ in 0..<1000 {
      if generator.chance(20) { receiver.now += .milliseconds(Int.random(in: 0...20_000, using: &generator)) }
      let heard = receiver.input(
        .message(ConnectionID(rawValue: generator.pick([1, 1, 2])), Self.message(for: receiver, &generator)))
      for message in heard {
        try Self.check(message)
        if message.destination == "*" { heardBy[message.connection, default: []].append(message.json) }
      }
      // An app that ended took its senders with it.
      if receiver.machine.application == nil, generator.chance(50) {
        _ = receiver.send(["type": "LAUNCH", "appId": "CC1AD845", "requestId": 1])
      }
      if receiver.transport != transport {
        transport = receiver.transport
        for connection in 1...2 { _ = receiver.connect(to: transport, connection: connection) }
      }
    }
    #expect(heardBy[1]?.count ?? 0 > 120)
  }

  @Test("Two senders of an app see the same broadcasts in the same order", arguments: 0..<4)
  func broadcasts(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var receiver = ReceiverHarness()
    receiver.start()
    _ = receiver.open(2) + receiver.connect(connection: 2) + receiver.connect(to: receiver.transport, connection: 2)
    _ = receiver.connect("sender-b", to: receiver.transport, connection: 2)
    var heardBy: [Int: [JSONValue]] = [:]
    var answers: [Int: Set<Int>] = [:]
    for _ in 0..<800 {
      let connection = generator.pick([1, 2])
      let type = generator.pick(["LOAD", "PLAY", "PAUSE", "SEEK", "SKIP_AD", "STOP", "SET_VOLUME", "GET_STATUS"])
      let members: JSONObject = [
        "media": BreakTests.media, "currentTime": .int(Int.random(in: 0...610, using: &generator)),
        "volume": ["level": 0.5],
      ]
      var heard = receiver.media(type, members, connection: connection)
      heard += receiver.advance(by: .milliseconds(Int.random(in: 0...4000, using: &generator)))
      for message in heard {
        if message.destination == "*" {
          heardBy[message.connection, default: []].append(message.json)
        } else {
          answers[message.connection, default: []].insert(message.requestID ?? 0)
        }
      }
    }
    #expect(heardBy[1]?.count ?? 0 > 400)
    #expect(heardBy[1] == heardBy[2])
    #expect(answers[1]?.isDisjoint(with: answers[2] ?? []) == true)
  }

  @Test("Bytes that are nearly JSON do no harm", arguments: 0..<4)
  func text(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var receiver = ReceiverHarness()
    receiver.start()
    let load: JSONValue = ["type": "LOAD", "requestId": 5, "media": BreakTests.media, "activeTrackIds": []]
    for _ in 0..<800 {
      var bytes = Array(load.serialized().utf8)
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        if generator.chance(30) {
          bytes.removeSubrange(index...)
          if bytes.isEmpty { bytes = [0x7B] }
        } else {
          bytes[index] = UInt8.random(in: 0x20...0x7E, using: &generator)
        }
      }
      let message = CastMessage(
        source: .sender, destination: EndpointID(receiver.transport), namespace: .media,
        payload: .text(String(decoding: bytes, as: UTF8.self)))
      for heard in receiver.input(.message(ConnectionID(rawValue: 1), message)) { _ = try? Self.check(heard) }
      receiver.now += .milliseconds(100)
    }
    #expect(receiver.machine.application != nil)
  }

  // MARK: making messages

  static func message(for receiver: ReceiverHarness, _ generator: inout SeededGenerator) -> CastMessage {
    let isMedia = generator.chance(85)
    let types =
      isMedia
      ? [
        "LOAD", "LOAD", "PLAY", "PAUSE", "STOP", "SEEK", "SEEK", "SET_PLAYBACK_RATE", "SET_VOLUME",
        "EDIT_TRACKS_INFO", "SKIP_AD", "GET_STATUS", "QUEUE_LOAD", "QUEUE_LOAD",
        "QUEUE_INSERT", "QUEUE_INSERT", "QUEUE_UPDATE", "QUEUE_REMOVE", "QUEUE_REORDER", "QUEUE_NEXT", "QUEUE_PREV",
        "STORE_SESSION", "RESUME_SESSION", "PLAY_AGAIN", "EDIT_AUDIO_TRACKS", "QUEUE_SHUFFLE", "QUEUE_GET_ITEMS",
        "QUEUE_GET_ITEM_IDS", "",
      ] : ["GET_STATUS", "LAUNCH", "STOP", "SET_VOLUME", "GET_APP_AVAILABILITY", "CONNECT", "X"]
    var json: JSONObject = [
      "type": .string(generator.pick(types)), "requestId": .int(Int.random(in: 1...1_000_000, using: &generator)),
    ]
    if isMedia, generator.chance(80), let id = receiver.machine.application?.media?.session?.id {
      json["mediaSessionId"] = .int(id)
    }
    if generator.chance(60) { json["media"] = media(&generator) }
    if generator.chance(60) { json["items"] = items(&generator) }
    if generator.chance(40) {
      json["itemIds"] = .array((0..<Int.random(in: 0...4, using: &generator)).map { .int($0 * 3) })
    }
    if generator.chance(10) { json["queueData"] = ["items": items(&generator), "shuffle": value(&generator)] }
    let names = [
      "currentTime", "relativeTime", "resumeState", "playbackRate", "relativePlaybackRate", "volume", "language",
      "activeTrackIds", "enableTextTracks", "textTrackStyle", "autoplay", "options", "appId", "sessionId", "requestId",
      "mediaSessionId", "type", "startIndex", "jump", "repeatMode", "shuffle", "insertBefore", "currentItemId",
      "currentItemIndex", "itemIds", "queueData",
    ]
    for _ in 0..<Int.random(in: 0...3, using: &generator) { json[generator.pick(names)] = value(&generator) }
    return CastMessage(
      source: .sender, destination: isMedia ? EndpointID(receiver.transport) : .receiver,
      namespace: isMedia ? .media : generator.pick([.receiver, .receiver, .connection, .deviceAuth]),
      json: .object(json))
  }

  private static func media(_ generator: inout SeededGenerator) -> JSONValue {
    var media = BreakTests.media.object ?? [:]
    let names = [
      "duration", "breaks", "breakClips", "tracks", "contentId", "contentType", "streamType", "textTrackStyle",
    ]
    for _ in 0..<Int.random(in: 0...2, using: &generator) { media[generator.pick(names)] = value(&generator) }
    if generator.chance(30) {
      media["breaks"] = .array(
        (0..<Int.random(in: 0...5, using: &generator)).map { index in
          [
            "id": .string("b\(index)"), "position": value(&generator),
            "breakClipIds": .array(
              (0..<generator.pick([0, 1, 2, 40])).map { _ in generator.pick(["car", "soap", "x"]) }),
          ]
        })
    }
    if generator.chance(30) {
      media["breakClips"] = [
        ["id": "car", "duration": value(&generator), "whenSkippable": value(&generator)], value(&generator),
      ]
    }
    return .object(media)
  }

  private static func items(_ generator: inout SeededGenerator) -> JSONValue {
    .array(
      (0..<Int.random(in: 0...4, using: &generator)).map { _ in
        var item: JSONObject = ["media": media(&generator)]
        let names = [
          "itemId", "autoplay", "startTime", "playbackDuration", "preloadTime", "activeTrackIds", "customData",
        ]
        for _ in 0..<Int.random(in: 0...1, using: &generator) { item[generator.pick(names)] = value(&generator) }
        return .object(item)
      })
  }

  private static func value(_ generator: inout SeededGenerator) -> JSONValue {
    generator.pick([
      .null, true, false, 0, 1, 2, -1, 0.5, 1.5, 5, 10, 30, 599.9999999, 600, 1e-9, 1e15, 1e300, -1e300, .int(.max),
      .int(.min), 0.1, "", "LIVE", "PLAYBACK_PAUSE", "PLAYBACK_START", "CC1AD845", "A1B2C3D4", "en", [], [1], [1, 2],
      [[:]], [:], ["level": 0.5], ["level": 7, "muted": true], ["trackId": 1], [["trackId": 1, "type": "TEXT"]],
      [["id": "b", "position": 3, "breakClipIds": ["car"]]], ["fontScale": 2], "text/html", "image/png",
      "REPEAT_ALL", "REPEAT_SINGLE", "REPEAT_ALL_AND_SHUFFLE",
    ])
  }

  // MARK: judging what comes back

  static func check(_ message: ReceiverHarness.Heard) throws {
    let text = message.json.serialized()
    #expect(text.utf8.count <= 60_000)
    #expect(try JSONValue(parsing: text) == message.json)
    guard message.type == "MEDIA_STATUS" else {
      #expect(message.type != nil || message.json["responseType"] != nil)
      return
    }
    let elements = try #require(message.json["status"]?.array)
    #expect(elements.count <= 1 && message.requestID != nil)
    guard let status = elements.first else { return }
    let state = try #require(status["playerState"]?.string)
    #expect(["IDLE", "PLAYING", "PAUSED", "BUFFERING"].contains(state))
    #expect((state == "IDLE") == (status["idleReason"] != nil || status["extendedStatus"] != nil))
    #expect(status["mediaSessionId"]?.int ?? 0 > 0 && status["currentItemId"]?.int ?? 0 > 0)
    if state == "IDLE", status["loadingItemId"] != nil { #expect(status["extendedStatus"] != nil) }
    let time = try #require(status["currentTime"]?.number)
    let duration = state == "IDLE" ? nil : status["media"]?["duration"]?.number
    #expect(time >= 0 && (duration.map { $0 <= 0 || time <= $0 || status["media"]?["streamType"] == "LIVE" } ?? true))
    let rate = try #require(status["playbackRate"]?.number)
    #expect(rate == 0 || (0.5...2).contains(rate))
    #expect((0...1).contains(status["volume"]?["level"]?.number ?? -1))
    #expect(status["supportedMediaCommands"]?.int != nil)
    if let adBreak = status["breakStatus"], adBreak != [:] {
      #expect(rate == 0 && adBreak["breakId"]?.string != nil && adBreak["breakClipId"]?.string != nil)
      let (whole, clip) = (adBreak["currentBreakTime"]?.number, adBreak["currentBreakClipTime"]?.number)
      #expect(try #require(clip) >= 0 && #require(whole) >= #require(clip))
    }
  }
}
