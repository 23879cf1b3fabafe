import CastProtocol
import Foundation
import TestSupport
import Testing

/// A receiver page in a real browser behind our virtual receiver; with a browser only where `make judges` has installed it.
@Suite(.serialized) struct ReceiverPageTests {
  private static let show = "urn:x-cast:com.example.show"

  private static func scenario(_ lab: PageLab) -> String {
    """
    scenario: The page
    device: Lobby TV
    media:
      film:
        url: file:film.wav
        type: audio/wav
        metadata: { kind: generic, title: Sintel }
        tracks:
          - { id: en, kind: text, subtype: subtitles, language: en, url: "file:en.vtt" }
        clips:
          soap: { url: "file:film.wav", duration: 3s, skippable_after: 1s }
        breaks:
          - { id: pre, at: start, clips: [soap] }
      broken: { url: file:broken.wav, type: audio/wav }
    steps:
      - launch: \(PageLab.appID)
      - send: { namespace: \(show), message: { type: hello } }
      - expect_message: { namespace: \(show), message: { type: greeting } }
        within: 5s
      - load: { media: film, tracks: [en] }
      - expect: { break: { id: pre, clip: soap } }
        within: 5s
      - expect: { player: playing, break: none, position: { min: 1s } }
        within: 10s
      - expect: { active_tracks: { only: [en] } }
      - pause
      - seek: 30s
      - expect: { player: paused, position: { about: 30s, tolerance: 1s } }
      - volume: 50%
      - expect_message: { namespace: \(show), message: { type: volume, level: 0.5 } }
        within: 5s
      - send: { namespace: \(show), message: { type: fetch } }
      - send: { namespace: \(show), message: { type: stumble } }
      - send: { namespace: \(show), message: { type: ask } }
      - expect_message: { namespace: \(show), message: { type: asked } }
        within: 5s
      - name: A film that is none
        load: { media: broken }

    """
  }

