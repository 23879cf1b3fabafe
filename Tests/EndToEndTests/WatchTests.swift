import CastProtocol
import Foundation
import Testing

/// `watch` in pipes and for programs, against a `receive` process.
@Suite(.serialized) struct WatchTests {
  /// A virtual receiver, and what other senders do to it.
  struct Lab {
    let receiver: Running
    let address: String

    init(port: Int = 0, _ more: String...) async throws {
      receiver = try Showcaller.start(
        ["receive", "--port", "\(port)", "--name", "Lobby TV"] + more, limit: 180)
      address = try #require(try await receiver.firstLine().split(separator: " ").last.map(String.init))
    }

    /// For a second one in its place.
    var port: Int { address.split(separator: ":").last.flatMap { Int($0) } ?? 0 }

    /// What another sender does.
    @discardableResult
    func other(_ arguments: String...) async throws -> Finished {
      let finished = try await Showcaller.start(arguments + ["--host", address]).finish()
      #expect(finished.exitCode == 0, "\(arguments) \(finished.errors)")
      return finished
    }

    /// Loads a film that has ads at its start, of which the first can be skipped soon.
    func loadFilmWithAds() async throws {
      let folder = try TemporaryFolder()
      let document = try folder.write(
        "ads.yaml",
        """
        scenario: x
        device: x
        session: { leave: keep }
        media:
          film:
            url: https://cdn.example.com/film.m3u8
            duration: 10m
            metadata: { kind: movie, title: Sintel, subtitle: Release candidate, images: [https://cdn.example.com/art.jpg] }
            tracks:
              - { id: en, kind: text, subtype: subtitles, language: en, url: "https://cdn.example.com/en.vtt" }
              - { id: no, kind: text, subtype: subtitles, language: no, url: "https://cdn.example.com/no.vtt" }
            clips:
              car: { url: "https://cdn.example.com/car.mp4", duration: 60s, skippable_after: 3s }
              soap: { url: "https://cdn.example.com/soap.mp4", duration: 5s }
            breaks: [{ id: pre, at: start, clips: [car, soap] }]
        steps:
          - launch: default
          - load: { media: film, tracks: [no] }

        """)
      try await other("run", "-q", "--runs", folder.path("runs"), document)
    }

    func end() async throws {
      receiver.signal(SIGTERM)
      _ = try await receiver.finish()
    }
  }

  private static let film = "https://cdn.example.com/film.mp4"

  private static func watch(_ lab: Lab, _ more: String...) throws -> Running {
    try Showcaller.start(["watch", "--host", lab.address, "--auth", "none"] + more, limit: 120)
  }

  @Test("A pipe gets a line for each change, whoever made it, and the reader that leaves ends it")
  func lines() async throws {
    let lab = try await Lab()
    let watch = try Self.watch(lab)
    #expect(try await watch.firstLine().hasSuffix("  \(lab.address): no app is running, volume 100%"))
    try await lab.other("load", Self.film, "--title", "Sintel \u{1B}[31m", "--duration", "10m")
    try await watch.waitFor("Sintel \\u{1B}[31m")
    try await watch.waitFor("another sender launched Default Media Receiver (CC1AD845)")
    for (arguments, told) in [
      (["pause"], "  paused at 0:0"), (["seek", "2m"], "  at 2:00"),
      (["volume", "40%"], "  another sender set the volume to 40%"),
      (["mute"], "  another sender muted the device"), (["play"], "  playing at 2:0"), (["rate", "1.5"], "  rate 1.5"),
      (["stop"], "  idle (cancelled)"), (["stop-app"], "another sender stopped Default Media Receiver"),
    ] {
      #expect(try await Showcaller.start(arguments + ["--host", lab.address]).finish().exitCode == 0)
      try await watch.waitFor(told)
    }
    watch.signal(SIGINT)
    let finished = try await watch.finish()
    #expect(finished.exitCode == 0 && finished.errors.isEmpty, "\(finished.errors)")
    #expect(!finished.output.contains("\u{1B}"))
    for line in finished.output.split(separator: "\n") {
      #expect(line.wholeMatch(of: /\d\d:\d\d:\d\d  .+/) != nil, "\(line)")
    }
    let head = try Running(
      URL(filePath: "/bin/bash"),
      [
        "-c",
        "{ $S watch --host \(lab.address) --auth none; echo $? >&2; } | head -1 >/dev/null",
      ],
      environment: ["S": Showcaller.binary.path], in: Showcaller.root)
    // The next change finds nobody to be told.
    try await lab.other("volume", "30%")
    head.closeInput()
    for _ in 0..<100 where !head.errors.contains("\n") { try await lab.other("mute", "toggle") }
    #expect(try await head.finish().errors == "0\n")
    try await lab.end()
  }

