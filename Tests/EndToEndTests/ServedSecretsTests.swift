import CastProtocol
import Foundation
import TestSupport
import Testing

/// Secrets of playlists through `serve`: every value goes to the one server or device that it is for, and nowhere else.
@Suite struct ServedSecretsTests {
  /// All values have the word in them.
  private static func value(_ name: String) -> String { "p@ss/w0rd+canary-\(name)" }
  private static let marks = ["canary", "p%40ss", "cebzcy93mhjkk2nhbmfye"]

  private static func expectHidden(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let text = text.lowercased()
    for mark in marks {
      let line = text.split(separator: "\n").first { $0.contains(mark) }
      #expect(line == nil, "\(mark)", sourceLocation: sourceLocation)
    }
  }

  /// All that lies in a folder, as one text.
  private static func contents(of folder: URL) throws -> String {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return paths.sorted().map { path in
      let data = try? Data(contentsOf: folder.appending(path: path))
      return "\(path)\n" + String(decoding: data ?? Data(), as: UTF8.self)
    }.joined(separator: "\n")
  }

  /// A playlist of which every address on the web has a secret, its keys in a folder of their own, and the web.
  private final class Shop: Sendable {
    let folder: TemporaryFolder
    let keys: TemporaryFolder
    let port: Int
    private let web: Running

    /// Writes what it is asked to one file, and what it is sent to another; takes no message.
    private static let server = """
      import http.server, sys
      class Handler(http.server.BaseHTTPRequestHandler):
          def log_message(self, *a): pass
          def answer(self, status, body):
              open(sys.argv[1] + "/asked", "a").write(self.command + " " + self.path + "\\n")
              self.send_response(status)
              self.end_headers()
              self.wfile.write(body)
          def do_GET(self):
              calendar = b"BEGIN:VCALENDAR\\nBEGIN:VEVENT\\nDTSTART;VALUE=DATE:20200101\\nEND:VEVENT\\nEND:VCALENDAR\\n"
              self.answer(200, calendar if self.path.startswith("/days/") else b"<html>")
          def do_POST(self):
              body = self.rfile.read(int(self.headers["Content-Length"]))
              open(sys.argv[2] + "/sent", "ab").write(body + b"\\n")
              self.answer(500, b"")
      server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
      print(server.server_port, flush=True)
      server.serve_forever()
      """

    init() async throws {
      (folder, keys) = (try TemporaryFolder(), try TemporaryFolder())
      web = try Running(
        URL(filePath: "/usr/bin/env"), ["python3", "-c", Self.server, keys.url.path, folder.url.path],
        environment: [:], in: folder.url, limit: 180)
      port = try #require(Int(try await web.firstLine()))
      for name in ["film", "feed", "days"] { try set(name, to: ServedSecretsTests.value(name)) }
    }

    func set(_ key: String, to value: String) throws { _ = try keys.write(key, value + "\n") }

    func write(for length: String) throws {
      _ = try folder.write(
        "shop.yaml",
        """
        playlist: Shop
        timezone: UTC
        device: TV
        secrets:
          film: { file: \(keys.path("film")) }
          hook: { env: HOOK }
          host: { env: SECRET_HOST }
          feed: { env: NOWHERE }
          days: { command: [cat, \(keys.path("days"))] }
        calendars: { days: { ics: "http://127.0.0.1:\(port)/days/${secret.days}" } }
        media: { a: { url: "https://cdn.example.com/a.jpg?key=${secret.film}" } }
        program:
          - { during: { calendar: days }, play: [a] }
          - during: any_time
            play: [{ media: a, for: \(length) }, { media: "https://${secret.host}/b.jpg", for: 1s }]
        triggers: { alarm: { cap: "http://127.0.0.1:\(port)/feed/${secret.feed}", every: 10s } }
        interrupts: [{ on: alarm, play: [a], until: cleared }]
        notify:
          - { when: invalid, webhook: "http://127.0.0.1:\(port)/hook/${secret.hook}" }
          - { when: invalid, webhook: "http://${secret.host}/x" }

        """)
    }

    func serve(on port: Int) throws -> Running {
      try Showcaller.start(
        [
          "serve", folder.path("shop.yaml"), "--host", "127.0.0.1:\(port)", "--ledger", folder.path("plays.jsonl"),
          "--json", "--control", "0", "--allow-exec", "--secret", "feed=@\(keys.path("feed"))", "--log", "trace",
        ],
        environment: [
          "XDG_STATE_HOME": folder.path("state"), "XDG_CACHE_HOME": folder.path("cache"),
          "HOOK": ServedSecretsTests.value("hook"), "SECRET_HOST": "Canary-Host.invalid",
        ], limit: 120)
    }

