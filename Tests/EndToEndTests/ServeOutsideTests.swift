import Foundation
import TestSupport
import Testing

/// Triggers, notifications and power of `serve`, with real files and programs.
@Suite struct ServeOutsideTests {
  /// A playlist with still media `menu` and `exits`, and more lines.
  private static func playlist(_ lines: String) -> String {
    """
    playlist: Shop
    timezone: UTC
    device: TV
    media: { menu: { url: https://e.com/menu.jpg }, exits: { url: https://e.com/exits.jpg } }
    program: [{ play: [{ media: menu, for: 1h }] }]
    fallback: exits
    \(lines)

    """
  }

  private struct Shop {
    let folder: TemporaryFolder
    let file: String

    init(_ lines: String) throws {
      folder = try TemporaryFolder()
      file = try folder.write("shop.yaml", ServeOutsideTests.playlist(lines))
    }

    func serve(_ options: String...) throws -> Running {
      try Showcaller.start(
        ["serve", file, "--ledger", folder.path("plays.jsonl")] + options,
        environment: ["XDG_STATE_HOME": folder.path("state"), "XDG_CACHE_HOME": folder.path("cache")], limit: 60)
    }

    /// The lines of a file that a program writes, once there are so many.
    func lines(of name: String, atLeast count: Int) async throws -> [String] {
      for _ in 0..<200 {
        let text = (try? String(contentsOfFile: folder.path(name), encoding: .utf8)) ?? ""
        let lines = text.split(separator: "\n").map(String.init)
        if lines.count >= count { return lines }
        try await Task.sleep(for: .milliseconds(100))
      }
      Issue.record("\(name) does not get \(count) lines")
      return []
    }
  }

  @Test("A file fires a trigger while it is there, and its removal clears it")
  func file() async throws {
    let shop = try Shop(
      """
      triggers: { fire: { file: alarm } }
      interrupts: [{ on: fire, play: [exits], until: cleared, cut: immediately }]
      """)
    let serving = try shop.serve("--virtual")
    try await serving.waitFor("shows menu")
    let alarm = try shop.folder.write("alarm", "")
    try await serving.waitFor("shows exits, interrupts[0]")
    try FileManager.default.removeItem(atPath: alarm)
    try await serving.waitFor("shows menu", times: 2)
    serving.signal(SIGTERM)
    #expect(try await serving.finish().exitCode == 0)
  }

  @Test("A program is told that a screen is dark, once, and that an edit has errors")
  func told() async throws {
    let shop = try Shop("notify: [{ when: [dark, invalid], command: [sh, -c, 'cat >> \"$0\"', messages] }]")
    let messages = shop.folder.path("messages")
    let lines = "notify: [{ when: [dark, invalid], command: [sh, -c, 'cat >> \(messages)'] }]"
    _ = try shop.folder.write("shop.yaml", Self.playlist(lines))
    // Nobody listens at port 1.
    let serving = try shop.serve("--host", "127.0.0.1:1", "--allow-exec")
    let dark = try #require(try await shop.lines(of: "messages", atLeast: 1).first)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(dark.utf8)) as? [String: Any])
    #expect(object["occasion"] as? String == "dark" && object["state"] as? String == "begun")
    #expect((object["text"] as? String)?.contains("is dark: ") == true, "\(dark)")
    _ = try shop.folder.write("shop.yaml", Self.playlist(lines + "\nprogramme: []"))
    let all = try await shop.lines(of: "messages", atLeast: 2)
    #expect(all.count == 2 && all.last?.contains("\"occasion\":\"invalid\"") == true, "\(all)")
    serving.signal(SIGTERM)
    _ = try await serving.finish()
  }

