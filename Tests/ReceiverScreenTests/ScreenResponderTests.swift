import CastProtocol
import ReceiverScreen
import Synchronization
import Testing
import WebServer

@testable import CastReceiver

/// What the pages of screens may ask and tell, without a socket (docs/security.md V7).
@Suite struct ScreenResponderTests {
  private static let token = String(repeating: "b2", count: 32)
  private static let host = "127.0.0.1:8010"
  static let one = String(repeating: "1a", count: 16)
  static let two = String(repeating: "2b", count: 16)

  /// Some screens, and what their receivers were told.
  private final class Lab: Sendable {
    let responder: ScreenResponder
    let told = Mutex<[PlayerInput]>([])

    init(_ count: Int = 1, readersNeedToken: Bool = false, name: String = "Lobby") {
      nonisolated(unsafe) weak var lab: Lab?
      let sources = (0..<count).map { index in
        ScreenSource(
          name: "\(name) \(index + 1)", signal: ScreenSignal(), snapshot: { .example("\(name) \(index + 1)") },
          player: { input in lab?.told.withLock { $0.append(input) } })
      }
      responder = ScreenResponder(
        sources,
        access: WebAccess(
          token: ScreenResponderTests.token, hosts: [ScreenResponderTests.host], readersNeedToken: readersNeedToken),
        clock: TimeSource(ContinuousClock()))
      lab = self
    }

    func ask(
      _ method: ServedRequest.Method, _ path: String, _ headers: [String: String] = [:],
      host: String = ScreenResponderTests.host, body: String = ""
    ) async -> ServedAnswer {
      await responder.answer(ServedRequest(method, path, host: host, headers: headers, body: Array(body.utf8)))
    }

    func text(_ path: String) async -> String {
      guard case .bytes(let bytes) = await ask(.get, path).body else { return "" }
      return String(decoding: bytes, as: UTF8.self)
    }

    /// Opens a page; it is open for as long as what comes back is kept.
    func open(_ key: String) async -> AsyncStream<[UInt8]>? {
      guard case .stream(let stream) = await ask(.get, "/api/screens/1/events", ["screen-page": key]).body else {
        return nil
      }
      return stream
    }

    func report(_ key: String?, _ body: String = ScreenResponderTests.playing, _ headers: [String: String] = [:])
      async -> Int
    {
      var headers = headers
      headers["screen-page"] = key
      return await ask(.post, "/api/screens/1/player", headers, body: body).status
    }
  }

  static let playing = #"{"playback":"abc.1","order":2,"state":"playing","position":1.5,"duration":9}"#

