import CastProtocol
import Foundation
import TestSupport
import Testing

/// `serve` as a service: its manager, its restarts, its end.
@Suite struct ServeServiceTests {
  private static func playlist(
    _ item: String, for length: String = "1h", device: String = "TV", _ more: String = ""
  ) -> String {
    """
    playlist: Shop
    timezone: UTC
    device: \(device)
    media: { exits: { url: https://e.com/exits.jpg } }
    program: [{ play: [{ media: "https://e.com/\(item).jpg", for: \(length) }] }]
    fallback: exits
    \(more)

    """
  }

  private static func end(_ serving: Running) async throws -> Finished {
    serving.signal(SIGTERM)
    return try await serving.finish()
  }

  private static func receiver() async throws -> (process: Running, port: String) {
    let receiver = try Showcaller.start(["receive", "--port", "0"], limit: 90)
    return (receiver, try #require(try await receiver.firstLine().split(separator: ":").last.map(String.init)))
  }

  @Test("The service manager hears that it is ready, alive while its screens have their turns, reloads, and stops")
  func manager() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("shop.yaml", Self.playlist("a"))
    let socket = try NotifySocket()
    let serving = try Showcaller.start(
      ["serve", "--virtual", file, "--ledger", folder.path("plays.jsonl")],
      environment: [
        "XDG_STATE_HOME": folder.path("state"), "NOTIFY_SOCKET": socket.path, "WATCHDOG_USEC": "200000",
      ], limit: 60)
    try await serving.waitFor("shows https://e.com/a.jpg")
    var heard = socket.heard()
    for _ in 0..<100 where heard.filter({ $0 == "WATCHDOG=1" }).count < 3 {
      try await Task.sleep(for: .milliseconds(50))
      heard += socket.heard()
    }
    #expect(Set(heard) == ["READY=1", "STATUS=serving Shop", "WATCHDOG=1"], "\(heard)")
    #expect(heard.count { $0 == "READY=1" } == 1 && heard.count { $0 == "WATCHDOG=1" } >= 3)
    serving.signal(SIGHUP)
    heard = []
    for _ in 0..<100 where heard.count < 2 {
      try await Task.sleep(for: .milliseconds(50))
      heard += socket.heard().filter { $0 != "WATCHDOG=1" }
    }
    #expect(heard == ["RELOADING=1", "READY=1"])
    #expect(try await Self.end(serving).exitCode == 0)
    #expect(socket.heard().last { $0 != "WATCHDOG=1" } == "STOPPING=1")
  }