  @Test("A webhook gets the message as JSON, by POST")
  func webhook() async throws {
    let folder = try TemporaryFolder()
    let receiver = """
      import http.server, sys
      class Handler(http.server.BaseHTTPRequestHandler):
          def log_message(self, *a): pass
          def do_POST(self):
              body = self.rfile.read(int(self.headers["Content-Length"]))
              open(sys.argv[1], "ab").write(self.headers["Content-Type"].encode() + b" " + body + b"\\n")
              self.send_response(204)
              self.end_headers()
      server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
      print(server.server_port, flush=True)
      server.serve_forever()
      """
    let shop = try Shop("")
    let listening = try Running(
      URL(filePath: "/usr/bin/env"), ["python3", "-c", receiver, shop.folder.path("hooks")], environment: [:],
      in: folder.url, limit: 60)
    let port = try await listening.firstLine()
    _ = try shop.folder.write(
      "shop.yaml", Self.playlist("notify: [{ when: dark, webhook: \"http://127.0.0.1:\(port)/x\" }]"))
    let serving = try shop.serve("--host", "127.0.0.1:1")
    let hook = try #require(try await shop.lines(of: "hooks", atLeast: 1).first)
    #expect(hook.hasPrefix("application/json {") && hook.contains("\"occasion\":\"dark\""), "\(hook)")
    serving.signal(SIGTERM)
    _ = try await serving.finish()
    listening.signal(SIGTERM)
    _ = try await listening.finish()
  }

  @Test("An alert of a public authority fires a trigger while the feed has it")
  func alert() async throws {
    let shop = try Shop("")
    let server = try await FolderServer(shop.folder)
    let empty = "<feed xmlns='http://www.w3.org/2005/Atom'></feed>"
    _ = try shop.folder.write("alerts.xml", empty)
    _ = try shop.folder.write(
      "one.cap",
      """
      <alert xmlns="urn:oasis:names:tc:emergency:cap:1.2"><identifier>1</identifier><sender>w</sender>
      <status>Actual</status><msgType>Alert</msgType><info><severity>Extreme</severity></info></alert>
      """)
    _ = try shop.folder.write(
      "shop.yaml",
      Self.playlist(
        """
        triggers: { weather: { cap: "http://127.0.0.1:\(server.port)/alerts.xml", every: 10s } }
        interrupts: [{ on: weather, play: [exits], until: cleared, cut: immediately }]
        """))
    let serving = try shop.serve("--virtual")
    try await serving.waitFor("shows menu")
    _ = try shop.folder.write("alerts.xml", "<feed><entry><id>1</id><link href='one.cap'/></entry></feed>")
    try await serving.waitFor("shows exits, interrupts[0]")
    _ = try shop.folder.write("alerts.xml", empty)
    try await serving.waitFor("shows menu", times: 2)
    _ = try shop.folder.write("alerts.xml", "<html>")
    try await serving.waitFor("the alerts of the trigger weather cannot be read")
    serving.signal(SIGTERM)
    #expect(try await serving.finish().exitCode == 0)
    await server.stop()
  }

