import CastProtocol
import Testing

/// Seeded garbage for everything that reads from a network. A crash ends the run; a slow case breaks its time limit.
@Suite struct HostileInputTests {
  /// Frames as a busy device would send them.
  static func seeds() throws -> [[UInt8]] {
    let status = CastMessage(
      source: "app", destination: .everyone, namespace: .media,
      payload: .text(#"{"type":"MEDIA_STATUS","requestId":1,"status":[\#(StatusTrackerTests.full)]}"#))
    let receiver = CastMessage(
      source: .receiver, destination: .everyone, namespace: .receiver,
      payload: .text(
        #"""
        {"type":"RECEIVER_STATUS","requestId":0,"status":{"applications":[{"appId":"CC1AD845","displayName":"Ünï 😀",
        "namespaces":[{"name":"urn:x-cast:com.google.cast.media"}],"sessionId":"app","statusText":"\ud83d\ude00",
        "transportId":"app"}],"volume":{"controlType":"master","level":0.10000000149011612,"muted":false}}}
        """#))
    var messages = [status, receiver]
    messages += DeviceAuthMessageTests.messages().map {
      CastMessage(source: .receiver, destination: .sender, namespace: .deviceAuth, payload: .binary($0.encoded()))
    }
    for type in ["PING", "PONG", "CLOSE", "LOAD_FAILED", "LAUNCH_STATUS"] {
      messages.append(
        CastMessage(source: .receiver, destination: .sender, namespace: .heartbeat, json: ["type": .string(type)]))
    }
    var seeds = try messages.map { try FrameEncoder.frame($0) }
    if Reference.has("auth/framer_seeds") {
      seeds += try Reference.files(in: "auth/framer_seeds").map { try Reference.bytes("auth/framer_seeds/\($0)") }
    }
    return seeds
  }

  /// Reads `bytes` with everything that would read them, as often as a connection would.
  static func readEverything(_ bytes: [UInt8], _ tracker: inout StatusTracker) {
    var machine = ChannelStateMachine(now: .zero)
    for effect in machine.receive(bytes, at: .zero) + machine.timerFired(at: .seconds(5)) {
      guard case .deliver(let message) = effect else { continue }
      tracker.receive(IncomingMessage(message), at: .seconds(1))
      switch message.payload {
      case .text(let text):
        guard let json = try? JSONValue(parsing: text) else { continue }
        tracker.receive(json, namespace: .receiver, from: message.source, at: .seconds(1))
        tracker.receive(json, namespace: .media, from: message.source, at: .seconds(1))
        _ = ConnectionRequest(json)
        _ = ReceiverRequest(json)
        _ = MediaRequest(json)?.json(requestID: 1)
        _ = MultizoneMessage(json)
        _ = DeviceInfo(json)
        _ = tracker.snapshot.media?.media?.details?.json
        _ = tracker.snapshot.media?.queueItems?.map(\.json)
        _ = tracker.snapshot.position(at: .seconds(2))
        _ = tracker.snapshot.breakClipTime(at: .seconds(2))
        _ = tracker.snapshot.breakTime(at: .seconds(2))
        // Six bytes for one, where a control character is written out, and no more.
        #expect(json.serialized().utf8.count <= 6 * text.utf8.count + 64)
      case .binary(let payload): _ = try? DeviceAuthMessage(decoding: payload)
      }
    }
  }

  /// What a status never is, whatever came.
  static func expectSane(_ snapshot: DeviceSnapshot) {
    #expect((snapshot.media == nil) == (snapshot.mediaSource == nil))
    for time in [Duration.seconds(2), .seconds(1_000_000)] {
      for estimate in [
        snapshot.position(at: time), snapshot.breakClipTime(at: time), snapshot.breakTime(at: time),
      ] {
        if let estimate { #expect(estimate.isFinite && estimate >= 0) }
      }
    }
    let media = snapshot.media
    let counts = [
      media?.items?.count, media?.activeTrackIDs?.count, media?.media?.tracks?.count, media?.media?.breaks?.count,
      media?.media?.breakClips?.count, snapshot.receiver?.application?.namespaces.count,
    ]
    for count in counts { #expect((count ?? 0) <= 256) }
  }

  /// `frame` with some of its bytes changed, removed, doubled or added; the header mends itself in half of the cases.
  static func mutate(_ frame: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
    var bytes = frame
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      guard !bytes.isEmpty else { break }
      let index = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      case 1: bytes[index] = UInt8.random(in: 0...255, using: &generator)
      case 2: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 1...8, using: &generator)))
      case 3: bytes.insert(contentsOf: bytes[index..<min(bytes.count, index + 16)], at: index)
      case 4: bytes.insert(contentsOf: "[{\"9e999-\\u0".utf8, at: index)
      default: bytes[index] = [0, 0x7F, 0x80, 0xFF][Int.random(in: 0..<4, using: &generator)]
      }
    }
    if Bool.random(using: &generator), bytes.count > 4 {
      let length = bytes.count - 4
      for (index, shift) in [24, 16, 8, 0].enumerated() { bytes[index] = UInt8(truncatingIfNeeded: length >> shift) }
    }
    return bytes
  }

  @Test(
    "20 000 broken frames crash nothing, grow nothing and leave a status that makes sense", .timeLimit(.minutes(1)),
    arguments: [1, 2, 3, 4] as [UInt64])
  func mutatedFrames(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let seeds = try Self.seeds()
    var tracker = StatusTracker()
    for _ in 0..<5000 {
      let frame = seeds[Int.random(in: 0..<seeds.count, using: &generator)]
      Self.readEverything(Self.mutate(frame, using: &generator), &tracker)
      Self.expectSane(tracker.snapshot)
    }
  }

  @Test(
    "A frame cut at any byte is waited for, and its body cut at any byte is refused or read", .timeLimit(.minutes(1)))
  func truncation() throws {
    var tracker = StatusTracker()
    for seed in try Self.seeds() {
      for length in 0..<seed.count {
        let cut = Array(seed.prefix(length))
        Self.readEverything(cut, &tracker)
        Self.readEverything(FrameTests.frame(Array(cut.dropFirst(4))), &tracker)
      }
    }
  }

  @Test("10 000 random headers are refused or waited for without room being made for them")
  func headers() throws {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<10_000 {
      let length = UInt32.random(in: 0...UInt32.max, using: &generator)
      var decoder = FrameDecoder()
      decoder.append([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) })
      if (1...65_536).contains(length) {
        #expect(try decoder.next() == nil)
      } else {
        #expect(throws: ProtocolError.self) { try decoder.next() }
      }
    }
  }

  /// Texts that cost a careless parser its stack, its time or its process.
  static let nasty: [String] = [
    String(repeating: "[", count: 60_000), String(repeating: #"{"a":"#, count: 12_000),
    String(repeating: "[]", count: 30_000), "[" + String(repeating: "[],", count: 20_000) + "[]]",
    String(repeating: "9", count: 60_000), "0." + String(repeating: "9", count: 60_000),
    "0." + String(repeating: "0", count: 60_000) + "1", "1e" + String(repeating: "9", count: 60_000),
    "1e-" + String(repeating: "9", count: 60_000), String(repeating: "9", count: 400) + "e-400",
    "\"" + String(repeating: "\\u0000", count: 10_000) + "\"", "\"" + String(repeating: "\\", count: 60_000),
    "{" + String(repeating: #""a":0,"#, count: 10_000) + #""a":1}"#, String(repeating: " ", count: 65_000),
    #"{"status":{"currentTime":1e308,"playbackRate":-1e308}}"#,
  ]
  @Test("Nasty JSON is read or refused in milliseconds", .timeLimit(.minutes(1)), arguments: nasty)
  func nastyJSON(text: String) {
    let start = ContinuousClock.now
    let value = try? JSONValue(parsing: text)
    _ = value?.serialized()
    #expect(ContinuousClock.now - start < .seconds(2), "far above what a busy machine needs")
  }

  static let numbers: [String] = [
    "1e308", "-1e308", "5e-324", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e19", "-1",
    "0", "-0.0", "0.5", "2147483648", "4294967296", #""1e999""#, #""nan""#, #""-inf""#, #""""#,
    #""9223372036854775808""#,
    "null", "true", "[]", "{}", #"[[]]"#,
  ]
  @Test(
    "Any number in any field of a status is read, clamped or ignored, and estimates stay finite", arguments: numbers)
  func numbersEverywhere(number: String) throws {
    let fields = [
      "mediaSessionId", "playerState", "idleReason", "currentTime", "playbackRate", "supportedMediaCommands", "volume",
      "media", "activeTrackIds", "currentItemId", "loadingItemId", "preloadedItemId", "repeatMode", "items",
      "breakStatus", "extendedStatus", "videoInfo", "liveSeekableRange", "customData",
    ]
    let inner = [
      "level", "muted", "duration", "tracks", "breaks", "breakClips", "textTrackStyle", "metadata", "contentId",
      "startAbsoluteTime", "breakId", "breakClipId", "currentBreakTime", "currentBreakClipTime", "whenSkippable",
      "width", "height", "start", "end", "isMovingWindow", "isLiveDone", "mediaSessionId",
    ].map { #""\#($0)":\#(number)"# }.joined(separator: ",")
    for field in fields {
      for value in [number, "{\(inner)}", "[\(number)]", "[{\(inner)}]"] {
        var device = try TrackedDevice()
        try device.media(StatusTrackerTests.full)
        try device.media(#"{"mediaSessionId":1,"playerState":"PLAYING","\#(field)":\#(value)}"#, at: 1)
        for estimate in [
          device.snapshot.position(at: .seconds(1000)), device.snapshot.breakClipTime(at: .seconds(1000)),
          device.snapshot.breakTime(at: .seconds(1000)),
        ] {
          if let estimate { #expect(estimate.isFinite && estimate >= 0) }
        }
      }
    }
  }

  @Test("10 000 applications, tracks and items are read as far as 256")
  func longLists() throws {
    var device = try TrackedDevice()
    let many = Array(repeating: "{}", count: 5000).joined(separator: ",")
    try device.media(#"{"mediaSessionId":1,"items":[\#(many)],"media":{"breaks":[\#(many)],"breakClips":[\#(many)]}}"#)
    #expect(device.media?.items?.count == 256)
    #expect(device.media?.media?.breaks?.count == 256)
    #expect(device.media?.media?.breakClips?.count == 256)
  }
}
