import CastProtocol
import Testing

@testable import ScenarioRunner

/// Statuses in, steps out.
@Suite struct ScenarioRecorderTests {
  typealias Seen = (json: JSONValue, at: Double)

  static let rows: [(rule: String, seen: [Seen], steps: [String])] = [
    ("what plays on as it should is no step", [(SeenDevice.media("PLAYING", 30.2), 32)], []),
    (
      "PLAYING after PAUSED is a play", [(SeenDevice.media("PAUSED", 10), 12), (SeenDevice.media("PLAYING", 10), 20)],
      ["0:12 pause: paused at 0:10", "0:20 play: played on at 0:10"]
    ),
    (
      "a stall is no step",
      [
        (SeenDevice.media("BUFFERING", 10), 12), (SeenDevice.media("PLAYING", 10), 17),
        (SeenDevice.media("PLAYING", 13), 20),
      ],
      []
    ),
    (
      "a position that nobody could expect was sought, whether the player buffers first or not",
      [
        (SeenDevice.media("PLAYING", 300), 12), (SeenDevice.media("BUFFERING", 60), 20),
        (SeenDevice.media("PLAYING", 60), 21),
      ],
      ["0:12 seek: sought to 5:00", "0:20 seek: sought to 1:00"]
    ),
    (
      "seeks that follow each other at once are one",
      [
        (SeenDevice.media("PLAYING", 20), 12), (SeenDevice.media("PLAYING", 31), 13),
        (SeenDevice.media("PLAYING", 42), 14),
      ],
      ["0:12 seek: sought to 0:42"]
    ),
    (
      "a seek that pauses is one step",
      [(SeenDevice.media("BUFFERING", 100), 12), (SeenDevice.media("PAUSED", 100), 13)], ["0:12 seek: sought to 1:40"]
    ),
    (
      "a pause whose status says no position",
      [(SeenDevice.media("PAUSED"), 12), (SeenDevice.media("PLAYING"), 14)],
      ["0:12 pause: paused", "0:14 play: played on"]
    ),
    (
      "IDLE with CANCELLED was stopped", [(SeenDevice.media("IDLE", 0, ["idleReason": "CANCELLED"]), 12)],
      ["0:12 stop: the media was stopped"]
    ),
    (
      "so is a list without a media session", [(["type": "MEDIA_STATUS", "status": []], 12)],
      ["0:12 stop: the media was stopped"]
    ),
    (
      "IDLE with FINISHED came by itself", [(SeenDevice.media("IDLE", 0, ["idleReason": "FINISHED"]), 602)],
      ["10:02 expect: played to its end"]
    ),
    (
      "an error ends it", [(SeenDevice.media("IDLE", 0, ["idleReason": "ERROR"]), 12)],
      ["0:12 expect: playing ended with an error"]
    ),
    (
      "another rate", [(SeenDevice.media("PLAYING", 10, ["playbackRate": 1.5]), 12)], ["0:12 rate: rate 1.5"]
    ),
    ("a rate of 0, as in breaks, is none", [(SeenDevice.media("PLAYING", 10, ["playbackRate": 0]), 12)], []),
    (
      "a slider that is moved is one volume, and what is less than a step of the device none",
      [
        (SeenDevice.receiver("CC1AD845", level: 0.45), 10), (SeenDevice.receiver("CC1AD845", level: 0.4), 11),
        (SeenDevice.receiver("CC1AD845", level: 0.3), 12), (SeenDevice.receiver("CC1AD845", level: 0.305), 20),
        (SeenDevice.receiver("CC1AD845", level: 0.305, muted: true), 30),
      ],
      ["0:10 volume: volume 30%", "0:30 mute: muted"]
    ),
    (
      "a volume that is fixed is not set",
      [(SeenDevice.receiver("CC1AD845", level: 1, control: "fixed"), 10)], []
    ),
    (
      "a load in another media session, announced or not",
      [
        (SeenDevice.media("IDLE", 0, ["idleReason": "INTERRUPTED"]), 12),
        (SeenDevice.media("PLAYING", 0, ["mediaSessionId": 2, "media": ["contentId": "https://x.example/b.mp4"]]), 13),
        (SeenDevice.media("PAUSED", 40, ["mediaSessionId": 3, "media": ["contentId": "https://x.example/c.mp4"]]), 30),
      ],
      ["0:13 load: b.mp4 was loaded", "0:30 load: c.mp4 was loaded"]
    ),
    (
      "other content in a media session that an app keeps for ever is a load",
      [(SeenDevice.media("PLAYING", 0, ["media": ["contentId": "second"]]), 12)], ["0:12 load: second was loaded"]
    ),
    (
      "a load that fails",
      [
        (SeenDevice.media("IDLE", 0, ["mediaSessionId": 2, "media": ["contentId": "https://x.example/b.avi"]]), 12),
        (["type": "LOAD_FAILED", "requestId": 7, "detailedErrorCode": 104], 13),
        (SeenDevice.media("IDLE", 0, ["mediaSessionId": 2, "idleReason": "ERROR"]), 13),
      ],
      ["0:12 load: b.avi could not be loaded: 104"]
    ),
    (
      "another app in place of this one, and none",
      [(SeenDevice.receiver("A1B2C3D4", session: "s2"), 12), (SeenDevice.receiver(nil), 20)],
      ["0:12 launch: Player was launched", "0:20 stop_app: the app was stopped"]
    ),
    (
      "a status of another kind of app screen is none",
      [(["type": "RECEIVER_STATUS", "status": ["volume": [:]]], 12)], ["0:12 stop_app: the app was stopped"]
    ),
  ]