  @Test("SIGHUP has files read again that look as they did")
  func hangUp() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("shop.yaml", Self.playlist("a", for: "1s"))
    let serving = try Showcaller.start(
      ["serve", "--virtual", file, "--ledger", folder.path("plays.jsonl")],
      environment: ["XDG_STATE_HOME": folder.path("state")], limit: 60)
    try await serving.waitFor("shows https://e.com/a.jpg")
    // As large as before, in place, and as old.
    var old = stat()
    #expect(stat(file, &old) == 0)
    let handle = try #require(FileHandle(forWritingAtPath: file))
    handle.write(Data(Self.playlist("b", for: "1s").utf8))
    try handle.close()
    var times = [old.st_atim, old.st_mtim]
    #expect(utimensat(AT_FDCWD, file, &times, 0) == 0)
    // Files are looked at every second.
    try await Task.sleep(for: .seconds(3))
    #expect(!serving.output.contains("edited"), "\(serving.output)")
    serving.signal(SIGHUP)
    try await serving.waitFor("goes by the edited playlist")
    #expect(try await Self.end(serving).exitCode == 0)
  }

  @Test("An alarm of a webhook goes on after a kill, and is over after a restart when it was cleared before")
  func alarm() async throws {
    let folder = try TemporaryFolder()
    let (receiver, port) = try await Self.receiver()
    let file = try folder.write(
      "shop.yaml",
      Self.playlist(
        "a", device: "{ host: \"127.0.0.1:\(port)\" }",
        """
        triggers: { evacuate: { webhook: true } }
        interrupts: [{ on: evacuate, play: [{ media: exits, for: 1s }], until: cleared, cut: immediately }]
        """))
    func serve(_ options: String...) throws -> Running {
      try Showcaller.start(
        ["serve", file, "--ledger", folder.path("plays.jsonl")] + options,
        environment: ["XDG_STATE_HOME": folder.path("state")], limit: 60)
    }
    func page(of serving: Running) async throws -> (trigger: String, authorization: String) {
      try await serving.waitFor("its token is in ")
      let told = serving.errors
      let match = try #require(told.firstMatch(of: /(http:\/\/[^ ]+)\/ and its token is in ([^\n]+)/), "\(told)")
      let token = try String(contentsOfFile: String(match.2), encoding: .utf8)
        .trimmingCharacters(in: .whitespacesAndNewlines)
      return ("\(match.1)/api/playlists/shop/triggers/evacuate", "Authorization: Bearer \(token)")
    }
    let first = try serve("--control", "0")
    try await first.waitFor("shows https://e.com/a.jpg")
    var api = try await page(of: first)
    #expect(try await WebFetch.ask("POST", api.trigger, api.authorization).status == 200)
    // At once: what the page has answered is kept.
    first.signal(SIGKILL)
    _ = try await first.finish()
    let second = try serve("--control", "0")
    try await second.waitFor("the trigger evacuate is fired still")
    try await second.waitFor("exits, interrupts[0]")
    api = try await page(of: second)
    #expect(try await WebFetch.ask("DELETE", api.trigger, api.authorization).status == 200)
    try await second.waitFor("shows https://e.com/a.jpg")
    second.signal(SIGKILL)
    _ = try await second.finish()
    let third = try serve()
    try await third.waitFor("https://e.com/a.jpg")
    let finished = try await Self.end(third)
    #expect(
      !finished.errors.contains("fired still") && !finished.output.contains("interrupts[0]"), "\(finished.output)")
    #expect(finished.errors.contains("nothing can fire `evacuate`"), "\(finished.errors)")
    _ = try await Self.end(receiver)
  }

  @Test("An alarm that could not be kept is on the screens all the same, and is kept when it is fired again")
  func unkept() async throws {
    let folder = try TemporaryFolder()
    let (receiver, port) = try await Self.receiver()
    let file = try folder.write(
      "shop.yaml",
      Self.playlist(
        "a", device: "{ host: \"127.0.0.1:\(port)\" }",
        """
        triggers: { evacuate: { webhook: true } }
        interrupts: [{ on: evacuate, play: [{ media: exits, for: 1s }], until: cleared, cut: immediately }]
        """))
    try FileManager.default.createDirectory(
      atPath: folder.path("state/showcaller"), withIntermediateDirectories: true)
    // Where a folder is needed.
    let obstacle = try folder.write("state/showcaller/triggers", "")
    let serving = try Showcaller.start(
      ["serve", file, "--ledger", folder.path("plays.jsonl"), "--control", "0"],
      environment: ["XDG_STATE_HOME": folder.path("state")], limit: 60)
    try await serving.waitFor("its token is in ")
    let told = serving.errors
    let match = try #require(told.firstMatch(of: /(http:\/\/[^ ]+)\/ and its token is in ([^\n]+)/), "\(told)")
    let token = try String(contentsOfFile: String(match.2), encoding: .utf8).filter { !$0.isWhitespace }
    let fire = "\(match.1)/api/playlists/shop/triggers/evacuate"
    #expect(try await WebFetch.ask("POST", fire, "Authorization: Bearer \(token)").status == 200)
    try await serving.waitFor("triggers do not outlast a restart")
    try await serving.waitFor("exits, interrupts[0]")
    try FileManager.default.removeItem(atPath: obstacle)
    #expect(try await WebFetch.ask("POST", fire, "Authorization: Bearer \(token)").status == 200)
    let kept = try String(contentsOfFile: folder.path("state/showcaller/triggers/shop.json"), encoding: .utf8)
    #expect(kept.contains("evacuate"))
    _ = try await Self.end(serving)
    _ = try await Self.end(receiver)
  }

  @Test("What waits to be told at SIGTERM is told, within seconds")
  func lastWords() async throws {
    let folder = try TemporaryFolder()
    let messages = folder.path("messages")
    let channel = "{ when: dark, command: [sh, -c, 'sleep 1; cat >> \(messages)'] }"
    let file = try folder.write("shop.yaml", Self.playlist("a", "notify: [\(channel), \(channel)]"))
    let serving = try Showcaller.start(
      ["serve", file, "--host", "127.0.0.1:1", "--allow-exec", "--ledger", folder.path("plays.jsonl")],
      environment: ["XDG_STATE_HOME": folder.path("state")], limit: 60)
    try await serving.waitFor("cannot be reached")
    // The first of two is being told by then.
    try await Task.sleep(for: .seconds(1.5))
    let finished = try await Self.end(serving)
    let told = try String(contentsOfFile: messages, encoding: .utf8).split(separator: "\n")
    #expect(finished.exitCode == 0 && told.count == 2, "\(told) \(finished.errors)")
  }

  @Test("A program that fails to switch the screens on is run again, which is told, and that it worked in the end")
  func power() async throws {
    let folder = try TemporaryFolder()
    let (messages, log) = (folder.path("messages"), folder.path("log"))
    let file = try folder.write(
      "shop.yaml",
      Self.playlist(
        "a",
        """
        quiet: { hours: 22:00-07:00 }
        power: { on: [sh, -c, 'echo on >> \(log); test $(wc -l < \(log)) -ge 3'] }
        notify: [{ when: power, command: [sh, -c, 'cat >> \(messages)'] }]
        """))
    let serving = try Showcaller.start(
      [
        "serve", "--virtual", file, "--allow-exec", "--from", "2026-11-23 06:59:58", "--speed", "1x", "--ledger",
        folder.path("plays.jsonl"),
      ],
      environment: ["XDG_STATE_HOME": folder.path("state")], limit: 60)
    try await serving.waitFor("shows https://e.com/a.jpg")
    // Not before the second try, 2 s after the first, nor for ever.
    let shown = try #require(serving.output.split(separator: "\n").first { $0.contains("shows https") })
    #expect(shown.contains(" 07:00:1"), "\(serving.output)")
    var told: [JSONValue] = []
    for _ in 0..<200 where told.count < 2 {
      let text = (try? String(contentsOfFile: messages, encoding: .utf8)) ?? ""
      told = text.split(separator: "\n").compactMap { try? JSONValue(parsing: Array($0.utf8)) }
      try await Task.sleep(for: .milliseconds(100))
    }
    #expect(told.map { $0["state"] } == ["begun", "over"] && told.allSatisfy { $0["occasion"] == "power" }, "\(told)")
    #expect(told.first?["text"]?.string?.contains("could not be switched on: sh ended with 1") == true, "\(told)")
    #expect(try await Self.end(serving).exitCode == 0)
  }

  @Test("A receiver that says it is not in standby after it was switched off is told")
  func standby() async throws {
    let folder = try TemporaryFolder()
    let messages = folder.path("messages")
    let file = try folder.write(
      "shop.yaml",
      Self.playlist(
        "a",
        """
        quiet: { hours: 22:00-07:00 }
        power: { off: ["true"], verify: standby }
        notify: [{ when: power, command: [sh, -c, 'cat >> \(messages)'] }]
        """))
    let serving = try Showcaller.start(
      [
        "serve", "--virtual", file, "--allow-exec", "--from", "2026-11-23 22:30", "--ledger",
        folder.path("plays.jsonl"),
      ],
      environment: ["XDG_STATE_HOME": folder.path("state")], limit: 90)
    // It has half a minute.
    try await serving.waitFor("says that it is not in standby")
    var told = ""
    for _ in 0..<100 where told.isEmpty {
      told = (try? String(contentsOfFile: messages, encoding: .utf8)) ?? ""
      try await Task.sleep(for: .milliseconds(100))
    }
    #expect(told.contains("\"occasion\":\"power\"") && told.contains("tv: it was switched off"), "\(told)")
    #expect(try await Self.end(serving).exitCode == 0)
  }

  @Test("Hours that pass 600 times as fast are all in the ledger: what was shown and why not add up to the clock")
  func fast() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "shop.yaml",
      """
      playlist: Shop
      timezone: UTC
      device: TV
      program: [{ play: [{ media: "https://e.com/a.jpg", for: 10m }, { media: "https://e.com/b.jpg", for: 10m }] }]
      quiet: { hours: 01:00-02:00 }

      """)
    let hours = min(24, 3 * Effort.factor)
    let serving = try Showcaller.start(
      [
        "serve", "--virtual", file, "--from", "2026-11-23 00:00", "--speed", "600x", "--for", "\(hours)h", "--ledger",
        folder.path("plays.jsonl"),
      ],
      environment: ["XDG_STATE_HOME": folder.path("state")], limit: 240)
    let finished = try await serving.finish()
    #expect(finished.exitCode == 0, "\(finished.errors)")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      .filter { $0.hasPrefix("plays") }.sorted().map { folder.path($0) }
    let sum = try await Showcaller.start(["ledger", "sum", "--json"] + files).finish()
    let screen = try #require(try JSONValue(parsing: Array(sum.output.utf8))["screens"]?.array?.first)
    func seconds(_ name: String) -> Double { screen[name]?.number ?? 0 }
    let gaps = screen["gaps"]?.object.map { $0.members.compactMap { $0.value.number }.reduce(0, +) } ?? 0
    let clock = seconds("clock")
    #expect(clock >= Double(hours) * 3_600 && clock < Double(hours) * 3_600 + 1_200, "\(screen)")
    let parts = seconds("shown") + seconds("unproven") + gaps + seconds("unrecorded") - seconds("twice")
    #expect(abs(parts - clock) < 0.001 && seconds("unrecorded") == 0, "\(screen)")
    #expect(abs((screen["gaps"]?["quiet"]?.number ?? 0) - 3_600) < 1_200, "\(screen)")
  }
}
