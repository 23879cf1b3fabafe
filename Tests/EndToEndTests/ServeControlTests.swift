import CastProtocol
import Foundation
import Testing

/// The control page of `serve`, asked by a client that is not ours.
@Suite struct ServeControlTests {
  private static let playlist = """
    playlist: Shop
    timezone: UTC
    device: TV
    media: { menu: { url: https://e.com/menu.jpg }, exits: { url: https://e.com/exits.jpg } }
    program: [{ play: [{ media: menu, for: 1h }] }]
    triggers: { evacuate: { webhook: true } }
    interrupts: [{ on: evacuate, play: [exits], until: cleared, cut: immediately }]

    """

  /// A served playlist, its page and the token.
  private struct Shop {
    let folder: TemporaryFolder
    let serving: Running
    let page: String
    let tokenFile: String
    let token: String

    init(_ options: String...) async throws {
      folder = try TemporaryFolder()
      let file = try folder.write("shop.yaml", ServeControlTests.playlist)
      serving = try Showcaller.start(
        ["serve", "--virtual", file, "--ledger", folder.path("plays.jsonl"), "--control", "0"] + options,
        environment: ["XDG_STATE_HOME": folder.path("state")], limit: 60)
      try await serving.waitFor("shows menu")
      try await serving.waitFor("its token is in ")
      let told = serving.errors
      let match = try #require(told.firstMatch(of: /(http:\/\/[^ ]+)\/ and its token is in ([^\n]+)/), "\(told)")
      (page, tokenFile) = (String(match.1), String(match.2))
      token = try String(contentsOfFile: tokenFile, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    var authorization: String { "Authorization: Bearer \(token)" }

    func end() async throws {
      serving.signal(SIGTERM)
      #expect(try await serving.finish().exitCode == 0)
    }
  }

  @Test("A webhook fires and clears an alarm on the screens; without the token it does nothing")
  func webhook() async throws {
    let shop = try await Shop()
    #expect(shop.page.hasPrefix("http://127.0.0.1:"))
    let mode = try FileManager.default.attributesOfItem(atPath: shop.tokenFile)[.posixPermissions] as? Int
    #expect(mode == 0o600 && shop.token.count == 64)
    let trigger = shop.page + "/api/playlists/0/triggers/evacuate"
    #expect(try await WebFetch.ask("POST", trigger).status == 401)
    #expect(
      try await WebFetch.ask("POST", trigger, "Authorization: Bearer \(String(repeating: "0", count: 64))").status
        == 401)
    #expect(try await WebFetch.ask("POST", trigger, shop.authorization, "Origin: http://evil.example").status == 403)
    #expect(try await WebFetch.ask("POST", trigger, shop.authorization).status == 200)
    try await shop.serving.waitFor("shows exits, interrupts[0]")
    #expect(try await WebFetch.ask("DELETE", trigger, shop.authorization).status == 200)
    try await shop.serving.waitFor("shows menu", times: 2)
    try await shop.end()
  }

  @Test("What is on is told to people, programs and monitors; a skip and a play are obeyed")
  func told() async throws {
    let shop = try await Shop()
    #expect(try await WebFetch.ask("GET", shop.page + "/").body.contains("<title>Showcaller</title>"))
    let state = try JSONValue(parsing: Array(try await WebFetch.ask("GET", shop.page + "/api/screens").body.utf8))
    let screen = try #require(state["playlists"]?.array?.first?["screens"]?.array?.first)
    #expect(screen["state"] == "playing" && screen["media_content_id"] == "menu" && screen["name"] == "tv")
    let metrics = try await WebFetch.ask("GET", shop.page + "/metrics")
    #expect(metrics.type.hasPrefix("text/plain; version=0.0.4") && metrics.body.contains("showcaller_screen_playing{"))
    #expect(try await WebFetch.ask("GET", shop.page + "/healthz").status == 200)
    let week = try JSONValue(
      parsing: Array(try await WebFetch.ask("GET", shop.page + "/api/playlists/0/week").body.utf8))
    #expect(week["stretches"]?.array?.isEmpty == false)
    #expect(try await WebFetch.ask("GET", shop.page + "/", "Host: evil.example").status == 403)
    #expect(
      try await WebFetch.ask("POST", shop.page + "/api/playlists/0/screens/tv/skip", shop.authorization).status == 202)
    try await shop.serving.waitFor("skip, as asked")
    try await shop.end()
  }

  static let refused: [([String], String)] = [
    (["--listen", "127.0.0.1"], "--listen needs --control"), (["--control", "70000"], "takes a port"),
    (["--control", "0", "--listen", "0.0.0.0"], "add --insecure"),
    (["--control", "0", "--listen", "::ffff:0.0.0.0"], "add --insecure"),
    (["--control", "0", "--listen", "0"], "takes an address"),
    (["--control", "0", "--listen", "0x0"], "takes an address"),
    (["--insecure"], "--insecure needs --listen"),
  ]

  @Test("What would open the page to everybody by mistake is refused", arguments: refused)
  func refuse(options: [String], words: String) async throws {
    let finished = try await Showcaller.start(["serve", "--virtual", "playlists/cafe.yaml"] + options).finish()
    #expect(finished.exitCode == 2 && finished.errors.contains(words), "\(finished.errors)")
  }

  @Test("At all addresses of this computer the page answers to each of them, and to no other name")
  func everywhere() async throws {
    let shop = try await Shop("--listen", "0.0.0.0", "--insecure")
    let port = shop.page.split(separator: ":").last.map(String.init) ?? ""
    #expect(try await WebFetch.ask("GET", "http://127.0.0.1:\(port)/").status == 200)
    #expect(try await WebFetch.ask("GET", "http://127.0.0.1:\(port)/", "Host: evil.example:\(port)").status == 403)
    try await shop.end()
  }

  @Test("On an address that others reach readers need the token, too")
  func listen() async throws {
    let shop = try await Shop("--listen", "127.0.0.2")
    #expect(shop.page.hasPrefix("http://127.0.0.2:"))
    #expect(try await WebFetch.ask("GET", shop.page + "/api/screens").status == 401)
    #expect(try await WebFetch.ask("GET", shop.page + "/metrics").status == 401)
    #expect(try await WebFetch.ask("GET", shop.page + "/api/screens", shop.authorization).status == 200)
    #expect(try await WebFetch.ask("GET", shop.page + "/").status == 200, "the page itself holds nothing")
    try await shop.end()
  }
}