  @Test("A calendar on the web is fetched, and its days count at the next item; what is no calendar changes nothing")
  func calendar() async throws {
    let shop = try Shop("")
    let server = try await FolderServer(shop.folder)
    _ = try shop.folder.write(
      "all.ics",
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;VALUE=DATE:20200101\nRRULE:FREQ=DAILY\nEND:VEVENT\nEND:VCALENDAR\n")
    _ = try shop.folder.write("none.ics", "<html>not here</html>")
    let address = "http://127.0.0.1:\(server.port)"
    _ = try shop.folder.write(
      "shop.yaml",
      """
      playlist: Shop
      timezone: UTC
      device: TV
      calendars: { all: { ics: "\(address)/all.ics" }, none: { ics: "\(address)/none.ics" } }
      program:
        - { during: { calendar: none }, play: [{ media: "https://e.com/never.jpg", for: 2s }] }
        - { during: { calendar: all }, play: [{ media: "https://e.com/holiday.jpg", for: 2s }] }
        - { during: any_time, play: [{ media: "https://e.com/usual.jpg", for: 2s }] }

      """)
    let serving = try shop.serve("--virtual")
    try await serving.waitFor("shows https://e.com/usual.jpg")
    try await serving.waitFor("none.ics is as it was: its server sends no calendar")
    try await serving.waitFor("shows https://e.com/holiday.jpg")
    serving.signal(SIGTERM)
    #expect(try await serving.finish().exitCode == 0)
    await server.stop()
  }

  @Test(
    "A program is told that the certificate of a server of media ends soon, or is not trusted",
    arguments: [true, false])
  func certificate(isTrusted: Bool) async throws {
    let shop = try Shop("")
    // 127.0.0.1 as one number: a playlist may not name loopback, where the screen would look for it on itself.
    let host = "2130706433"
    let (key, certificate) = (shop.folder.path("key.pem"), shop.folder.path("certificate.pem"))
    let making = try Running(
      URL(filePath: "/usr/bin/env"),
      [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "5",
        "-subj", "/CN=media", "-addext", "subjectAltName=DNS:\(host)", "-keyout", key, "-out", certificate,
      ], environment: [:], in: shop.folder.url, limit: 20)
    _ = try await making.finish()
    let parts = try [key, certificate].map { try String(contentsOfFile: $0, encoding: .utf8) }
    let server = try await FolderServer(shop.folder, certificate: try shop.folder.write("both.pem", parts.joined()))
    let messages = shop.folder.path("messages")
    _ = try shop.folder.write(
      "shop.yaml",
      """
      playlist: Shop
      timezone: UTC
      device: TV
      program: [{ play: [{ media: "https://\(host):\(server.port)/menu.jpg", for: 1h }] }]
      notify: [{ when: certificate_ends, command: [sh, -c, 'cat >> \(messages)'] }]

      """)
    let serving = try Showcaller.start(
      [
        "serve", shop.file, "--ledger", shop.folder.path("plays.jsonl"), "--host", "127.0.0.1:1", "--allow-exec",
      ],
      environment: [
        "XDG_STATE_HOME": shop.folder.path("state"), "SSL_CERT_FILE": isTrusted ? certificate : "/dev/null",
        "SSL_CERT_DIR": "/dev/null",
      ], limit: 60)
    let line = try #require(try await shop.lines(of: "messages", atLeast: 1).first)
    #expect(line.contains("\"occasion\":\"certificate_ends\""), "\(line)")
    #expect(line.contains("\"subject\":\"\(host):\(server.port)\""), "\(line)")
    #expect(line.contains(isTrusted ? "it ends on " : "it is not trusted: self-signed certificate"), "\(line)")
    if isTrusted {
      // An edit fetches nothing from there any more.
      let text = try String(contentsOfFile: shop.file, encoding: .utf8)
      _ = try shop.folder.write(
        "shop.yaml", text.replacingOccurrences(of: "https://\(host):\(server.port)", with: "http://e.com"))
      let all = try await shop.lines(of: "messages", atLeast: 2)
      #expect(all.last?.contains("\"state\":\"over\"") == true, "\(all)")
    }
    serving.signal(SIGTERM)
    _ = try await serving.finish()
    await server.stop()
  }

  @Test("The site's programs switch its screens at the ends of quiet hours")
  func power() async throws {
    let shop = try Shop("")
    let log = shop.folder.path("power")
    _ = try shop.folder.write(
      "shop.yaml",
      Self.playlist(
        """
        quiet: { hours: 22:00-07:00 }
        power: { on: [sh, -c, 'echo on >> \(log)'], off: [sh, -c, 'echo off >> \(log)'] }
        """))
    let serving = try shop.serve("--virtual", "--allow-exec", "--from", "2026-11-23 21:58", "--speed", "60x")
    #expect(try await shop.lines(of: "power", atLeast: 2) == ["on", "off"])
    serving.signal(SIGTERM)
    _ = try await serving.finish()
  }

  @Test("A program that fails is told in the log, and no screen waits for it")
  func failing() async throws {
    let shop = try Shop("notify: [{ when: dark, command: [sh, -c, 'echo no mail today >&2; exit 3'] }]")
    let serving = try shop.serve("--host", "127.0.0.1:1", "--allow-exec", "--for", "9s")
    let finished = try await serving.finish()
    #expect(finished.errors.contains("nobody could be told that"), "\(finished.errors)")
    #expect(finished.errors.contains("sh ended with 3: no mail today"))
  }

  static let programs: [String] = [
    "notify: [{ when: dark, command: [mail] }]", "quiet: { hours: 22:00-07:00 }\npower: { on: [tv] }",
  ]

  @Test("A playlist that starts programs is refused unless that is allowed", arguments: programs)
  func refused(lines: String) async throws {
    let shop = try Shop(lines)
    let finished = try await shop.serve("--virtual").finish()
    #expect(finished.exitCode == 2, "\(finished.errors)")
    #expect(finished.errors.contains("starts programs of this computer with"))
    #expect(finished.errors.contains("`--allow-exec` allows it"))
  }
}
