import CastProtocol
import Testing

@Suite struct RequestTests {
  /// The film of examples/ads.yaml as a LOAD.
  static func film() -> LoadRequest {
    func captions(_ id: Int, _ language: String) -> MediaInformation.Track {
      var track = MediaInformation.Track()
      track.trackID = id
      track.type = "TEXT"
      track.subtype = "SUBTITLES"
      track.language = language
      track.trackContentID = "https://cdn.example.com/qa/\(language).vtt"
      track.trackContentType = "text/vtt"
      return track
    }
    func clip(_ id: String, _ duration: Double, skippable: Double? = nil) -> MediaInformation.BreakClip {
      var clip = MediaInformation.BreakClip()
      clip.id = id
      clip.contentID = "https://cdn.example.com/qa/\(id).mp4"
      clip.contentType = "video/mp4"
      clip.duration = duration
      clip.whenSkippable = skippable
      return clip
    }
    func adBreak(_ id: String, at position: Double, _ clips: [String]) -> MediaInformation.Break {
      var adBreak = MediaInformation.Break()
      adBreak.id = id
      adBreak.position = position
      adBreak.breakClipIDs = clips
      return adBreak
    }
    var style = TextTrackStyle()
    style.fontScale = 1.5
    style.foregroundColor = "#FFFF00FF"
    style.backgroundColor = "#000000BF"
    style.edgeType = "OUTLINE"
    style.edgeColor = "#000000FF"
    var media = MediaInformation()
    media.contentID = "https://cdn.example.com/qa/film.m3u8"
    media.contentType = "application/x-mpegurl"
    media.streamType = "BUFFERED"
    media.duration = 600
    media.metadata = ["metadataType": 1, "title": "Sintel", "subtitle": "Release candidate"]
    media.tracks = [captions(1, "en"), captions(2, "no")]
    media.textTrackStyle = style
    media.breakClips = [clip("car", 15, skippable: 5), clip("soap", 6)]
    media.breaks = [adBreak("pre", at: 0, ["soap"]), adBreak("mid", at: 10, ["car", "soap"])]
    var request = LoadRequest(media: media)
    request.currentTime = 0
    request.activeTrackIDs = [2]
    request.credentials = "‹secret.token›"
    return request
  }

  @Test("LOAD is written byte for byte in the order of docs/protocol.md 4.2")
  func load() {
    let expected =
      #"{"type":"LOAD","requestId":0,"autoplay":true,"currentTime":0,"activeTrackIds":[2],"credentials":"‹secret.token›","#
      + #""media":{"contentId":"https://cdn.example.com/qa/film.m3u8","contentType":"application/x-mpegurl","streamType":"BUFFERED","duration":600,"#
      + #""metadata":{"metadataType":1,"title":"Sintel","subtitle":"Release candidate"},"#
      + #""tracks":[{"trackId":1,"type":"TEXT","subtype":"SUBTITLES","language":"en","trackContentId":"https://cdn.example.com/qa/en.vtt","trackContentType":"text/vtt"},"#
      + #"{"trackId":2,"type":"TEXT","subtype":"SUBTITLES","language":"no","trackContentId":"https://cdn.example.com/qa/no.vtt","trackContentType":"text/vtt"}],"#
      + ##""textTrackStyle":{"fontScale":1.5,"foregroundColor":"#FFFF00FF","backgroundColor":"#000000BF","edgeType":"OUTLINE","edgeColor":"#000000FF"},"##
      + #""breakClips":[{"id":"car","contentId":"https://cdn.example.com/qa/car.mp4","contentType":"video/mp4","duration":15,"whenSkippable":5},"#
      + #"{"id":"soap","contentId":"https://cdn.example.com/qa/soap.mp4","contentType":"video/mp4","duration":6}],"#
      + #""breaks":[{"id":"pre","position":0,"breakClipIds":["soap"]},{"id":"mid","position":10,"breakClipIds":["car","soap"]}]}}"#
    #expect(MediaRequest.load(Self.film()).json(requestID: 0).serialized() == expected)
  }

