import CastProtocol
import Foundation
import Testing

/// One published message.
struct Recording {
  var file: String
  var index: Int
  var namespace: Namespace
  var direction: String
  var payload: JSONValue
  var source: EndpointID?

  static let folder = "recordings"

  /// Every message of `file`, read by our own parser.
  static func all(in file: String) throws -> [Recording] {
    let json = try JSONValue(parsing: Reference.bytes("\(folder)/\(file)"))
    return try #require(json.array).enumerated().map { index, message in
      Recording(
        file: file, index: index, namespace: Namespace(rawValue: message["namespace"]?.string ?? ""),
        direction: message["direction"]?.string ?? "", payload: try #require(message["payload"]),
        source: message["sourceId"]?.string.map { EndpointID($0) })
    }
  }

  static func files() throws -> [String] { try Reference.files(in: folder).filter { $0.hasSuffix(".json") } }

  var type: String? { payload["type"]?.string ?? payload["responseType"]?.string }
}

@Suite("Recordings", .enabled(if: Reference.has(Recording.folder)))
struct RecordingsTests {
  @Test("There are as many messages as the files had when their exceptions were looked at")
  func count() throws {
    let files = try Recording.files()
    #expect(files.count == 14)
    #expect(try files.map { try Recording.all(in: $0).count }.reduce(0, +) == 188)
  }

