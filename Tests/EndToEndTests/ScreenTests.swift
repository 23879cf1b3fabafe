import Foundation
import TestSupport
import Testing

/// `receive --screen`: over a real socket, and in the browser that people use where `make judges` has installed it.
@Suite(.serialized) struct ScreenTests {
  static let steps = [
    "idle with the name, then the app that runs", "title, artwork, position; hostile names are text",
    "the film itself, and captions in the style that was asked for", "volume, mute and pause",
    "an ad break with a countdown, and when it can be skipped",
    "a fault, a picture, sound, and a receiver that is gone", "several on one page, each at its own path",
    "without a page a load fails and says why", "a film plays in the page: its duration, its size, its end",
    "senders drive the element, and hear what it does",
    "the page opened last plays; another goes on with it, and so does one that is loaded again",
    "a film that is not there fails; an ad and the content behind it play",
    "a page that is closed while it plays ends it",
    "a browser that may not play by itself says so, and plays when it is clicked", "no dialog opened",
  ]

  @Test(
    "In Chromium the page shows what a television would, and with --play browser senders hear of its player",
    .enabled(if: JudgeTests.folder != nil))
  func page() async throws {
    let python = try #require(PeerTests.python)
    let folder = try TemporaryFolder()
    let script = Showcaller.root.appending(path: "Tests/EndToEndTests/Peers/screen_session.py")
    let running = try Running(
      python, [script.path, Showcaller.binary.path, folder.url.path], in: Showcaller.root, limit: 240)
    let finished = try await running.finish()
    #expect(finished.exitCode == 0, "\(finished.output)\(finished.errors.suffix(4_000))")
    #expect(finished.output.split(separator: "\n").map(String.init) == Self.steps)
  }

  @Test(
    "run and its expectations hear of the browser's player: the real duration, and the end",
    .enabled(if: JudgeTests.folder != nil))
  func run() async throws {
    let lab = try await PageLab()
    let (receiver, page, address) = try await Self.receive("--play", "browser")
    let browser = try Running(
      URL(filePath: "/usr/bin/env"),
      [
        "chromium-headless-shell", "--no-sandbox", "--disable-gpu", "--autoplay-policy=no-user-gesture-required",
        "--remote-debugging-port=0", "--user-data-dir=\(lab.folder.path("profile"))", page,
      ], in: lab.folder.url, limit: 90)
    let file = try lab.folder.write(
      "kiosk.yaml",
      """
      scenario: A browser as a target
      device: { host: "\(address)" }
      media: { film: { url: file:film.wav, type: audio/wav } }
      steps:
        - load: film
        - expect: { player: playing, duration: 60s }
          within: 10s
        - seek: 58s
        - expect: { player: idle, idle_reason: finished }
          within: 15s

      """)
    let finished = try await Showcaller.run("run", file, in: lab.folder.url, limit: 60)
    #expect(finished.exitCode == 0, "\(finished.output)\(finished.errors)\(receiver.errors)")
    // Debian's command is a script that waits for the browser, which does not end with it.
    let processes = PageLab.browserProcesses(of: browser.processID, with: "--user-data-dir")
    #expect(!processes.isEmpty)
    for id in processes { kill(id, SIGKILL) }
    browser.signal(SIGTERM)
    _ = try? await browser.finish()
    receiver.signal(SIGTERM)
    #expect(try await receiver.finish().exitCode == 0)
    await lab.stop()
  }