  @Test("What LOAD sends is read back as the same media")
  func mediaRoundTrip() throws {
    var media = Self.film().media
    media.contentURL = "https://cdn.example.com/x"
    media.vmapAdTagURL = "https://ads.example.com/vmap"
    media.hlsSegmentFormat = "ts"
    media.hlsVideoSegmentFormat = "fmp4"
    media.startAbsoluteTime = 1_790_000_000.25
    media.customData = ["a": [1, 2.5]]
    media.textTrackStyle?.windowType = "ROUNDED_CORNERS"
    media.textTrackStyle?.windowColor = "#00000080"
    media.textTrackStyle?.windowRoundedCornerRadius = 8
    media.textTrackStyle?.fontFamily = "Roboto"
    media.textTrackStyle?.fontGenericFamily = "CASUAL"
    media.textTrackStyle?.fontStyle = "BOLD"
    media.textTrackStyle?.customData = 1
    media.vmapAdsResponse = "<VMAP/>"
    media.mediaCategory = "VIDEO"
    media.entity = "app://film"
    media.atvEntity = "atv://film"
    media.userActionStates = [.init(userAction: "LIKE", customData: ["n": 1])]
    media.tracks?[0].roles = ["main", "dub"]
    media.tracks?[0].audio = MediaInformation.Track.AudioInfo()
    media.tracks?[0].audio?.codec = "ec-3"
    media.tracks?[0].audio?.channels = 6
    media.tracks?[0].audio?.isSpatial = true
    media.tracks?[0].customData = "t"
    media.breakClips?[0].vastAdsResponse = "<VAST/>"
    media.breakClips?[0].hlsSegmentFormat = "ts_aac"
    media.breakClips?[0].customData = ["k": "v"]
    media.tracks?[0].name = "English"
    media.tracks?[0].isInband = true
    media.breakClips?[0].contentURL = "https://cdn.example.com/car"
    media.breakClips?[0].title = "Car"
    media.breakClips?[0].posterURL = "https://cdn.example.com/car.png"
    media.breakClips?[0].clickThroughURL = "https://cars.example.com"
    media.breakClips?[0].vastAdTagURL = "https://ads.example.com/vast"
    media.breaks?[0].duration = 6
    media.breaks?[0].isWatched = false
    media.breaks?[0].isEmbedded = true
    media.breaks?[0].expanded = false
    media.breaks?[1].position = -1
    let text = media.json.serialized()
    #expect(MediaInformation(try JSONValue(parsing: text)) == media)
  }