  @Test("Every recorded payload survives a frame")
  func frames() throws {
    for recording in try Recording.files().flatMap({ try Recording.all(in: $0) }) {
      let message = CastMessage(
        source: recording.source ?? .receiver, destination: .everyone, namespace: recording.namespace,
        json: recording.payload)
      var decoder = FrameDecoder()
      decoder.append(try FrameEncoder.frame(message))
      let decoded = try CastMessage(decoding: #require(try decoder.next()))
      #expect(decoded == message)
      guard case .text(let text) = decoded.payload else {
        Issue.record("\(recording.file) \(recording.index): \(decoded)")
        continue
      }
      #expect(try JSONValue(parsing: text) == recording.payload)
    }
  }

  /// Whether our value is the one Foundation read. Foundation's last digit of a double may be off.
  static func isSame(_ ours: JSONValue, _ theirs: Any) -> Bool {
    switch ours {
    case .null: return theirs is NSNull
    case .bool(let value): return (theirs as? NSNumber)?.boolValue == value
    case .int(let value): return (theirs as? NSNumber)?.intValue == value
    case .double(let value):
      guard let number = (theirs as? NSNumber)?.doubleValue else { return false }
      return abs(number - value) <= abs(value) * 1e-15
    case .string(let value): return theirs as? String == value
    case .array(let elements):
      guard let list = theirs as? [Any], list.count == elements.count else { return false }
      return zip(elements, list).allSatisfy { isSame($0, $1) }
    case .object(let object):
      guard let members = theirs as? [String: Any], members.count == object.members.count else { return false }
      return object.members.allSatisfy { member in members[member.name].map { isSame(member.value, $0) } ?? false }
    }
  }

  @Test("Every recording is read as Foundation reads it")
  func foundation() throws {
    for file in try Recording.files() {
      let bytes = try Reference.bytes("\(Recording.folder)/\(file)")
      let theirs = try JSONSerialization.jsonObject(with: Data(bytes))
      #expect(Self.isSame(try JSONValue(parsing: bytes), theirs), "\(file)")
    }
  }

  @Test("Every message a device sent on the receiver, media or multizone namespace has its type")
  func types() throws {
    var typed = 0
    var exceptions: [String] = []
    for recording in try Recording.files().flatMap({ try Recording.all(in: $0) }) where recording.direction == "in" {
      let place = "\(recording.file) \(recording.index) \(recording.type ?? "-")"
      if recording.namespace == .receiver {
        if case .other = try #require(ReceiverMessage(recording.payload)) {
          exceptions.append(place)
        } else {
          typed += 1
        }
      } else if recording.namespace == .media {
        if case .other = try #require(MediaMessage(recording.payload)) { exceptions.append(place) } else { typed += 1 }
      } else if recording.namespace == .multizone {
        if case .other = try #require(MultizoneMessage(recording.payload)) {
          exceptions.append(place)
        } else {
          typed += 1
        }
      } else if recording.namespace == .connection {
        #expect(ConnectionRequest(recording.payload) != nil, "\(place)")
      }
    }
    #expect(exceptions == [])
    #expect(typed == 126)
  }

  // MARK: writing what was read

  /// The members of `recorded` that `written` lacks or has otherwise. `null` says nothing, `2` and `"2"` the same.
  static func lost(_ recorded: JSONValue, _ written: JSONValue?, _ path: String = "") -> [String] {
    switch (recorded, written) {
    case (.null, _): return []
    case (.object(let object), .some(.object(let other))):
      return object.members.flatMap { lost($0.value, other[$0.name], path + "/" + $0.name) }
    case (.array(let elements), .some(.array(let others))):
      return elements.enumerated().flatMap { lost($1, others.indices.contains($0) ? others[$0] : nil, path + "[]") }
    default:
      let numbers = (text(recorded).flatMap { Double($0) }, text(written).flatMap { Double($0) })
      if let number = numbers.0 { return number == numbers.1 ? [] : [path] }
      return text(recorded) == text(written) ? [] : [path]
    }
  }

  /// What is not written again: a duration that says "live", an id of old that nobody reads, a member and whole
  /// requests that senders made up.
  static let left: [String: Set<String>] = [
    "media": ["/duration"], "item": ["/media/duration", "/media/itemData"],
    "request": ["/sessionId", "/items[]/media/itemData", ""], "metadata": [], "queue": [],
  ]
  static let inventedRequests: Set<String> = ["VOLUME", "FINISH_Q3_OKRS_BY_END_OF_Q3"]

  @Test("Every recorded media, queue item, queue, metadata and request is written again as it was")
  func written() throws {
    var lost: [String: Set<String>] = [:]
    var count = 0
    func compare(_ recorded: JSONValue?, _ written: JSONValue?, _ kind: String) {
      guard let recorded, case .object = recorded else { return }
      count += 1
      lost[kind, default: []].formUnion(Self.lost(recorded, written))
      if written == nil { #expect(Self.inventedRequests.contains(recorded["type"]?.string ?? "")) }
    }
    for recording in try Recording.files().flatMap({ try Recording.all(in: $0) }) {
      let payload = recording.payload
      let status = payload["status"]?.array?.first ?? payload["status"]
      for holder in [status, payload, status?["extendedStatus"]].compactMap({ $0 }) {
        let media = holder["media"]
        compare(media, media.flatMap { MediaInformation($0)?.json }, "media")
        let details = media.flatMap { MediaInformation($0)?.details }
        compare(media?["metadata"], details.map { .object($0.json) }, "metadata")
        compare(holder["queueData"], holder["queueData"].flatMap { QueueData($0)?.json }, "queue")
        for item in holder["items"]?.array ?? [] { compare(item, QueueItem(item)?.json, "item") }
      }
      if recording.direction == "out", recording.namespace == .media {
        compare(payload, MediaRequest(payload)?.json(requestID: payload["requestId"]?.int ?? 0), "request")
      }
      if recording.direction == "out", recording.namespace == .receiver {
        compare(payload, ReceiverRequest(payload)?.json(requestID: payload["requestId"]?.int ?? 0), "request")
      }
    }
    #expect(lost == Self.left)
    #expect(count > 100)
  }

  /// What `status` says of `name`, read as text so that `2` and `"2"` are the same.
  static func text(_ status: JSONValue?, _ path: String...) -> String? {
    let value = path.reduce(status) { $0?[$1] }
    return value.flatMap { $0.isNull ? nil : $0.string ?? $0.serialized() }
  }

  @Test("Each recorded media status, taken alone, gives a snapshot that says the same")
  func mediaStatuses() throws {
    var statuses = 0
    for recording in try Recording.files().flatMap({ try Recording.all(in: $0) })
    where recording.direction == "in" && recording.namespace == .media && recording.type == "MEDIA_STATUS" {
      let place = "\(recording.file) \(recording.index)"
      var tracker = StatusTracker()
      tracker.connected()
      #expect(tracker.receive(recording.payload, namespace: .media, from: "app", at: .zero) == .media)
      // One app says what is playing without anything around it.
      let status = recording.payload["status"] ?? recording.payload["mediaSessionId"].map { _ in recording.payload }
      guard let element = status?.array.map({ $0.first }) ?? status, case .object = element else {
        #expect(tracker.snapshot.media == nil, "\(place)")
        continue
      }
      statuses += 1
      let media = try #require(tracker.snapshot.media, "\(place)")
      #expect(Self.text(element, "mediaSessionId").flatMap { Int($0) } ?? 0 == media.mediaSessionID, "\(place)")
      let state: [MediaStatus.PlayerState: String] = [
        .idle: "IDLE", .playing: "PLAYING", .paused: "PAUSED", .buffering: "BUFFERING",
      ]
      #expect(Self.text(element, "playerState") == state[media.playerState], "\(place)")
      #expect(element["currentTime"]?.number == media.currentTime, "\(place)")
      #expect(element["playbackRate"]?.number == media.playbackRate, "\(place)")
      #expect(element["supportedMediaCommands"]?.int == media.supportedMediaCommands, "\(place)")
      #expect(element["volume"]?["level"]?.number == media.volume.level, "\(place)")
      #expect((element["idleReason"]?.string != nil) == (media.idleReason != nil), "\(place)")
      #expect(element["activeTrackIds"]?.array?.count == media.activeTrackIDs?.count, "\(place)")
      #expect(element["items"]?.array?.count == media.items?.count, "\(place)")
      #expect(Self.text(element, "breakStatus", "breakClipId") == media.breakStatus?.breakClipID, "\(place)")
      #expect(Self.text(element, "extendedStatus", "playerState") == media.extendedPlayerState, "\(place)")
      let information = element["media"]?.object.map { .object($0) } ?? element["extendedStatus"]?["media"]
      #expect((information != nil) == (media.media != nil), "\(place)")
      #expect(Self.text(information, "contentId") ?? "" == media.media?.contentID ?? "", "\(place)")
      #expect(Self.text(information, "contentType") == media.media?.contentType, "\(place)")
      #expect(Self.text(information, "streamType") == media.media?.streamType, "\(place)")
      #expect(information?["tracks"]?.array?.count == media.media?.tracks?.count, "\(place)")
      #expect(information?["breaks"]?.array?.count == media.media?.breaks?.count, "\(place)")
      #expect(information?["metadata"]?.object == media.media?.metadata, "\(place)")
      if let duration = information?["duration"]?.number, duration > 0 {
        #expect(media.media?.duration == duration, "\(place)")
      } else {
        #expect(media.media?.duration == nil, "\(place)")
      }
    }
    #expect(statuses == 44)
  }

  @Test("Each recorded receiver status is read in full")
  func receiverStatuses() throws {
    var statuses = 0
    for recording in try Recording.files().flatMap({ try Recording.all(in: $0) })
    where recording.direction == "in" && recording.namespace == .receiver && recording.type == "RECEIVER_STATUS" {
      let place = "\(recording.file) \(recording.index)"
      let json = try #require(recording.payload["status"], "\(place)")
      let status = try #require(ReceiverStatus(json), "\(place)")
      statuses += 1
      #expect(json["volume"]?["level"]?.number == status.volume.level, "\(place)")
      #expect(json["volume"]?["muted"]?.bool == status.volume.muted, "\(place)")
      #expect(json["volume"]?["controlType"]?.string == status.volume.controlType, "\(place)")
      #expect(json["isActiveInput"]?.bool == status.isActiveInput, "\(place)")
      #expect(json["isStandBy"]?.bool == status.isStandBy, "\(place)")
      let app = json["applications"]?.array?.first
      #expect((app != nil) == (status.application != nil), "\(place)")
      #expect(app?["appId"]?.string == status.application?.appID, "\(place)")
      #expect(app?["displayName"]?.string ?? "" == status.application?.displayName ?? "", "\(place)")
      #expect(app?["sessionId"]?.string ?? "" == status.application?.sessionID ?? "", "\(place)")
      #expect(app?["transportId"]?.string == status.application?.transportID?.rawValue, "\(place)")
      #expect(app?["namespaces"]?.array?.count ?? 0 == status.application?.namespaces.count ?? 0, "\(place)")
      #expect(app?["isIdleScreen"]?.bool ?? (app?["appId"] == "E8C28D3C") == status.application?.isIdleScreen ?? false)
    }
    #expect(statuses == 33)
  }

  @Test("Whole recordings played in order leave a snapshot and a position without a hitch")
  func playback() throws {
    for file in try Recording.files() {
      var tracker = StatusTracker()
      tracker.connected()
      for (second, recording) in try Recording.all(in: file).enumerated() where recording.direction == "in" {
        let source = recording.source ?? tracker.snapshot.receiver?.application?.transportID ?? .receiver
        tracker.receive(recording.payload, namespace: recording.namespace, from: source, at: .seconds(second))
        if let position = tracker.snapshot.position(at: .seconds(second + 1)) { #expect(position >= 0) }
      }
    }
  }

  @Test("The recorded session of GNOME Network Displays merges as it was played: loading, buffering, playing")
  func gnomeSession() throws {
    var tracker = StatusTracker()
    tracker.connected()
    var seen: [String] = []
    for recording in try Recording.all(in: "gnome-network-displays-trace.json") where recording.direction == "in" {
      let source = recording.source ?? .receiver
      tracker.receive(recording.payload, namespace: recording.namespace, from: source, at: .zero)
      let app = tracker.snapshot.receiver?.application?.appID ?? "none"
      let media = tracker.snapshot.media.map { media in
        let isKnown = media.media?.contentID.hasSuffix("BigBuckBunny.mp4") == true
        return " \(media.mediaSessionID) \(media.extendedPlayerState ?? "\(media.playerState)") \(isKnown)"
      }
      seen.append(app + (media ?? ""))
    }
    #expect(
      seen == [
        "2C6A6E3D", "none", "CC1AD845", "CC1AD845", "CC1AD845 1 LOADING true", "CC1AD845 1 buffering true",
        "CC1AD845 1 playing true",
      ])
  }
}
