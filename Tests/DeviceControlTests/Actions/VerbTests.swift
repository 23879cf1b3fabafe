import CastProtocol
import ScenarioLanguage
import Testing

@testable import DeviceControl
@testable import RunReporting

/// What each verb sends to what plays, when it is done, and what it refuses before it sends anything.
@Suite struct VerbTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var title: String
    var action: DeviceAction
    var on: VerbDevice.Setting
    /// `nil`: nothing is sent.
    var sends: JSONValue?
    /// `nil`: it is done.
    var fails: ErrorClass?
    var says: String?
    var testDescription: String { title }

    init(
      _ title: String, _ action: DeviceAction, on setting: VerbDevice.Setting, sends: JSONValue? = nil,
      fails: ErrorClass? = nil, says: String? = nil
    ) {
      (self.title, self.action, on, self.sends, self.fails, self.says) = (title, action, setting, sends, fails, says)
    }
  }

  private static func playing(_ more: JSONObject = [:], answer: JSONObject = [:]) -> VerbDevice.Setting {
    VerbDevice.Setting(media: more, answer: answer)
  }

  private static func paused(_ more: JSONObject = [:], answer: JSONObject = [:]) -> VerbDevice.Setting {
    var media: JSONObject = ["playerState": "PAUSED"]
    media.members += more.members
    return VerbDevice.Setting(media: media, answer: answer)
  }

  private static func queue(_ items: [Int], at current: Int, answer: JSONObject = [:], then: [Int]? = nil)
    -> VerbDevice.Setting
  {
    VerbDevice.Setting(
      media: ["currentItemId": .int(current)], answer: answer, items: items, itemsAfter: then)
  }

  private static let film: JSONObject = [
    "media": [
      "contentId": "a.mp4", "contentType": "video/mp4", "streamType": "BUFFERED", "duration": 60,
      "tracks": [
        ["trackId": 1, "type": "AUDIO", "language": "en"], ["trackId": 2, "type": "TEXT", "language": "en-GB"],
        ["trackId": 3, "type": "TEXT", "language": "no"],
      ],
    ]
  ]

  private static func ad(_ time: Double, skippableAt: Double?) -> JSONObject {
    var state: JSONObject = ["breakId": "mid", "breakClipId": "car", "currentBreakClipTime": JSONValue(time)]
    state["whenSkippable"] = skippableAt.map { JSONValue($0) }
    return ["breakStatus": .object(state), "playbackRate": 0]
  }

  private static func sent(_ type: String, _ more: JSONObject = [:]) -> JSONValue {
    var object: JSONObject = ["type": .string(type), "mediaSessionId": 1]
    object.members += more.members
    return .object(object)
  }

  static let playback: [Row] = [
    Row("play", .play, on: paused(answer: ["playerState": "PLAYING"]), sends: sent("PLAY")),
    Row("play, on its way there", .play, on: paused(answer: ["playerState": "BUFFERING"]), sends: sent("PLAY")),
    Row("play, unheard", .play, on: paused(), sends: sent("PLAY"), fails: .timeout),
    Row("pause", .pause, on: playing(answer: ["playerState": "PAUSED"]), sends: sent("PAUSE")),
    Row("pause, unheard", .pause, on: playing(), sends: sent("PAUSE"), fails: .timeout),
    Row(
      "stop", .stop, on: playing(answer: ["playerState": "IDLE", "idleReason": "CANCELLED"]), sends: sent("STOP")),
    Row("stop what is idle", .stop, on: playing(["playerState": "IDLE", "idleReason": "FINISHED"])),
    Row("pause nothing", .pause, on: .init(media: nil), fails: .invalidState, says: "nothing is loaded"),
    Row(
      "pause without an app", .pause, on: .init(media: nil, isAppRunning: false), fails: .invalidState,
      says: "no app is running"),
    Row(
      "seek", .seek(Seek(.to(30))), on: paused(answer: ["currentTime": 30]), sends: sent("SEEK", ["currentTime": 30])),
    Row(
      "seek, nearly", .seek(Seek(.to(30))), on: paused(answer: ["currentTime": 28.5]),
      sends: sent("SEEK", ["currentTime": 30])),
    Row(
      "seek, not near", .seek(Seek(.to(30), tolerance: .seconds(1))), on: paused(answer: ["currentTime": 28.5]),
      sends: sent("SEEK", ["currentTime": 30]), fails: .timeout),
    Row(
      "seek before the start", .seek(Seek(.by(-30))), on: paused(["currentTime": 10], answer: ["currentTime": 0]),
      sends: sent("SEEK", ["currentTime": 0])),
    Row(
      "seek from where it is", .seek(Seek(.by(10))), on: paused(["currentTime": 5], answer: ["currentTime": 15]),
      sends: sent("SEEK", ["currentTime": 15])),
    Row(
      "seek and play", .seek(Seek(.toStart, then: .play)),
      on: paused(["currentTime": 9], answer: ["currentTime": 0, "playerState": "PLAYING"]),
      sends: sent("SEEK", ["currentTime": 0, "resumeState": "PLAYBACK_START"])),
    Row(
      "seek to an end", .seek(Seek(.toEnd)),
      on: playing(film, answer: ["playerState": "IDLE", "idleReason": "FINISHED"]),
      sends: sent("SEEK", ["currentTime": 60])),
    Row(
      "seek to no end", .seek(Seek(.toEnd)), on: playing(), fails: .invalidState,
      says: "the media has no known end to seek to"),
    Row(
      "rate", .rate(.to(1.5)), on: playing(answer: ["playbackRate": 1.5]),
      sends: sent("SET_PLAYBACK_RATE", ["playbackRate": 1.5])),
    Row(
      "rate by a factor", .rate(.by(2)), on: playing(["playbackRate": 0.5], answer: ["playbackRate": 1]),
      sends: sent("SET_PLAYBACK_RATE", ["relativePlaybackRate": 2])),
  ]

  static let tracks: [Row] = [
    Row(
      "a language: text before sound", .tracks(["en"]), on: playing(film, answer: ["activeTrackIds": [2]]),
      sends: sent("EDIT_TRACKS_INFO", ["activeTrackIds": [2]])),
    Row(
      "whatever its case", .tracks(["NO"]), on: playing(film, answer: ["activeTrackIds": [3]]),
      sends: sent("EDIT_TRACKS_INFO", ["activeTrackIds": [3]])),
    Row(
      "an id, in any order", .tracks(["3", "1"]), on: playing(film, answer: ["activeTrackIds": [1, 3]]),
      sends: sent("EDIT_TRACKS_INFO", ["activeTrackIds": [3, 1]])),
    Row(
      "none", .tracks([]), on: playing(film, answer: ["activeTrackIds": []]),
      sends: sent("EDIT_TRACKS_INFO", ["activeTrackIds": []])),
    Row(
      "one that is not there", .tracks(["fr"]), on: playing(film), fails: .invalidRequest,
      says: "the media has no track `fr`: it has 1 (en), 2 (en-GB), 3 (no)"),
    Row("no ad", .skipAd(force: false), on: playing(), fails: .invalidState, says: "no ad break is playing"),
    Row(
      "an ad too early", .skipAd(force: false), on: playing(ad(1, skippableAt: 5)), fails: .refusedLocally,
      says: "the clip can be skipped from 5s on"),
    Row(
      "an ad never", .skipAd(force: false), on: playing(ad(9, skippableAt: nil)), fails: .refusedLocally,
      says: "the clip can be skipped never"),
    Row(
      "an ad in time", .skipAd(force: false), on: playing(ad(6, skippableAt: 5), answer: ["breakStatus": .null]),
      sends: sent("SKIP_AD")),
    Row(
      "an ad by force", .skipAd(force: true), on: playing(ad(1, skippableAt: 5), answer: ["breakStatus": .null]),
      sends: sent("SKIP_AD")),
  ]

  static let device: [Row] = [
    Row(
      "volume", .volume(level: 40, ramp: .zero), on: playing(),
      sends: ["type": "SET_VOLUME", "volume": ["level": 0.4]]),
    Row(
      "volume beyond the end", .volume(level: 140, ramp: .zero), on: playing(),
      sends: ["type": "SET_VOLUME", "volume": ["level": 1]]),
    Row("mute", .mute(true), on: playing(), sends: ["type": "SET_VOLUME", "volume": ["muted": true]]),
    Row(
      "a fixed volume", .volume(level: 40, ramp: .zero),
      on: .init(media: nil, volume: ["level": 1, "muted": false, "controlType": "fixed"]), fails: .refusedLocally,
      says: "the device's volume is fixed"),
    Row(
      "mute a fixed volume", .mute(true),
      on: .init(media: nil, volume: ["level": 1, "muted": false, "controlType": "fixed"]), fails: .refusedLocally,
      says: "the device's volume is fixed"),
    Row("stop the app", .stopApp(mayBeGone: false), on: playing(), sends: ["type": "STOP", "sessionId": "s-1"]),
    Row("stop no app", .stopApp(mayBeGone: false), on: .init(media: nil, isAppRunning: false)),
    Row("refresh", .refresh(.both), on: playing()),
  ]

  static let queues: [Row] = [
    Row(
      "next", .queueJump(.next), on: queue([1, 2], at: 1, answer: ["currentItemId": 2]),
      sends: sent("QUEUE_UPDATE", ["jump": 1])),
    Row(
      "next of the last", .queueJump(.next), on: queue([1, 2], at: 2), fails: .invalidState,
      says: "the last item of the queue plays"),
    Row(
      "previous", .queueJump(.previous), on: queue([1, 2], at: 2, answer: ["currentItemId": 1]),
      sends: sent("QUEUE_UPDATE", ["jump": -1])),
    Row(
      "previous of the first is its beginning", .queueJump(.previous), on: queue([1, 2], at: 1),
      sends: sent("QUEUE_UPDATE", ["jump": -1])),
    Row(
      "an item", .queueJump(.item(.number(3))), on: queue([1, 2, 3], at: 1, answer: ["currentItemId": 3]),
      sends: sent("QUEUE_UPDATE", ["currentItemId": 3])),
    Row(
      "an item that is not there", .queueJump(.item(.number(9))), on: queue([1, 2], at: 1), fails: .invalidRequest,
      says: "the queue has no item 9"),
    Row(
      "remove", .queueRemove([.number(2)]), on: queue([1, 2, 3], at: 1, then: [1, 3]),
      sends: sent("QUEUE_REMOVE", ["itemIds": [2]])),
    Row(
      "remove, unheard", .queueRemove([.number(2)]), on: queue([1, 2, 3], at: 1),
      sends: sent("QUEUE_REMOVE", ["itemIds": [2]]), fails: .timeout, says: "waited for the items to be gone"),
    Row(
      "reorder", .queueReorder(items: [.number(3)], before: .number(1)), on: queue([1, 2, 3], at: 1, then: [3, 1, 2]),
      sends: sent("QUEUE_REORDER", ["insertBefore": 1, "itemIds": [3]])),
    Row(
      "reorder to the end", .queueReorder(items: [.number(1)], before: nil), on: queue([1, 2], at: 1, then: [2, 1]),
      sends: sent("QUEUE_REORDER", ["itemIds": [1]])),
    Row(
      "before itself", .queueReorder(items: [.number(2)], before: .number(2)), on: queue([1, 2], at: 1),
      fails: .invalidRequest, says: "item 2 cannot stand before itself"),
    Row(
      "repeat", .queueUpdate(QueueUpdate(repeatMode: .all)),
      on: queue([1, 2], at: 1, answer: ["repeatMode": "REPEAT_ALL"]),
      sends: sent("QUEUE_UPDATE", ["repeatMode": "REPEAT_ALL"])),
    Row(
      "around the end, where it repeats", .queueUpdate(QueueUpdate(jump: 1, repeatMode: .all)),
      on: queue([1, 2], at: 2, answer: ["repeatMode": "REPEAT_ALL", "currentItemId": 1]),
      sends: sent("QUEUE_UPDATE", ["jump": 1, "repeatMode": "REPEAT_ALL"])),
  ]

  @Test("It sends one request, and is done when the device shows it", arguments: playback + tracks + device + queues)
  func verb(row: Row) throws {
    let (sent, failure) = try VerbDevice.perform(row.action, on: row.on)
    #expect(sent == (row.sends.map { [$0] } ?? []))
    #expect(failure?.errorClass == row.fails, "\(failure?.message ?? "")")
    if let says = row.says { #expect(failure?.message == says) }
  }
}