  @Test("Each change that somebody made is a step, what comes of itself is none", arguments: rows.indices)
  func steps(index: Int) {
    let row = Self.rows[index]
    var device = SeenDevice.playing()
    let before = device.lines
    #expect(before == ["0:01 launch: Default Media Receiver was launched", "0:01 load: Sintel was loaded"])
    for seen in row.seen { device.receive(seen.json, at: seen.at) }
    #expect(Array(device.lines.dropFirst(before.count)) == row.steps, "\(row.rule)")
  }

  @Test("Tracks and captions are steps, named by what the device says of them")
  func tracks() {
    var film = SeenDevice.film
    film["tracks"] = [
      [
        "trackId": 3, "type": "TEXT", "subtype": "SUBTITLES", "language": "en",
        "trackContentId": "https://x.example/en.vtt",
      ],
      ["trackId": 7, "type": "AUDIO", "language": "de"],
    ]
    var device = SeenDevice.playing(["media": .object(film), "activeTrackIds": [7]])
    device.receive(SeenDevice.media("PLAYING", 10, ["activeTrackIds": [3, 7]]), at: 12)
    film["textTrackStyle"] = ["fontScale": 1.5, "foregroundColor": "#ffff00ff", "edgeType": "OUTLINE"]
    device.receive(SeenDevice.media("PLAYING", 20, ["media": .object(film)]), at: 22)
    device.receive(SeenDevice.media("PLAYING", 30, ["activeTrackIds": []]), at: 32)
    let steps = device.steps(at: 32)
    #expect(steps.contains("- load: { media: sintel, tracks: [de] }"), "\(steps)")
    #expect(steps.contains("- tracks: [en, de]"), "\(steps)")
    #expect(steps.contains("- text_style: { color: \"#FFFF00FF\", size: 150%, edge: outline }"), "\(steps)")
    #expect(steps.contains("- tracks: []"), "\(steps)")
  }

