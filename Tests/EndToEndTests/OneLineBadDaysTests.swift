import CastProtocol
import Foundation
import TestSupport
import Testing

/// A command, and how it ends on a device on which nothing runs.
struct OneLineCase: CustomTestStringConvertible, Sendable {
  var words: [String]
  var idleExit: Int32
  /// Whether it needs something that plays, and waits for the device's answer.
  var needsMedia = true
  var testDescription: String { words.joined(separator: " ") }

  static let all: [OneLineCase] = [
    .init(words: ["status"], idleExit: 0, needsMedia: false), .init(words: ["load", OneLineLab.film], idleExit: 0),
    .init(words: ["play"], idleExit: 5), .init(words: ["pause"], idleExit: 5), .init(words: ["toggle"], idleExit: 5),
    .init(words: ["stop"], idleExit: 0), .init(words: ["seek", "1m"], idleExit: 5),
    .init(words: ["rate", "1.5"], idleExit: 5), .init(words: ["volume", "40%"], idleExit: 0, needsMedia: false),
    .init(words: ["mute"], idleExit: 0, needsMedia: false), .init(words: ["tracks", "1"], idleExit: 5),
    .init(words: ["style", "size=150%"], idleExit: 5), .init(words: ["skip-ad", "--force"], idleExit: 5),
    .init(words: ["queue"], idleExit: 0, needsMedia: false),
    .init(words: ["queue", "load", OneLineLab.film], idleExit: 0),
    .init(words: ["queue", "add", OneLineLab.film], idleExit: 5), .init(words: ["queue", "remove", "1"], idleExit: 5),
    .init(words: ["queue", "reorder", "1"], idleExit: 5), .init(words: ["queue", "jump", "1"], idleExit: 5),
    .init(words: ["queue", "repeat", "all"], idleExit: 5), .init(words: ["queue", "shuffle"], idleExit: 5),
    .init(words: ["next"], idleExit: 5), .init(words: ["previous"], idleExit: 5),
    .init(words: ["transfer", "--to-host", "127.0.0.1:1"], idleExit: 5),
    .init(words: ["launch"], idleExit: 0, needsMedia: false),
    .init(words: ["stop-app"], idleExit: 0, needsMedia: false),
    .init(words: ["send", "urn:x-cast:com.example.chat", "{}"], idleExit: 5, needsMedia: false),
  ]
}

