import ControlPage
import Testing
import WebServer

@Suite struct ControlRouteTests {
  static let routes: [(ServedRequest.Method, String, ControlRoute)] = [
    (.get, "/", .page), (.head, "/app.js", .script), (.get, "/style.css", .style), (.get, "/healthz", .health),
    (.get, "/icon.svg", .icon), (.get, "/art/0a1b", .art("0a1b")),
    (.get, "/metrics", .metrics), (.get, "/api/screens", .screens), (.get, "/api/events", .events),
    (.get, "/api/playlists/2/week", .week(2)),
    (.post, "/api/playlists/0/screens/tv/skip", .order(.skip, screen: .init(playlist: 0, name: "tv"))),
    (
      .post, "/api/playlists/1/screens/bar%20l%C3%A4nge/play",
      .order(.play, screen: .init(playlist: 1, name: "bar länge"))
    ),
    (.post, "/api/playlists/0/triggers/fire", .trigger("fire", playlist: 0, fires: true)),
    (.delete, "/api/playlists/0/triggers/fire", .trigger("fire", playlist: 0, fires: false)),
  ]

  @Test("A method and a path mean one thing", arguments: routes)
  func found(method: ServedRequest.Method, path: String, route: ControlRoute) throws {
    #expect(try ControlRoute(method, path) == route)
  }

  static let misses: [(ServedRequest.Method?, String, ControlRoute.Miss)] = [
    (.get, "", .nothing), (.get, "/x", .nothing), (.get, "/art", .nothing), (.get, "/art/", .nothing),
    (.get, "/art/a/b", .nothing),
    (.post, "/art/a", .method("GET, HEAD")), (.get, "/api", .nothing), (.get, "//", .nothing),
    (.get, "/api/playlists/-1/week", .nothing), (.get, "/api/playlists/99999999999999999999/week", .nothing),
    (.get, "/api/playlists/0/week/", .nothing), (.post, "/api/playlists/0/screens//skip", .nothing),
    (.post, "/api/playlists/0/screens/tv/explode", .nothing), (.post, "/api/playlists/0/screens/%ZZ/skip", .nothing),
    (.post, "/api/playlists/0/screens/%FF/skip", .nothing), (.post, "/api/playlists/0/screens/%00/skip", .nothing),
    (.post, "/api/playlists/0/screens/a%2", .nothing), (.post, "/", .method("GET, HEAD")),
    (nil, "/metrics", .method("GET, HEAD")),
    (.get, "/api/playlists/0/screens/tv/skip", .method("POST")),
    (.put, "/api/playlists/0/triggers/t", .method("POST, DELETE")),
  ]

  @Test("Anything else is nothing, or says which method it takes", arguments: misses)
  func missed(method: ServedRequest.Method?, path: String, miss: ControlRoute.Miss) {
    #expect(throws: miss) { try ControlRoute(method, path) }
  }
}
