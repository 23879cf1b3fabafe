import CastProtocol
import Foundation
import Testing

/// `receive --record` and `receive --replay`.
@Suite struct RecordingTests {
  private static let evening = """
    scenario: An evening
    device: Lobby TV
    steps:
      - launch: default
      - volume: 40%
      - load: https://cdn.example.com/film.mp4
      - expect: { player: playing }
      - pause
      - expect: { player: paused }
      - play
      - seek: 30s
      - expect: { position: { about: 30s, tolerance: 2s } }
      - stop
      - stop_app
    """

  /// The events of a run, but for times, ids and positions: what a reader of its report sees.
  private static func story(_ folder: TemporaryFolder) throws -> [String] {
    let runs = folder.url.appending(path: ".showcaller/runs")
    let run = try #require(
      try FileManager.default.contentsOfDirectory(atPath: runs.path).filter { $0.count == 26 }.max())
    return try EventStream.read(runs.appending(path: "\(run)/events.jsonl").path).compactMap { event in
      guard let type = event["type"]?.string else { return nil }
      // How often we look at a status is a matter of time, and so is when a device's proof is judged.
      if type == "status" || type == "diagnostic" || type == "request" && event["msg"]?["type"] == "GET_STATUS" {
        return nil
      }
      let verb = event["verb"]?.string ?? event["msg"]?["type"]?.string ?? ""
      return "\(type) \(event["step"]?.string ?? "") \(verb) \(event["result"]?.string ?? "")"
    }
  }

  private static func run(_ file: String, at address: String, in folder: TemporaryFolder) async throws -> Finished {
    try await Showcaller.run(
      "run", file, "--host", address, in: folder.url)
  }

  @Test("A run that was recorded passes again in front of the recording, with the same events but times")
  func roundTrip() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("evening.yaml", Self.evening)
    let recording = folder.path("evening.jsonl")
    var stories: [[String]] = []
    var requests: [[String]] = []
    for option in ["--record", "--replay"] {
      let arguments =
        option == "--record"
        ? ["--name", "Lobby TV", "--latency", "device", "--record", recording] : ["--replay", recording]
      let receiver = try Showcaller.start(["receive", "--port", "0", "--wire"] + arguments)
      let line = try await receiver.firstLine()
      // The recording knows what its receiver was called.
      #expect(line.hasPrefix("Lobby TV "))
      let address = try #require(line.split(separator: " ").last.map(String.init))
      let finished = try await Self.run(file, at: address, in: folder)
      #expect(finished.exitCode == 0, "\(option) \(finished.errors)")
      stories.append(try Self.story(folder))
      receiver.signal(SIGTERM)
      let ended = try await receiver.finish()
      #expect(ended.exitCode == 0 && !ended.errors.contains("the recording has no"), "\(ended.errors)")
      requests.append(
        ended.output.split(separator: "\n").dropFirst().compactMap { line in
          let json = try? JSONValue(parsing: String(line))
          guard json?["type"] == "received", let type = json?["msg"]?["type"]?.string else { return nil }
          return type == "GET_STATUS" || type == "PING" || type == "PONG" ? nil : type
        })
    }
    #expect(stories.first == stories.last, "\(stories)")
    #expect(requests.first == requests.last && requests.first?.contains("LOAD") == true, "\(requests)")
    let attributes = try FileManager.default.attributesOfItem(atPath: recording)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let lines = try String(contentsOfFile: recording, encoding: .utf8).split(separator: "\n")
      .map { try JSONValue(parsing: String($0)) }
    #expect(lines.first?["recording"] == 1)
    #expect(lines.contains { $0["direction"] == "out" && $0["payload"]?["type"] == "LOAD" })
    #expect(lines.contains { $0["event"] == "closed" })
  }

  @Test("Requests that the recording does not have are answered as by a device, and told on the terminal")
  func unknown() async throws {
    let folder = try TemporaryFolder()
    let recording = try folder.write(
      "idle.json",
      #"[{"direction":"in","namespace":"urn:x-cast:com.google.cast.receiver","payload":{"requestId":1,"type":"RECEIVER_STATUS","status":{"volume":{"level":0.25,"muted":false}}}}]"#
    )
    let receiver = try Showcaller.start(["receive", "--port", "0", "--name", "Old TV", "--replay", recording])
    let address = try #require(try await receiver.firstLine().split(separator: " ").last.map(String.init))
    let status = try await Showcaller.run("status", "--json", "--host", address)
    #expect(status.exitCode == 0 && status.output.contains("\"level\":25"), "\(status.output) \(status.errors)")
    let launched = try await Showcaller.run("launch", "A1B2C3D4", "--host", address)
    #expect(launched.exitCode == 5 && launched.errors.contains("NOT_FOUND"), "\(launched.errors)")
    try await receiver.waitFor(
      "Old TV: the recording has no LAUNCH A1B2C3D4 (urn:x-cast:com.google.cast.receiver): it is answered by LAUNCH_ERROR"
    )
    receiver.signal(SIGTERM)
    #expect(try await receiver.finish().exitCode == 0)
  }

  static let wrong: [(arguments: [String], exitCode: Int32, message: String)] = [
    (["--record", "-"], 2, "--record needs a file: --wire prints messages to standard output"),
    (["--record", ""], 2, "the name of the recording is empty"),
    (
      ["--replay", "rec.jsonl", "--record", "./rec.jsonl"], 2,
      "would overwrite the recording that --replay answers from"
    ),
    (["--replay", "rec.jsonl", "--media", "sdk"], 2, "--replay answers from the recording alone: leave out --media"),
    (["--replay", "rec.jsonl", "--group", "All"], 2, "--replay answers from the recording alone: leave out --group"),
    (["--replay", "rec.jsonl", "--screen", "0"], 2, "--replay answers from the recording alone: leave out --screen"),
    (["--record", "rec.jsonl", "./rec.jsonl"], 2, "--record would overwrite rec.jsonl"),
    (["--record", "a.jsonl", "--write-auth-root", "./a.jsonl"], 2, "--record would overwrite a.jsonl"),
    (["--replay", "none.jsonl"], 2, "cannot read none.jsonl: "),
    (["--replay", "wrong.jsonl"], 2, "cannot replay wrong.jsonl:2: this is no JSON object"),
    (["--record", "none/rec.jsonl"], 8, "cannot write none/rec.jsonl: "),
    (["--record", "rec.jsonl", "--count", "0"], 2, "--count is a number from 1 to 1000"),
  ]
  @Test("What cannot be recorded or replayed is refused, and an existing recording stays", arguments: wrong)
  func refused(arguments: [String], exitCode: Int32, message: String) async throws {
    let folder = try TemporaryFolder()
    let message1 = #"{"direction":"in","namespace":"urn:x-cast:a","payload":{}}"# + "\n"
    let kept = try folder.write("rec.jsonl", message1)
    _ = try folder.write("wrong.jsonl", message1 + "hello\n" + message1)
    let refused = try await Showcaller.start(["receive", "--port", "0"] + arguments, in: folder.url).finish()
    #expect(refused.exitCode == exitCode && refused.errors.contains(message), "\(refused.exitCode) \(refused.errors)")
    #expect(try String(contentsOfFile: kept, encoding: .utf8) == message1)
  }

  @Test("A port in use leaves the recording as it was; a full disk is told at once and by the exit code")
  func badDays() async throws {
    let folder = try TemporaryFolder()
    let kept = try folder.write("rec.jsonl", "{}\n")
    chmod(kept, 0o644)
    let receiver = try Showcaller.start(["receive", "--port", "0", "--record", "/dev/full"])
    let address = try #require(try await receiver.firstLine().split(separator: " ").last.map(String.init))
    let port = try #require(address.split(separator: ":").last.map(String.init))
    let second = try await Showcaller.start(["receive", "--port", port, "--record", kept]).finish()
    #expect(second.exitCode == 75, "\(second.errors)")
    #expect(try String(contentsOfFile: kept, encoding: .utf8) == "{}\n")
    #expect(try FileManager.default.attributesOfItem(atPath: kept)[.posixPermissions] as? Int == 0o644)
    let new = folder.path("new.jsonl")
    #expect(try await Showcaller.start(["receive", "--port", port, "--record", new]).finish().exitCode == 75)
    #expect(!FileManager.default.fileExists(atPath: new))
    try await receiver.waitFor("error: cannot write /dev/full: ")
    // Senders are served on.
    #expect(try await Showcaller.run("status", "--host", address).exitCode == 0)
    receiver.signal(SIGTERM)
    let ended = try await receiver.finish()
    #expect(ended.exitCode == 8, "\(ended.exitCode) \(ended.errors)")
  }

  @Test("A recording that another process writes is left to it, and what to do is told")
  func shared() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path("rec.jsonl")
    let first = try Showcaller.start(["receive", "--port", "0", "--record", file])
    _ = try await first.firstLine()
    let second = try await Showcaller.start(["receive", "--port", "0", "--record", file]).finish()
    #expect(second.exitCode == 75 && second.errors.contains("another process is writing it"), "\(second.errors)")
    #expect(second.errors.contains("help: choose another file"), "\(second.errors)")
    first.signal(SIGTERM)
    #expect(try await first.finish().exitCode == 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix(#"{"recording":1,"#))
  }
}
