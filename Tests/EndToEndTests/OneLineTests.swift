import CastProtocol
import Foundation
import Testing

/// The one-line commands against a `receive` process, as a shell runs them.
@Suite(.serialized) struct OneLineTests {
  private typealias Lab = OneLineLab

  private static let film = "https://cdn.example.com/film.mp4"

  @Test("What scripts do line by line works line by line, each told in one line")
  func session() async throws {
    let lab = try await Lab()
    let empty = try await lab.run("status")
    #expect(empty.exitCode == 0 && empty.errors.isEmpty, "\(empty.errors)")
    #expect(empty.output == "\(lab.address): no app is running, volume 100%\n")
    let load = try await lab.run("load", Self.film, "--title", "Sintel ${x}", "--duration", "10m", "--start", "1m")
    #expect(load.exitCode == 0 && load.errors.isEmpty, "\(load.errors)")
    #expect(load.output.contains("playing Sintel ${x}, 1:00 of 10:00, Default Media Receiver"), "\(load.output)")
    for (arguments, told) in [
      (["pause"], "paused Sintel"), (["seek", "2m"], "2:00 of 10:00"), (["seek", "-30s"], "1:30 of 10:00"),
      (["seek", "2:15"], "2:15 of 10:00"), (["seek", "-0:45"], "1:30 of 10:00"),
      (["seek", "+1m", "--then", "play"], "playing Sintel ${x}, 2:30"), (["pause"], "paused"), (["play"], "playing"),
      (["toggle"], "paused"), (["toggle"], "playing"),
      (["rate", "1.5"], "rate 1.5"), (["rate", "--by", "0.5x"], "rate 0.75"), (["volume", "40%"], "volume 40%"),
      (["volume", "+15%"], "volume 55%"), (["volume", "-5%"], "volume 50%"), (["volume", "up"], "volume 55%"),
      (["volume", "down"], "volume 50%"), (["volume", "+90%"], "volume 100%"),
      (["volume", "50%", "--over", "600ms"], "volume 50%"), (["mute"], "muted"),
      (["mute", "toggle"], "volume 50%\n"), (["mute", "on"], "muted"), (["mute", "false"], "volume 50%\n"),
      (["status"], "playing"), (["stop"], "idle (cancelled), Default Media Receiver"), (["stop"], "Default Media"),
      (["stop-app"], "no app is running"), (["stop-app"], "no app is running"),
    ] {
      let finished = try await lab.run(arguments)
      #expect(finished.exitCode == 0 && finished.errors.isEmpty, "\(arguments) \(finished.errors)")
      #expect(finished.output.contains(told), "\(arguments) \(finished.output)")
      #expect(finished.output.split(separator: "\n").count == 1, "\(arguments) \(finished.output)")
    }
    try await lab.end()
  }