  static func style() -> TextTrackStyle {
    var style = TextTrackStyle()
    style.fontScale = 2
    return style
  }
  static let mediaRequests: [(request: MediaRequest, text: String)] = [
    (.getStatus, #"{"type":"GET_STATUS","requestId":7}"#),
    (MediaRequest(.play, session: 3), #"{"type":"PLAY","requestId":7,"mediaSessionId":3}"#),
    (MediaRequest(.pause, session: 3), #"{"type":"PAUSE","requestId":7,"mediaSessionId":3}"#),
    (MediaRequest(.stop, session: 3), #"{"type":"STOP","requestId":7,"mediaSessionId":3}"#),
    (MediaRequest(.skipAd, session: 3), #"{"type":"SKIP_AD","requestId":7,"mediaSessionId":3}"#),
    (
      MediaRequest(.seek(.init(currentTime: 90)), session: 3),
      #"{"type":"SEEK","requestId":7,"mediaSessionId":3,"currentTime":90}"#
    ),
    (
      MediaRequest(.seek(.init(currentTime: 1.5, resume: true)), session: 3),
      #"{"type":"SEEK","requestId":7,"mediaSessionId":3,"currentTime":1.5,"resumeState":"PLAYBACK_START"}"#
    ),
    (
      MediaRequest(.seek(.init(currentTime: 0, resume: false)), session: 3),
      #"{"type":"SEEK","requestId":7,"mediaSessionId":3,"currentTime":0,"resumeState":"PLAYBACK_PAUSE"}"#
    ),
    (
      MediaRequest(.setPlaybackRate(.absolute(1.5)), session: 3),
      #"{"type":"SET_PLAYBACK_RATE","requestId":7,"mediaSessionId":3,"playbackRate":1.5}"#
    ),
    (
      MediaRequest(.setPlaybackRate(.relative(2)), session: 3),
      #"{"type":"SET_PLAYBACK_RATE","requestId":7,"mediaSessionId":3,"relativePlaybackRate":2}"#
    ),
    (
      MediaRequest(.editTracks(activeTrackIDs: [], textTrackStyle: nil), session: 3),
      #"{"type":"EDIT_TRACKS_INFO","requestId":7,"mediaSessionId":3,"activeTrackIds":[]}"#
    ),
    (
      MediaRequest(.editTracks(activeTrackIDs: nil, textTrackStyle: style()), session: 3),
      #"{"type":"EDIT_TRACKS_INFO","requestId":7,"mediaSessionId":3,"textTrackStyle":{"fontScale":2}}"#
    ),
    (
      MediaRequest(.setVolume(level: 0.4, muted: nil), session: 3),
      #"{"type":"SET_VOLUME","requestId":7,"mediaSessionId":3,"volume":{"level":0.4}}"#
    ),
    (
      MediaRequest(.getPartialStatus([.noMetadata, .noQueueItems])), #"{"type":"GET_STATUS","requestId":7,"options":3}"#
    ),
    (
      MediaRequest(.seek(.init(relativeTime: -10)), session: 3),
      #"{"type":"SEEK","requestId":7,"mediaSessionId":3,"relativeTime":-10}"#
    ),
    (
      MediaRequest(.selectText(.language("nb", isSuggested: true)), session: 3),
      #"{"type":"EDIT_TRACKS_INFO","requestId":7,"mediaSessionId":3,"language":"nb","isSuggestedLanguage":true}"#
    ),
    (
      MediaRequest(.selectText(.enabled(false)), session: 3),
      #"{"type":"EDIT_TRACKS_INFO","requestId":7,"mediaSessionId":3,"enableTextTracks":false}"#
    ),
    (
      MediaRequest(.selectAudio(language: "en"), session: 3),
      #"{"type":"EDIT_AUDIO_TRACKS","requestId":7,"mediaSessionId":3,"language":"en"}"#
    ),
    (
      MediaRequest(.selectAudio(language: nil), session: 3),
      #"{"type":"EDIT_AUDIO_TRACKS","requestId":7,"mediaSessionId":3}"#
    ),
    (MediaRequest(.storeSession, session: 3), #"{"type":"STORE_SESSION","requestId":7,"mediaSessionId":3}"#),
    (
      MediaRequest(.resumeSession(SessionState(["loadRequestData": ["a": 1]]))),
      #"{"type":"RESUME_SESSION","requestId":7,"sessionState":{"loadRequestData":{"a":1}}}"#
    ),
    (MediaRequest(.precache(data: "x")), #"{"type":"PRECACHE","requestId":7,"precacheData":"x"}"#),
    (MediaRequest(.playAgain), #"{"type":"PLAY_AGAIN","requestId":7}"#),
  ]
  @Test("A media request is written with its members in order, and read back as the same", arguments: mediaRequests)
  func mediaRequest(request: MediaRequest, text: String) throws {
    #expect(request.json(requestID: 7).serialized() == text)
    #expect(MediaRequest(try JSONValue(parsing: text)) == request)
  }

  @Test("Any request can carry data for the app")
  func customData() {
    #expect(
      MediaRequest(.pause, session: 3).json(requestID: 7, customData: ["why": "phone"]).serialized()
        == #"{"type":"PAUSE","requestId":7,"mediaSessionId":3,"customData":{"why":"phone"}}"#)
  }

  @Test("LOAD with everything it can say is read back as the same")
  func wholeLoad() throws {
    var load = Self.film()
    load.playbackRate = 1.5
    load.credentialsType = "android"
    load.filtersExplicit = true
    load.repeatMode = .single
    load.customData = ["play": "4f2"]
    load.queueData = QueueData()
    load.queueData?.id = "q"
    load.queueData?.repeatMode = "REPEAT_ALL"
    load.queueData?.items = [QueueItem(media: load.media)]
    let json = try JSONValue(parsing: MediaRequest.load(load).json(requestID: 1).serialized())
    #expect(MediaRequest(json) == .load(load))
    #expect(json["loadOptions"]?["contentFilteringMode"] == "FILTER_EXPLICIT")
    let state = SessionState(loading: load, customData: [1])
    #expect(state.load == load && state.customData == [1])
  }

  @Test(
    "What is no media request is none",
    arguments: [
      "[]", "{}", #"{"type":"FLY"}"#, #"{"type":"LOAD"}"#, #"{"type":"SEEK"}"#, #"{"type":"SET_VOLUME"}"#,
      #"{"type":"SET_PLAYBACK_RATE"}"#, #"{"type":"RESUME_SESSION"}"#, #"{"type":"QUEUE_GET_ITEMS"}"#,
    ])
  func noMediaRequest(text: String) throws {
    #expect(MediaRequest(try JSONValue(parsing: text)) == nil)
  }

  static let receiverRequests: [(request: ReceiverRequest, text: String)] = [
    (.getStatus, #"{"type":"GET_STATUS","requestId":7}"#),
    (.launch(appID: "CC1AD845"), #"{"type":"LAUNCH","requestId":7,"appId":"CC1AD845"}"#),
    (
      .launch(appID: "CC1AD845", language: "nb-NO", appParams: ["a": 1]),
      #"{"type":"LAUNCH","requestId":7,"appId":"CC1AD845","language":"nb-NO","appParams":{"a":1}}"#
    ),
    (
      .launch(appID: "A", supportedAppTypes: ["WEB", "ANDROID_TV"]),
      #"{"type":"LAUNCH","requestId":7,"appId":"A","supportedAppTypes":["WEB","ANDROID_TV"]}"#
    ),
    (.stop(sessionID: nil), #"{"type":"STOP","requestId":7}"#),
    (.stop(sessionID: "s"), #"{"type":"STOP","requestId":7,"sessionId":"s"}"#),
    (.setVolume(level: 1, muted: nil), #"{"type":"SET_VOLUME","requestId":7,"volume":{"level":1}}"#),
    (.setVolume(level: nil, muted: true), #"{"type":"SET_VOLUME","requestId":7,"volume":{"muted":true}}"#),
    (.getAppAvailability(appIDs: ["A", "B"]), #"{"type":"GET_APP_AVAILABILITY","requestId":7,"appId":["A","B"]}"#),
  ]
  @Test(
    "A receiver request is written with its members in order, and read back as the same", arguments: receiverRequests)
  func receiverRequest(request: ReceiverRequest, text: String) throws {
    #expect(request.json(requestID: 7).serialized() == text)
    #expect(ReceiverRequest(try JSONValue(parsing: text)) == request)
  }

  static let connectionRequests: [(request: ConnectionRequest, text: String)] = [
    (.connect(), #"{"type":"CONNECT","origin":{}}"#),
    (
      .connect(userAgent: "x/1", connectionType: .invisible, senderInfo: .init()),
      #"{"type":"CONNECT","userAgent":"x/1","connType":2,"senderInfo":{"sdkType":2,"platform":6,"connectionType":1},"origin":{}}"#
    ),
    (.close(), #"{"type":"CLOSE"}"#),
    (.close(reason: .closedBySelf), #"{"type":"CLOSE","reasonCode":5}"#),
  ]
  @Test("A connection request is written, and read back as the same", arguments: connectionRequests)
  func connectionRequest(request: ConnectionRequest, text: String) throws {
    #expect(request.json.serialized() == text)
    #expect(ConnectionRequest(try JSONValue(parsing: text)) == request)
  }

  @Test("What is no connection request is none", arguments: ["{}", "[]", #"{"type":"CONNECTED"}"#, #"{"type":1}"#])
  func noConnectionRequest(text: String) throws {
    #expect(ConnectionRequest(try JSONValue(parsing: text)) == nil)
  }
}
