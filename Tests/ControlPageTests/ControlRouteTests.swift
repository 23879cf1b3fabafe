import ControlPage
import Testing
import WebServer

@Suite struct ControlRouteTests {
  static let routes: [(ServedRequest.Method, String, ControlRoute)] = [
    (.get, "/", .page), (.head, "/app.js", .script), (.get, "/style.css", .style), (.get, "/healthz", .health),
    (.get, "/icon.svg", .icon), (.get, "/art/0a1b", .art("0a1b")),
    (.get, "/metrics", .metrics), (.get, "/api/screens", .screens), (.get, "/api/events", .events),
    (.get, "/api/playlists/lobby/week", .week("lobby")),
    (.post, "/api/playlists/cafe/screens/tv/skip", .order(.skip, screen: .init(playlist: "cafe", name: "tv"))),
    (
      .post, "/api/playlists/caf%C3%A9/screens/bar%20l%C3%A4nge/play",
      .order(.play, screen: .init(playlist: "café", name: "bar länge"))
    ),
    (.post, "/api/playlists/cafe/triggers/fire", .trigger("fire", playlist: "cafe", fires: true)),
    (.delete, "/api/playlists/cafe/triggers/fire", .trigger("fire", playlist: "cafe", fires: false)),
  ]

  @Test("A method and a path mean one thing", arguments: routes)
  func found(method: ServedRequest.Method, path: String, route: ControlRoute) throws {
    #expect(try ControlRoute(method, path) == route)
  }

  static let misses: [(ServedRequest.Method?, String, ControlRoute.Miss)] = [
    (.get, "", .nothing), (.get, "/x", .nothing), (.get, "/art", .nothing), (.get, "/art/", .nothing),
    (.get, "/art/a/b", .nothing),
    (.post, "/art/a", .method("GET, HEAD")), (.get, "/api", .nothing), (.get, "//", .nothing),
    (.get, "/api/playlists//week", .nothing), (.get, "/api/playlists/%FF/week", .nothing),
    (.get, "/api/playlists/cafe/week/", .nothing), (.post, "/api/playlists/cafe/screens//skip", .nothing),
    (.post, "/api/playlists/cafe/screens/tv/explode", .nothing),
    (.post, "/api/playlists/cafe/screens/%ZZ/skip", .nothing),
    (.post, "/api/playlists/cafe/screens/%FF/skip", .nothing),
    (.post, "/api/playlists/cafe/screens/%00/skip", .nothing),
    (.post, "/api/playlists/cafe/screens/a%2", .nothing), (.post, "/", .method("GET, HEAD")),
    (nil, "/metrics", .method("GET, HEAD")),
    (.get, "/api/playlists/cafe/screens/tv/skip", .method("POST")),
    (.put, "/api/playlists/cafe/triggers/t", .method("POST, DELETE")),
  ]

  @Test("Anything else is nothing, or says which method it takes", arguments: misses)
  func missed(method: ServedRequest.Method?, path: String, miss: ControlRoute.Miss) {
    #expect(throws: miss) { try ControlRoute(method, path) }
  }
}
