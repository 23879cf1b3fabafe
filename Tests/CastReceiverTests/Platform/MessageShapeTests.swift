import CastProtocol
import Testing

@testable import CastReceiver

@Suite(.enabled(if: Recordings.areAvailable)) struct MessageShapeTests {
  /// Members that no recording shows, with the section of docs/protocol.md that does.
  static let documented: Set<String> = [
    // 5.7, breaks and their status
    "MEDIA_STATUS/status[]/breakStatus", "MEDIA_STATUS/status[]/breakStatus/breakId",
    "MEDIA_STATUS/status[]/breakStatus/breakClipId", "MEDIA_STATUS/status[]/breakStatus/currentBreakTime",
    "MEDIA_STATUS/status[]/breakStatus/currentBreakClipTime", "MEDIA_STATUS/status[]/breakStatus/whenSkippable",
    "MediaInformation/breaks[]", "MediaInformation/breaks[]/id", "MediaInformation/breaks[]/position",
    "MediaInformation/breaks[]/breakClipIds", "MediaInformation/breaks[]/breakClipIds[]",
    "MediaInformation/breaks[]/isWatched", "MediaInformation/breakClips[]", "MediaInformation/breakClips[]/id",
    "MediaInformation/breakClips[]/duration", "MediaInformation/breakClips[]/whenSkippable",
    "MediaInformation/breakClips[]/contentType",
    // 5.5, tracks
    "MediaInformation/tracks[]/language", "MediaInformation/tracks[]/subtype",
    // 4.3, 5.1 and 5.8, queues
    "QUEUE_CHANGE", "QUEUE_CHANGE/type", "QUEUE_CHANGE/changeType", "QUEUE_CHANGE/itemIds",
    "QUEUE_CHANGE/itemIds[]", "QUEUE_CHANGE/insertBefore", "QUEUE_CHANGE/sequenceNumber", "QUEUE_CHANGE/reorderItemIds",
    "QUEUE_CHANGE/reorderItemIds[]", "QUEUE_ITEM_IDS", "QUEUE_ITEM_IDS/type", "QUEUE_ITEM_IDS/requestId",
    "QUEUE_ITEM_IDS/itemIds", "QUEUE_ITEM_IDS/itemIds[]", "MEDIA_STATUS/status[]/loadingItemId",
    "MEDIA_STATUS/status[]/preloadedItemId", "MEDIA_STATUS/status[]/queueData/repeatMode",
    "MEDIA_STATUS/status[]/items[]/preloadTime", "MEDIA_STATUS/status[]/items[]/startTime",
    "QUEUE_ITEMS/items[]/preloadTime", "QUEUE_ITEMS/items[]/startTime", "QUEUE_ITEMS/items[]/autoplay",
    // In the transcript of the receiver SDK
    "QUEUE_ITEM_IDS/sequenceNumber", "MEDIA_STATUS/status[]/queueData/startIndex",
    "MEDIA_STATUS/status[]/items[]/activeTrackIds", "MEDIA_STATUS/status[]/items[]/activeTrackIds[]", "ERROR/requestId",
    "ERROR/reason",
    // 2.2
    "CONNECTED", "CONNECTED/type", "CONNECTED/protocolVersion",
  ]

  /// A session that makes the receiver say everything it can say.
  static func everythingSaid() -> [JSONValue] {
    var receiver = ReceiverHarness()
    var heard = receiver.start()
    heard += receiver.open(2) + receiver.connect("b", connection: 2)
    heard += receiver.send(["type": "CONNECT", "protocolVersion": 2], on: .connection, to: receiver.transport)
    heard += receiver.send(["type": "SET_VOLUME", "requestId": 2, "volume": ["level": 0.4]])
    heard += receiver.send(["type": "NOTHING", "requestId": 3])
    heard += receiver.send(["type": "GET_APP_AVAILABILITY", "requestId": 4, "appId": ["1A2B3C4D"]])
    heard += receiver.send(["type": "LAUNCH", "requestId": 5, "appId": "DEADBEEF"])
    heard += receiver.send(
      ["type": "GET_STATUS", "requestId": 6], on: Namespace(rawValue: "urn:x-cast:com.google.cast.multizone"))
    heard += receiver.load(["contentId": "a", "contentType": "text/html"])
    let tracks: JSONValue = [
      ["trackId": 1, "type": "TEXT", "subtype": "SUBTITLES", "language": "en"], ["trackId": 2, "type": "VIDEO"],
    ]
    heard += receiver.load(
      [
        "contentId": "a", "contentType": "video/mp4", "streamType": "BUFFERED", "duration": 50.5, "tracks": tracks,
        "metadata": ["metadataType": 0, "title": "A"],
        "breakClips": [["id": "c", "duration": 9.5, "whenSkippable": 1.5], ["id": "x", "contentType": "text/css"]],
        "breaks": [["id": "b", "position": 1.5, "breakClipIds": ["c", "x", "c"]]],
      ], ["activeTrackIds": [1], "currentTime": 0.5])
    heard += receiver.advance(by: .seconds(5))
    heard += receiver.media("SKIP_AD") + receiver.advance(by: .seconds(12))
    heard += receiver.media("PAUSE") + receiver.media("GET_STATUS") + receiver.media("SEEK", ["currentTime": 20.25])
    heard += receiver.media("EDIT_TRACKS_INFO", ["textTrackStyle": ["fontScale": 1.5]])
    heard += receiver.media("SET_VOLUME", ["volume": ["level": 0.5]]) + receiver.media("SKIP_AD")
    heard += receiver.load(["contentId": "b", "streamType": "BUFFERED", "contentType": "audio/mpeg"])
    heard += receiver.media("STOP") + receiver.media("GET_STATUS") + receiver.load(film, ["currentTime": 599])
    heard += receiver.advance(by: .seconds(1))
    heard += receiver.media(
      "QUEUE_LOAD", ["items": [QueueTests.item("a"), QueueTests.item("b", ["preloadTime": 2.5, "startTime": 1.5])]])
    heard += receiver.advance(by: .seconds(12)) + receiver.media("QUEUE_INSERT", ["items": QueueTests.items("c")])
    heard += receiver.media("QUEUE_INSERT", ["items": QueueTests.items("d"), "insertBefore": 1])
    heard += receiver.media("QUEUE_REORDER", ["itemIds": [1]]) + receiver.media("QUEUE_REMOVE", ["itemIds": [1]])
    heard += receiver.media("QUEUE_GET_ITEM_IDS") + receiver.media("QUEUE_GET_ITEMS", ["itemIds": [2, 3]])
    heard += receiver.send(["type": "LAUNCH", "appId": "A1B2C3D4", "requestId": 7])
    heard += receiver.send(["type": "STOP", "requestId": 8])
    return heard.map(\.json).filter { $0["type"] != "GET_DEVICE_INFO" && $0["type"] != "eureka_info" }
  }

  @Test("Every member we send, and the kind of its value, occurs in a message of a real device or is documented")
  func members() throws {
    var recorded: [String: Set<String>] = [:]
    for payload in try Recordings.fromDevices() {
      for (path, kind) in Self.paths(payload) { recorded[path, default: []].insert(kind) }
    }
    #expect(recorded.count > 200)
    let said = Self.everythingSaid()
    #expect(Set(said.compactMap { $0["type"]?.string }).count == 13)
    for message in said {
      for (path, kind) in Self.paths(message) where !Self.documented.contains(path) {
        let kinds = try #require(recorded[path], "no device sends \(path)")
        #expect(kinds.contains(kind), "\(path) is \(kind), devices send \(kinds)")
      }
    }
  }

  static let states: [String] = ["PLAYING", "BUFFERING", "IDLE/ERROR", "IDLE/CANCELLED", "IDLE/LOADING"]
  @Test("What all devices put into a status is in ours", arguments: states)
  func completeness(state: String) throws {
    func members(_ messages: [JSONValue]) -> [Set<String>] {
      messages.compactMap { $0["type"] == "MEDIA_STATUS" ? $0["status"]?.array?.first : nil }.filter { status in
        let detail = status["idleReason"]?.string ?? status["extendedStatus"]?["playerState"]?.string
        return [status["playerState"]?.string, detail].compactMap { $0 }.joined(separator: "/") == state
      }.compactMap { $0.object.map { Set($0.members.map(\.name)) } }
    }
    // Apps other than the default media receiver leave out items and repeatMode.
    let recorded = members(try Recordings.fromDevices()).filter { $0.contains("currentItemId") }
    let ours = members(Self.everythingSaid())
    #expect(!ours.isEmpty && !recorded.isEmpty)
    // The size of a picture is known where there is one.
    let common = recorded.dropFirst().reduce(recorded[0]) { $0.intersection($1) }.subtracting(["videoInfo"])
    #expect(common.count >= 3)
    for status in ours { #expect(common.isSubset(of: status), "missing \(common.subtracting(status))") }
  }

  /// Each member of a message as a path, with the kind of its value. What is in a `media` has the same path wherever
  /// that is.
  static func paths(_ message: JSONValue) -> [(path: String, kind: String)] {
    let root = message["type"]?.string ?? message["responseType"]?.string ?? "?"
    var paths: [(String, String)] = []
    func visit(_ value: JSONValue, _ path: String) {
      switch value {
      case .null: paths.append((path, "null"))
      case .bool: paths.append((path, "bool"))
      case .int, .double: paths.append((path, "number"))
      case .string: paths.append((path, "string"))
      case .array(let values):
        paths.append((path, "array"))
        for value in values { visit(value, path + "[]") }
      case .object(let object):
        paths.append((path, "object"))
        for member in object.members {
          visit(member.value, member.name == "media" ? "MediaInformation" : path + "/" + member.name)
        }
      }
    }
    visit(message, root)
    return paths
  }
}
