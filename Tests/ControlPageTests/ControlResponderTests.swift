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
    let sights = Mutex<[String: ScreenSight]>([:])
    let meter = Mutex(PlayMeter())

    init(_ program: Program, time: Double = 1_795_600_800) {
      let (board, triggers) = (board, triggers)
      nonisolated(unsafe) var page: Page?
      let site = SiteControl(
        view: {
          var playlist = SiteView.Playlist(
            program: program, screens: board.screens.map(\.state), fired: triggers.fired)
          playlist.sights = page?.sights.withLock { $0 } ?? [:]
          playlist.meter = page?.meter.withLock { $0 } ?? PlayMeter()
          var view = SiteView(playlists: [playlist], time: time, version: "9.9.9")
          view.art = { "/art/of \($0.urls)" }
          return view
        }, changes: { board.changes() },
        order: { order, playlist, screen in
          if playlist != "cafe" { return nil }
          guard let screen, screen == "tv" else { return .noSuchScreen(["tv"]) }
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
      var source = ControlSource(site) { $0 == "cafe" ? ["week": true] : nil }
      source.art = { $0 == "a1" ? .init(type: "image/png", bytes: [1, 2, 3]) : nil }
      let access = WebAccess(
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

    /// What the API says of the only screen.
    func screen() async throws -> JSONValue {
      try #require(try await json("/api/screens")["playlists"]?.array?.first?["screens"]?.array?.first)
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
    let script = try await page.text("/app.js")
    #expect(
      !script.contains("innerHTML") && !script.contains("insertAdjacentHTML") && !script.contains("document.write"))
  }

  @Test("A screen is told with the names of Home Assistant")
  func screens() async throws {
    let program = try Self.program()
    let page = Page(program)
    page.tell(.showing(try Self.showing(program)))
    var sight = ScreenSight()
    sight.app = .init(id: "CC1AD845", name: "Default Media Receiver")
    (sight.volume, sight.isMuted, sight.player) = (0.4, true, .playing)
    (sight.position, sight.positionTime) = (4.5, 1_795_600_790)
    sight.next = .init(try Self.showing(program, 1), at: 1_795_600_810)
    page.sights.withLock { $0["tv"] = sight }
    let screen = try await page.screen()
    #expect(screen["state"] == "playing" && screen["media_title"] == "The menu" && screen["media_content_id"] == "menu")
    #expect(screen["media_content_type"] == "image/jpeg" && screen["media_duration"]?.number == 10)
    // As the receiver said it, and when: not by our clock.
    #expect(screen["media_position"]?.number == 4.5 && screen["media_position_updated_at"]?.number == 1_795_600_790)
    #expect(screen["volume_level"]?.number == 0.4 && screen["is_volume_muted"] == true)
    #expect(screen["app_id"] == "CC1AD845" && screen["app_name"] == "Default Media Receiver")
    #expect(screen["next"]?["media_content_id"] == "film" && screen["next"]?["at"]?.number == 1_795_600_810)
    #expect(screen["entity_picture"] == "/art/of [\"https://e.com/menu.jpg\"]")
    #expect(screen["decided_by"] == "program[0] any_time" && screen["line"]?.int == 6 && screen["dark"] == false)
  }

  @Test("A receiver that has said nothing has no volume, app or position")
  func silent() async throws {
    let program = try Self.program()
    let page = Page(program)
    page.tell(.showing(try Self.showing(program)))
    let screen = try await page.screen()
    for name in [
      "volume_level", "is_volume_muted", "app_id", "app_name", "media_position", "media_position_updated_at", "next",
      "last_heard",
    ] {
      #expect(screen[name] == .null, "\(name)")
    }
  }

  static let players: [(PlayerSight.Phase, String)] = [
    (.playing, "playing"), (.paused, "paused"), (.buffering, "buffering"), (.loading, "buffering"),
    (.idle(nil), "idle"),
  ]

  @Test("What the player does is the state, for a film; a still that is on plays", arguments: players)
  func states(phase: PlayerSight.Phase, word: String) async throws {
    let program = try Self.program()
    let page = Page(program)
    var sight = ScreenSight()
    sight.player = phase
    page.sights.withLock { [sight] in $0["tv"] = sight }
    page.tell(.showing(try Self.showing(program, 1)))
    #expect(try await page.screen()["state"] == .string(word))
    page.tell(.yielded(.init(app: "YT", name: "YouTube")))
    #expect(try await page.screen()["state"] == .string(word))
    page.tell(.showing(try Self.showing(program)))
    #expect(try await page.screen()["state"] == .string(phase == .paused ? "playing" : word))
    page.tell(.lost("no power"))
    #expect(try await page.screen()["state"] == "off")
  }

  @Test("A picture is given by its name, may be kept for minutes, and is no script")
  func art() async throws {
    let page = Page(try Self.program())
    let answer = await page.ask(.get, "/art/a1")
    #expect(answer.status == 200 && answer.header("Content-Type") == "image/png")
    #expect(
      answer.header("Cache-Control") == "private, max-age=300" && answer.header("X-Content-Type-Options") == "nosniff")
    #expect(await page.ask(.get, "/art/a2").status == 404)
    #expect(await page.ask(.post, "/art/a1").status == 405)
  }

  @Test("What becomes of a screen is seen: lost, back, resting, somebody else's, paused")
  func phases() async throws {
    let program = try Self.program()
    let page = Page(program)
    let taker = LedgerRecord.Taker(app: "YT", name: "YouTube")
    let steps: [(ScreenEvent, String, String)] = [
      (.unreachable(StepFailure(.notFound, "nobody answers")), "off", "dark"), (.connected, "idle", "dark"),
      (.showing(try Self.showing(program)), "playing", "showing"), (.lost("no answer"), "off", "dark"),
      (.back(after: .seconds(3)), "idle", "dark"), (.adopted(try Self.showing(program)), "playing", "showing"),
      (.yielded(taker), "idle", "yielded"), (.resting(.stop), "standby", "resting"), (.nothing, "idle", "nothing"),
    ]
    for (event, state, phase) in steps {
      page.tell(event)
      let screen = try await page.screen()
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

  @Test(
    "Health is bad before a screen was shown anything, and while one is dark that should not be; in quiet hours it is good"
  )
  func health() async throws {
    let program = try Self.program()
    let page = Page(program)
    #expect(await page.ask(.get, "/healthz").status == 503)
    page.tell(.connected)
    #expect(await page.ask(.get, "/healthz").status == 503)
    #expect(try await page.json("/healthz")["status"] == "starting")
    #expect(try await page.json("/api/screens")["status"] == "starting")
    page.tell(.showing(try Self.showing(program)))
    #expect(await page.ask(.get, "/healthz").status == 200)
    page.tell(.lost("no power"), at: 1_795_600_750)
    #expect(await page.ask(.get, "/healthz").status == 503)
    let json = try await page.json("/healthz")
    #expect(json["status"] == "dark" && json["dark"]?.array?.first?["why"] == "no power")
    let resting = Page(try Self.program("quiet: { hours: all-day }"))
    resting.tell(.lost("no power"))
    #expect(await resting.ask(.get, "/healthz").status == 200)
  }

  /// What is in the metrics of a page where an item was shown, one would not load and one is on.
  private static func metrics() async throws -> (text: PrometheusText, page: Page) {
    let program = try program("triggers: { fire: { webhook: true } }\ninterrupts: [{ on: fire, play: [menu] }]")
    let page = Page(program)
    page.tell(.showing(try showing(program)))
    page.tell(.notShown(try showing(program), StepFailure(.loadFailed, "404"), goesOn: false))
    page.triggers.fire("fire", at: 1)
    page.board.hear(.init(playlist: "0", screen: "tv"), at: 1_795_600_650.5)
    var play = LedgerRecord.Play(
      item: "menu", content: "https://e.com/menu.jpg", rule: "program[0] any_time", start: 100, end: 110, shown: 9,
      endReason: .duration)
    play.evidence.playingAt = 100.3
    var plain = play
    (plain.item, plain.endReason) = (plain.content, .skipped)
    page.meter.withLock { [play, plain] meter in
      meter.take(.init(screen: "tv", .play(play)))
      meter.take(.init(screen: "tv", .play(plain)))
      meter.take(.init(screen: "a \"b\\ \n", .gap(.init(start: 10, end: 20, reason: .deviceOff))))
    }
    return (try PrometheusText(try await page.text("/metrics")), page)
  }

  @Test("Metrics pass a strict reading, follow the naming rules, and no address is a label")
  func metricNames() async throws {
    let (text, _) = try await Self.metrics()
    #expect(text.samples.count >= 20)
    for sample in text.samples {
      #expect(sample.name.hasPrefix("showcaller_"))
      #expect(!sample.labels.values.contains { $0.contains("://") })
    }
    for (name, kind) in text.kinds { #expect((kind == "counter") == name.hasSuffix("_total"), "\(name)") }
  }

  @Test("Metrics tell of the device, the player, the plays and the darkness each by itself")
  func metricValues() async throws {
    let (text, page) = try await Self.metrics()
    // That an item would not load says nothing about the device.
    #expect(text.value("screen_up") == 1 && text.value("screen_playing") == 0 && text.value("load_failures_total") == 1)
    #expect(text.value("last_status_timestamp_seconds") == 1_795_600_650.5, "no event counts as a status")
    #expect(text.value("trigger_fired") == 1 && text.samples.first?.labels["version"] == "9.9.9")
    #expect(text.value("plays_total", ["item": "menu", "end_reason": "duration"]) == 1)
    #expect(text.value("plays_total", ["item": "", "end_reason": "skipped"]) == 1)
    #expect(text.value("shown_seconds_total") == 18)
    #expect(text.value("dark_seconds_total", ["screen": "tv", "reason": "unproven"]) == 2)
    #expect(text.value("dark_seconds_total", ["screen": "a \"b\\ \n", "reason": "device_off"]) == 10)
    #expect(text.value("item_lateness_seconds_bucket", ["le": "0.25"]) == 0)
    #expect(text.value("item_lateness_seconds_bucket", ["le": "0.5"]) == 2)
    #expect(text.value("item_lateness_seconds_count") == 2)
    page.tell(.lost("no power"))
    #expect(try PrometheusText(try await page.text("/metrics")).value("screen_up") == 0)
  }

  @Test("Orders reach their screen, and what cannot be done names what can")
  func orders() async throws {
    let page = Page(try Self.program())
    #expect(await page.ask(.post, "/api/playlists/cafe/screens/tv/skip").status == 202)
    #expect(await page.ask(.post, "/api/playlists/cafe/screens/tv/play", body: "{\"item\":\"film\"}").status == 202)
    #expect(page.orders.withLock { $0 } == ["tv: skip", "tv: play film"])
    #expect(await page.ask(.post, "/api/playlists/cafe/screens/tv/play", body: "{}").status == 400)
    #expect(await page.ask(.post, "/api/playlists/cafe/screens/tv/play", body: "nothing").status == 400)
    #expect(await page.ask(.post, "/api/playlists/cafe/screens/tv/play", body: "{\"item\":\"nothing\"}").status == 404)
    #expect(await page.ask(.post, "/api/playlists/cafe/screens/attic/skip").status == 404)
    #expect(await page.ask(.post, "/api/playlists/bar/screens/tv/skip").status == 404)
    #expect(await page.ask(.post, "/api/playlists/7/screens/tv/skip").status == 404)
  }

  @Test("A webhook fires and clears its trigger; what a file fires is left to the file")
  func triggers() async throws {
    let page = Page(try Self.program())
    #expect(await page.ask(.post, "/api/playlists/cafe/triggers/fire").status == 200)
    #expect(page.triggers.since("fire") == 1_795_600_800)
    #expect(await page.ask(.delete, "/api/playlists/cafe/triggers/fire").status == 200)
    #expect(page.triggers.since("fire") == nil)
    #expect(await page.ask(.post, "/api/playlists/cafe/triggers/file").status == 409)
    #expect(await page.ask(.post, "/api/playlists/cafe/triggers/flood").status == 404)
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

  @Test(
    "Changes that follow each other closely are one event, the newest, four times a second at most",
    .timeLimit(.minutes(1)))
  func coalesced() async throws {
    let program = try Self.program()
    let page = Page(program)
    guard case .stream(let stream) = await page.ask(.get, "/api/events").body else {
      Issue.record("no stream")
      return
    }
    var iterator = stream.makeAsyncIterator()
    _ = await iterator.next()
    let begin = ContinuousClock.now
    let telling = Task {
      for number in 1...100 {
        page.tell(.note("problem \(number)"))
        try? await Task.sleep(for: .milliseconds(5))
      }
    }
    var events = 0
    var text = ""
    while !text.contains("problem 100") {
      text = String(decoding: try #require(await iterator.next()), as: UTF8.self)
      events += 1
    }
    await telling.value
    let quarters = Int((ContinuousClock.now - begin) / .milliseconds(250))
    #expect(events <= quarters + 2, "\(events) events for 100 changes")
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
