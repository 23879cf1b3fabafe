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

    init(
      _ options: String..., playlist: String = ServeControlTests.playlist, files: [String: Data] = [:]
    ) async throws {
      folder = try TemporaryFolder()
      for (name, data) in files { try data.write(to: folder.url.appending(path: name)) }
      let file = try folder.write("shop.yaml", playlist)
      serving = try Showcaller.start(
        ["serve", "--virtual", file, "--ledger", folder.path("plays.jsonl"), "--control", "0"] + options,
        environment: ["XDG_STATE_HOME": folder.path("state")], limit: 240)
      try await serving.waitFor("shows menu")
      try await serving.waitFor("its token is in ")
      let told = serving.errors
      let match = try #require(told.firstMatch(of: /(http:\/\/[^ ]+)\/ and its token is in ([^\n]+)/), "\(told)")
      (page, tokenFile) = (String(match.1), String(match.2))
      token = try String(contentsOfFile: tokenFile, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    var port: String { page.split(separator: ":").last.map(String.init) ?? "" }

    /// What a path answers, as JSON.
    func json(_ path: String) async throws -> JSONValue {
      try JSONValue(parsing: Array(try await WebFetch.ask("GET", page + path).body.utf8))
    }

    /// What the API says of the only screen.
    func screen() async throws -> JSONValue {
      try #require(try await json("/api/screens")["playlists"]?.array?.first?["screens"]?.array?.first)
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
    let trigger = shop.page + "/api/playlists/shop/triggers/evacuate"
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
      parsing: Array(try await WebFetch.ask("GET", shop.page + "/api/playlists/shop/week").body.utf8))
    #expect(week["stretches"]?.array?.isEmpty == false)
    #expect(try await WebFetch.ask("GET", shop.page + "/", "Host: evil.example").status == 403)
    #expect(
      try await WebFetch.ask("POST", shop.page + "/api/playlists/shop/screens/tv/skip", shop.authorization).status
        == 202)
    try await shop.serving.waitFor("skip, as asked")
    try await shop.end()
  }

  static let refused: [([String], String)] = [
    (["--listen", "127.0.0.1"], "--listen needs --control"), (["--control", "70000"], "takes a port"),
    (["--control", "0", "--listen", "0.0.0.0"], "add --insecure"),
    (["--control", "0", "--listen", "::ffff:0.0.0.0"], "add --insecure"),
    (["--control", "0", "--listen", "0"], "takes an address"),
    (["--control", "0", "--listen", "0x0"], "takes an address"),
    (["--insecure"], "--insecure needs --listen"), (["--control-name", "a.example"], "--control-name needs --control"),
    (["--control", "0", "--control-name", "https://a.example/"], "it takes a name"),
    (["--control", "0", "--control-name", "a.example:70000"], "is no port"),
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

  @Test("This computer reaches the page at both of its own addresses, and by its name")
  func loopback() async throws {
    let shop = try await Shop()
    for address in ["127.0.0.1", "[::1]", "localhost"] {
      #expect(try await WebFetch.ask("GET", "http://\(address):\(shop.port)/").status == 200, "\(address)")
    }
    try await shop.end()
  }

  @Test("Under the name of a proxy with TLS the page is answered, and the token is needed")
  func controlName() async throws {
    let shop = try await Shop("--control-name", "screens.example.com")
    let host = "Host: screens.example.com"
    #expect(try await WebFetch.ask("GET", shop.page + "/", host).status == 200)
    #expect(try await WebFetch.ask("GET", shop.page + "/api/screens", host).status == 401)
    #expect(try await WebFetch.ask("GET", shop.page + "/api/screens", host, shop.authorization).status == 200)
    #expect(try await WebFetch.ask("GET", shop.page + "/", "Host: other.example.com").status == 403)
    try await shop.end()
  }

  @Test("Volume, app, position and what follows are told by the names of Home Assistant")
  func player() async throws {
    let shop = try await Shop()
    let screen = try await shop.screen()
    #expect(screen["app_id"] == "CC1AD845" && screen["app_name"] == "Default Media Receiver" && screen["up"] == true)
    #expect(screen["volume_level"]?.number == 1 && screen["is_volume_muted"] == false)
    #expect(screen["next"]?["media_content_id"] == "menu" && screen["last_heard"]?.number != nil)
    try await shop.end()
  }

  @Test("A body over 64 KiB is refused with 413, and the page goes on")
  func tooLarge() async throws {
    let shop = try await Shop()
    let program = """
      import http.client, sys
      connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=10)
      connection.request("POST", "/api/playlists/shop/screens/tv/skip", "x" * 70_000, {"Authorization": sys.argv[2]})
      print(connection.getresponse().status)
      """
    let python = try Running(
      URL(filePath: "/usr/bin/env"), ["python3", "-c", program, shop.port, "Bearer \(shop.token)"],
      in: Showcaller.root, limit: 30)
    #expect(try await python.finish().output == "413\n")
    #expect(!shop.serving.output.contains("skip, as asked"))
    #expect(try await WebFetch.ask("GET", shop.page + "/healthz").status == 200)
    try await shop.end()
  }

  @Test("Of a thousand clients that follow and stay, 16 get events, 32 are let in, and the screens go on")
  func crowd() async throws {
    let shop = try await Shop(
      playlist: Self.playlist.replacing(
        "[{ media: menu, for: 1h }]", with: "[{ media: menu, for: 2s }, { media: exits, for: 2s }]"))
    let crowd = try Running(
      URL(filePath: "/usr/bin/env"),
      ["python3", Showcaller.root.appending(path: "Tests/EndToEndTests/Peers/crowd.py").path, shop.port, "1000"],
      in: Showcaller.root, limit: 240)
    let counts = try await crowd.firstLine().split(separator: " ").compactMap { Int($0) }
    #expect(counts.count == 2 && counts[0] == 16 && counts[1] <= 32, "\(counts)")
    let shown = shop.serving.output.components(separatedBy: "  shows ").count
    try await shop.serving.waitFor("  shows ", times: shown + 2)
    crowd.closeInput()
    _ = try await crowd.finish()
    // Those who went leave room.
    var status = 0
    for _ in 0..<50 where status != 200 {
      status = try await WebFetch.ask("GET", shop.page + "/healthz").status
      if status != 200 { try await Task.sleep(for: .milliseconds(100)) }
    }
    #expect(status == 200)
    try await shop.end()
  }

  @Test("What an earlier serve showed is in the week beside its plan, and so is what is shown now")
  func week() async throws {
    let shop = try await Shop(
      playlist: Self.playlist.replacing(
        "[{ media: menu, for: 1h }]", with: "[{ media: menu, for: 2s }, { media: exits, for: 2s }]"))
    // Only what a status covers counts: the first item has to be through.
    try await shop.serving.waitFor("shows exits")
    try await shop.end()
    let again = try Showcaller.start(
      [
        "serve", "--virtual", shop.folder.path("shop.yaml"), "--ledger", shop.folder.path("plays.jsonl"), "--control",
        "0",
      ], environment: ["XDG_STATE_HOME": shop.folder.path("state")], limit: 60)
    try await again.waitFor("its token is in ")
    try await again.waitFor("shows menu")
    let page = String(try #require(again.errors.firstMatch(of: /(http:\/\/[^ ]+)\/ and its token/)).1)
    let week = try JSONValue(
      parsing: Array(try await WebFetch.ask("GET", page + "/api/playlists/shop/week").body.utf8))
    #expect(week["days"]?.array?.count == 7)
    let shown = (week["days"]?.array ?? []).flatMap { $0["slots"]?.array ?? [] }
      .flatMap { $0["screens"]?.array ?? [] }.compactMap { $0["shown"]?.number }.reduce(0, +)
    #expect(shown > 0, "the first serve showed it: \(week)")
    again.signal(SIGTERM)
    #expect(try await again.finish().exitCode == 0)
  }

  private static let png = Data(
    base64Encoded:
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")

  /// What the page answers where it should have a picture of what is at an address.
  private static func art(at address: String, files: [String: Data] = [:]) async throws -> String {
    let shop = try await Shop(
      playlist: playlist.replacing(
        "menu: { url: https://e.com/menu.jpg }", with: "menu: { type: image/png, url: \"\(address)\" }"),
      files: files)
    let picture = try #require(try await shop.screen()["entity_picture"]?.string)
    #expect(picture.wholeMatch(of: /\/art\/[0-9a-f]{32}/) != nil, "\(picture)")
    let answer = try await WebFetch.ask("GET", shop.page + picture)
    #expect(try await WebFetch.ask("GET", shop.page + "/art/\(String(repeating: "0", count: 32))").status == 404)
    try await shop.end()
    return "\(answer.status) \(answer.type)"
  }

  @Test("Pictures of files and of addresses come from the page, and nothing else does")
  func art() async throws {
    let (files, png) = (try TemporaryFolder(), try #require(Self.png))
    try png.write(to: files.url.appending(path: "far.png"))
    let server = try await FolderServer(files)
    // A device would look for 127.0.0.1 on itself.
    let far = "http://[::ffff:127.0.0.1]:\(server.port)"
    let near = ["near.png": png, "near.txt": Data("no picture".utf8)]
    #expect(try await Self.art(at: "\(far)/far.png") == "200 image/png")
    #expect(try await Self.art(at: "\(far)/") == "404 application/json", "a page is no picture")
    #expect(try await Self.art(at: "file:near.png", files: near) == "200 image/png")
    #expect(try await Self.art(at: "file:near.txt", files: near) == "404 application/json")
    await server.stop()
  }

  @Test("A picture's server may lead elsewhere on its own host, and nowhere else")
  func redirects() async throws {
    let (files, png) = (try TemporaryFolder(), try #require(Self.png))
    try png.write(to: files.url.appending(path: "far.png"))
    let server = try await FolderServer(files)
    for (host, told) in [("[::ffff:127.0.0.1]", "200 image/png"), ("127.0.0.1", "404 application/json")] {
      let leading = try PlainServer { connection in
        connection.send(
          "HTTP/1.1 302 Found\r\nLocation: http://\(host):\(server.port)/far.png\r\nContent-Length: 0\r\n\r\n")
      }
      #expect(try await Self.art(at: "http://[::ffff:127.0.0.1]:\(leading.port)/a.png") == told, "\(host)")
    }
    await server.stop()
  }
}
