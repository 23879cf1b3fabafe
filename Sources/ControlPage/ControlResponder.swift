package import CastProtocol
import Signage
import Synchronization
package import WebServer

/// Answers the requests of the control page.
package final class ControlResponder: Sendable {
  /// The most clients that follow events at the same time.
  package static var mostFollowers: Int { EventFollowers.most }

  private let source: ControlSource
  private let clock: TimeSource
  private let access: Mutex<WebAccess>
  private let followers: EventFollowers

  package init(_ source: ControlSource, access: WebAccess, clock: TimeSource) {
    self.source = source
    self.clock = clock
    self.access = Mutex(access)
    followers = EventFollowers(
      clock: clock, changes: source.site.changes,
      event: { Array("event: state\ndata: \(await source.site.view().json.serialized())\n\n".utf8) })
  }

  /// Answers one request.
  package func answer(_ request: ServedRequest) async -> ServedAnswer {
    var answer = await plainAnswer(request)
    answer.headers += [
      // What devices are called is text of strangers: nothing of it may run (docs/security.md W5).
      (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
          + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
      ), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"), ("X-Frame-Options", "DENY"),
    ]
    if answer.header("Cache-Control") == nil { answer.headers.append(("Cache-Control", "no-store")) }
    return answer
  }

  private func plainAnswer(_ request: ServedRequest) async -> ServedAnswer {
    let route = Result { () throws(ControlRoute.Miss) in try ControlRoute(request.method, request.path) }
    let isOpen = (try? route.get())?.isOpen ?? false
    let now = clock.now
    if let refusal = access.withLock({ $0.refusal(of: request, isOpen: isOpen, at: now) }) { return refusal.answer }
    switch route {
    case .failure(let miss): return miss.answer
    case .success(let route): return await answer(route, request)
    }
  }

  private func answer(_ route: ControlRoute, _ request: ServedRequest) async -> ServedAnswer {
    switch route {
    case .page: return .text(200, ControlAssets.page, type: "text/html; charset=utf-8")
    case .script: return .text(200, ControlAssets.script, type: "text/javascript; charset=utf-8")
    case .style: return .text(200, ControlAssets.style, type: "text/css; charset=utf-8")
    case .icon: return .text(200, ControlAssets.icon, type: "image/svg+xml")
    case .art(let name):
      guard let picture = await source.art(name) else { return .json(404, ["error": "there is no such picture"]) }
      let headers = [("Content-Type", picture.type), ("Cache-Control", "private, max-age=300")]
      return ServedAnswer(200, headers: headers, body: .bytes(picture.bytes))
    case .screens: return .json(200, await source.site.view().json)
    case .metrics: return .text(200, Metrics.text(await source.site.view()), type: Metrics.type)
    case .health:
      let health = await source.site.view().health
      return .json(health.isWell ? 200 : 503, health.json)
    case .week(let playlist):
      guard let week = await source.week(playlist) else { return .json(404, ["error": "there is no such playlist"]) }
      return .json(200, week)
    case .events:
      guard let stream = followers.follow() else { return .json(503, ["error": "too many follow already"]) }
      // A proxy that collects what it hands on would make a live page a late one.
      let headers = [("Content-Type", "text/event-stream"), ("X-Accel-Buffering", "no")]
      return ServedAnswer(200, headers: headers, body: .stream(stream))
    case .order(let word, let screen): return await order(word, screen, request)
    case .trigger(let name, let playlist, let fires):
      switch await source.site.trigger(name, playlist, fires) {
      case .done: return .json(200, ["trigger": .string(name), "fired": .bool(fires)])
      case .notWebhook:
        return .json(409, ["error": .string("the trigger `\(name)` is no webhook: something else fires it")])
      case .unknown: return .json(404, ["error": .string("there is no trigger `\(name)`")])
      }
    }
  }

  // MARK: orders

  private func order(
    _ word: ControlRoute.OrderWord, _ screen: ControlRoute.Screen, _ request: ServedRequest
  ) async -> ServedAnswer {
    let order: ScreenOrder
    switch word {
    case .skip: order = .skip
    case .pause: order = .pause
    case .resume: order = .resume
    case .play:
      guard let item = (try? JSONValue(parsing: request.body))?["item"]?.string else {
        return .json(400, ["error": "say what: `{\"item\": \"menu\"}`"])
      }
      order = .play(item)
    }
    switch await source.site.order(order, screen.playlist, screen.name) {
    case .given?: return .json(202, ["order": .string(order.text), "screen": .string(screen.name)])
    case .noSuchScreen(let names)?:
      return .json(404, ["error": "there is no such screen", "screens": .array(names.map { .string($0) })])
    case .noSuchItem(let names)?:
      return .json(404, ["error": "the playlist has no such item", "items": .array(names.map { .string($0) })])
    case .tooMany?: return .json(429, ["error": "the screen has not obeyed the last orders yet"])
    case nil: return .json(404, ["error": "there is no such playlist"])
    }
  }
}