  @Test("Every answer forbids to run, frame, sniff or keep anything, and the script makes no markup of texts")
  func headers() async throws {
    let lab = Lab()
    for path in ["/", "/1", "/app.js", "/style.css", "/icon.svg", "/api/screens", "/api/screens/1", "/nothing"] {
      let answer = await lab.ask(.get, path)
      let policy = try #require(answer.header("Content-Security-Policy"))
      #expect(
        policy.contains("default-src 'none'") && policy.contains("script-src 'self';") && !policy.contains("unsafe"))
      #expect(policy.contains("frame-ancestors 'none'") && answer.header("X-Content-Type-Options") == "nosniff")
      #expect(answer.header("Cache-Control") == "no-store" && answer.header("Referrer-Policy") == "no-referrer")
    }
    let script = await lab.text("/app.js")
    for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("] {
      #expect(!script.contains(word), "\(word)")
    }
    let page = await lab.text("/1")
    #expect(!page.contains("<script>") && !page.contains(" style=") && !page.contains(" onclick="))
  }

  @Test("One receiver is at `/`; several are a list there, each at its number; another number is nobody's")
  func paths() async {
    #expect(await Lab().text("/").contains("data-screen=\"1\""))
    let several = Lab(3)
    #expect(await several.text("/").contains("data-screen=\"\""))
    #expect(await several.text("/3").contains("data-screen=\"3\""))
    for path in ["/api/screens/4", "/4", "/0", "/-1", "/00001", "/a", "/api/screens/1/x", "/api/screens//player"] {
      #expect(await several.ask(.get, path).status == 404, "\(path)")
    }
    #expect(await several.text("/api/screens").contains("Lobby 3"))
    #expect(await several.ask(.post, "/1").status == 401)
    #expect(await several.ask(.get, "/api/screens/1/player").header("Allow") == "POST")
  }

  @Test("Another name, another site, and where others can reach it whoever has no token, are refused")
  func access() async {
    let lab = Lab()
    for path in ["/", "/api/screens/1", "/api/screens/1/events"] {
      #expect(await lab.ask(.get, path, host: "evil.example:8010").status == 403, "\(path)")
      #expect(await lab.ask(.get, path, ["origin": "http://evil.example"]).status == 403, "\(path)")
    }
    let page = await lab.open(Self.one)
    #expect(page != nil)
    #expect(await lab.report(Self.one, Self.playing, ["origin": "http://evil.example"]) == 403)
    #expect(await lab.report(Self.one, Self.playing, ["origin": "http://\(Self.host)"]) == 200)
    let open = Lab(readersNeedToken: true)
    #expect(await open.ask(.get, "/").status == 200)
    #expect(await open.ask(.get, "/api/screens/1").status == 401)
    #expect(await open.report(Self.one) == 401)
    #expect(await open.ask(.get, "/api/screens/1", ["authorization": "Bearer \(Self.token)"]).status == 200)
  }

  @Test("Only the page that was opened last is believed; when it goes, the one before goes on; then none")
  func drivers() async {
    let lab = Lab()
    #expect(await lab.report(Self.one) == 409, "no page is open")
    var first = await lab.open(Self.one)
    #expect(await lab.report(Self.one) == 200)
    var second = await lab.open(Self.two)
    #expect(await lab.report(Self.one) == 409)
    #expect(await lab.report(nil) == 409)
    #expect(await lab.report(Self.two) == 200)
    second = nil
    #expect(await lab.report(Self.one) == 200)
    first = nil
    #expect(await lab.report(Self.one) == 409)
    _ = (first, second)
    let inputs = lab.told.withLock { $0 }
    let reports = inputs.filter { if case .report = $0 { true } else { false } }
    #expect(reports.count == 3)
    #expect(inputs.filter { $0 == .came }.count == 3 && inputs.filter { $0 == .left }.count == 1)
    #expect(inputs.first == .came && inputs.last == .left)
  }

  @Test("A page that opens another stream before its first one ended stays the one that it was")
  func again() {
    var pages = ScreenPages()
    guard let one = ScreenPages.Key(Self.one), let two = ScreenPages.Key(Self.two) else { return }
    #expect(pages.opened(one) == .came && pages.opened(two) == .came && pages.opened(one) == nil)
    #expect(pages.driver == two)
    #expect(pages.closed(one) == nil && pages.closed(two) == .came && pages.driver == one)
    #expect(pages.closed(one) == .left && pages.driver == nil && pages.closed(one) == nil)
  }

  @Test(
    "A key is 32 small hexadecimal digits",
    arguments: ["", "1a", String(repeating: "g1", count: 16), String(repeating: "1A", count: 16), one + "0"])
  func keys(text: String) async {
    #expect(ScreenPages.Key(text) == nil)
    #expect(await Lab().ask(.get, "/api/screens/1/events", ["screen-page": text]).status == 400)
  }

  static let noReports = [
    "", "[]", "{}", "nonsense", #"{"playback":"abc.1","order":2,"state":"flying","position":1}"#,
    #"{"playback":"abc","order":2,"state":"playing","position":1}"#,
    #"{"playback":".1","order":2,"state":"playing","position":1}"#,
    #"{"playback":"abc.0","order":2,"state":"playing","position":1}"#,
    #"{"playback":"abc.1","order":-1,"state":"playing","position":1}"#,
    #"{"playback":"abc.1","order":"2","state":"playing","position":1}"#,
    #"{"playback":"abc.1","order":2,"state":"playing","position":-1}"#,
    #"{"playback":"abc.1","order":2,"state":"playing","position":1e300}"#,
    #"{"playback":"abc.1","order":2,"state":"playing","position":null}"#,
    #"{"playback":"abc.1","order":2,"state":"playing","position":1,"duration":-4}"#,
    #"{"playback":"abc.1","order":2,"state":"playing","position":1,"duration":"9"}"#,
    #"{"playback":"\#(String(repeating: "a", count: 200)).1","order":2,"state":"playing","position":1}"#,
    String(repeating: " ", count: 5_000) + playing,
  ]

  @Test("What is no report of a page is refused and changes nothing", arguments: noReports)
  func noReport(body: String) async {
    let lab = Lab()
    let page = await lab.open(Self.one)
    #expect(await lab.report(Self.one, body) == 400)
    #expect(lab.told.withLock { $0 } == [.came])
    _ = page
  }

  @Test("A report is read with its times, its picture and what the element says is wrong")
  func reports() throws {
    let report = try #require(PlayerReport(try JSONValue(parsing: Array(Self.playing.utf8))))
    #expect(report.playback == PlaybackID(sessionID: "abc", number: 1) && report.order == 2)
    #expect(report.state == .playing && report.position == .seconds(1.5) && report.duration == .seconds(9))
    for (error, code) in [(1, 101), (2, 103), (3, 102), (4, 104), (99, 100)] {
      let failed = PlayerReport([
        "playback": "a.b.7", "order": 0, "state": "failed", "position": 0, "error": .int(error), "width": 640,
        "height": 99_999,
      ])
      #expect(failed?.state == .failed(code: code) && failed?.size == nil && failed?.playback.sessionID == "a.b")
    }
  }

  @Test("More than 16 pages of a screen are refused, and when one goes there is room for another")
  func crowd() async {
    let lab = Lab()
    var streams: [AsyncStream<[UInt8]>] = []
    for number in 0..<ScreenResponder.mostFollowers {
      let key = String(repeating: "0", count: 30) + (number < 10 ? "0\(number)" : "\(number)")
      if let stream = await lab.open(key) { streams.append(stream) }
    }
    #expect(streams.count == 16)
    #expect(await lab.ask(.get, "/api/screens/1/events", ["screen-page": Self.one]).status == 503)
    streams.removeLast()
    #expect(await lab.open(Self.one) != nil)
  }

  @Test("A page hears how it is now, and who plays")
  func events() async throws {
    let lab = Lab()
    let stream = try #require(await lab.open(Self.one))
    for await piece in stream {
      let text = String(decoding: piece, as: UTF8.self)
      #expect(text.hasPrefix("event: state\ndata: {") && text.hasSuffix("\n\n"))
      let json = try JSONValue(parsing: Array(text.dropFirst("event: state\ndata: ".count).utf8))
      #expect(json["driver"]?.string == "1a1a1a1a" && json["name"]?.string == "Lobby 1")
      break
    }
  }
}

extension ScreenSnapshot {
  /// A receiver on which nothing runs.
  static func example(_ name: String = "Lobby") -> ScreenSnapshot {
    ScreenSnapshot(
      name: name, model: "M", level: 0.5, isMuted: false, streamLevel: 1, isStreamMuted: false,
      display: ReceiverDisplay(), app: nil, media: nil, fault: nil, playsOutside: true)
  }
}
