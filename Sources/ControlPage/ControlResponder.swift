package import CastProtocol
package import Signage
import Synchronization
package import WebServer

/// What the control page shows and changes; the one who serves gives it.
package struct ControlSource: Sendable {
  package enum TriggerAnswer: Hashable, Sendable {
    case done
    /// Only a webhook is fired from here.
    case notWebhook
    case unknown
  }

  package var view: @Sendable () -> ControlView
  /// An element after changes.
  package var changes: @Sendable () -> AsyncStream<Void>
  /// The week of a playlist; `nil`: there is none of this number.
  package var week: @Sendable (Int) -> JSONValue?
  /// `nil`: there is no playlist of this number.
  package var order: @Sendable (ScreenOrder, _ playlist: Int, _ screen: String) async -> PlaylistServer.OrderAnswer?
  package var trigger: @Sendable (_ name: String, _ playlist: Int, _ fires: Bool) -> TriggerAnswer

  package init(
    view: @escaping @Sendable () -> ControlView, changes: @escaping @Sendable () -> AsyncStream<Void>,
    week: @escaping @Sendable (Int) -> JSONValue?,
    order: @escaping @Sendable (ScreenOrder, Int, String) async -> PlaylistServer.OrderAnswer?,
    trigger: @escaping @Sendable (String, Int, Bool) -> TriggerAnswer
  ) {
    self.view = view
    self.changes = changes
    self.week = week
    self.order = order
    self.trigger = trigger
  }
}

/// Answers the requests of the control page.
package final class ControlResponder: Sendable {
  /// Who may follow events at the same time (docs/security.md 4d W6).
  package static let mostFollowers = 16
  private static let heartbeat = Duration.seconds(15)

  private let source: ControlSource
  private let clock: TimeSource
  private let access: Mutex<ControlAccess>
  private let followers = Mutex(0)

  package init(_ source: ControlSource, access: ControlAccess, clock: TimeSource) {
    self.source = source
    self.clock = clock
    self.access = Mutex(access)
  }

  /// Answers one request.
  package func answer(_ request: ServedRequest) async -> ServedAnswer {
    var answer = await plainAnswer(request)
    answer.headers += [
      // What devices are called is text of strangers: nothing of it may run (docs/security.md 4d W5).
      (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' http: https:; "
          + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
      ), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store"),
      ("X-Frame-Options", "DENY"),
    ]
    return answer
  }

  private func plainAnswer(_ request: ServedRequest) async -> ServedAnswer {
    let route = Result { () throws(ControlRoute.Miss) in try ControlRoute(request.method, request.path) }
    let isOpen = (try? route.get())?.isOpen ?? false
    let now = clock.now
    if let refusal = access.withLock({ $0.refusal(of: request, isOpen: isOpen, at: now) }) { return refusal.answer }
    switch route {
    case .failure(.nothing): return .json(404, ["error": "there is nothing of this name"])
    case .failure(.method(let allowed)):
      var answer = ServedAnswer.json(405, ["error": .string("this takes \(allowed)")])
      answer.headers.append(("Allow", allowed))
      return answer
    case .success(let route): return await answer(route, request)
    }
  }

  private func answer(_ route: ControlRoute, _ request: ServedRequest) async -> ServedAnswer {
    switch route {
    case .page: return .text(200, ControlAssets.page, type: "text/html; charset=utf-8")
    case .script: return .text(200, ControlAssets.script, type: "text/javascript; charset=utf-8")
    case .style: return .text(200, ControlAssets.style, type: "text/css; charset=utf-8")
    case .screens: return .json(200, source.view().json)
    case .metrics: return .text(200, Metrics.text(source.view()), type: Metrics.type)
    case .health:
      let health = source.view().health
      return .json(health.isWell ? 200 : 503, health.json)
    case .week(let number):
      guard let week = source.week(number) else { return .json(404, ["error": "there is no such playlist"]) }
      return .json(200, week)
    case .events: return events()
    case .order(let word, let screen): return await order(word, screen, request)
    case .trigger(let name, let playlist, let fires):
      switch source.trigger(name, playlist, fires) {
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
    switch await source.order(order, screen.playlist, screen.name) {
    case .given?: return .json(202, ["order": .string(order.text), "screen": .string(screen.name)])
    case .noSuchScreen(let names)?:
      return .json(404, ["error": "there is no such screen", "screens": .array(names.map { .string($0) })])
    case .noSuchItem(let names)?:
      return .json(404, ["error": "the playlist has no such item", "items": .array(names.map { .string($0) })])
    case .tooMany?: return .json(429, ["error": "the screen has not obeyed the last orders yet"])
    case nil: return .json(404, ["error": "there is no such playlist"])
    }
  }

  // MARK: events

  /// The whole state after each change: who reads slowly gets the newest.
  private func events() -> ServedAnswer {
    let hasRoom = followers.withLock { count in
      if count >= Self.mostFollowers { return false }
      count += 1
      return true
    }
    guard hasRoom else { return .json(503, ["error": "too many follow already"]) }
    let (stream, continuation) = AsyncStream<[UInt8]>.makeStream(bufferingPolicy: .bufferingNewest(2))
    let feeding = Task { [source, clock] in
      continuation.yield(Self.event(source.view()))
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          for await _ in source.changes() { continuation.yield(Self.event(source.view())) }
        }
        group.addTask {
          while (try? await clock.sleep(for: Self.heartbeat)) != nil { continuation.yield(Array(": alive\n\n".utf8)) }
        }
      }
    }
    continuation.onTermination = { [weak self] _ in
      feeding.cancel()
      self?.followers.withLock { $0 -= 1 }
    }
    return ServedAnswer(200, headers: [("Content-Type", "text/event-stream")], body: .stream(stream))
  }

  private static func event(_ view: ControlView) -> [UInt8] {
    Array("event: state\ndata: \(view.json.serialized())\n\n".utf8)
  }
}