  /// Starts one receiver with a screen and waits until both are there.
  private static func receive(_ options: String...) async throws -> (Running, page: String, address: String) {
    let running = try Showcaller.start(
      ["receive", "--name", "Lobby", "--port", "0", "--screen", "0"] + options, limit: 120)
    let line = try await running.firstLine()
    try await running.waitFor("the screen is ")
    let page = try #require(running.errors.firstMatch(of: /the screen is (\S+)/)).1
    return (running, String(page), try #require(line.split(separator: " ").last.map(String.init)))
  }

  @Test("The page and its API answer on loopback; another name, another site and a page that is none are refused")
  func socket() async throws {
    let (receiver, page, address) = try await Self.receive()
    #expect(page.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+\//) != nil)
    let html = try await WebFetch.ask("GET", page)
    #expect(html.status == 200 && html.type.hasPrefix("text/html") && html.body.contains("data-screen=\"1\""))
    let state = try await WebFetch.ask("GET", "\(page)api/screens/1")
    #expect(state.status == 200 && state.body.contains("\"name\":\"Lobby\"") && state.body.contains("\"app\":null"))
    #expect(try await Showcaller.run("launch", "CC1AD845", "--host", address).exitCode == 0)
    #expect(try await WebFetch.ask("GET", "\(page)api/screens/1").body.contains("Default Media Receiver"))
    #expect(try await WebFetch.ask("GET", "\(page)api/screens/1", "Host: evil.example").status == 403)
    #expect(try await WebFetch.ask("GET", "\(page)api/screens/1", "Origin: http://evil.example").status == 403)
    #expect(try await WebFetch.ask("POST", "\(page)api/screens/1/player", "Screen-Page: 00").status == 409)
    receiver.signal(SIGTERM)
    #expect(try await receiver.finish().exitCode == 0)
  }

  @Test("Where others can reach it, nothing is told without the token of the address")
  func token() async throws {
    let running = try Showcaller.start(["receive", "--port", "0", "--screen", "127.0.0.2:0"])
    try await running.waitFor("the screen is ")
    let match = try #require(
      running.errors.firstMatch(of: /the screen is (http:\/\/127\.0\.0\.2:\d+\/)#([0-9a-f]{64})/))
    let (page, token) = (String(match.1), String(match.2))
    #expect(try await WebFetch.ask("GET", page).status == 200)
    #expect(try await WebFetch.ask("GET", "\(page)api/screens/1").status == 401)
    #expect(try await WebFetch.ask("GET", "\(page)api/screens/1", "Authorization: Bearer \(token)").status == 200)
    running.signal(SIGTERM)
    _ = try await running.finish()
  }

  @Test("Without a page a load of --play browser ends in time, with an error that says so")
  func noPage() async throws {
    let lab = try TemporaryFolder()
    let (receiver, _, address) = try await Self.receive("--play", "browser")
    let file = try lab.write(
      "a.yaml", "scenario: A\ndevice: { host: \"\(address)\" }\nsteps: [{ load: https://cdn.example.com/film.mp4 }]\n")
    let finished = try await Showcaller.run("run", file, in: lab.url, limit: 30)
    #expect(finished.exitCode != 0 && finished.errors.contains("905"), "\(finished.output)\(finished.errors)")
    try await receiver.waitFor("Lobby: No page was open that could have played it")
    receiver.signal(SIGTERM)
    _ = try await receiver.finish()
  }

  @Test(
    "What goes not together, and an address that is none or every one, is told with its cure",
    arguments: [
      (["--play", "browser"], "add --screen 8010"), (["--screen", "x"], "such as 8010"),
      (["--screen", "70000"], "such as 8010"), (["--screen", "0.0.0.0:8010"], "192.168.1.20:8010"),
      (["--screen", "[::]:8010"], "192.168.1.20:8010"), (["--screen", "tv.local:8010"], "192.168.1.20:8010"),
      (["--screen", "8010", "--play", "browser", "--fetch", "any"], "leave out --fetch"),
      (["--screen", "8010", "--play", "vlc"], "browser"),
    ])
  func wrongWays(options: [String], words: String) async throws {
    let finished = try await Showcaller.start(["receive", "--port", "0"] + options).finish()
    #expect(finished.exitCode == 2 && finished.errors.contains(words), "\(finished.errors)")
  }

  @Test("A port that is in use is told before any receiver starts")
  func busyPort() async throws {
    let (descriptor, port) = try PlainServer.listen()
    defer { close(descriptor) }
    let finished = try await Showcaller.start(["receive", "--port", "0", "--screen", "\(port)"]).finish()
    #expect(
      finished.exitCode == 75 && finished.errors.contains("--screen: 127.0.0.1:\(port) is in use"), "\(finished.errors)"
    )
    #expect(finished.output.isEmpty)
  }

  @Test("A library that plays faster than the world does not go with a browser that plays")
  func speed() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("lab.yaml", "library: Lab\nreceiver: { name: TV, speed: 2x }\n")
    let finished = try await Showcaller.start(
      ["receive", file, "--port", "0", "--screen", "0", "--play", "browser"], in: folder.url
    ).finish()
    #expect(finished.exitCode == 2 && finished.errors.contains("speed: 2.0x"), "\(finished.errors)")
  }
}