/// Every one-line command on bad days: it ends by itself, with its class and exit code, and says what to do.
@Suite(.serialized) struct OneLineBadDaysTests {
  /// Where devices are locked: other tests use the same address.
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: [String], _ more: [String: String] = [:]) async throws -> (Finished, JSONValue) {
    let nobody = [
      "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/proc/nonexistent/bus", "XDG_CACHE_HOME": "/proc/nonexistent",
      "XDG_STATE_HOME": folder.path("state"),
    ]
    let finished = try await Showcaller.start(
      arguments + ["--json"], environment: nobody.merging(more) { $1 }
    ).finish()
    return (finished, (try? JSONValue(parsing: Array(finished.output.utf8))) ?? .null)
  }

  /// One failure, told for people and for programs.
  private func check(
    _ finished: Finished, _ json: JSONValue, exit: Int32, _ errorClass: String, _ command: OneLineCase
  ) {
    #expect(finished.exitCode == exit, "\(command.words) \(finished.errors)")
    #expect(json["ok"] == false && json["exit"] == .int(Int(exit)), "\(command.words) \(finished.output)")
    #expect(json["error"]?["class"] == .string(errorClass), "\(command.words) \(finished.output)")
    #expect(finished.errors.split(separator: "\n").last { $0.hasPrefix("error: ") } != nil, "\(command.words)")
  }

  @Test("Nobody at the address, no device of the name, a server that is no Cast device", arguments: OneLineCase.all)
  func nobody(command: OneLineCase) async throws {
    let (refused, first) = try await run(command.words + ["--host", "127.0.0.1:1"])
    check(refused, first, exit: 4, "unreachable", command)
    let (unknown, second) = try await run(command.words + ["--device", "nobody"])
    check(unknown, second, exit: 4, "not_found", command)
    let server = try PlainServer { $0.send("HTTP/1.1 400 Bad Request\r\n\r\n") }
    let (other, third) = try await run(command.words + ["--host", "127.0.0.1:\(server.port)"])
    check(other, third, exit: 4, "tls", command)
  }

  @Test("Ctrl-C and SIGTERM end it while it connects: 130, 143", arguments: OneLineCase.all)
  func interrupted(command: OneLineCase) async throws {
    for (signal, exit) in [(SIGINT, Int32(130)), (SIGTERM, 143)] {
      let (connections, reached) = AsyncStream<Void>.makeStream()
      let server = try PlainServer { _ in reached.yield() }
      let running = try Showcaller.start(command.words + ["--json", "--host", "127.0.0.1:\(server.port)"])
      // A process that never connects ends this wait, too.
      async let end = running.finish()
      Task {
        _ = try? await running.finish()
        reached.finish()
      }
      for await _ in connections { break }
      running.signal(signal)
      let finished = try await end
      let json = try JSONValue(parsing: Array(finished.output.utf8))
      check(finished, json, exit: exit, "interrupted", command)
    }
  }

  @Test("A device on which nothing runs: done, or invalid_state", arguments: OneLineCase.all)
  func nothingRuns(command: OneLineCase) async throws {
    let lab = try await OneLineLab()
    let (finished, json) = try await run(command.words + ["--host", lab.address, "--auth", "none"])
    if command.idleExit == 0 {
      #expect(finished.exitCode == 0 && json["ok"] == true && finished.errors.isEmpty, "\(finished.errors)")
    } else {
      check(finished, json, exit: command.idleExit, "invalid_state", command)
      #expect(json["status"]?["volume"] != nil && json["device"]?["address"] == .string(lab.address))
    }
    try await lab.end()
  }

  @Test("On an app without media what is about media is invalid_state, with the app's name; the rest works")
  func otherApp() async throws {
    let lab = try await OneLineLab(name: "Lobby TV", "--app-without-media", "A1B2C3D4,urn:x-cast:com.example.chat")
    #expect(try await lab.run("launch", "A1B2C3D4").exitCode == 0)
    // These put another app in its place.
    let changing = ["load", "launch", "stop-app"]
    for command in OneLineCase.all where !changing.contains(where: command.words.prefix(2).contains) {
      let (finished, json) = try await run(command.words + ["--host", lab.address, "--auth", "none"])
      if command.idleExit == 0 || command.words[0] == "send" {
        #expect(finished.exitCode == 0 && json["ok"] == true, "\(command.words) \(finished.errors)")
      } else {
        check(finished, json, exit: 5, "invalid_state", command)
        // Those two say what they miss, which is no media as such.
        let isSpecial = ["skip-ad", "transfer"].contains(command.words[0])
        #expect(finished.errors.contains("A1B2C3D4") || isSpecial, "\(command.words) \(finished.errors)")
      }
      #expect(json["status"]?["app"]?["id"] == "A1B2C3D4", "\(command.words) \(finished.output)")
    }
    try await lab.end()
  }

  /// A device that plays, with the bits of its commands, and does with other requests what `answer` says.
  private static func player(
    commands: Int, _ answer: @escaping @Sendable (ScriptedPeer.Request, ScriptedPeer) -> Void
  ) async throws -> ScriptedDevice {
    try await ScriptedDevice.start { message, peer in
      switch (message.namespace, message.type) {
      case (.receiver, "GET_STATUS"):
        peer.send(ScriptedDevice.receiverStatus(requestID: message.requestID, running: "CC1AD845"), in: .receiver)
      case (.media, "GET_STATUS"):
        peer.send(
          ScriptedDevice.mediaStatus(
            requestID: message.requestID, state: "PLAYING",
            more: [
              "supportedMediaCommands": .int(commands), "breakStatus": ["breakId": "b", "breakClipId": "c"],
              "currentItemId": 1, "items": [["itemId": 1]],
            ]), in: .media, from: ScriptedDevice.transportID)
      case (.media, _), (.receiver, "SET_VOLUME"), (.receiver, "STOP"), (.receiver, "LAUNCH"): answer(message, peer)
      default: break
      }
    }
  }

  @Test("A device that does not answer: timeout, 6", arguments: OneLineCase.all.filter(\.needsMedia))
  func silent(command: OneLineCase) async throws {
    let device = try await Self.player(commands: 4095 + 12_288) { _, _ in }
    let (finished, json) = try await run(command.words + ["--timeout", "600ms", "--host", device.address])
    check(finished, json, exit: 6, "timeout", command)
    await device.stop()
  }

  static let unsupported: [([String], String)] = [
    (["pause"], "pause"), (["seek", "1m"], "seek"), (["rate", "1.5"], "rate"), (["tracks", "1"], "edit_tracks"),
    (["skip-ad", "--force"], "skip_ad"),
  ]

  @Test("What plays does not take the command: its class, and the command that is missing", arguments: unsupported)
  func commandNotTaken(words: [String], missing: String) async throws {
    let device = try await Self.player(commands: 0) { message, peer in
      let refusal: JSONValue = [
        "type": "INVALID_REQUEST", "requestId": message.requestID, "reason": "INVALID_COMMAND",
      ]
      peer.send(refusal, in: .media, from: ScriptedDevice.transportID)
    }
    let (finished, json) = try await run(words + ["--host", device.address])
    check(finished, json, exit: 5, "invalid_request", OneLineCase(words: words, idleExit: 5))
    #expect(finished.errors.contains("the app does not list `\(missing)`"), "\(finished.errors)")
    #expect(json["error"]?["wire"]?["reason"] == "INVALID_COMMAND")
    await device.stop()
    let ignoring = try await Self.player(commands: 0) { _, _ in }
    let (ignored, other) = try await run(words + ["--timeout", "500ms", "--host", ignoring.address])
    check(ignored, other, exit: 6, "timeout", OneLineCase(words: words, idleExit: 5))
    #expect(ignored.errors.contains("the app does not list `\(missing)`"), "\(ignored.errors)")
    await ignoring.stop()
  }

  @Test("Standard output that is closed or full: 8; a reader that went away has seen enough")
  func output() async throws {
    let lab = try await OneLineLab()
    for words in [["status"], ["status", "--json"], ["queue"], ["volume", "30%"]] {
      for (target, exit) in [("&-", "8"), ("/dev/full", "8")] {
        let line = "$S \(words.joined(separator: " ")) --host \(lab.address) >\(target); echo $? >&2"
        let finished = try await shell(line)
        #expect(finished.errors.hasSuffix("\n\(exit)\n"), "\(words) \(finished.errors)")
        #expect(finished.errors.hasPrefix("error: cannot write standard output: "), "\(words) \(finished.errors)")
      }
    }
    let gone = try await shell("{ $S status --host \(lab.address); echo $? >&2; } | true")
    #expect(gone.errors == "0\n", "\(gone.errors)")
    try await lab.end()
  }

  private func shell(_ line: String) async throws -> Finished {
    let running = try Running(
      URL(filePath: "/bin/bash"), ["-c", line],
      environment: ["S": Showcaller.binary.path, "PATH": "/usr/bin:/bin"], in: Showcaller.root)
    running.closeInput()
    return try await running.finish()
  }

  @Test("The default device and aliases of the settings are meant without options", arguments: OneLineCase.all)
  func settings(command: OneLineCase) async throws {
    let lab = try await OneLineLab()
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("showcaller"), withIntermediateDirectories: true)
    _ = try folder.write(
      "showcaller/config.yaml", "device: lobby\naliases: { lobby: { host: \"\(lab.address)\" } }\nauth: none\n")
    for more in [[], ["--device", "lobby"]] {
      let (finished, json) = try await run(command.words + more, ["XDG_CONFIG_HOME": folder.url.path])
      #expect(finished.exitCode == command.idleExit || more.count > 0, "\(finished.errors)")
      #expect(json["device"]?["address"] == .string(lab.address), "\(finished.output)")
    }
    try await lab.end()
  }
}
