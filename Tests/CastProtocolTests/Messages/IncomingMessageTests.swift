import CastProtocol
import Testing

@Suite struct IncomingMessageTests {
  static let receiverMessages: [(text: String, message: ReceiverMessage?)] = [
    (#"{"type":"RECEIVER_STATUS","requestId":3,"status":{}}"#, .status(requestID: 3, ReceiverStatus())),
    (#"{"type":"RECEIVER_STATUS","status":{}}"#, .status(requestID: 0, ReceiverStatus())),
    (#"{"type":"RECEIVER_STATUS","requestId":"3","status":{}}"#, .status(requestID: 3, ReceiverStatus())),
    (#"{"type":"RECEIVER_STATUS","requestId":3}"#, .status(requestID: 3, nil)),
    (
      #"{"type":"LAUNCH_STATUS","launchRequestId":9,"status":"USER_ALLOWED"}"#,
      .launchStatus(launchRequestID: 9, status: .userAllowed)
    ),
    (
      #"{"type":"LAUNCH_STATUS","launchRequestId":9,"status":"USER_PENDING_AUTHORIZATION"}"#,
      .launchStatus(launchRequestID: 9, status: .userPendingAuthorization)
    ),
    (#"{"type":"LAUNCH_STATUS","status":"NEW"}"#, .launchStatus(launchRequestID: nil, status: .unknown("NEW"))),
    (
      #"{"type":"LAUNCH_ERROR","requestId":4,"reason":"NOT_FOUND"}"#,
      .launchError(requestID: 4, .init(reason: "NOT_FOUND"))
    ),
    (
      #"{"type":"LAUNCH_ERROR","requestId":4,"extendedError":"USER_NOT_ALLOWED"}"#,
      .launchError(requestID: 4, .init(extendedError: "USER_NOT_ALLOWED"))
    ),
    (
      #"{"type":"INVALID_REQUEST","requestId":5,"reason":"INVALID_COMMAND"}"#,
      .invalidRequest(requestID: 5, .init(reason: "INVALID_COMMAND"))
    ),
    (
      #"{"responseType":"GET_APP_AVAILABILITY","requestId":6,"availability":{"B":"APP_AVAILABLE","A":"APP_UNAVAILABLE"}}"#,
      .appAvailability(requestID: 6, [.init(appID: "B", isAvailable: true), .init(appID: "A", isAvailable: false)])
    ),
    (#"{"type":"NEWS","requestId":1.5}"#, .other(type: "NEWS", requestID: 0)),
    ("{}", .other(type: nil, requestID: 0)), ("[]", nil), ("null", nil), ("\"RECEIVER_STATUS\"", nil),
  ]
  @Test("A receiver message is read by its type", arguments: receiverMessages)
  func receiverMessage(text: String, message: ReceiverMessage?) throws {
    #expect(ReceiverMessage(try JSONValue(parsing: text)) == message)
  }

  static let element = Shared(wrappedValue: MediaStatus.Element(["mediaSessionId": 1]))
  static let mediaMessages: [(text: String, message: MediaMessage?)] = [
    (
      #"{"type":"MEDIA_STATUS","requestId":3,"status":[{"mediaSessionId":1}]}"#, .status(requestID: 3, element: element)
    ),
    (#"{"type":"MEDIA_STATUS","requestId":3,"status":{"mediaSessionId":1}}"#, .status(requestID: 3, element: element)),
    (
      #"{"responseType":"MEDIA_STATUS","status":[{"mediaSessionId":1},{"mediaSessionId":2}]}"#,
      .status(requestID: 0, element: element)
    ),
    (#"{"type":"MEDIA_STATUS","requestId":3,"status":[]}"#, .status(requestID: 3, element: Shared(wrappedValue: nil))),
    (
      #"{"type":"MEDIA_STATUS","requestId":3,"status":null}"#, .status(requestID: 3, element: Shared(wrappedValue: nil))
    ),
    (
      #"{"type":"MEDIA_STATUS","requestId":3,"status":[null]}"#,
      .status(requestID: 3, element: Shared(wrappedValue: nil))
    ),
    (
      #"{"type":"LOAD_FAILED","requestId":3,"detailedErrorCode":104,"itemId":1,"reason":"X"}"#,
      .loadFailed(requestID: 3, .init(detailedErrorCode: 104, reason: "X"))
    ),
    (#"{"type":"LOAD_FAILED","requestId":3}"#, .loadFailed(requestID: 3, .init())),
    (#"{"type":"LOAD_CANCELLED","requestId":3,"itemId":2}"#, .loadCancelled(requestID: 3, .init())),
    (#"{"type":"INVALID_PLAYER_STATE","requestId":3}"#, .invalidPlayerState(requestID: 3, .init())),
    (
      #"{"type":"INVALID_REQUEST","requestId":3,"reason":"INVALID_PARAMS"}"#,
      .invalidRequest(requestID: 3, .init(reason: "INVALID_PARAMS"))
    ),
    (#"{"type":"ERROR","detailedErrorCode":"311"}"#, .error(requestID: 0, .init(detailedErrorCode: 311))),
    (
      #"{"type":"QUEUE_CHANGE","requestId":4,"changeType":"REMOVE","itemIds":[4,"5",null],"sequenceNumber":3}"#,
      .queueChange(requestID: 4, QueueChange(.remove, itemIDs: [4, 5], sequenceNumber: 3))
    ),
    (#"{"type":"QUEUE_ITEM_IDS","requestId":4,"itemIds":[1,5]}"#, .queueItemIDs(requestID: 4, [1, 5])),
    (#"{"type":"QUEUE_ITEM_IDS","requestId":4}"#, .queueItemIDs(requestID: 4, [])),
    (
      #"{"type":"QUEUE_ITEMS","requestId":4,"items":[{},7],"sequenceNumber":0}"#,
      .queueItems(requestID: 4, [QueueItem()])
    ),
    (
      #"{"type":"SESSION_STATE","requestId":4,"sessionState":{"x":1}}"#,
      .sessionState(requestID: 4, SessionState(["x": 1]))
    ),
    (#"{"type":"SESSION_STATE","requestId":4}"#, .sessionState(requestID: 4, nil)),
    (#"{"type":"CLOUD_STATUS","requestId":0}"#, .other(type: "CLOUD_STATUS", requestID: 0)),
    ("5", nil),
  ]
  @Test("A media message is read by its type", arguments: mediaMessages)
  func mediaMessage(text: String, message: MediaMessage?) throws {
    #expect(MediaMessage(try JSONValue(parsing: text)) == message)
  }

  @Test("A receiver status is read as devices of all ages write it")
  func receiverStatus() throws {
    let status = try #require(
      ReceiverStatus(
        try JSONValue(
          parsing: #"""
            {"applications":[{"appId":"A","universalAppId":"U","displayName":"D","sessionId":"S","transportId":"T",
            "namespaces":[{"name":"n1"},"n2",{"x":1},7],"statusText":null,"senderConnected":true}],
            "isActiveInput":true,"isStandBy":"false","userEq":{},
            "volume":{"level":"0.5","muted":false,"controlType":"fixed","stepInterval":0.04}}
            """#)))
    let app = try #require(status.application)
    #expect(app.appID == "A")
    #expect(app.universalAppID == "U")
    #expect(app.transportID == "T")
    #expect(app.namespaces.map(\.rawValue) == ["n1", "n2"])
    #expect(app.statusText.isEmpty)
    #expect(!app.isIdleScreen)
    #expect(status.isActiveInput == true)
    #expect(status.isStandBy == false)
    #expect(status.volume.level == 0.5)
    #expect(status.volume.muted == false)
    #expect(status.volume.controlType == "fixed")
    #expect(status.volume.stepInterval == 0.04)
  }

  @Test("A volume is at most 1, whatever the device says")
  func loudest() throws {
    let status = ReceiverStatus(try JSONValue(parsing: #"{"volume":{"level":7}}"#))
    #expect(status?.volume.level == 1)
  }

  static let idle: [String] = [
    "{}", #"{"applications":[]}"#, #"{"applications":null}"#, #"{"applications":{}}"#, #"{"applications":[null]}"#,
  ]
  @Test("No application, in whatever form, is none", arguments: idle)
  func idleDevice(text: String) throws {
    #expect(ReceiverStatus(try JSONValue(parsing: text))?.application == nil)
  }

  static let idleScreens: [(text: String, isIdle: Bool)] = [
    (#"{"appId":"E8C28D3C"}"#, true), (#"{"appId":"E8C28D3C","isIdleScreen":false}"#, false),
    (#"{"appId":"X","isIdleScreen":true}"#, true), (#"{"appId":"X"}"#, false),
  ]
  @Test("The idle screen is known by its flag, else by its app id", arguments: idleScreens)
  func idleScreen(text: String, isIdle: Bool) throws {
    #expect(ReceiverStatus.Application(try JSONValue(parsing: text))?.isIdleScreen == isIdle)
  }

  @Test("Values of media are read as they are echoed: numbers as text, text as numbers, null for nothing")
  func lenientMedia() throws {
    let media = try #require(
      MediaInformation(
        try JSONValue(
          parsing: #"""
            {"contentId":5,"contentUrl":null,"contentType":null,"streamType":2,"duration":"60.5","metadata":null,
            "tracks":[{"trackId":"4","type":"TEXT","name":null,"language":null,"isInband":"true"},null,7],
            "textTrackStyle":{"fontScale":"1.0"},"breaks":[{"id":1,"position":"2","breakClipIds":["a",2,null]}],
            "breakClips":[{"id":"a","mimeType":"video/mp4","whenSkippable":-1,"duration":0}],"customData":null}
            """#)))
    #expect(media.contentID == "5")
    #expect(media.contentURL == nil)
    #expect(media.contentType == nil)
    #expect(media.streamType == "2")
    #expect(media.duration == 60.5)
    #expect(media.metadata == nil)
    #expect(media.tracks?.map(\.trackID) == [4])
    #expect(media.tracks?.first?.isInband == true)
    #expect(media.textTrackStyle?.fontScale == 1)
    #expect(media.breaks?.first?.breakClipIDs == ["a", "2"])
    #expect(media.breaks?.first?.position == 2)
    #expect(media.breakClips?.first?.contentType == "video/mp4")
    #expect(media.breakClips?.first?.whenSkippable == nil)
    #expect(media.customData == nil)
  }

  @Test("A duration that is not above zero means unknown or live", arguments: ["-1", "0", "null", "\"x\"", "[]"])
  func noDuration(text: String) throws {
    #expect(MediaInformation(try JSONValue(parsing: #"{"duration":\#(text)}"#))?.duration == nil)
  }

  @Test("Lists are read as far as 256 elements")
  func longLists() throws {
    let tracks = Array(repeating: #"{"trackId":1}"#, count: 300).joined(separator: ",")
    #expect(MediaInformation(try JSONValue(parsing: #"{"tracks":[\#(tracks)]}"#))?.tracks?.count == 256)
  }

  @Test("The items of a queue are read as far as 2 000, whatever other lists are")
  func longQueue() throws {
    let items = Array(repeating: "{}", count: 2_100).joined(separator: ",")
    let message = MediaMessage(try JSONValue(parsing: #"{"type":"QUEUE_ITEMS","items":[\#(items)]}"#))
    guard case .queueItems(_, let read) = message else {
      Issue.record("\(String(describing: message))")
      return
    }
    #expect(read.count == 2_000)
  }

  @Test("Error codes have the names of docs/protocol.md 5.9, unknown ones have none")
  func errorNames() {
    #expect(DetailedErrorCode.name(of: 104) == "MEDIA_SRC_NOT_SUPPORTED")
    #expect(DetailedErrorCode.name(of: 311) == "HLS_NETWORK_MASTER_PLAYLIST")
    #expect(DetailedErrorCode.name(of: 905) == "LOAD_FAILED")
    #expect(DetailedErrorCode.name(of: 909) == DetailedErrorCode.name(of: 999))
    #expect(DetailedErrorCode.name(of: 105) == nil)
  }

  static let commands: [(bits: Int, words: [String])] = [
    (0, []), (15, ["pause", "seek", "volume", "mute"]),
    (12303, ["pause", "seek", "volume", "mute", "edit_tracks", "rate"]),
    (274_447, ["pause", "seek", "volume", "mute", "edit_tracks", "rate", "stream_transfer"]),
    (3072 + 192 + 256 + 512, ["queue_next", "queue_previous", "shuffle", "skip_ad", "repeat_all", "repeat_one"]),
    (524_288, []), (-1 << 30, []),
  ]
  @Test("Command bits have the words of the language", arguments: commands)
  func commandWords(bits: Int, words: [String]) {
    #expect(MediaCommands(rawValue: bits).words == words)
  }
}
