import CastProtocol
import Testing

@Suite struct StatusTrackerTests {
  /// A status with every field.
  static let full = #"""
    {"mediaSessionId":1,"playerState":"PLAYING","currentTime":10,"playbackRate":1.5,"supportedMediaCommands":12303,
    "volume":{"level":0.5,"muted":true},"media":{"contentId":"c","duration":60,"metadata":{"title":"t","subtitle":"s"}},
    "activeTrackIds":[1,2],"currentItemId":3,"loadingItemId":4,"preloadedItemId":5,"repeatMode":"REPEAT_OFF",
    "items":[{"itemId":3}],"idleReason":"ERROR",
    "breakStatus":{"breakId":"b","breakClipId":"x","currentBreakTime":1,"currentBreakClipTime":2,"whenSkippable":5},
    "extendedStatus":{"playerState":"LOADING","media":{"contentId":"next"}},
    "videoInfo":{"width":1280,"height":720,"hdrType":"sdr"},
    "liveSeekableRange":{"start":1,"end":100,"isMovingWindow":true,"isLiveDone":false},"customData":{"a":1}}
    """#

  @Test("Every field of a status is read")
  func everyField() throws {
    var device = try TrackedDevice()
    #expect(try device.media(Self.full) == .media)
    let media = try #require(device.media)
    #expect(media.mediaSessionID == 1)
    #expect(media.playerState == .playing)
    #expect(media.idleReason == .error)
    #expect(media.currentTime == 10)
    #expect(media.playbackRate == 1.5)
    #expect(media.supportedMediaCommands == 12303)
    #expect(media.volume.level == 0.5)
    #expect(media.volume.muted == true)
    #expect(media.media?.contentID == "c")
    #expect(media.activeTrackIDs == [1, 2])
    #expect(media.currentItemID == 3)
    #expect(media.loadingItemID == 4)
    #expect(media.preloadedItemID == 5)
    #expect(media.repeatMode == "REPEAT_OFF")
    #expect(media.items == [["itemId": 3]])
    #expect(media.breakStatus?.breakID == "b")
    #expect(media.breakStatus?.breakClipID == "x")
    #expect(media.breakStatus?.currentBreakTime == 1)
    #expect(media.breakStatus?.currentBreakClipTime == 2)
    #expect(media.breakStatus?.whenSkippable == 5)
    #expect(media.extendedPlayerState == "LOADING")
    #expect(media.extendedMedia?.contentID == "next")
    #expect(media.videoInfo?.width == 1280)
    #expect(media.videoInfo?.height == 720)
    #expect(media.videoInfo?.hdrType == "sdr")
    #expect(media.liveSeekableRange?.start == 1)
    #expect(media.liveSeekableRange?.end == 100)
    #expect(media.liveSeekableRange?.isMovingWindow == true)
    #expect(media.liveSeekableRange?.isLiveDone == false)
    #expect(media.customData == ["a": 1])
    #expect(device.snapshot.mediaSource == "app")
    #expect(device.snapshot.mediaMessage?.json["status"]?.array?.count == 1)
  }

  static let leavingOut: [String] = [
    #"{"mediaSessionId":1}"#, "{}",
    #"""
    {"mediaSessionId":1,"playerState":null,"currentTime":null,"playbackRate":null,"supportedMediaCommands":null,
    "volume":null,"media":null,"activeTrackIds":null,"currentItemId":null,"loadingItemId":null,"preloadedItemId":null,
    "repeatMode":null,"items":null,"idleReason":null,"breakStatus":null,"extendedStatus":null,"videoInfo":null,
    "liveSeekableRange":null,"customData":null}
    """#,
    #"""
    {"mediaSessionId":"1","playerState":7,"currentTime":"x","playbackRate":[],"supportedMediaCommands":1.5,
    "volume":{},"media":[],"activeTrackIds":5,"currentItemId":"y","loadingItemId":{},"preloadedItemId":true,
    "repeatMode":1,"items":{},"idleReason":9,"breakStatus":[],"extendedStatus":7,"videoInfo":8,
    "liveSeekableRange":""}
    """#,
  ]
  @Test("What a status leaves out stays, but idleReason, break, extended and loading fields go", arguments: leavingOut)
  func merging(element: String) throws {
    var device = try TrackedDevice()
    try device.media(Self.full)
    var expected = try #require(device.media)
    try device.media(element)
    expected.idleReason = nil
    expected.breakStatus = nil
    expected.extendedPlayerState = nil
    expected.extendedMedia = nil
    expected.loadingItemID = nil
    expected.preloadedItemID = nil
    #expect(device.media == expected)
  }

  @Test("Media is taken whole: no title of the old one is left in the new one")
  func wholeMedia() throws {
    var device = try TrackedDevice()
    try device.media(Self.full)
    try device.media(#"{"mediaSessionId":1,"media":{"contentId":"d","metadata":{"title":"new"}}}"#)
    #expect(device.media?.media?.metadata == ["title": "new"])
    #expect(device.media?.media?.duration == nil)
  }

  @Test("An empty list of active tracks means none, an absent one no change")
  func activeTracks() throws {
    var device = try TrackedDevice()
    try device.media(#"{"mediaSessionId":1,"activeTrackIds":[1]}"#)
    try device.media(#"{"mediaSessionId":1}"#)
    #expect(device.media?.activeTrackIDs == [1])
    try device.media(#"{"mediaSessionId":1,"activeTrackIds":[]}"#)
    #expect(device.media?.activeTrackIDs == [])
  }

  @Test("A new media session starts from nothing")
  func newSession() throws {
    var device = try TrackedDevice()
    try device.media(Self.full)
    try device.media(#"{"mediaSessionId":2,"playerState":"BUFFERING"}"#)
    var expected = MediaStatus()
    expected.mediaSessionID = 2
    expected.playerState = .buffering
    #expect(device.media == expected)
    #expect(device.snapshot.position(at: .seconds(5)) == nil)
  }

  @Test("An empty status ends the media session")
  func emptyStatus() throws {
    var device = try TrackedDevice()
    try device.media(Self.full)
    #expect(try device.media("") == .media)
    #expect(device.media == nil)
    #expect(device.snapshot.mediaSource == nil)
    #expect(device.snapshot.mediaMessage?.json["status"] == [])
  }

  @Test("Media still unknown is taken from the extended status, unless that is about another session")
  func extendedMedia() throws {
    for (id, contentID) in [("", "next"), (#","mediaSessionId":1"#, "next"), (#","mediaSessionId":2"#, nil)] {
      var device = try TrackedDevice()
      let extended = #"{"playerState":"LOADING","media":{"contentId":"next"}\#(id)}"#
      try device.media(#"{"mediaSessionId":1,"playerState":"IDLE","extendedStatus":\#(extended)}"#)
      #expect(device.media?.media?.contentID == contentID)
      #expect(device.media?.extendedMedia?.contentID == "next")
      #expect(device.media?.extendedPlayerState == "LOADING")
    }
  }

  @Test("A state or a reason nobody knows is kept, and is not the end")
  func unknownWords() throws {
    var device = try TrackedDevice()
    try device.media(#"{"mediaSessionId":1,"playerState":"DREAMING","idleReason":"BORED"}"#)
    #expect(device.media?.playerState == .unknown("DREAMING"))
    #expect(device.media?.idleReason == .unknown("BORED"))
  }

  // MARK: apps

  @Test("A status from a transport that is not the current app's is dropped")
  func foreignTransport() throws {
    var device = try TrackedDevice(app: "new")
    #expect(try device.media(Self.full, from: "old") == nil)
    #expect(try device.message(#"{"type":"LOAD_FAILED","detailedErrorCode":104}"#, from: "old") == nil)
    #expect(device.media == nil)
    #expect(device.snapshot.detailedErrorCode == nil)
    #expect(device.snapshot.mediaMessage == nil)
  }

  @Test("Before the first receiver status a media status counts; the receiver status then judges it")
  func mediaFirst() throws {
    var device = try TrackedDevice(app: nil)
    #expect(try device.media(Self.full) == .media)
    try device.app("app")
    #expect(device.media?.mediaSessionID == 1)
    try device.app("other")
    #expect(device.media == nil)
  }

  static let ends: [String] = [
    "{}", #"{"applications":[]}"#, #"{"applications":[{"appId":"E8C28D3C","sessionId":"i","isIdleScreen":true}]}"#,
    #"{"applications":[{"appId":"X","sessionId":"x","transportId":"x"}]}"#,
    #"{"applications":[{"appId":"CC1AD845","sessionId":"another","transportId":"app"}]}"#,
  ]
  @Test("When the app is gone or replaced, its media goes too", arguments: ends)
  func appGone(status: String) throws {
    var device = try TrackedDevice()
    try device.media(Self.full)
    try device.message(#"{"type":"ERROR","detailedErrorCode":311}"#)
    #expect(try device.receiver(status) == .receiver)
    #expect(device.media == nil)
    #expect(device.snapshot.detailedErrorCode == nil)
    #expect(device.snapshot.mediaMessage == nil)
  }

  @Test("A receiver status that lists the same app leaves its media alone")
  func sameApp() throws {
    var device = try TrackedDevice()
    try device.media(Self.full)
    let media = device.media
    try device.app("app")
    #expect(device.media == media)
  }

  @Test("After CLOSE an app's media is forgotten and it is not heard until it is listed again")
  func closed() throws {
    var device = try TrackedDevice()
    try device.media(Self.full)
    device.tracker.appClosed("app")
    #expect(device.media == nil)
    #expect(device.snapshot.receiver?.application != nil)
    #expect(try device.media(Self.full) == nil)
    try device.app("app")
    #expect(try device.media(Self.full) == .media)
    device.tracker.appClosed("some other app")
    #expect(device.media != nil)
  }

  @Test("A status without a word on the volume keeps the last one, any other status replaces it")
  func deviceVolume() throws {
    var device = try TrackedDevice()
    try device.receiver(#"{"volume":{"level":0.5,"muted":true}}"#)
    try device.receiver("{}")
    #expect(device.snapshot.receiver?.volume.level == 0.5)
    try device.receiver(#"{"volume":{"level":0.2}}"#)
    #expect(device.snapshot.receiver?.volume.level == 0.2)
    #expect(device.snapshot.receiver?.volume.muted == nil)
    #expect(device.snapshot.receiverMessage?.json["status"]?["volume"]?["level"] == 0.2)
  }

  // MARK: the connection

  @Test("A lost connection keeps what was known; a new one starts from nothing")
  func reconnecting() throws {
    var device = try TrackedDevice()
    try device.media(Self.full)
    device.tracker.appClosed("x")
    device.tracker.disconnected()
    #expect(!device.snapshot.isConnected)
    #expect(device.media != nil)
    device.tracker.connected()
    var expected = DeviceSnapshot()
    expected.isConnected = true
    #expect(device.snapshot == expected)
  }

  // MARK: failures

  @Test("An error code stays with its media session", arguments: ["ERROR", "LOAD_FAILED"])
  func errorCode(type: String) throws {
    var device = try TrackedDevice()
    try device.media(Self.full)
    #expect(try device.message(#"{"type":"\#(type)","detailedErrorCode":104}"#) == .fault)
    #expect(device.snapshot.detailedErrorCode == 104)
    try device.media(#"{"mediaSessionId":1,"playerState":"IDLE","idleReason":"ERROR"}"#)
    try device.message(#"{"type":"\#(type)"}"#)
    try device.receiver(#"{"applications":[{"appId":"CC1AD845","transportId":"app","sessionId":"app"}]}"#)
    #expect(device.snapshot.detailedErrorCode == 104)
    try device.media(#"{"mediaSessionId":2,"playerState":"BUFFERING"}"#)
    #expect(device.snapshot.detailedErrorCode == nil)
  }

  @Test("An error that comes before the status of the session it ended stays, until the status is empty")
  func errorFirst() throws {
    var device = try TrackedDevice()
    try device.message(#"{"type":"LOAD_FAILED","requestId":4,"detailedErrorCode":104}"#)
    try device.media(#"{"mediaSessionId":1,"playerState":"IDLE","idleReason":"ERROR"}"#)
    #expect(device.snapshot.detailedErrorCode == 104)
    try device.media("")
    #expect(device.snapshot.detailedErrorCode == nil)
  }

  @Test("An error that comes before any media status stays when the same app is listed again, and goes with the app")
  func errorWithoutMedia() throws {
    var device = try TrackedDevice()
    try device.message(#"{"type":"LOAD_FAILED","requestId":4,"detailedErrorCode":104}"#)
    try device.app("app")
    #expect(device.snapshot.detailedErrorCode == 104)
    try device.app("other")
    #expect(device.snapshot.detailedErrorCode == nil)
  }

  @Test(
    "Messages that are no status change nothing that is known",
    arguments: [
      (#"{"type":"INVALID_REQUEST","requestId":3}"#, StatusTracker.Change?.some(.fault)),
      (#"{"type":"LOAD_CANCELLED","requestId":3}"#, .fault),
      (#"{"type":"INVALID_PLAYER_STATE","requestId":3}"#, .fault),
      (#"{"type":"QUEUE_CHANGE","requestId":0}"#, .queue), ("[]", nil), ("{}", nil),
    ])
  func otherMessages(text: String, change: StatusTracker.Change?) throws {
    var device = try TrackedDevice()
    try device.media(Self.full)
    let before = device.snapshot
    #expect(try device.message(text) == change)
    #expect(device.snapshot == before)
  }

  @Test("Other namespaces are none of its business")
  func otherNamespace() throws {
    var device = try TrackedDevice()
    let json = try JSONValue(parsing: #"{"type":"MEDIA_STATUS","status":[{"mediaSessionId":1}]}"#)
    #expect(device.tracker.receive(json, namespace: Namespace(rawValue: "urn:x-cast:x"), from: "app", at: .zero) == nil)
    #expect(device.media == nil)
  }

  @Test("A session that the end of the one before announces has the media that was announced, until it says its own")
  func announced() throws {
    var device = try TrackedDevice()
    try device.media(#"{"mediaSessionId":1,"playerState":"PLAYING","media":{"contentId":"a"}}"#, at: 1)
    try device.media(
      #"{"mediaSessionId":1,"playerState":"IDLE","idleReason":"INTERRUPTED","extendedStatus":{"playerState":"LOADING","#
        + #""media":{"contentId":"b"},"mediaSessionId":2}}"#, at: 2)
    #expect(device.snapshot.media?.media?.contentID == "a")
    try device.media(#"{"mediaSessionId":2,"playerState":"BUFFERING"}"#, at: 3)
    #expect(device.snapshot.media?.media?.contentID == "b")
    try device.media(#"{"mediaSessionId":3,"playerState":"BUFFERING"}"#, at: 4)
    #expect(device.snapshot.media?.media == nil)
  }
}