  @Test("Apps are started, joined and told apart; nothing is stopped by leaving")
  func apps() async throws {
    let lab = try await Lab()
    let absent = try await lab.run("launch", "--join", "only")
    #expect(absent.exitCode == 5 && absent.errors.contains("leave out `--join only`"), "\(absent.errors)")
    let launched = try await lab.run("launch", "CC1AD845", "--params", #"{"shelf":"news"}"#)
    #expect(launched.exitCode == 0 && launched.output.contains("nothing loaded, Default Media Receiver"))
    let (joined, _) = try await lab.json("launch")
    #expect(joined["ok"] == true && joined["status"]?["app"]?["id"] == "CC1AD845")
    let unknown = try await lab.run("launch", "DEADBEEF")
    #expect(unknown.exitCode == 5 && unknown.errors.contains("NOT_FOUND"), "\(unknown.errors)")
    try await lab.end()
  }

  @Test("A queue goes on and back; a namespace that the app does not offer is refused")
  func queue() async throws {
    let lab = try await Lab()
    let folder = try TemporaryFolder()
    let items = ["a", "b"].map { "\"https://cdn.example.com/\($0).mp4\"" }.joined(separator: ", ")
    let document = try folder.write(
      "q.yaml", "scenario: x\ndevice: x\nsession: { leave: keep }\nsteps: [{ queue: { items: [\(items)] } }]\n")
    let loaded = try await lab.run("run", "-q", "--runs", folder.path("runs"), document)
    #expect(loaded.exitCode == 0, "\(loaded.errors)")
    // It is done when the item is the current one, which may still have to buffer.
    for (command, item) in [("next", "b"), ("previous", "a")] {
      let output = try await lab.run(command).output
      #expect(
        ["playing", "buffering"].contains { output.contains("\($0) https://cdn.example.com/\(item).mp4") }, "\(output)")
    }
    let refused = try await lab.run("send", "urn:x-cast:com.example.none", #"{"type":"NEXT"}"#)
    #expect(refused.exitCode == 5 && refused.errors.contains("urn:x-cast:com.example.none"), "\(refused.errors)")
    let sent = try await lab.run("send", "urn:x-cast:com.google.cast.media", #"{"type":"GET_STATUS","requestId":7}"#)
    #expect(sent.exitCode == 0, "\(sent.errors)")
    let wrong = try await lab.run("send", "com.example", "{}")
    #expect(wrong.exitCode == 2 && wrong.errors.contains("urn:x-cast:"), "\(wrong.errors)")
    try await lab.end()
  }

  @Test("Tracks are listed and chosen, captions get a style")
  func tracks() async throws {
    let lab = try await Lab()
    let load = try await lab.run(
      "load", Self.film, "--subtitles", "https://cdn.example.com/en.vtt", "--subtitles-language", "pt-BR")
    #expect(load.exitCode == 0, "\(load.errors)")
    let list = try await lab.run("tracks")
    #expect(list.output.hasPrefix("* 1  text  pt-BR"), "\(list.output)")
    let (off, _) = try await lab.json("tracks", "off")
    #expect(off["status"]?["active_tracks"] == .array([]))
    let (on, _) = try await lab.json("tracks", "pt-BR")
    #expect(on["status"]?["active_tracks"] == .array(["1"]))
    let missing = try await lab.run("tracks", "fr")
    #expect(missing.exitCode == 5 && missing.errors.contains("the media has no track `fr`"))
    let (styled, finished) = try await lab.json("style", "size=150%", "color=yellow", "edge=outline")
    #expect(styled["status"]?["text_style"]?["size"] == 150, "\(finished.output)\(finished.errors)")
    #expect(styled["status"]?["text_style"]?["edge"] == "outline")
    try await lab.end()
  }

  @Test("--until finished ends with the film, and tells when another end came; Ctrl-C ends it with 130")
  func finished() async throws {
    let lab = try await Lab()
    let (film, finished) = try await lab.json("load", Self.film, "--duration", "1500ms", "--until", "finished")
    #expect(film["ok"] == true && film["status"]?["idle_reason"] == "finished", "\(finished.output)\(finished.errors)")
    #expect(finished.duration >= .milliseconds(1500))
    let stopped = try Showcaller.start(["load", Self.film, "--until", "finished", "--host", lab.address])
    try await lab.waitUntilPlaying()
    #expect(try await lab.run("stop").exitCode == 0)
    let end = try await stopped.finish()
    #expect(end.exitCode == 1 && end.errors.contains("cancelled"), "\(end.exitCode) \(end.errors)")
    let waiting = try Showcaller.start(["load", Self.film, "--until", "finished", "--json", "--host", lab.address])
    try await lab.waitUntilPlaying()
    waiting.signal(SIGINT)
    let interrupted = try await waiting.finish()
    #expect(interrupted.exitCode == 130, "\(interrupted.errors)")
    #expect(try JSONValue(parsing: Array(interrupted.output.utf8))["error"]?["class"] == "interrupted")
    let limited = try await lab.run("play", "--until", "finished", "--timeout", "200ms")
    #expect(limited.exitCode == 6, "\(limited.errors)")
    try await lab.end()
  }

  @Test(
    "What cannot be done now is told with a class, 5",
    arguments: [["play"], ["pause"], ["seek", "1m"], ["rate", "2"], ["skip-ad"], ["tracks", "en"]])
  func nothingThere(arguments: [String]) async throws {
    let lab = try await Lab()
    let plain = try await Showcaller.start(arguments + ["--host", lab.address]).finish()
    #expect(plain.exitCode == 5 && plain.output.isEmpty, "\(plain.output)")
    #expect(plain.errors.contains("error: no app is running") || arguments == ["skip-ad"], "\(plain.errors)")
    let json = try await Showcaller.start(arguments + ["--json", "--host", lab.address]).finish()
    let object = try JSONValue(parsing: Array(json.output.utf8))
    #expect(object["ok"] == false && object["exit"] == 5 && object["error"]?["class"] == "invalid_state")
    try await lab.end()
  }

  static let wrongWords: [([String], String)] = [
    (["seek", "90"], "error[T201]: a duration needs a unit"), (["seek", "-90"], "error[T201]"),
    (["seek", "1:3"], "error[T202]"), (["seek", "1:75"], "error[T202]"), (["seek", "ende"], "did you mean `end`?"),
    (["volume", "0.4"], "did you mean `40%`?"), (["volume", "40"], "error[T207]: volume is a percentage"),
    (["volume", "+40"], "error[T207]"), (["volume", "140%"], "error[T213]"),
    (["mute", "yes"], "`yes` is not on, off or toggle"),
    (["rate", "0"], "error[C507]"), (["rate", "fast"], "error[T221]"),
    (["style", "colour=red"], "did you mean `color`?"),
    (["style", "size=big"], "error[T207]"), (["load", "htps://x/y.mp4"], "did you mean `https`?"),
    (["load", "https://example.com/film"], "--type video/mp4"), (["load", "film.mp4"], "there is no file `film.mp4`"),
    (["load", "README.md"], "--type video/mp4"),
    (["load", "-"], "standard input cannot be played"), (["load", "file:///a.mp4"], "there is no file `/a.mp4`"),
    (["launch", "YouTube"], "error["),
    (["play", "--timeout", "5"], "error[T201]"), (["load", "https://x/y.mp4", "--until", "finishd"], "finished"),
    (["seek"], "position"), (["rate"], "give a rate"),
  ]

  @Test(
    "A wrong word gets the message it gets in a document, at its place on the command line: 2", arguments: wrongWords)
  func wrongWord(arguments: [String], message: String) async throws {
    let finished = try await Showcaller.start(arguments + ["--host", "127.0.0.1:1"]).finish()
    #expect(finished.exitCode == 2 && finished.output.isEmpty, "\(finished.exitCode) \(finished.output)")
    #expect(finished.errors.contains(message), "\(finished.errors)")
  }

  @Test("The place of a wrong word is underlined on the command line")
  func place() async throws {
    let finished = try await Showcaller.start(["style", "size=big", "--host", "127.0.0.1:1"]).finish()
    let lines = finished.errors.split(separator: "\n").map(String.init)
    let shown = try #require(lines.firstIndex { $0.hasSuffix("1 | showcaller style size=big --host 127.0.0.1:1") })
    let column = try #require(lines[shown].range(of: "big"))
    let offset = lines[shown].distance(from: lines[shown].startIndex, to: column.lowerBound)
    #expect(
      Array(lines[shown + 1]).firstIndex(of: "^") == offset && lines[shown + 1].contains("^^^"), "\(finished.errors)")
  }

  @Test("Without a device, with nobody at its address, or with a server that is no Cast device: 2 and 4")
  func noDevice() async throws {
    let unnamed = try await Showcaller.start(["pause"]).finish()
    #expect(unnamed.exitCode == 2 && unnamed.errors.contains("no device is named"), "\(unnamed.errors)")
    let refused = try await Showcaller.start(["pause", "--host", "127.0.0.1:1"]).finish()
    #expect(refused.exitCode == 4 && refused.errors.hasPrefix("error: "), "\(refused.errors)")
    let json = try await Showcaller.start(["pause", "--host", "127.0.0.1:1", "--json"]).finish()
    let object = try JSONValue(parsing: Array(json.output.utf8))
    #expect(json.exitCode == 4 && object["ok"] == false && object["exit"] == 4)
    let environment = [
      "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/proc/nonexistent/bus", "XDG_CACHE_HOME": "/proc/nonexistent",
    ]
    let missing = try await Showcaller.start(["status", "--device", "nobody"], environment: environment).finish()
    #expect(missing.exitCode == 4 && missing.errors.contains("no mDNS daemon answers"), "\(missing.errors)")
  }

  @Test(
    "Behind an option that takes a value `-1s` is no word of the command; as its value it is shown as it was typed",
    arguments: [["seek"], ["volume"], ["queue", "jump"]])
  func values(command: [String]) async throws {
    let help = try await Showcaller.start(command + ["--help"]).finish().output
    let options = help.matches(of: /(--[a-z-]+) </).map { String($0.output.1) }
    #expect(options.count >= 7, "\(help)")
    for option in options {
      let host = option == "--device" ? [] : ["--host", "127.0.0.1:1"]
      let apart = try await Showcaller.start(command + host + [option, "-1s", "+1"]).finish()
      #expect(apart.exitCode == 2 && apart.errors.contains("missing value for '\(option) <"), "\(apart.errors)")
      let joined = try await Showcaller.start(command + host + ["\(option)=-1s", "+1x"]).finish()
      // The wrong word behind it shows the command line; what a key has to be is told without the one that was typed.
      let told = option == "--accept-expired-intermediate" ? "takes the SHA-256 of a key" : "-1s"
      #expect(joined.exitCode != 0 && joined.errors.contains(told), "\(option): \(joined.errors)")
      for errors in [apart.errors, joined.errors] {
        #expect(errors.unicodeScalars.allSatisfy { $0.value >= 32 || $0 == "\n" })
        #expect(!errors.contains(#"\u{1}"#), "\(option): \(errors)")
      }
    }
  }

  @Test("Two words that would be the device's are refused, and signs are no options")
  func options() async throws {
    let both = try await Showcaller.start(["status", "--host", "127.0.0.1:1", "--device", "TV"]).finish()
    #expect(both.exitCode == 2 && both.errors.contains("not both"))
    let unknown = try await Showcaller.start(["seek", "10s", "--hots", "127.0.0.1:1"]).finish()
    #expect(unknown.exitCode == 2 && unknown.errors.contains("--hots"))
  }
}