  private static func objects(_ finished: Finished) throws -> [JSONValue] {
    try finished.output.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
  }

  @Test("Programs get an object a line: what is at first, and what is another then; ads and takeovers, too")
  func json() async throws {
    let lab = try await Lab(port: 0, "--app", "A1B2C3D4")
    try await lab.loadFilmWithAds()
    let watch = try Self.watch(lab, "--json")
    _ = try await watch.firstLine()
    try await lab.other("volume", "40%")
    try await watch.waitFor("set the volume to 40%")
    // It is refused until the ad may be skipped.
    var refusals = 0
    while try await Showcaller.start(["skip-ad", "--host", lab.address]).finish().exitCode != 0 {
      refusals += 1
      try #require(refusals < 200, "the ad can never be skipped")
    }
    try await watch.waitFor("\"clip\":\"soap\"")
    try await watch.waitFor("\"unset\":[\"break\"]")
    try await lab.other("launch", "A1B2C3D4", "--join", "never")
    try await watch.waitFor("(A1B2C3D4)")
    watch.signal(SIGTERM)
    let finished = try await watch.finish()
    #expect(finished.exitCode == 0 && finished.errors.isEmpty, "\(finished.errors)")
    let objects = try Self.objects(finished)
    #expect(objects.allSatisfy { $0["v"] == 1 && $0["t"]?.string?.hasSuffix("Z") == true })
    #expect(objects.map { $0["event"] } == ["connected"] + Array(repeating: "status", count: objects.count - 1))
    let first = try #require(objects.first)
    #expect(first["device"]?["address"]?.string == lab.address && first["auth"] == "unchecked", "\(first)")
    #expect(first["status"]?["title"] == "Sintel" && first["status"]?["break"]?["clip"] == "car")
    #expect(first["status"]?["tracks"]?.array?.count == 2)
    let volume = try #require(objects.first { $0["others"] == ["set the volume to 40%"] })
    #expect(volume["set"] == ["volume": ["level": 40, "muted": false, "control": "attenuation"]], "\(volume)")
    let taken = try #require(objects.first { $0["set"]?["app"]?["id"] == "A1B2C3D4" })
    #expect(taken["others"]?.array?.first?.string?.hasPrefix("launched ") == true, "\(taken)")
    #expect(objects.contains { $0["unset"]?.array?.contains("title") == true })
    // What one after the other sets and unsets leads to what is.
    let last = try await lab.other("status", "--json")
    let status = try #require(try JSONValue(parsing: Array(last.output.utf8))["status"]?.object)
    var state = try #require(first["status"]?.object)
    for object in objects.dropFirst() {
      for member in object["set"]?.object?.members ?? [] { state[member.name] = member.value }
      for name in object["unset"]?.array ?? [] { state[name.string ?? ""] = nil }
    }
    #expect(state["app"] == status["app"] && state["volume"] == status["volume"] && state["player"] == status["player"])
    try await lab.end()
  }

