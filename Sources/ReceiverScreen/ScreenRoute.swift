package import WebServer

/// What the screens can be asked for; they count from 1.
package enum ScreenRoute: Hashable, Sendable {
  /// The list, or the only screen.
  case start
  case screen(Int)
  case script
  case style
  case icon
  /// What all screens show.
  case all
  case allEvents
  /// What one shows.
  case state(Int)
  case events(Int)
  /// What the page that plays tells.
  case player(Int)

  /// Whether it holds nothing that is anybody's business.
  var isOpen: Bool {
    switch self {
    case .start, .screen, .script, .style, .icon: true
    case .all, .allEvents, .state, .events, .player: false
    }
  }

  /// Reads a method and a path.
  package init(_ method: ServedRequest.Method?, _ path: String) throws(RouteMiss) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    let route: ScreenRoute
    switch parts {
    case [""]: route = .start
    case ["app.js"]: route = .script
    case ["style.css"]: route = .style
    case ["icon.svg"]: route = .icon
    case ["api", "screens"]: route = .all
    case ["api", "events"]: route = .allEvents
    case _ where parts.count == 1: route = .screen(try Self.number(parts[0]))
    case _ where parts.count == 3 && parts.starts(with: ["api", "screens"]): route = .state(try Self.number(parts[2]))
    case _ where parts.count == 4 && parts.starts(with: ["api", "screens"]):
      let number = try Self.number(parts[2])
      switch parts[3] {
      case "events": route = .events(number)
      case "player":
        guard method == .post else { throw .method("POST") }
        self = .player(number)
        return
      default: throw .nothing
      }
    default: throw .nothing
    }
    guard method == .get || method == .head else { throw .method("GET, HEAD") }
    self = route
  }

  private static func number(_ text: String) throws(RouteMiss) -> Int {
    guard text.utf8.count <= 4, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text), number > 0
    else { throw .nothing }
    return number
  }
}
