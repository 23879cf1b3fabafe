package import CastProtocol
import CastReceiver
import Synchronization
package import WebServer

/// Answers the requests of the pages that show what receivers show.
package final class ScreenResponder: Sendable {
  /// The most pages of one screen at the same time.
  package static var mostFollowers: Int { EventFollowers.most }
  /// The most bytes of a report.
  static let reportBytes = 4 << 10

  private struct Screen {
    let source: ScreenSource
    let pages: PageTable
    let followers: EventFollowers
  }

  /// Which pages of a screen are open.
  private final class PageTable: Sendable {
    private let pages = Mutex(ScreenPages())

    func change(_ change: (inout ScreenPages) -> PlayerInput?) -> PlayerInput? { pages.withLock { change(&$0) } }
    var driver: ScreenPages.Key? { pages.withLock { $0.driver } }
  }

  private let screens: [Screen]
  private let all: EventFollowers
  private let access: Mutex<WebAccess>
  private let clock: TimeSource

  package init(_ sources: [ScreenSource], access: WebAccess, clock: TimeSource) {
    self.clock = clock
    self.access = Mutex(access)
    screens = sources.map { source in
      let pages = PageTable()
      return Screen(
        source: source, pages: pages,
        followers: EventFollowers(
          // A page that was closed is noticed within two heartbeats.
          clock: clock, heartbeat: .seconds(2), leastPause: .milliseconds(50), changes: { source.signal.changes() },
          event: { Self.event(.object(source.snapshot().json(driver: pages.driver?.name))) }))
    }
    all = EventFollowers(
      clock: clock, changes: { Self.merged(sources.map(\.signal), on: clock) },
      event: { Self.event(Self.list(sources)) })
  }

  /// Answers one request.
  package func answer(_ request: ServedRequest) async -> ServedAnswer {
    var answer = plainAnswer(request)
    answer.headers += [
      // What senders say is text of strangers: nothing of it may run. Media, pictures and captions come from where they
      // say (docs/security.md V7).
      (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' http: https:; "
          + "img-src 'self' http: https:; media-src http: https:; "
          + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
      ), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"), ("X-Frame-Options", "DENY"),
      ("Cache-Control", "no-store"),
    ]
    return answer
  }

  private func plainAnswer(_ request: ServedRequest) -> ServedAnswer {
    let route = Result { () throws(RouteMiss) in try ScreenRoute(request.method, request.path) }
    let now = clock.now
    let known = try? route.get()
    var hasOwnKey = false
    if case .player? = known { hasOwnKey = true }
    let refusal = access.withLock {
      $0.refusal(of: request, isOpen: known?.isOpen ?? false, hasOwnKey: hasOwnKey, at: now)
    }
    if let refusal { return refusal.answer }
    switch route {
    case .failure(let miss): return miss.answer
    case .success(let route): return answer(route, request)
    }
  }

  private func answer(_ route: ScreenRoute, _ request: ServedRequest) -> ServedAnswer {
    switch route {
    case .start:
      return .text(200, ScreenAssets.page(of: screens.count == 1 ? 1 : nil), type: "text/html; charset=utf-8")
    case .script: return .text(200, ScreenAssets.script, type: "text/javascript; charset=utf-8")
    case .style: return .text(200, ScreenAssets.style, type: "text/css; charset=utf-8")
    case .icon: return .text(200, ScreenAssets.icon, type: "image/svg+xml")
    case .all: return .json(200, Self.list(screens.map(\.source)))
    case .allEvents: return Self.stream(all.follow())
    case .screen(let number), .state(let number), .events(let number), .player(let number):
      guard screens.indices.contains(number - 1) else { return .json(404, ["error": "there is no such screen"]) }
      return answer(route, of: screens[number - 1], number, request)
    }
  }

  private func answer(
    _ route: ScreenRoute, of screen: Screen, _ number: Int, _ request: ServedRequest
  ) -> ServedAnswer {
    switch route {
    case .screen: return .text(200, ScreenAssets.page(of: number), type: "text/html; charset=utf-8")
    case .events:
      guard let text = request.headers["screen-page"] else { return Self.stream(screen.followers.follow()) }
      guard let key = ScreenPages.Key(text) else { return .json(400, ["error": "`Screen-Page` is 32 hex digits"]) }
      return follow(screen, key)
    case .player: return take(request, of: screen)
    default: return .json(200, .object(screen.source.snapshot().json(driver: screen.pages.driver?.name)))
    }
  }

  /// A page that can play, for as long as it reads.
  private func follow(_ screen: Screen, _ key: ScreenPages.Key) -> ServedAnswer {
    let ended: @Sendable () -> Void = {
      if let input = screen.pages.change({ $0.closed(key) }) { screen.source.player(input) }
      screen.source.signal.send()
    }
    guard let stream = screen.followers.follow(ended: ended) else { return Self.stream(nil) }
    if let input = screen.pages.change({ $0.opened(key) }) { screen.source.player(input) }
    // The others learn who plays now.
    screen.source.signal.send()
    return Self.stream(stream)
  }

  private func take(_ request: ServedRequest, of screen: Screen) -> ServedAnswer {
    // A browser says where a page that asks comes from; nobody else has business here.
    guard let text = request.headers["screen-page"], let key = ScreenPages.Key(text), key == screen.pages.driver else {
      return .json(409, ["error": "another page plays: the one that was opened last"])
    }
    guard request.body.count <= Self.reportBytes, let json = try? JSONValue(parsing: request.body),
      let report = PlayerReport(json)
    else { return .json(400, ["error": "not a valid report"]) }
    if report.state == .blocked { screen.source.blocked() }
    screen.source.player(.report(report))
    return .json(200, [:])
  }

  // MARK: what is told

  private static func event(_ value: JSONValue) -> [UInt8] {
    Array("event: state\ndata: \(value.serialized())\n\n".utf8)
  }

  private static func stream(_ stream: AsyncStream<[UInt8]>?) -> ServedAnswer {
    guard let stream else { return .json(503, ["error": "too many follow already"]) }
    let headers = [("Content-Type", "text/event-stream"), ("X-Accel-Buffering", "no")]
    return ServedAnswer(200, headers: headers, body: .stream(stream))
  }

  private static func list(_ sources: [ScreenSource]) -> JSONValue {
    .object([
      "screens": .array(
        sources.enumerated().map { index, source in
          var json = source.snapshot().json(driver: nil)
          json["number"] = .int(index + 1)
          return .object(json)
        })
    ])
  }

  /// An element after a change of any of them.
  private static func merged(_ signals: [ScreenSignal], on clock: TimeSource) -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let feeding = clock.spawn {
      await withTaskGroup(of: Void.self) { group in
        for signal in signals { group.addTask { for await _ in signal.changes() { continuation.yield() } } }
      }
    }
    continuation.onTermination = { _ in feeding.cancel() }
    return stream
  }
}