  @Test(
    "Nobody there, a server that is no device, no name, a device that must prove itself: 4 and 2, in words and as JSON")
  func nobody() async throws {
    let port = try await FreePort.closed()
    let refused = try await Showcaller.start(["watch", "127.0.0.1:\(port)"]).finish()
    #expect(refused.exitCode == 4 && refused.errors.contains("connection refused"), "\(refused.errors)")
    #expect(refused.output.isEmpty)
    let json = try await Showcaller.start(["watch", "127.0.0.1:\(port)", "--json"]).finish()
    let object = try #require(try Self.objects(json).first)
    #expect(json.exitCode == 4 && object["event"] == "error" && object["exit"] == 4 && object["v"] == 1)
    #expect(object["error"]?["class"] == "unreachable")
    let server = try PlainServer { $0.send("HTTP/1.1 400 Bad Request\r\n\r\n") }
    let plain = try await Showcaller.start(["watch", "--host", "127.0.0.1:\(server.port)"]).finish()
    #expect(plain.exitCode == 4 && plain.errors.hasPrefix("error: "), "\(plain.errors)")
    let unnamed = try await Showcaller.start(["watch"]).finish()
    #expect(unnamed.exitCode == 2 && unnamed.errors.contains("no device is named"), "\(unnamed.errors)")
    let lab = try await Lab()
    let unproven = try await Showcaller.start(["watch", lab.address, "--auth", "require"]).finish()
    #expect(unproven.exitCode == 4 && unproven.output.isEmpty && !unproven.errors.isEmpty, "\(unproven.errors)")
    for wrong in [
      ["watch", "TV", "--host", "127.0.0.1"], ["watch", "TV", "--timeout", "0s"], ["watch", "TV", "--timeout", "soon"],
      ["watch", ""], ["watch", "TV", "--log", "x"],
    ] {
      #expect(try await Showcaller.start(wrong).finish().exitCode == 2, "\(wrong)")
    }
    try await lab.end()
  }

  @Test("A proof that does not hold is told in words on standard error, and to programs as an object")
  func doubt() async throws {
    let folder = try TemporaryFolder()
    let faults = try folder.write("lab.yaml", "library: Lab\nfaults:\n  - { auth: wrong_signature }\n")
    let root = folder.path("root.pem")
    let lab = try await Lab(port: 0, faults, "--write-auth-root", root)
    let arguments = ["watch", lab.address, "--auth", "report", "--auth-root", root, "--timeout", "300ms"]
    let words = try await Showcaller.start(arguments).finish()
    #expect(words.errors.hasPrefix("warning: the device is not authenticated: "), "\(words.errors)")
    let json = try await Showcaller.start(arguments + ["--json"]).finish()
    #expect(json.exitCode == 0 && json.errors.isEmpty, "\(json.errors)")
    let warning = try #require(try Self.objects(json).first { $0["event"] == "warning" })
    #expect(warning["message"]?.string?.hasPrefix("the device is not authenticated: ") == true, "\(warning)")
    try await lab.end()
  }

  @Test("--timeout ends it: 0, or 5 where the device is lost then; the default device is the one of the settings")
  func timeout() async throws {
    let lab = try await Lab()
    let ended = try await Showcaller.start(
      ["watch", "--timeout", "300ms", "--log", "client.*=debug"], environment: ["SHOWCALLER_DEVICE": lab.address]
    ).finish()
    #expect(ended.exitCode == 0 && ended.output.contains("no app is running"), "\(ended.errors)")
    #expect(ended.errors.contains("client.connection"), "\(ended.errors)")
    let watch = try Self.watch(lab, "--timeout", "8s", "--json")
    _ = try await watch.firstLine()
    lab.receiver.signal(SIGKILL)
    let lost = try await watch.finish()
    #expect(lost.exitCode == 5 && lost.errors.contains("the device was lost and did not come back"), "\(lost.errors)")
    let objects = try Self.objects(lost)
    #expect(objects.map { $0["event"] ?? .null }.contains("retry"))
    #expect(objects[1]["event"] == "lost" && objects.last?["error"]?["class"] == "connection_lost")
  }

  @Test("A device that goes and comes back is told as lost and back, with what it is like then")
  func reconnecting() async throws {
    let first = try await Lab()
    let watch = try Self.watch(first)
    _ = try await watch.firstLine()
    first.receiver.signal(SIGKILL)
    try await watch.waitFor("  lost: ")
    _ = try await first.receiver.finish()
    let second = try await Lab(port: first.port)
    try await second.other("load", Self.film, "--title", "Durian")
    try await watch.waitFor("  back after ")
    try await second.other("pause")
    try await watch.waitFor("paused")
    watch.signal(SIGTERM)
    let finished = try await watch.finish()
    #expect(finished.exitCode == 0, "\(finished.errors)")
    // It may come back before or after the film was loaded.
    #expect(finished.output.contains("Durian"), "\(finished.output)")
    try await second.end()
  }
}
