import CastProtocol
import Testing

@testable import ScenarioLanguage

@Suite struct PlanWireTests {
  @Test("`plan --wire` shows the LOAD of ads.yaml as the language reference prints it, alone on its line")
  func ads() throws {
    let lines = PlanWire(try PlanOutputTests.ads()).lines
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
    #expect(lines.contains(expected))
    #expect(
      lines.filter { $0.hasPrefix("#") } == [
        "# s1 launch A1B2C3D4", "# s2 load film", "# s7 skip_ad", "# s10 Change language without losing the style",
        "# s11 rate 1.5", "# finally1 rate 1", "# finally2 stop_app",
      ])
    #expect(lines.contains(#"{"type":"EDIT_TRACKS_INFO","requestId":0,"mediaSessionId":0,"activeTrackIds":[1]}"#))
  }

  @Test(
    "A message of one's own is shown with where it goes",
    arguments: [
      ("", "# to the app in urn:x-cast:com.acme"), (", to: receiver", "# to receiver-0 in urn:x-cast:com.acme"),
    ])
  func destination(to: String, line: String) throws {
    let text = "send: { namespace: urn:x-cast:com.acme\(to), message: { type: PING } }"
    let lines = PlanWire(try Compiling.plan(Compiling.scenario(text))).lines
    #expect(lines.suffix(2) == [line, #"{"type":"PING"}"#])
    #expect(lines.dropLast(2).last?.hasPrefix("# s1 send") == true)
  }

  static let messages: [(yaml: String, lines: [String])] = [
    (
      "launch: { app: default, language: nb-NO, params: { a: 1 } }",
      [#"{"type":"LAUNCH","requestId":0,"appId":"CC1AD845","language":"nb-NO","appParams":{"a":1}}"#]
    ),
    ("stop_app", [#"{"type":"STOP","requestId":0,"sessionId":"‹session›"}"#]),
    ("volume: 40%", [#"{"type":"SET_VOLUME","requestId":0,"volume":{"level":0.4}}"#]),
    ("volume: \"${v0}\"", [#"{"type":"SET_VOLUME","requestId":0,"volume":{"level":"‹v0›"}}"#]),
    ("mute: true", [#"{"type":"SET_VOLUME","requestId":0,"volume":{"muted":true}}"#]),
    ("play", [#"{"type":"PLAY","requestId":0,"mediaSessionId":0}"#]),
    ("seek: 1m30s", [#"{"type":"SEEK","requestId":0,"mediaSessionId":0,"currentTime":90}"#]),
    ("seek: \"${p0}\"", [#"{"type":"SEEK","requestId":0,"mediaSessionId":0,"currentTime":"‹p0›"}"#]),
    (
      "seek: { by: -10s, then: pause }",
      [
        #"{"type":"SEEK","requestId":0,"mediaSessionId":0,"currentTime":"‹position - 10s›","resumeState":"PLAYBACK_PAUSE"}"#
      ]
    ),
    ("seek: end", [#"{"type":"SEEK","requestId":0,"mediaSessionId":0,"currentTime":"‹end›"}"#]),
    (
      "rate: { by: 1.1x }",
      [#"{"type":"SET_PLAYBACK_RATE","requestId":0,"mediaSessionId":0,"relativePlaybackRate":1.1}"#]
    ),
    ("tracks: [fr]", [#"{"type":"EDIT_TRACKS_INFO","requestId":0,"mediaSessionId":0,"activeTrackIds":["‹fr›"]}"#]),
    (
      "text_style: { size: 200% }",
      [#"{"type":"EDIT_TRACKS_INFO","requestId":0,"mediaSessionId":0,"textTrackStyle":{"fontScale":2}}"#]
    ),
    ("refresh", [#"{"type":"GET_STATUS","requestId":0}"#, #"{"type":"GET_STATUS","requestId":0}"#]),
    ("refresh: { what: media }", [#"{"type":"GET_STATUS","requestId":0}"#]),
    ("send: { namespace: urn:x-cast:com.acme, message: { type: PING } }", [#"{"type":"PING"}"#]),
    ("wait: 1s", []), ("connect", []), ("transfer: Hall", []), ("probe: _film", []),
    ("expect: { player: idle }", []),
  ]

  @Test("Each verb that sends shows its messages; what only a run knows stands between ‹ and ›", arguments: messages)
  func message(yaml: String, lines: [String]) throws {
    let plan = try Compiling.plan(
      Compiling.scenario(yaml, before: ["expect: { player: idle }\nsave: { p0: position, v0: volume.level }"]))
    let found = PlanWire(plan).lines
    #expect(found.filter { !$0.hasPrefix("#") } == lines)
    #expect(found.filter { $0.hasPrefix("# s2 ") }.count == (lines.isEmpty ? 0 : 1))
  }

  @Test("A line that names a step is one line, whatever the name")
  func header() throws {
    let plan = try Compiling.plan(Compiling.scenario("play: {}\nname: \"a\\nb\""))
    #expect(PlanWire(plan).lines.first == "# s1 a b")
  }

  static let arguments: [(yaml: String, arguments: String)] = [
    ("queue_remove: [_film, 3]", #"{"items":["_film",3]}"#), ("queue_jump: next", #"{"to":"next"}"#),
    ("queue_jump: _film", #"{"to":"_film"}"#),
    (
      "queue_update: { repeat: all, items: [{ item: 1, media: _photo }] }",
      #"{"repeat":"all","items":[{"item":1,"media":{"media":"_photo","url":"https://cdn.example.com/photo.jpg"}}]}"#
    ),
    ("queue_reorder: { items: [2, 1] }", #"{"items":[2,1],"before":"end"}"#),
    (
      "queue_insert: { items: [_photo], before: 2 }",
      #"{"items":[{"media":"_photo","url":"https://cdn.example.com/photo.jpg"}],"before":2}"#
    ),
    ("transfer: Hall", #"{"to":{"name":"Hall"},"stopSource":true}"#),
    (
      "send: { namespace: urn:x-cast:com.acme, message: { a: 1 }, expect_reply: { b: 2 } }",
      #"{"namespace":"urn:x-cast:com.acme","message":{"a":1},"to":"app","expectReply":{"b":2}}"#
    ),
    (
      "expect_message: { namespace: urn:x-cast:com.acme, message: { b: { min: 2 } } }",
      #"{"namespace":"urn:x-cast:com.acme","message":{"b":{"min":2}},"within":10}"#
    ),
    (
      "probe: _photo", #"{"urls":["https://cdn.example.com/photo.jpg"],"cors":true,"ranges":true}"#
    ),
    ("exec: { command: [ls, \"${run.dir}\"] }", ##"{"command":["ls","${run.dir}"],"stdin":"json","output":"json"}"##),
  ]

  @Test("`plan --json` has the arguments of each verb", arguments: arguments)
  func json(yaml: String, arguments: String) throws {
    let step = try Compiling.step(yaml)
    #expect(step.action.arguments.serialized() == arguments)
  }

  static let details: [(yaml: String, detail: String)] = [
    ("queue: { items: [_film, _photo], start_at: 2, repeat: all }", "2 items from 2, repeat all"),
    ("queue_insert: { items: [_photo], before: _film }", "before _film"),
    ("queue_reorder: { items: [2, 1] }", "at the end"),
    ("transfer: { to: { id: abc }, stop_source: false }", "to id abc, the source plays on"),
    (
      "send: { namespace: urn:x-cast:com.acme, message: { a: 1 }, expect_reply: { b: 2 } }",
      "urn:x-cast:com.acme to the app, reply b 2"
    ),
    (
      "expect_message: { namespace: urn:x-cast:com.acme, message: { b: { min: 2 } } }\nwithin: 3s",
      "urn:x-cast:com.acme: b min 2 within 3s"
    ),
    ("probe: _film", "2 URLs"),
  ]

  @Test("`plan` says what the name of a step does not", arguments: details)
  func listing(yaml: String, detail: String) throws {
    let plan = try Compiling.plan(Compiling.scenario(yaml))
    #expect(PlanListing(plan).lines.contains("      \(detail)"), "\(PlanListing(plan).text)")
  }
}