    /// Waits until the web was asked something.
    func waitForRequest(_ line: String) async throws {
      for _ in 0..<300 {
        let asked = (try? String(contentsOfFile: keys.path("asked"), encoding: .utf8)) ?? ""
        if asked.contains(line + "\n") { return }
        try await Task.sleep(for: .milliseconds(100))
      }
      Issue.record("the web was never asked \(line)")
    }

    /// Waits until the device has an address on.
    func waitForDevice(_ address: String, on port: Int) async throws {
      var seen = ""
      for _ in 0..<60 {
        seen = try await Showcaller.run("status", "--host", "127.0.0.1:\(port)", "--json").output
        if seen.contains(address) { return }
        try await Task.sleep(for: .milliseconds(300))
      }
      Issue.record("the device never had \(address): \(seen)")
    }

    /// What the control page and its API answer.
    func page(of serving: Running) async throws -> String {
      let match = try #require(serving.errors.firstMatch(of: /(http:\/\/[^ ]+)\/ and its token is in ([^\n]+)/))
      let token = try String(contentsOfFile: String(match.2), encoding: .utf8)
        .trimmingCharacters(in: .whitespacesAndNewlines)
      var all = ""
      for path in ["/", "/api/screens", "/api/playlists/shop/week", "/metrics", "/healthz"] {
        all += try await WebFetch.ask("GET", "\(match.1)\(path)", "Authorization: Bearer \(token)").body
      }
      return all
    }

    func stop() async {
      web.signal(SIGTERM)
      _ = try? await web.finish()
    }
  }

  @Test("Devices and servers get the values, also changed ones; nothing that is told, shown or left behind has them")
  func everywhere() async throws {
    let shop = try await Shop()
    let receiver = try Showcaller.start(["receive", "--port", "0"], limit: 180)
    let port = try #require(Int((try await receiver.firstLine()).split(separator: ":").last ?? ""))
    try shop.write(for: "1s")
    let serving = try shop.serve(on: port)
    try await serving.waitFor("\"content\":\"https://‹secret.host›/b.jpg\"")
    try await shop.waitForRequest("GET /days/\(Self.value("days"))")
    try await shop.waitForRequest("GET /feed/\(Self.value("feed"))")
    try await serving.waitFor("the alerts of the trigger alarm cannot be read")
    try await shop.waitForDevice("a.jpg?key=\(Self.value("film"))", on: port)

    // A changed value is sent with the next item.
    try shop.write(for: "10m")
    try shop.set("film", to: Self.value("changed"))
    serving.signal(SIGHUP)
    try await shop.waitForDevice("?key=\(Self.value("changed"))", on: port)
    var page = try await shop.page(of: serving)
    #expect(page.contains("showcaller_screen_playing{"))

    // A secret that cannot be read any more is as an edit with a mistake.
    try FileManager.default.removeItem(atPath: shop.keys.path("film"))
    serving.signal(SIGHUP)
    try await serving.waitFor("the screens go on with the playlist as it was")
    try await shop.waitForRequest("POST /hook/\(Self.value("hook"))")
    try await serving.waitFor("nobody could be told that", times: 2)
    page += try await shop.page(of: serving)
    #expect(serving.errors.contains("the webhook answers 500") && serving.errors.contains("the name "))

    // What is on is known again by the value that it was sent with.
    serving.signal(SIGKILL)
    let killed = try await serving.finish()
    try shop.set("film", to: Self.value("third"))
    let next = try shop.serve(on: port)
    try await next.waitFor("\"event\":\"adopted\"")
    next.signal(SIGTERM)
    let finished = try await next.finish()
    #expect(finished.exitCode == 0 && !finished.output.contains("yielded"), "\(finished.output)")
    receiver.signal(SIGTERM)
    _ = try await receiver.finish()
    await shop.stop()

    let said = killed.output + killed.errors + finished.output + finished.errors + page
    let left = try Self.contents(of: shop.folder.url)
    #expect(left.contains("\"occasion\":\"invalid\"") && left.contains("plays") && left.contains("sealed:"))
    #expect(said.contains("‹secret.film›") && left.contains("‹secret.film›"))
    Self.expectHidden(said)
    Self.expectHidden(left)
  }

  @Test("A device that repeats an address in its refusal gives nothing away")
  func repeated() async throws {
    let device = try await ScriptedDevice.start(
      ScriptedDevice.wellBehaved { message, peer in
        guard message.type == "LOAD" else { return false }
        let content = message.json["media"]?["contentId"]?.string ?? ""
        let error: JSONValue = [
          "type": "LOAD_FAILED", "requestId": message.requestID, "reason": .string("cannot load \(content)"),
        ]
        peer.send(error, in: .media, from: ScriptedDevice.transportID, to: message.source)
        return true
      })
    let folder = try TemporaryFolder()
    let file = try folder.write("shop.yaml", Self.playlist("{ env: THE_KEY }"))
    for output in [["--json"], []] {
      let finished = try await Showcaller.start(
        ["serve", file, "--host", device.address, "--ledger", folder.path("plays.jsonl"), "--for", "5s"] + output,
        environment: ["THE_KEY": Self.value("key"), "XDG_STATE_HOME": folder.path("state")]
      ).finish()
      #expect(finished.output.contains("cannot load https://cdn.example.com/a.jpg?key=‹secret.key›"))
      Self.expectHidden(finished.output + finished.errors + (try Self.contents(of: folder.url)))
    }
    await device.stop()
  }