  @Test("What runs and plays when the recording begins is launched and loaded from there")
  func joined() {
    var device = SeenDevice(app: "CC1AD845")
    device.receive(SeenDevice.media("PLAYING", 125.4, ["media": .object(SeenDevice.film)]), at: 0.1)
    #expect(
      device.steps(at: 20) == [
        "- launch: default", "- load: { media: sintel, start: 2m5s }",
        "- expect: { player: playing, title: Sintel, duration: { about: 10m, tolerance: 1s } }",
        "- expect: { player: playing, position: { min: 2m25s } }", "  within: 35s",
      ])
  }

  @Test("Expectations allow twice what positions were off, and a second")
  func jitter() throws {
    for (off, tolerance) in [(0.0, "1.5s"), (0.4, "2s"), (1.3, "4s")] {
      var device = SeenDevice.playing()
      device.receive(SeenDevice.media("PLAYING", 20 + off), at: 22)
      device.receive(SeenDevice.media("PAUSED", 30 + off), at: 32)
      let steps = device.steps(at: 33)
      #expect(
        steps.contains(
          "- expect: { player: paused, position: { about: \((30 + off) == 30 ? "30s" : off < 1 ? "30.5s" : "31.5s"), tolerance: \(tolerance) } }"
        ), "\(steps)")
    }
  }

  @Test("A queue shows a window at a time: items are put together in their order")
  func queue() {
    func item(_ id: Int) -> JSONValue {
      [
        "itemId": .int(id),
        "media": ["contentId": .string("https://x.example/\(id).mp4"), "contentType": "video/mp4", "duration": 60],
      ]
    }
    func media(_ id: Int) -> JSONValue { item(id)["media"] ?? .null }
    var device = SeenDevice()
    device.receive(SeenDevice.receiver("CC1AD845"), at: 1)
    let first: JSONObject = [
      "currentItemId": 1, "items": [item(1), item(2)], "media": media(1), "repeatMode": "REPEAT_ALL",
    ]
    device.receive(SeenDevice.media("PLAYING", 0, first), at: 2)
    device.receive(
      SeenDevice.media("IDLE", 60, ["idleReason": "FINISHED", "currentItemId": 1, "loadingItemId": 2]), at: 62)
    device.receive(
      SeenDevice.media("PLAYING", 0, ["currentItemId": 2, "items": [item(1), item(2), item(3)], "media": media(2)]),
      at: 63)
    device.receive(
      SeenDevice.media("PLAYING", 0, ["currentItemId": 3, "items": [item(2), item(3), item(4)], "media": media(3)]),
      at: 70)
    device.receive(
      SeenDevice.media("PLAYING", 0, ["currentItemId": 2, "items": [item(1), item(2), item(3)], "media": media(2)]),
      at: 80)
    device.receive(
      ["type": "QUEUE_CHANGE", "changeType": "INSERT", "itemIds": [9], "insertBefore": 3, "sequenceNumber": 1], at: 85)
    device.receive(SeenDevice.media("PLAYING", 10, ["items": [item(1), item(2), item(9)]]), at: 90)
    device.receive(["type": "QUEUE_CHANGE", "changeType": "REMOVE", "itemIds": [4], "sequenceNumber": 2], at: 95)
    let steps = device.steps(at: 95)
    for wanted in [
      "- queue: { items: [media-1, media-2, media-3, media-4], repeat: all }",
      "- expect: { content: https://x.example/2.mp4 }", "- queue_jump: next", "- queue_jump: previous",
      "- queue_insert: { items: [media-9], before: media-3 }", "- queue_remove: [media-4]",
    ] {
      #expect(steps.contains(wanted), "no \(wanted) in\n\(steps.joined(separator: "\n"))")
    }
    let problems = SeenDevice.problems(of: device.written(at: 95)?.text ?? "")
    #expect(problems == [])
  }

  @Test("A device that was away is told as a comment, and what it does then are steps")
  func away() throws {
    var back = SeenDevice.playing()
    var recorder = back.recorder
    recorder.lose(at: .seconds(12))
    back.receive(SeenDevice.media("PAUSED", 14), at: 20)
    recorder.regain(back.recorder.lastSnapshot, at: .seconds(20))
    let text = try #require(ScenarioWriter.write(recorder, of: .init(device: SeenDevice.device, date: ""))).text
    #expect(text.contains("out of reach for 8s") && text.contains("- pause"), "\(text)")
  }

  @Test("A recording that ends while the device is lost expects nothing of the time since then")
  func lostToTheEnd() throws {
    func written(lostAt lost: Int?, endedAt end: Int) throws -> ScenarioWriter.Outcome {
      var recorder = SeenDevice.playing().recorder
      if let lost { recorder.lose(at: .seconds(lost)) }
      recorder.end(at: .seconds(end))
      return try #require(ScenarioWriter.write(recorder, of: .init(device: SeenDevice.device, date: "")))
    }
    #expect(try written(lostAt: 12, endedAt: 60).text == written(lostAt: nil, endedAt: 12).text)
    #expect(try written(lostAt: nil, endedAt: 60).text != written(lostAt: nil, endedAt: 12).text)
  }

  @Test("Nothing is written where nothing happened")
  func nothing() {
    let written = SeenDevice().written(at: 60)?.text
    #expect(written == nil)
  }

  /// A picture that is shown for 10 s, and then paused.
  private static func picture(_ more: JSONObject) -> SeenDevice {
    var picture: JSONObject = ["contentId": "https://x.example/a", "contentType": "image/png"]
    for member in more.members { picture[member.name] = member.value }
    var device = SeenDevice()
    device.receive(SeenDevice.receiver("CC1AD845"), at: 1)
    device.receive(SeenDevice.media("PLAYING", 0, ["media": .object(picture)]), at: 2)
    device.receive(SeenDevice.media("PAUSED", 10, ["media": .object(picture)]), at: 12)
    return device
  }

  @Test("A type is a picture's however it is spelled: no position of it counts")
  func pictures() {
    let (small, large) = (Self.picture([:]), Self.picture(["contentType": "IMAGE/PNG"]))
    #expect(small.lines.last == "0:12 pause: paused")
    #expect(large.lines == small.lines)
    #expect(large.steps(at: 20) == small.steps(at: 20))
  }

  @Test("A load that took long has the time to take three times as long", arguments: [10.0, 45, 300])
  func slowLoad(seconds: Double) throws {
    var device = SeenDevice()
    device.receive(SeenDevice.receiver("CC1AD845"), at: 1)
    let loading: JSONObject = ["extendedStatus": ["playerState": "LOADING", "media": .object(SeenDevice.film)]]
    device.receive(SeenDevice.media("IDLE", nil, loading), at: 2)
    device.receive(SeenDevice.media("PLAYING", 0, ["media": .object(SeenDevice.film)]), at: 2 + seconds)
    let text = try #require(device.written(at: 5 + seconds)?.text)
    #expect(text.contains("    timeout: \(RecordedText.limit(.seconds(seconds * 3)))\n"), "\(text)")
    #expect(SeenDevice.problems(of: text) == [], "\(text)")
  }

  @Test("Media whose length nobody said is long enough for where it began, whatever its seekable range says")
  func startBehindRange() throws {
    let song: JSONObject = ["contentId": "https://x.example/a.mp3", "contentType": "audio/mp3"]
    let range: JSONValue = ["start": 0, "end": 100, "isMovingWindow": true, "isLiveDone": false]
    var device = SeenDevice()
    device.receive(SeenDevice.receiver("CC1AD845"), at: 1)
    device.receive(
      SeenDevice.media("PLAYING", 3_600, ["media": .object(song), "liveSeekableRange": range]), at: 2)
    let text = try #require(device.written(at: 5)?.text)
    #expect(text.contains("start: 1h"), "\(text)")
    #expect(SeenDevice.problems(of: text) == [], "\(text)")
  }

  @Test("A scenario that expects nothing else expects its app, whatever a device says")
  func expectsSomething() throws {
    let picture: JSONObject = [
      "contentId": "https://x.example/a?token=1", "contentType": "image/png",
      "textTrackStyle": ["fontFamily": "a - expect: b"],
    ]
    var device = SeenDevice()
    device.receive(SeenDevice.receiver("CC1AD845"), at: 1)
    device.receive(SeenDevice.media("PLAYING", nil, ["media": .object(picture)]), at: 2)
    #expect(device.steps(at: 2).last == "- expect: { app: { id: CC1AD845 } }", "\(device.steps(at: 2))")
  }

  @Test("Content whose address has the sign of a placeholder is expected like any other")
  func contentWithSign() throws {
    var film = SeenDevice.film
    film["metadata"] = nil
    film["contentId"] = "https://x.example/${a}.mp4"
    let device = SeenDevice.playing(["media": .object(film)])
    let text = try #require(device.written(at: 10)?.text)
    #expect(text.contains("content: \"https://x.example/$${a}.mp4\""), "\(text)")
    #expect(SeenDevice.problems(of: text) == [], "\(text)")
  }

  /// A device that loads other content every 5 s, and is made louder and softer.
  private static func restless(loads: Int, address: Int, title: Int) -> SeenDevice {
    var device = SeenDevice.playing()
    for index in 0..<loads {
      let content: JSONObject = [
        "contentId": .string("https://x.example/\(index)/\(String(repeating: "a", count: address)).mp4"),
        "contentType": "video/mp4", "metadata": ["title": .string(String(repeating: "t", count: title))],
      ]
      let state = index % 2 == 0 ? "PLAYING" : "PAUSED"
      let more: JSONObject = ["mediaSessionId": .int(index + 2), "media": .object(content)]
      device.receive(SeenDevice.media(state, Double(index % 600), more), at: Double(10 + index * 5))
      device.receive(SeenDevice.receiver("CC1AD845", level: Double(index % 50) / 50), at: Double(12 + index * 5))
    }
    return device
  }

  static let flood = [(loads: 1_200, address: 20, title: 40), (loads: 100, address: 2_000, title: 5_000)]

  @Test(
    "A device that never stops telling fills a recording and no more: it says so, and what is written is valid",
    arguments: flood)
  func limits(loads: Int, address: Int, title: Int) throws {
    let device = Self.restless(loads: loads, address: address, title: title)
    #expect(device.recorder.isFull)
    #expect(device.recorder.steps.count <= ScenarioRecorder.stepLimit)
    #expect(device.recorder.media.all.count <= RecordedMediaBook.limit)
    let text = try #require(device.written(at: 40_000)).text
    #expect(text.utf8.count < 1 << 20, "\(text.utf8.count)")
    #expect(text.contains("more than a recording has room for"))
    let errors = SeenDevice.problems(of: text).filter { $0.hasPrefix("error") }
    #expect(errors == [])
  }
}
