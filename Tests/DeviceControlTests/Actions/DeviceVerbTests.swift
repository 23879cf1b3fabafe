import CastClient
import CastProtocol
import ScenarioLanguage
import TestSupport
import Testing

@testable import DeviceControl
@testable import RunReporting

@Suite("volume and seek in their details") struct DeviceVerbTests {
  typealias Setting = SessionLab.Setting
  typealias Scene = StageDevice.Scene

  // MARK: volume

  struct Ramp: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var level: Double
    var ramp: Double
    var stepInterval: Double?
    /// The levels that are sent.
    var sends: [Double]
    /// When it is done, in seconds.
    var at: Double
  }

  static let ramps: [Ramp] = [
    Ramp(testDescription: "at once", level: 70, ramp: 0, sends: [0.7], at: 0),
    Ramp(testDescription: "twice a second", level: 70, ramp: 2, sends: [0.55, 0.6, 0.65, 0.7], at: 2),
    Ramp(testDescription: "down", level: 30, ramp: 1, sends: [0.4, 0.3], at: 1),
    Ramp(testDescription: "a short one", level: 60, ramp: 0.2, sends: [0.6], at: 0.2),
    Ramp(
      testDescription: "no more steps than the device can tell apart", level: 70, ramp: 10, stepInterval: 0.1,
      sends: [0.6, 0.7], at: 10),
    Ramp(
      testDescription: "already there", level: 50, ramp: 3, stepInterval: 0.1, sends: [0.5], at: 3),
    Ramp(testDescription: "below nothing", level: -10, ramp: 0, sends: [0], at: 0),
  ]

  @Test("A ramp is a level twice a second at most, and ends with the one that was asked for", arguments: ramps)
  func ramp(row: Ramp) throws {
    let setting = Setting { if let step = row.stepInterval { $0.scene.volume["stepInterval"] = JSONValue(step) } }
    try SessionLab.connected(setting) { lab in
      let start = lab.now
      #expect(await lab.perform(.volume(level: row.level, ramp: .seconds(row.ramp)), for: .seconds(20)) == nil)
      let levels = lab.stage.sent.compactMap { $0["volume"]?["level"]?.number }
      #expect(levels.map { ($0 * 1000).rounded() / 1000 } == row.sends)
      #expect(lab.now - start == .seconds(row.at))
      #expect(await lab.session.own.originalVolume.level == 0.5, "the one of before")
    }
  }

  @Test("A ramp that is cancelled stops where it is")
  func cancelled() throws {
    try SessionLab.connected { lab in
      let failure = await withTaskGroup(of: StepFailure?.self) { group in
        group.addTask { await lab.perform(.volume(level: 90, ramp: .seconds(10)), for: .seconds(20)) }
        try? await lab.wait(.milliseconds(1100))
        group.cancelAll()
        return await group.next() ?? nil
      }
      #expect(failure?.errorClass == .cancelled && lab.stage.sent.count == 2)
    }
  }

  @Test(
    "A device that stays at another level, or refuses, says so",
    arguments: [
      (["type": "INVALID_REQUEST", "reason": "INVALID_COMMAND"], .invalidRequest, "INVALID_REQUEST INVALID_COMMAND"),
      (nil, .timeout, "no reply to SET_VOLUME"),
    ] as [(JSONObject?, ErrorClass, String)])
  func volumeRefused(reply: JSONObject?, errorClass: ErrorClass, message: String) throws {
    let setting = Setting {
      if let reply { $0.scene.replies = ["SET_VOLUME": reply] } else { $0.scene.silent = ["SET_VOLUME"] }
    }
    try SessionLab.connected(setting) { lab in
      for action in [DeviceAction.volume(level: 90, ramp: .zero), .mute(true)] {
        let failure = await lab.perform(action, for: .seconds(3))
        #expect(failure?.errorClass == errorClass && failure?.message == message)
      }
      let original = await lab.session.own.originalVolume
      #expect(original.level == 0.5 && original.muted == false, "it may have been set all the same")
    }
  }

  // MARK: seek

  struct Seeking: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var seek: Seek
    /// Where it is before.
    var media: JSONObject = ["currentTime": 100]
    /// What the device shows then; `nil`: nothing else.
    var answer: JSONObject
    var sends: Double?
    var fails: ErrorClass?
  }

  static func film(_ time: Double, duration: Double? = 600, stream: String = "BUFFERED") -> JSONObject {
    var media: JSONObject = ["contentId": "a.mp4", "streamType": .string(stream)]
    if let duration { media["duration"] = JSONValue(duration) }
    return ["currentTime": JSONValue(time), "media": .object(media), "playerState": "PAUSED", "currentItemId": 1]
  }

  static let seeks: [Seeking] = [
    Seeking(
      testDescription: "the far edge of the tolerance", seek: Seek(.to(30)), answer: ["currentTime": 32], sends: 30),
    Seeking(
      testDescription: "beyond it", seek: Seek(.to(30)), answer: ["currentTime": 32.1, "playerState": "PAUSED"],
      sends: 30,
      fails: .timeout),
    Seeking(
      testDescription: "a buffering player is not there yet", seek: Seek(.to(30)),
      answer: ["currentTime": 30, "playerState": "BUFFERING"], sends: 30, fails: .timeout),
    Seeking(
      testDescription: "no tolerance", seek: Seek(.to(30), tolerance: .zero),
      answer: ["currentTime": 30, "playerState": "PAUSED"], sends: 30),
    Seeking(testDescription: "before the start", seek: Seek(.to(-4)), answer: ["currentTime": 0], sends: 0),
    Seeking(
      testDescription: "back beyond the start", seek: Seek(.by(-500)), media: film(100), answer: ["currentTime": 0],
      sends: 0),
    Seeking(
      testDescription: "to the end of a queue's item", seek: Seek(.toEnd), media: film(100),
      answer: ["currentItemId": 2, "currentTime": 0], sends: 600),
    Seeking(
      testDescription: "to the end: the next is on its way", seek: Seek(.to(599)), media: film(100),
      answer: ["playerState": "IDLE", "loadingItemId": 2], sends: 599),
    Seeking(
      testDescription: "to the end: stopped is not there", seek: Seek(.toEnd), media: film(100),
      answer: ["playerState": "IDLE", "idleReason": "CANCELLED"], sends: 600, fails: .timeout),
    Seeking(
      testDescription: "not to the end: finished is not there", seek: Seek(.to(300)), media: film(100),
      answer: ["playerState": "IDLE", "idleReason": "FINISHED"], sends: 300, fails: .timeout),
    Seeking(
      testDescription: "a live stream has no end", seek: Seek(.toEnd), media: film(100, stream: "LIVE"), answer: [:],
      fails: .invalidState),
    Seeking(
      testDescription: "where the position is not told", seek: Seek(.by(10)), media: ["currentTime": .null],
      answer: [:],
      fails: .invalidState),
  ]

  @Test("A seek is done within its tolerance, or where the end of the media has done it", arguments: seeks)
  func seek(row: Seeking) throws {
    let setting = Setting.command {
      $0.scene = Scene(app: ScriptedPeer.app, media: row.media)
      $0.scene.changes = ["SEEK": { scene, _ in scene.change(row.answer) }]
    }
    try SessionLab.connected(setting) { lab in
      let failure = await lab.perform(.seek(row.seek), for: .seconds(3))
      #expect(failure?.errorClass == row.fails, "\(failure?.message ?? "")")
      #expect(lab.stage.sent.first?["currentTime"]?.number == row.sends)
    }
  }

  @Test(
    "What shall play or pause then is said with the seek",
    arguments: [(Plan.SeekAction.Then.keep, nil), (.play, "PLAYBACK_START"), (.pause, "PLAYBACK_PAUSE")]
      as [(Plan.SeekAction.Then, String?)])
  func then(then: Plan.SeekAction.Then, word: String?) throws {
    let setting = Setting.command {
      $0.scene = Scene(app: ScriptedPeer.app, media: Self.film(10))
      $0.scene.changes = ["SEEK": { scene, _ in scene.change(["currentTime": 30]) }]
    }
    try SessionLab.connected(setting) { lab in
      #expect(await lab.perform(.seek(Seek(.to(30), then: then))) == nil)
      #expect(lab.stage.sent.first?["resumeState"]?.string == word)
    }
  }
}
