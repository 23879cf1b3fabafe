import CastProtocol
import ControlPage
import Signage
import Synchronization
import WebServer

extension Family {
  static let control = Family(
    name: "control",
    seeds: {
      let token = ControlReader.token
      return [
        "GET / 127.0.0.1:8020\n\n", "GET /api/screens 127.0.0.1:8020\naccept: application/json\n\n",
        "GET /healthz 127.0.0.1:8020\n\n", "GET /metrics 127.0.0.1:8020\n\n", "GET /api/events 127.0.0.1:8020\n\n",
        "GET /api/playlists/cafe/week 127.0.0.1:8020\norigin: http://127.0.0.1:8020\n\n",
        "GET /art/0123456789abcdef0123456789abcdef 127.0.0.1:8020\n\n",
        "POST /api/playlists/cafe/screens/Bar/skip 127.0.0.1:8020\nauthorization: Bearer \(token)\n\n{}",
        "POST /api/playlists/cafe/screens/Bar/play 127.0.0.1:8020\nauthorization: Bearer \(token)\n\n{\"item\":\"a\",\"for\":\"5m\"}",
        "POST /api/playlists/cafe/screens/Bar/pause 127.0.0.1:8020\nauthorization: Bearer wrong\n\n{\"for\":\"10m\"}",
        "PUT /api/playlists/cafe/triggers/fire 127.0.0.1:8020\nauthorization: Bearer \(token)\n\n",
        "POST /api/playlists/cafe/triggers/fire 127.0.0.1:8020\nauthorization: Bearer \(token)\nx-forwarded-for: 1.2.3.4\n\n",
        "DELETE /api/playlists/cafe/triggers/fire 127.0.0.1:8020\nauthorization: Bearer \(token)\n\n",
      ].map { Array($0.utf8) }
    },
    words: [
      "%2F", "%00", "..", "//", "?a=b", "authorization: Bearer ", "host: ", "origin: null\n", "OPTIONS ", "HEAD ",
      "evil.example",
      "{\"item\":", "null", "skip", "resume", "\u{0}",
    ], makeReader: { ControlReader() })
}

/// The API of `serve`: nothing is changed for whoever has not the token, or asks under another name.
private final class ControlReader: Reader {
  static let token = String(repeating: "0123456789abcdef", count: 4)
  private static let host = "127.0.0.1:8020"

  private final class Changes: Sendable {
    let count = Mutex(0)
  }

  private let changes = Changes()
  private let responder: ControlResponder
  private var asked = 0

  init() {
    let changes = changes
    let site = SiteControl(
      view: { SiteView(playlists: [], time: 0, version: "0") }, changes: { AsyncStream { $0.finish() } },
      order: { _, playlist, _ in
        changes.count.withLock { $0 += 1 }
        return playlist == "cafe" ? .given : nil
      },
      trigger: { _, playlist, _ in
        changes.count.withLock { $0 += 1 }
        return playlist == "cafe" ? .done : .unknown
      })
    responder = ControlResponder(
      ControlSource(site) { $0 == "cafe" ? ["days": []] : nil },
      access: WebAccess(token: Self.token, hosts: [Self.host], readersNeedToken: false),
      clock: TimeSource(ContinuousClock()))
  }

  func read(_ bytes: [UInt8]) async throws(Violation) {
    var request = Self.request(bytes)
    // Nobody is locked out for good.
    asked += 1
    request.peer = "peer \(asked / 8)"
    changes.count.withLock { $0 = 0 }
    let answer = await responder.answer(request)
    guard (200..<600).contains(answer.status) else { throw Violation("an answer of \(answer.status)") }
    if case .bytes(let body) = answer.body, answer.header("Content-Type")?.hasPrefix("application/json") == true,
      (try? JSONValue(parsing: body)) == nil
    {
      throw Violation("an answer that is no JSON")
    }
    let isAllowed =
      request.headers["authorization"] == "Bearer \(Self.token)" && request.host?.lowercased() == Self.host
      && (request.headers["origin"].map { $0 == "http://\(Self.host)" } ?? true)
      && request.method != .get && request.method != .head
    if !isAllowed, changes.count.withLock({ $0 }) > 0 { throw Violation("a change without leave") }
  }

  /// A line with method, path and host, lines of headers, an empty one, the body.
  private static func request(_ bytes: [UInt8]) -> ServedRequest {
    let parts = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    let words = String(decoding: parts.first ?? [], as: UTF8.self).split(
      separator: " ", omittingEmptySubsequences: false)
    let method = words.first.flatMap { ServedRequest.Method(rawValue: String($0)) }
    let target = words.count > 1 ? String(words[1]) : "/"
    var request = ServedRequest(method, target, host: words.count > 2 ? String(words[2]) : nil)
    if let mark = target.firstIndex(of: "?") {
      request.path = String(target[..<mark])
      request.query = String(target[target.index(after: mark)...])
    }
    for (index, part) in parts.dropFirst().enumerated() {
      if part.isEmpty {
        request.body = Array(parts.dropFirst(index + 2).joined(separator: [0x0A]))
        break
      }
      let field = part.split(separator: 0x3A, maxSplits: 1)
      guard field.count == 2 else { continue }
      let value = String(decoding: field[1], as: UTF8.self)
      request.headers[String(decoding: field[0], as: UTF8.self).lowercased()] =
        value.hasPrefix(" ") ? String(value.dropFirst()) : value
    }
    return request
  }
}
