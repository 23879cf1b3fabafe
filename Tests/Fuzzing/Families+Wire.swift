import CastClient
import CastProtocol
import Foundation

extension Family {
  static let frames = Family(
    name: "frames", seeds: { WireSeeds.frames + Corpus.reference("auth/framer_seeds") },
    words: [
      "\0\0\0\u{1}", "\0\u{1}\0\0", "{\"type\":\"PING\"}", "urn:x-cast:com.google.cast.media", "9e999", "\\u0000",
    ],
    makeReader: { FrameReader() })
  static let json = Family(
    name: "json", seeds: { WireSeeds.texts.map { Array($0.utf8) } + recordedJSON },
    words: [
      "null", "true", "-0", "1e308", "1e-400", "9223372036854775808", "\\ud800", "\\udc00", "\\u0000", "{\"a\":", "[[",
      "\"\"", ",", "\u{FEFF}", "NaN", "5e-324", "0.1",
    ], makeReader: { JSONReader() })
  static let protobuf = Family(
    name: "protobuf",
    seeds: { WireSeeds.messages.map { $0.encoded() } + WireSeeds.proofs + Corpus.reference("auth/crl") },
    words: ["\u{8}\u{80}\u{80}", "\u{A}\u{7F}", "\u{12}", "\u{1B}", "\u{2D}", "receiver-0"],
    makeReader: { ProtobufReader() })

  /// Recordings are long: each of their messages is a seed.
  private static var recordedJSON: [[UInt8]] {
    var seeds: [[UInt8]] = []
    func add(_ value: JSONValue, _ depth: Int) {
      let text = Array(value.serialized().utf8)
      if text.count <= 4096 { return seeds.append(text) }
      guard depth < 8 else { return }
      for element in value.array ?? value.object?.members.map(\.value) ?? [] { add(element, depth + 1) }
    }
    for file in Corpus.reference("recordings", endingIn: ".json") {
      if let value = try? JSONValue(parsing: file) { add(value, 0) }
    }
    return seeds
  }
}

