import CastProtocol
import Testing

@testable import ScenarioLanguage

@Suite struct PlanOutputTests {
  /// The golden ads.yaml, its secret not asked for.
  static func ads() throws -> Plan {
    var inputs = PlanCompiler.Inputs()
    inputs.needsSecrets = false
    let source = SourceFile(name: "lobby.yaml", bytes: try Golden.bytes("documents/ads.yaml"))
    return try Compiling.plan(source, inputs: inputs)
  }

  @Test("`load: film` of ads.yaml becomes the LOAD that the language reference prints")
  func loadOnTheWire() throws {
    let plan = try Self.ads()
    guard case .load(let load) = plan.steps[1].action else { throw Compiling.NoPlan() }
    let lines = [
      #"{"type":"LOAD","requestId":0,"autoplay":true,"currentTime":0,"activeTrackIds":[2],"credentials":"‹secret.token›","#,
      #""media":{"contentId":"https://cdn.example.com/qa/film.m3u8","contentType":"application/x-mpegurl","streamType":"BUFFERED","duration":600,"#,
      #""metadata":{"metadataType":1,"title":"Sintel","subtitle":"Release candidate"},"#,
      #""tracks":[{"trackId":1,"type":"TEXT","subtype":"SUBTITLES","language":"en","trackContentId":"https://cdn.example.com/qa/en.vtt","trackContentType":"text/vtt"},"#,
      #"{"trackId":2,"type":"TEXT","subtype":"SUBTITLES","language":"no","trackContentId":"https://cdn.example.com/qa/no.vtt","trackContentType":"text/vtt"}],"#,
      ##""textTrackStyle":{"fontScale":1.5,"foregroundColor":"#FFFF00FF","backgroundColor":"#000000BF","edgeType":"OUTLINE","edgeColor":"#000000FF"},"##,
      #""breakClips":[{"id":"car","contentId":"https://cdn.example.com/qa/car.mp4","contentType":"video/mp4","duration":15,"whenSkippable":5},"#,
      #"{"id":"soap","contentId":"https://cdn.example.com/qa/soap.mp4","contentType":"video/mp4","duration":6}],"#,
      #""breaks":[{"id":"pre","position":0,"breakClipIds":["soap"]},{"id":"mid","position":10,"breakClipIds":["car","soap"]}]}}"#,
    ]
    #expect(MediaRequest.load(load.request).json(requestID: 0).serialized() == lines.joined())
  }

  @Test("ads.yaml names its steps, and its expectation says what events will want")
  func names() throws {
    let plan = try Self.ads()
    #expect(plan.id == "lobby")
    #expect(plan.tags == ["smoke", "ads"])
    #expect(
      plan.steps.map(\.name) == [
        "launch A1B2C3D4", "load film", "Pre-roll first, then the film", "expect active_tracks, text_style",
        "The car ad cannot be skipped at once", "... but can after 5 s", "skip_ad", "expect break",
        "expect break, position", "Change language without losing the style", "rate 1.5", "wait 10s",
        "10 s of wall clock at 1.5x is 15 s of film", "The speed holds",
      ])
    guard case .expect(let expect) = plan.steps[8].action else { throw Compiling.NoPlan() }
    #expect(expect.condition.text() == "break none, position 10.0s ± 1s")
    let want: JSONValue = ["position": ["about": 10.0, "tolerance": 1.0], "break": .null]
    #expect(expect.condition.json() == want)
    // Where a failure points: from the key `position` to the end of its value (docs/runs.md "Kinds of events").
    let span = try #require(expect.condition.leaves.last?.span)
    #expect((span.column, span.endColumn - span.column) == (28, 39))
    #expect(plan.watch.map(\.name) == ["The receiver never reports a playback error", "No stall longer than 5 s"])
    #expect(plan.watch.map(\.forAtLeast) == [nil, .seconds(5)])
  }

  @Test("A listing says what each step may take, and when it is tried again")
  func listing() throws {
    let plan = try Compiling.plan(
      """
      scenario: Short
      device: { host: 192.0.2.14 }
      timeout: 2m
      steps:
        - launch: A1B2C3D4
          retry: 3
        - rate: 1.5
          save: { p0: position }
        - expect: { position: { about: "${p0}", plus: 15s, tolerance: 1s } }
          within: 20s
          if_fails: continue
      finally: [stop_app]
      """)
    #expect(
      PlanListing(plan).text == """
        lobby · Short
          device host 192.0.2.14:8009
          deadline 2m, finally 30s
        steps
          s1  launch A1B2C3D4  at most 48s (3 tries of 15s)
              try at 0s, 1s, 3s
          s2  rate 1.5         at most 30s
              save p0 = position
          s3  expect position  at most 20s  if it fails: continue
              position ${p0} + 15s ± 1s within 20s
        finally
          finally1  stop_app  at most 30s
        3 steps, at most 1m38s of 2m

        """)
  }

  @Test("A plan as JSON has its members in a fixed order, durations in seconds, and the place of each step")
  func json() throws {
    let plan = try Compiling.plan(
      "scenario: Short\ndevice: TV\nsteps:\n  - launch: A1B2C3D4\n    retry: 3\n  - expect: { player: playing }\n")
    let json = plan.json
    #expect(
      json.object?.members.map(\.name) == [
        "v", "language", "id", "title", "file", "tags", "device", "timeout", "finallyTimeout", "within", "timeouts",
        "watch", "setup", "steps", "onFailure", "finally",
      ])
    #expect(json["device"] == ["name": "TV"])
    #expect(
      json["steps"]?.array?[0].serialized()
        == #"{"id":"s1","name":"launch A1B2C3D4","verb":"launch","args":{"app":"A1B2C3D4","join":"auto"},"timeout":15,"bound":48,"retry":{"attempts":3,"wait":1,"factor":2,"maxWait":30,"jitter":0,"errors":["busy","connection_lost","launch_cancelled","timeout","unreachable"],"before":"nothing","tries":[0,1,3]},"ifFails":"stop","file":"lobby.yaml","line":4,"column":5,"endLine":4,"endColumn":11}"#
    )
    #expect(json["steps"]?.array?[1]["args"] == ["that": ["player": "playing"], "within": 10])
  }

  @Test("Every step of ads.yaml has JSON, and the same document gives the same text")
  func stable() throws {
    let text = try Self.ads().json.serialized()
    #expect(try Self.ads().json.serialized() == text)
    #expect(try Self.ads().json["steps"]?.array?.count == 14)
  }

  @Test("A device is an inventory id first, then a friendly name")
  func devices() throws {
    func device(_ device: String) throws -> Plan.DeviceSelector {
      try Compiling.plan(
        """
        scenario: Devices
        device: \(device)
        inventory:
          lobby: { name: Lobby TV }
          bar: { name: Bar TV, id: 8e2d1c0a, host: "192.0.2.14:8010" }
        steps: [{ expect: { player: idle } }]
        """
      ).device
    }
    #expect(try device("Kitchen").name == "Kitchen")
    #expect(try device("lobby").name == "Lobby TV")
    #expect(try device("lobby").inventoryID == "lobby")
    let bar = try device("bar")
    #expect(bar.id == "8e2d1c0a")
    #expect(bar.host == HostAndPort(host: "192.0.2.14", port: 8010))
    #expect(try device("{ model_like: \"Chrome*\" }").modelLike == "Chrome*")
  }
}