  private static func playlist(_ source: String) -> String {
    """
    playlist: Shop
    timezone: UTC
    device: TV
    secrets: { key: \(source) }
    program: [{ play: [{ media: "https://cdn.example.com/a.jpg?key=${secret.key}", for: 60s }] }]

    """
  }

  static let withoutValue: [(source: String, arguments: [String], exitCode: Int32, says: String)] = [
    ("{ env: SURELY_NOT_SET }", [], 3, "environment variable SURELY_NOT_SET is not set"),
    ("{ file: nowhere }", ["--virtual"], 3, "file `nowhere` is not there"),
    ("{ command: [cat, key] }", ["--virtual"], 3, "programs need `--allow-exec`"),
    ("{ command: [\"false\"] }", ["--allow-exec"], 3, "ended with exit code 1"),
    ("{ env: A }", ["--secret", "key=@/proc/nonexistent"], 3, "there is no such file"),
    ("{ env: A }", ["--secret", "kye=@key"], 3, "did you mean `key`?"),
    ("{ env: A }", ["--no-secrets"], 2, "leave out --no-secrets"),
  ]

  @Test("A secret without a value ends `serve` before it begins, with the reason", arguments: withoutValue)
  func missing(_ example: (source: String, arguments: [String], exitCode: Int32, says: String)) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("shop.yaml", Self.playlist(example.source))
    let finished = try await Showcaller.start(
      ["serve", file, "--ledger", folder.path("plays.jsonl"), "--for", "1s"] + example.arguments,
      environment: ["XDG_STATE_HOME": folder.path("state")], in: folder.url
    ).finish()
    #expect(finished.exitCode == example.exitCode, "\(finished.errors)")
    #expect(finished.errors.contains(example.says), "\(finished.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("plays.jsonl")))
  }

  @Test("Who only looks at a playlist needs no values, and sees none")
  func looking() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("shop.yaml", Self.playlist("{ env: THE_KEY }"))
    for command in [
      ["check", file], ["plan", file], ["plan", "--json", file], ["week", file], ["simulate", file, "--for", "1h"],
      ["simulate", file, "--receivers", "--for", "5m"], ["at", "2026-12-24 18:30", file], ["inputs", file],
    ] {
      let without = try await Showcaller.start(command).finish()
      #expect(without.exitCode == 0, "\(command): \(without.errors)")
      #expect(!without.errors.contains("K110"), "\(without.errors)")
      let with = try await Showcaller.start(command, environment: ["THE_KEY": Self.value("key")]).finish()
      Self.expectHidden(with.output + with.errors)
    }
    let shown = try await Showcaller.start(
      ["serve", file, "--virtual", "--no-secrets", "--for", "2s", "--ledger", folder.path("plays.jsonl")],
      environment: ["XDG_STATE_HOME": folder.path("state")]
    ).finish()
    #expect(shown.exitCode == 0 && shown.output.contains("shows https://cdn"), "\(shown.output)\(shown.errors)")
  }

  @Test("An edit that cannot be served for another reason is not said to have a secret without a value")
  func otherReason() async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("config/showcaller"), withIntermediateDirectories: true)
    // They are read for a device that the playlist does not name.
    _ = try folder.write("config/showcaller/config.yaml", "devices: [oops\n")
    func playlist(_ name: String) -> String {
      """
      playlist: Shop
      timezone: UTC
      device: { name: \(name), host: "127.0.0.1:1" }
      program: [{ play: [{ media: "https://e.com/a.jpg", for: 1h }] }]

      """
    }
    let file = try folder.write("shop.yaml", playlist("Beta"))
    let serving = try Showcaller.start(
      ["serve", file, "--device", "Beta", "--ledger", folder.path("plays.jsonl")],
      environment: ["XDG_STATE_HOME": folder.path("state"), "XDG_CONFIG_HOME": folder.path("config")], limit: 60)
    try await serving.waitFor("cannot be reached")
    _ = try folder.write("shop.yaml", playlist("Gamma"))
    try await serving.waitFor("the screens go on with the playlist as it was")
    serving.signal(SIGTERM)
    let errors = try await serving.finish().errors
    #expect(errors.contains("config.yaml") && !errors.contains("has a secret without a value"), "\(errors)")
  }
}
