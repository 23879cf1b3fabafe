import CastProtocol
import ControlPage
import Foundation
import RunReporting
import ScenarioLanguage
import Signage
import Synchronization
import Testing
import WebServer

/// What the page, its API, metrics and health answer, without a socket.
@Suite struct ControlResponderTests {
  private static let token = String(repeating: "a1", count: 32)

  static func program(_ lines: String = "") throws -> Program {
    let yaml = """
      playlist: Café
      id: cafe
      timezone: UTC
      device: TV
      media: { menu: { url: https://e.com/menu.jpg, metadata: { title: The menu } }, film: { url: https://e.com/f.mp4 } }
      program: [{ play: [menu, film] }]
      \(lines)
      """
    let outcome = PlanCompiler.compile(SourceFile(name: "cafe.yaml", bytes: Array(yaml.utf8)))
    guard case .playlist(let plan)? = outcome.document else { throw NoPlaylist(text: "\(outcome.diagnostics)") }
    return Program(plan, in: .utc)
  }

  struct NoPlaylist: Error { var text: String }

  /// A page of one playlist, and what it was asked to do.
  private final class Page: Sendable {
    let responder: ControlResponder
    let board = ScreenBoard()
    let triggers = TriggerBoard()
    let orders = Mutex<[String]>([])

    init(_ program: Program, time: Double = 1_795_600_800) {
      let (board, triggers) = (board, triggers)
      nonisolated(unsafe) var page: Page?
      let source = ControlSource(
        view: {
          ControlView(
            playlists: [.init(program: program, screens: board.screens.map(\.state), fired: triggers.fired)],
            time: time,
            version: "9.9.9")
        }, changes: { board.changes() }, week: { $0 == 0 ? ["week": true] : nil },
        order: { order, playlist, screen in
          if playlist != 0 { return nil }
          if screen != "tv" { return .noSuchScreen(["tv"]) }
          if case .play("nothing") = order { return .noSuchItem(["menu", "film"]) }
          page?.orders.withLock { $0.append("\(screen): \(order.text)") }
          return .given
        },
        trigger: { name, _, fires in
          if name == "file" { return .notWebhook }
          if name != "fire" { return .unknown }
          if fires { triggers.fire(name, at: time) } else { triggers.clear(name) }
          return .done
        })
      let access = ControlAccess(
        token: ControlResponderTests.token, hosts: ["127.0.0.1:8020"], readersNeedToken: false)
      responder = ControlResponder(source, access: access, clock: TimeSource(ContinuousClock()))
      page = self
    }

    func tell(_ event: ScreenEvent, at time: Double = 1_795_600_700) {
      board.take(event, of: .init(playlist: "0", screen: "tv"), at: time)
    }

    func ask(_ method: ServedRequest.Method, _ path: String, body: String = "") async -> ServedAnswer {
      await responder.answer(
        ServedRequest(
          method, path, host: "127.0.0.1:8020", headers: ["authorization": "Bearer \(ControlResponderTests.token)"],
          body: Array(body.utf8)))
    }

    func text(_ path: String) async throws -> String {
      guard case .bytes(let bytes) = await ask(.get, path).body else { return "" }
      return String(decoding: bytes, as: UTF8.self)
    }

    func json(_ path: String) async throws -> JSONValue { try JSONValue(parsing: Array(try await text(path).utf8)) }
  }

  private static func showing(_ program: Program, _ number: Int = 0) throws -> Showing {
    var cursor = ScreenCursor(program, at: 1_795_600_000, seed: 1)
    for _ in 0..<number { _ = cursor.next(at: 1_795_600_000) }
    guard case .show(let showing) = cursor.next(at: 1_795_600_000) else { throw NoPlaylist(text: "nothing is on") }
    return showing
  }