  @Test(
    "run --receiver plays captions, an ad break and messages on the page, and a failure has its console error and picture",
    .enabled(if: PageLab.hasBrowser))
  func run() async throws {
    let lab = try await PageLab()
    let file = try lab.folder.write("page.yaml", Self.scenario(lab))
    let finished = try await Showcaller.run(
      "run", "--receiver", lab.page, file, "--report", "junit=out.xml", "--report", "html=out.html",
      in: lab.folder.url, limit: 90)
    #expect(finished.exitCode == 5, "\(finished.errors)")
    let report = try String(contentsOf: lab.folder.url.appending(path: "out.xml"), encoding: .utf8)
    #expect(
      report.split(separator: "\n").contains {
        $0.hasPrefix("page      console: cannot play http://127.0.0.1:") && $0.contains("/broken.wav (\(lab.page):")
      }, "\(report)\n\(finished.errors)")
    #expect(report.contains("picture   screenshots/s17.png"))
    let missing = "page   ERROR request: was answered with 404 (\(lab.address("missing.json")))"
    #expect(finished.errors.contains(missing), "\(finished.errors)")
    #expect(finished.errors.contains("page   ERROR console: cannot play"), "\(finished.errors)")
    let thrown = "page   ERROR exception: Uncaught: ReferenceError: notThere is not defined"
    #expect(finished.errors.contains(thrown), "\(finished.errors)")
    let runs = lab.folder.url.appending(path: ".showcaller/runs")
    let run = try #require(
      try FileManager.default.contentsOfDirectory(atPath: runs.path).first { $0.count == 26 })
    let events = try String(contentsOf: runs.appending(path: "\(run)/events.jsonl"), encoding: .utf8)
      .split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
    #expect(events.last?["type"] == "run.finished")
    #expect(
      events.contains { $0["type"] == "page" && $0["kind"] == "console" && $0["text"] == "channel true {page: ours}" })
    #expect(
      events.contains { $0["type"] == "page" && $0["text"]?.string?.hasSuffix("answer it: Is anybody there?") == true })
    let pictures = events.filter { $0["type"] == "screenshot" }.compactMap { $0["path"]?.string }
    #expect(pictures.count == 1)
    let picture = try Data(contentsOf: runs.appending(path: "\(run)/\(pictures.first ?? "")"))
    #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]) && picture.count > 2000)
    // The page has the picture and the errors in it, and made again it is the same.
    let page = try String(contentsOf: lab.folder.url.appending(path: "out.html"), encoding: .utf8)
    try PageRules.check(page)
    #expect(page.contains("<img src=\"data:image/png;base64,\(picture.base64EncodedString())\""))
    #expect(page.contains("errors of the receiver page</summary>") && page.contains("console: cannot play"))
    let again = try await Showcaller.run("report", run, "--html", "again.html", in: lab.folder.url)
    #expect(again.exitCode == 0, "\(again.errors)")
    #expect(try String(contentsOf: lab.folder.url.appending(path: "again.html"), encoding: .utf8) == page)
    await lab.stop()
  }

  @Test(
    "receive --app ID=URL serves several devices at once, each with a page of its own; a crash and an end are told",
    .enabled(if: PageLab.hasBrowser))
  func receive() async throws {
    let lab = try await PageLab()
    let profiles = try TemporaryFolder()
    let (receiver, addresses) = try await lab.receive(
      "--name", "Left", "--name", "Right", "--wire", environment: ["TMPDIR": profiles.url.path])
    let (left, right) = (try #require(addresses.first), try #require(addresses.last))
    for address in [left, right] {
      let launched = try await Showcaller.run("launch", PageLab.appID, "--host", address)
      #expect(launched.exitCode == 0, "\(launched.errors)")
      // `load` itself refuses an address of this computer, which a device would look for on itself.
      let load =
        #"{"type":"LOAD","requestId":7,"media":{"contentId":"\#(lab.address("film.wav"))","contentType":"audio/wav"}}"#
      let sent = try await Showcaller.run("send", "urn:x-cast:com.google.cast.media", load, "--host", address)
      #expect(sent.exitCode == 0, "\(sent.errors)")
      for _ in 0..<50 {
        if try await Showcaller.run("status", "--json", "--host", address).output.contains("\"playing\"") { break }
        try await Task.sleep(for: .milliseconds(100))
      }
    }
    #expect(try await Showcaller.run("pause", "--host", left).exitCode == 0)
    #expect(try await Showcaller.run("status", "--json", "--host", left).output.contains("\"paused\""))
    #expect(try await Showcaller.run("status", "--json", "--host", right).output.contains("\"playing\""))
    #expect(PageLab.browserProcesses(of: receiver.processID, with: "--remote-debugging-pipe").count > 0)

    // What the page does itself: an exception, a volume, its end.
    for type in ["fail", "louder", "quit"] {
      let sent = try await Showcaller.run("send", Self.show, #"{"type":"\#(type)"}"#, "--host", left)
      #expect(sent.exitCode == 0, "\(sent.errors)")
    }
    try await receiver.waitFor("the page ended itself")
    let status = try await Showcaller.run("status", "--json", "--host", left).output
    #expect(!status.contains(PageLab.appID) && status.contains("\"level\":25,"), "\(status)")
    #expect(receiver.output.contains("Uncaught: Error: the page is broken"))

    let renderers = PageLab.browserProcesses(of: receiver.processID, with: "--type=renderer")
    #expect(!renderers.isEmpty)
    for renderer in renderers { kill(renderer, SIGKILL) }
    try await receiver.waitFor("the page crashed")
    #expect(!(try await Showcaller.run("status", "--json", "--host", right).output.contains(PageLab.appID)))
    // The browser itself is well: a page can start again.
    #expect(try await Showcaller.run("launch", PageLab.appID, "--host", right).exitCode == 0)

    let browsers = PageLab.browserProcesses(of: receiver.processID, with: "--user-data-dir")
    receiver.signal(SIGTERM)
    let finished = try await receiver.finish()
    #expect(finished.exitCode == 0, "\(finished.errors)")
    let leftOver = try FileManager.default.contentsOfDirectory(atPath: profiles.url.path)
    #expect(leftOver.isEmpty, "\(leftOver)")
    for id in browsers { #expect(kill(id, 0) != 0, "\(id) of the browser still runs") }
    await lab.stop()
  }

  @Test(
    "receiver: of an inventory entry shows a page beside another one, and beside a device on the network",
    .enabled(if: PageLab.hasBrowser))
  func inventory() async throws {
    let lab = try await PageLab()
    let device = try Showcaller.start(["receive", "--port", "0", "--name", "Real TV", "--wire"])
    let address = try #require(try await device.firstLine().split(separator: " ").last.map(String.init))
    let file = try lab.folder.write(
      "pages.yaml",
      """
      scenario: Two pages and a device
      inventory:
        left: { receiver: "\(lab.page)" }
        right: { name: Right, receiver: "\(lab.page)?right" }
        real: { host: "\(address)" }
      roles: { left: left, right: right, far: real }
      steps:
        - launch: \(PageLab.appID)
          role: left
        - send: { namespace: \(Self.show), message: { type: hello } }
          role: left
        - expect_message: { namespace: \(Self.show), message: { type: greeting } }
          role: left
          within: 5s
        - launch: default
          role: right
        - expect: { app: { id: CC1AD845 } }
          role: right
        - load: https://cdn.example.com/film.mp4
          role: far
        - expect: { player: playing }
          role: far

      """)
    let finished = try await Showcaller.run("run", file, in: lab.folder.url, limit: 90)
    #expect(finished.exitCode == 0, "\(finished.errors)")
    #expect(device.output.contains("film.mp4"))
    // --virtual takes the place of all of them: no browser is started.
    let only = try lab.folder.write(
      "virtual.yaml",
      "scenario: S\ndevice: left\ninventory: { left: { receiver: \"\(lab.page)\" } }\nsteps: [{ launch: default }]\n")
    let virtual = try await Showcaller.run(
      "run", "--virtual", only, environment: ["PATH": "/nonexistent"], in: lab.folder.url)
    #expect(virtual.exitCode == 0, "\(virtual.errors)")
    device.signal(SIGTERM)
    _ = try await device.finish()
    await lab.stop()
  }

  @Test("Without a browser a page of the inventory is refused with what to install")
  func inventoryWithoutBrowser() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "page.yaml",
      "scenario: S\ndevice: lab\ninventory: { lab: { receiver: \"http://127.0.0.1:9/\" } }\nsteps: [{ wait: 1ms }]\n")
    let refused = try await Showcaller.run("run", file, environment: ["PATH": "/nonexistent"], in: folder.url)
    #expect(refused.exitCode == 2 && refused.errors.contains("chromium"), "\(refused.exitCode) \(refused.errors)")
    // A device that is there stands for itself.
    let hosted = try await Showcaller.run(
      "run", file, "--host", "127.0.0.1:9", environment: ["PATH": "/nonexistent"], in: folder.url)
    #expect(hosted.exitCode == 4 && !hosted.errors.contains("chromium"), "\(hosted.errors)")
  }

  @Test("A page's crash in the middle of a scenario is app_gone", .enabled(if: PageLab.hasBrowser))
  func crash() async throws {
    let lab = try await PageLab()
    let file = try lab.folder.write(
      "page.yaml",
      """
      scenario: Crash
      device: TV
      steps:
        - launch: \(PageLab.appID)
        - load: file:film.wav
        - log: now
        - always: { player: playing }
          during: 20s

      """)
    let running = try Showcaller.start(["run", "--receiver", lab.page, file], in: lab.folder.url, limit: 60)
    try await running.waitFor("now")
    for renderer in PageLab.browserProcesses(of: running.processID, with: "--type=renderer") { kill(renderer, SIGKILL) }
    let finished = try await running.finish()
    #expect(finished.exitCode != 0)
    #expect(finished.errors.contains("page   ERROR platform: the page crashed"), "\(finished.errors)")
    let runs = lab.folder.url.appending(path: ".showcaller/runs")
    let run = try #require(
      try FileManager.default.contentsOfDirectory(atPath: runs.path).first { $0.count == 26 })
    let events = try String(contentsOf: runs.appending(path: "\(run)/events.jsonl"), encoding: .utf8)
    #expect(events.contains(#""class":"app_gone""#), "\(finished.errors)")
    await lab.stop()
  }

  @Test(
    "pychromecast launches, loads, controls and leaves the page", .enabled(if: PageLab.hasBrowser))
  func pychromecast() async throws {
    let lab = try await PageLab()
    let python = try #require(PeerTests.python)
    let (receiver, addresses) = try await lab.receive("--name", "Lobby TV")
    let port = try #require(addresses.first?.split(separator: ":").last.map(String.init))
    let script = Showcaller.root.appending(path: "Tests/EndToEndTests/Peers/page_session.py")
    let running = try Running(
      python, [script.path, port, "Lobby TV", PageLab.appID, lab.address("film.wav")], in: Showcaller.root, limit: 60)
    let finished = try await running.finish()
    #expect(finished.exitCode == 0, "\(finished.output)\(finished.errors)\(receiver.errors)")
    #expect(
      finished.output.split(separator: "\n").map(String.init) == [
        "connected", "launched", "greeted", "playing", "paused", "sought", "resumed", "volume set", "stopped", "left",
      ])
    receiver.signal(SIGTERM)
    #expect(try await receiver.finish().exitCode == 0)
    await lab.stop()
  }

  @Test(
    "A script of the SDK's address comes from the user's cache where its server cannot be reached",
    .enabled(if: PageLab.hasBrowser))
  func cachedScript() async throws {
    let lab = try await PageLab()
    let script = "www.gstatic.com/cast/sdk/libs/caf_receiver/v3/cast_receiver_framework.js"
    let kept = lab.folder.url.appending(path: "cache/showcaller/receiver-sdk")
    try FileManager.default.createDirectory(at: kept, withIntermediateDirectories: true)
    try Data("console.warn('from the cache');".utf8).write(
      to: kept.appending(path: script.replacingOccurrences(of: "/", with: "+")))
    let page = try String(contentsOf: lab.folder.url.appending(path: "receiver.html"), encoding: .utf8)
    _ = try lab.folder.write("receiver.html", "<script src='//\(script)'></script>\(page)")
    let (receiver, addresses) = try await lab.receive(
      "--name", "TV", environment: ["XDG_CACHE_HOME": lab.folder.url.appending(path: "cache").path])
    let launched = try await Showcaller.run("launch", PageLab.appID, "--host", try #require(addresses.first))
    #expect(launched.exitCode == 0, "\(launched.errors)\(receiver.errors)")
    try await receiver.waitFor("page warning console: from the cache")
    receiver.signal(SIGTERM)
    _ = try await receiver.finish()
    await lab.stop()
  }

  @Test("A page that is not there fails the launch at once, and says why", .enabled(if: PageLab.hasBrowser))
  func missingPage() async throws {
    let lab = try await PageLab()
    try FileManager.default.removeItem(at: lab.folder.url.appending(path: "receiver.html"))
    let (receiver, addresses) = try await lab.receive("--name", "TV")
    let launched = try await Showcaller.run("launch", PageLab.appID, "--host", try #require(addresses.first))
    #expect(launched.exitCode == 5 && launched.errors.contains("SYSTEM_ERROR"), "\(launched.errors)")
    #expect(
      receiver.errors.contains("TV: page error request: was answered with 404 (\(lab.page))"), "\(receiver.errors)")
    receiver.signal(SIGTERM)
    _ = try await receiver.finish()
    await lab.stop()
  }

  @Test("Where there is no browser, the command that installs one is named, by receive and by run")
  func noBrowser() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("a.yaml", "scenario: A\ndevice: TV\nsteps: [{ launch: CC1AD845 }]\n")
    let calls = [
      ["receive", "--port", "0", "--app", "A1B2C3D4=http://localhost:1/"],
      ["run", "--receiver", "http://localhost:1/", file],
    ]
    for call in calls {
      let finished = try await Showcaller.start(call, environment: ["PATH": "/nonexistent"], in: folder.url).finish()
      #expect(finished.exitCode == 2 || finished.exitCode == 4, "\(finished.errors)")
      #expect(
        finished.errors.contains("apt-get install -y --no-install-recommends chromium-headless-shell"),
        "\(finished.errors)")
    }
  }

  @Test(
    "A page's address is http or https, and goes neither with --speed nor with an app without media",
    arguments: [
      (["receive", "--app", "A1B2C3D4=ftp://h/"], "--app"),
      (["receive", "--app-without-media", "A1=http://h/"], "--app A1=http://h/"),
      (["run", "--receiver", "h:3000/", "a.yaml"], "begins with `http://` or `https://`"),
      (["receive", "--app", "http://h/"], "write `A1B2C3D4=http://h/`"),
      (["receive", "--app", "a1b2c3d4=http://h/"], "write `A1B2C3D4`"),
      (["receive", "--app", "A1 B2"], "letters and digits only"),
      (["run", "--receiver", "E8C28D3C=http://h/", "examples/hello.yaml"], "they launch CC1AD845"),
      (["run", "--receiver", "http://h/", "--faults", "FASTER", "examples/hello.yaml"], "`speed:` of the library"),
      (["run", "--receiver", "http://h/", "--faults", "FROZEN", "examples/hello.yaml"], "`player` of the library"),
      (["run", "--receiver", "http://h/", "--speed", "2x", "a.yaml"], "a page keeps its own time"),
      (["run", "--receiver", "http://h/", "--receiver", "http://g/", "a.yaml"], "A1B2C3D4=URL"),
    ])
  func wrongWays(arguments: [String], words: String) async throws {
    let folder = try TemporaryFolder()
    let libraries = [
      "FASTER": try folder.write("faster.yaml", "library: F\nreceiver: { speed: 2x }\n"),
      "FROZEN": try folder.write("frozen.yaml", "library: F\nfaults: [{ at: playing, player: freeze }]\n"),
    ]
    let finished = try await Showcaller.start(arguments.map { libraries[$0] ?? $0 }).finish()
    #expect(finished.exitCode == 2 && finished.errors.contains(words), "\(finished.errors)")
  }
}
