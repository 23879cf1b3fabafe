import Signage
package import WebServer

/// What the control page can be asked for.
package enum ControlRoute: Hashable, Sendable {
  case page
  case script
  case style
  case icon
  /// A picture of what is on, by its name.
  case art(String)
  case health
  case metrics
  case screens
  /// The week of a playlist, by its id.
  case week(String)
  /// What changes, as server-sent events.
  case events
  case order(OrderWord, screen: Screen)
  case trigger(String, playlist: String, fires: Bool)

  package enum OrderWord: String, Hashable, Sendable, CaseIterable { case skip, pause, resume, play }

  /// A screen: the id of its playlist, and its name.
  package struct Screen: Hashable, Sendable {
    package var playlist: String
    package var name: String

    package init(playlist: String, name: String) {
      self.playlist = playlist
      self.name = name
    }
  }

  package typealias Miss = RouteMiss

  /// Whether it holds nothing that is anybody's business.
  var isOpen: Bool {
    switch self {
    case .page, .script, .style, .icon: true
    // A browser sends no token with pictures; the name, which nobody can guess, stands in for it.
    case .art: true
    case .health, .metrics, .screens, .week, .events, .order, .trigger: false
    }
  }

  /// Reads a method and a path.
  package init(_ method: ServedRequest.Method?, _ path: String) throws(Miss) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    func reading(_ route: ControlRoute) throws(Miss) -> ControlRoute {
      guard method == .get || method == .head else { throw .method("GET, HEAD") }
      return route
    }
    switch parts {
    case [""]: self = try reading(.page)
    case ["app.js"]: self = try reading(.script)
    case ["style.css"]: self = try reading(.style)
    case ["icon.svg"]: self = try reading(.icon)
    case ["healthz"]: self = try reading(.health)
    case ["metrics"]: self = try reading(.metrics)
    case ["api", "screens"]: self = try reading(.screens)
    case ["api", "events"]: self = try reading(.events)
    case _ where parts.count == 2 && parts.first == "art" && parts.last?.isEmpty == false:
      self = try reading(.art(parts.last ?? ""))
    default: self = try Self.longer(method, parts)
    }
  }

  private static func longer(_ method: ServedRequest.Method?, _ parts: [String]) throws(Miss) -> ControlRoute {
    guard parts.count >= 4, parts[0] == "api", parts[1] == "playlists", let playlist = decoded(parts[2]) else {
      throw .nothing
    }
    switch parts[3] {
    case "week" where parts.count == 4:
      guard method == .get || method == .head else { throw .method("GET, HEAD") }
      return .week(playlist)
    case "triggers" where parts.count == 5:
      guard let name = decoded(parts[4]) else { throw .nothing }
      switch method {
      case .post: return .trigger(name, playlist: playlist, fires: true)
      case .delete: return .trigger(name, playlist: playlist, fires: false)
      default: throw .method("POST, DELETE")
      }
    case "screens" where parts.count == 6:
      guard let name = decoded(parts[4]), let word = OrderWord(rawValue: parts[5]) else { throw .nothing }
      guard method == .post else { throw .method("POST") }
      return .order(word, screen: Screen(playlist: playlist, name: name))
    default: throw .nothing
    }
  }

  /// A part of a path without its percent-encoding; `nil` for what is none.
  private static func decoded(_ part: String) -> String? {
    var bytes: [UInt8] = []
    var rest = Substring(part)
    while let first = rest.utf8.first {
      if first == 0x25 {
        let digits = rest.dropFirst().prefix(2)
        guard digits.utf8.count == 2, let byte = UInt8(digits, radix: 16), byte >= 0x20 else { return nil }
        bytes.append(byte)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(contentsOf: String(rest.removeFirst()).utf8)
      }
    }
    return bytes.isEmpty ? nil : String(validating: bytes, as: UTF8.self)
  }
}