  @Test("Every answer forbids to run, frame, sniff or keep anything")
  func headers() async throws {
    let page = Page(try Self.program())
    for path in ["/", "/app.js", "/style.css", "/api/screens", "/metrics", "/healthz", "/nothing"] {
      let answer = await page.ask(.get, path)
      let policy = try #require(answer.header("Content-Security-Policy"))
      #expect(
        policy.contains("default-src 'none'") && policy.contains("script-src 'self'") && !policy.contains("unsafe"))
      #expect(policy.contains("frame-ancestors 'none'") && answer.header("X-Content-Type-Options") == "nosniff")
    }
    let html = try await page.text("/")
    #expect(!html.contains("<script>") && !html.contains(" style=") && !html.contains(" onclick="))
    #expect(!(try await page.text("/app.js")).contains("innerHTML"))
  }

  @Test("A screen is told with the names of Home Assistant")
  func screens() async throws {
    let program = try Self.program()
    let page = Page(program)
    page.tell(.showing(try Self.showing(program)))
    let screen = try #require(try await page.json("/api/screens")["playlists"]?.array?.first?["screens"]?.array?.first)
    #expect(screen["state"] == "playing" && screen["media_title"] == "The menu" && screen["media_content_id"] == "menu")
    #expect(screen["media_content_type"] == "image/jpeg" && screen["media_duration"]?.number == 10)
    #expect(screen["media_position"]?.number == 100 && screen["entity_picture"] == "https://e.com/menu.jpg")
    #expect(screen["decided_by"] == "program[0] any_time" && screen["line"]?.int == 6 && screen["dark"] == false)
  }

  @Test("What becomes of a screen is seen: lost, back, resting, somebody else's, paused")
  func phases() async throws {
    let program = try Self.program()
    let page = Page(program)
    let taker = LedgerRecord.Taker(app: "YT", name: "YouTube")
    let steps: [(ScreenEvent, String, String)] = [
      (.unreachable(StepFailure(.notFound, "nobody answers")), "off", "dark"), (.connected, "off", "dark"),
      (.showing(try Self.showing(program)), "playing", "showing"), (.lost("no answer"), "off", "dark"),
      (.back(after: .seconds(3)), "off", "dark"), (.adopted(try Self.showing(program)), "playing", "showing"),
      (.yielded(taker), "idle", "yielded"), (.resting(.stop), "standby", "resting"), (.nothing, "idle", "nothing"),
    ]
    for (event, state, phase) in steps {
      page.tell(event)
      let screen = try #require(
        try await page.json("/api/screens")["playlists"]?.array?.first?["screens"]?.array?.first)
      #expect(screen["state"] == .string(state) && screen["phase"] == .string(phase), "\(event)")
    }
    page.tell(.ordered(.pause))
    let screen = try #require(page.board.screens.first?.state)
    #expect(
      screen.isPaused && screen.reconnects == 1 && screen.problems.map(\.text) == ["nobody answers", "lost: no answer"])
  }

  @Test("What went wrong is remembered, but not for ever")
  func problems() throws {
    var state = ScreenState("tv", at: 0)
    for number in 0..<100 { state.take(.note("problem \(number)"), at: Double(number)) }
    #expect(state.problems.count == ScreenState.mostProblems && state.problems.last?.text == "problem 99")
  }

  @Test("Health is bad while a screen is dark that should not be, and good in quiet hours")
  func health() async throws {
    let page = Page(try Self.program())
    #expect(await page.ask(.get, "/healthz").status == 200)
    page.tell(.lost("no power"), at: 1_795_600_750)
    #expect(await page.ask(.get, "/healthz").status == 503)
    let json = try await page.json("/healthz")
    #expect(json["status"] == "dark" && json["dark"]?.array?.first?["why"] == "no power")
    let resting = Page(try Self.program("quiet: { hours: all-day }"))
    resting.tell(.lost("no power"))
    #expect(await resting.ask(.get, "/healthz").status == 200)
  }

  /// A second reading of the text format: `name{label="value",...} number`.
  private static func samples(_ text: String) throws -> [(name: String, labels: [String: String], value: Double)] {
    let line = /^([a-z_][a-z0-9_]*)\{(.*)\} (\S+)$/
    return try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { sample in
      let match = try #require(String(sample).wholeMatch(of: line), "\(sample)")
      var labels: [String: String] = [:]
      for label in match.2.matches(of: /([a-z_]+)="((?:[^"\\]|\\.)*)"/) { labels[String(label.1)] = String(label.2) }
      return (String(match.1), labels, try #require(Double(match.3)))
    }
  }

  @Test("Metrics follow the naming rules, and no address is a label")
  func metrics() async throws {
    let program = try Self.program("triggers: { fire: { webhook: true } }\ninterrupts: [{ on: fire, play: [menu] }]")
    let page = Page(program)
    page.tell(.showing(try Self.showing(program)))
    page.tell(.notShown(try Self.showing(program), StepFailure(.loadFailed, "404")))
    page.tell(.showing(try Self.showing(program)))
    page.triggers.fire("fire", at: 1)
    let text = try await page.text("/metrics")
    let samples = try Self.samples(text)
    #expect(samples.count >= 7)
    for sample in samples {
      #expect(sample.name.hasPrefix("showcaller_"))
      #expect(text.contains("# HELP \(sample.name) ") && text.contains("# TYPE \(sample.name) "))
      let isCounter = text.contains("# TYPE \(sample.name) counter")
      #expect(isCounter == sample.name.hasSuffix("_total"), "\(sample.name)")
      #expect(!sample.labels.values.contains { $0.contains("://") })
    }
    func value(_ name: String) -> Double? { samples.first { $0.name == "showcaller_\(name)" }?.value }
    #expect(value("screen_up") == 1 && value("screen_playing") == 1 && value("load_failures_total") == 1)
    #expect(value("trigger_fired") == 1 && samples.first?.labels["version"] == "9.9.9")
    #expect(
      Set(text.split(separator: "\n").filter { $0.hasPrefix("# TYPE") }).count == text.components(separatedBy: "# TYPE")
        .count - 1)
  }

  @Test("Orders reach their screen, and what cannot be done names what can")
  func orders() async throws {
    let page = Page(try Self.program())
    #expect(await page.ask(.post, "/api/playlists/0/screens/tv/skip").status == 202)
    #expect(await page.ask(.post, "/api/playlists/0/screens/tv/play", body: "{\"item\":\"film\"}").status == 202)
    #expect(page.orders.withLock { $0 } == ["tv: skip", "tv: play film"])
    #expect(await page.ask(.post, "/api/playlists/0/screens/tv/play", body: "{}").status == 400)
    #expect(await page.ask(.post, "/api/playlists/0/screens/tv/play", body: "nothing").status == 400)
    #expect(await page.ask(.post, "/api/playlists/0/screens/tv/play", body: "{\"item\":\"nothing\"}").status == 404)
    #expect(await page.ask(.post, "/api/playlists/0/screens/attic/skip").status == 404)
    #expect(await page.ask(.post, "/api/playlists/7/screens/tv/skip").status == 404)
  }

  @Test("A webhook fires and clears its trigger; what a file fires is left to the file")
  func triggers() async throws {
    let page = Page(try Self.program())
    #expect(await page.ask(.post, "/api/playlists/0/triggers/fire").status == 200)
    #expect(page.triggers.since("fire") == 1_795_600_800)
    #expect(await page.ask(.delete, "/api/playlists/0/triggers/fire").status == 200)
    #expect(page.triggers.since("fire") == nil)
    #expect(await page.ask(.post, "/api/playlists/0/triggers/file").status == 409)
    #expect(await page.ask(.post, "/api/playlists/0/triggers/flood").status == 404)
  }

  @Test("Who follows gets the state at once, and again after each change", .timeLimit(.minutes(1)))
  func events() async throws {
    let program = try Self.program()
    let page = Page(program)
    guard case .stream(let stream) = await page.ask(.get, "/api/events").body else {
      Issue.record("no stream")
      return
    }
    var iterator = stream.makeAsyncIterator()
    let first = String(decoding: try #require(await iterator.next()), as: UTF8.self)
    #expect(first.hasPrefix("event: state\ndata: {") && first.hasSuffix("}\n\n"))
    let showing = try Self.showing(program)
    let telling = Task {
      while !Task.isCancelled {
        page.tell(.showing(showing))
        try? await Task.sleep(for: .milliseconds(20))
      }
    }
    var next = first
    while !next.contains("\"state\":\"playing\"") {
      next = String(decoding: try #require(await iterator.next()), as: UTF8.self)
    }
    telling.cancel()
  }

  @Test("Only so many follow at a time")
  func followers() async throws {
    let page = Page(try Self.program())
    var streams: [ServedAnswer.Body] = []
    for _ in 0..<ControlResponder.mostFollowers { streams.append(await page.ask(.get, "/api/events").body) }
    #expect(await page.ask(.get, "/api/events").status == 503)
    streams = []
  }
}