/// Messages as devices send them.
enum WireSeeds {
  static let status = #"""
    {"type":"MEDIA_STATUS","requestId":1,"status":[{"mediaSessionId":1,"playbackRate":1,"playerState":"PLAYING",
    "currentTime":12.5,"supportedMediaCommands":274447,"volume":{"level":1,"muted":false},"activeTrackIds":[1],
    "media":{"contentId":"https://cdn.example.com/a.mp4","streamType":"BUFFERED","contentType":"video/mp4","duration":60.1,
    "metadata":{"metadataType":0,"title":"Ünï 😀","images":[{"url":"https://x/y.png"}]},
    "tracks":[{"trackId":1,"type":"TEXT","language":"en"}],
    "breaks":[{"id":"b","breakClipIds":["c"],"position":5}],"breakClips":[{"id":"c","duration":5}],
    "textTrackStyle":{"fontScale":1.2}},"currentItemId":1,"items":[{"itemId":1,"media":{"contentId":"a"}}],
    "repeatMode":"REPEAT_OFF","breakStatus":{"breakId":"b","breakClipId":"c","currentBreakTime":1,"whenSkippable":5},
    "liveSeekableRange":{"start":0,"end":9,"isMovingWindow":true},"extendedStatus":{"playerState":"LOADING"}}]}
    """#
  static let texts = [
    status,
    #"{"type":"RECEIVER_STATUS","requestId":0,"status":{"applications":[{"appId":"CC1AD845","displayName":"\ud83d\ude00","namespaces":[{"name":"urn:x-cast:com.google.cast.media"}],"sessionId":"app","transportId":"app"}],"volume":{"controlType":"master","level":0.10000000149011612,"muted":false}}}"#,
    #"{"type":"LOAD","requestId":7,"media":{"contentId":"https://x/a.mp4","streamType":"LIVE"},"autoplay":true,"currentTime":0}"#,
    #"{"type":"QUEUE_LOAD","requestId":8,"items":[{"media":{"contentId":"a"},"preloadTime":5}],"startIndex":0,"repeatMode":"REPEAT_ALL"}"#,
    #"{"type":"SET_VOLUME","requestId":3,"volume":{"level":0.5}}"#, #"{"type":"PING"}"#,
    "[1,2.5,-3e-7,null,true,\"\\n\"]",
  ]
  static let messages: [CastMessage] =
    texts.map {
      CastMessage(source: EndpointID("app"), destination: .everyone, namespace: .media, payload: .text($0))
    } + [
      CastMessage(source: .receiver, destination: .sender, namespace: .deviceAuth, payload: .binary(proofs[0])),
      CastMessage(source: .receiver, destination: .sender, namespace: .heartbeat, json: ["type": "PONG"]),
    ]
  static let frames = messages.compactMap { try? FrameEncoder.frame($0) }
  static var proofs: [[UInt8]] {
    var challenge = DeviceAuthMessage.Challenge()
    challenge.nonce = Array(0...15)
    challenge.hashAlgorithm = .sha256
    return [
      CertificateSeeds.response.encoded(), DeviceAuthMessage.challenge(challenge).encoded(),
    ]
  }
}

/// Frames, and all that reads what is in them.
private final class FrameReader: Reader {
  private var tracker = StatusTracker()

  func read(_ bytes: [UInt8]) throws(Violation) {
    let whole = Self.bodies(bytes, pieces: bytes.count)
    guard whole == Self.bodies(bytes, pieces: 1 + bytes.count % 7) else {
      throw Violation("frames in pieces are not the frames in one")
    }
    var again: [UInt8] = []
    for body in whole.bodies { try? FrameEncoder.append(body, to: &again) }
    guard bytes.starts(with: again) else { throw Violation("frames that are written again are others") }
    var machine = ChannelStateMachine(now: .zero)
    for effect in machine.receive(bytes, at: .zero) + machine.timerFired(at: .seconds(5)) {
      if case .deliver(let message) = effect { try receive(message) }
    }
  }

  private struct Bodies: Equatable {
    var bodies: [[UInt8]] = []
    var error: ProtocolError?
  }

  private static func bodies(_ bytes: [UInt8], pieces: Int) -> Bodies {
    var decoder = FrameDecoder()
    var found = Bodies()
    var rest = bytes[...]
    do throws(ProtocolError) {
      while !rest.isEmpty {
        decoder.append(rest.prefix(max(1, pieces)))
        rest = rest.dropFirst(max(1, pieces))
        while let body = try decoder.next() { found.bodies.append(body) }
      }
    } catch {
      found.error = error
    }
    return found
  }

  private func receive(_ message: CastMessage) throws(Violation) {
    guard case .text(let text) = message.payload, let json = try? JSONValue(parsing: text) else { return }
    for namespace in [Namespace.receiver, .media] {
      let sent = CastMessage(
        source: message.source, destination: message.destination, namespace: namespace, payload: message.payload)
      let message = IncomingMessage(sent)
      tracker.receive(message, at: .seconds(1))
      let body: IncomingMessage.Body? =
        namespace == .media ? MediaMessage(json).map { .media($0) } : ReceiverMessage(json).map { .receiver($0) }
      let expected: IncomingMessage.Body =
        switch body {
        case nil, .media(.other(type: nil, _)), .receiver(.other(type: nil, _)): .unreadable
        case let body?: body
        }
      guard message.content == json, message.body == expected else {
        throw Violation("from its text \(message.body) is read, from a tree \(expected): \(text)")
      }
    }
    _ = ConnectionRequest(json)
    _ = ReceiverRequest(json)
    _ = MediaRequest(json)?.json(requestID: 1)
    _ = MultizoneMessage(json)
    _ = DeviceInfo(json)
    let snapshot = tracker.snapshot
    _ = snapshot.media?.media?.details?.json
    for time in [Duration.seconds(2), .seconds(1_000_000)] {
      for estimate in [snapshot.position(at: time), snapshot.breakClipTime(at: time), snapshot.breakTime(at: time)] {
        if let estimate, !(estimate.isFinite && estimate >= 0) { throw Violation("a position of \(estimate)") }
      }
    }
    for count in [snapshot.media?.items?.count, snapshot.media?.media?.tracks?.count] where (count ?? 0) > 256 {
      throw Violation("a list of \(count ?? 0)")
    }
  }
}

/// JSON: what is read is written, and read again it is the same; the library of the system reads it as well.
private final class JSONReader: Reader {
  func read(_ bytes: [UInt8]) throws(Violation) {
    guard let value = try? JSONValue(parsing: bytes) else { return }
    let text = value.serialized()
    guard let again = try? JSONValue(parsing: text) else { throw Violation("what was written cannot be read: \(text)") }
    guard again == value, again.serialized() == text else { throw Violation("read again it is another: \(text)") }
    guard text.utf8.count <= 6 * bytes.count + 64 else {
      throw Violation("\(bytes.count) bytes became \(text.utf8.count)")
    }
    guard (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)) != nil else {
      throw Violation("Foundation does not read it: \(text)")
    }
  }
}

/// The three messages of protobuf.
private final class ProtobufReader: Reader {
  func read(_ bytes: [UInt8]) throws(Violation) {
    if let message = try? CastMessage(decoding: bytes) {
      guard let again = try? CastMessage(decoding: message.encoded()), again == message else {
        throw Violation("a message that is written again is another: \(message)")
      }
    }
    if let message = try? DeviceAuthMessage(decoding: bytes) {
      guard let again = try? DeviceAuthMessage(decoding: message.encoded()), again == message else {
        throw Violation("a proof that is written again is another: \(message)")
      }
    }
    // Whether what it says makes sense is asked when it is verified.
    _ = try? RevocationList(decodingBundle: bytes)
  }
}
