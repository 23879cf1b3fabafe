import CastProtocol
import CastTransport
import Foundation
import TestSupport
import Testing

/// Everything that can go wrong between us and a device, each with its exit code and its class, and none with a hang.
@Suite(.serialized) struct WrongWaysTests {
  /// Runs `hello.yaml`, or another document, against an address and returns what the event stream says.
  private func run(
    _ address: String, document: String = "examples/hello.yaml", more: [String] = [], limit: Double = 30
  ) async throws -> (finished: Finished, events: [JSONValue]) {
    let folder = try TemporaryFolder()
    let running = try Showcaller.start(
      ["run", "--host", address, "--runs", folder.path("runs"), "--report", "json=\(folder.path("events.jsonl"))"]
        + more + [document], limit: limit)
    let finished = try await running.finish()
    return (finished, try EventStream.read(folder.path("events.jsonl")))
  }

  private func errorClasses(_ events: [JSONValue]) -> [String] {
    events.compactMap { $0["error"]?["class"]?.string }
  }

  @Test("A host where nobody listens is unreachable: 4")
  func unreachable() async throws {
    let port = try await FreePort.closed()
    let (finished, events) = try await run("127.0.0.1:\(port)")
    #expect(finished.exitCode == 4, "\(finished.errors)")
    #expect(errorClasses(events).contains("unreachable"))
    #expect(finished.errors.contains("127.0.0.1:\(port)"))
    try EventStream.check(events, exitCode: 4)
  }

  @Test("A port that answers no TLS is a TLS failure: 4")
  func noTLS() async throws {
    let server = try PlainServer { connection in
      connection.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
    }
    let (finished, events) = try await run("127.0.0.1:\(server.port)")
    #expect(finished.exitCode == 4, "\(finished.errors)")
    #expect(errorClasses(events).contains("tls"))
  }

  @Test("A port that accepts and says nothing is given up after the TLS limit: 4")
  func silentPort() async throws {
    let server = try PlainServer { _ in }
    let (finished, events) = try await run("127.0.0.1:\(server.port)")
    #expect(finished.exitCode == 4, "\(finished.errors)")
    #expect(errorClasses(events).contains { ["tls", "timeout"].contains($0) })
    #expect(finished.duration < .seconds(15))
  }

  @Test("TLS but no Cast breaks the protocol: 4")
  func noCast() async throws {
    let server = try await TLSServer.listen(host: "127.0.0.1", port: 0) { channel in
      channel.start { event in
        if case .received = event { channel.send(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)) }
      }
    }
    let (finished, events) = try await run("127.0.0.1:\(server.port)")
    #expect(finished.exitCode == 4, "\(finished.errors)")
    #expect(errorClasses(events).contains("protocol"))
    await server.close()
  }

  @Test("A device that is silent after CONNECT is a timeout: 4")
  func silentDevice() async throws {
    let device = try await ScriptedDevice.start { _, _ in }
    let (finished, events) = try await run(device.address)
    #expect(finished.exitCode == 4, "\(finished.errors)")
    #expect(errorClasses(events).contains("timeout"))
    #expect(finished.duration < .seconds(15))
    await device.stop()
  }

  @Test("LAUNCH_ERROR fails the launch: 5")
  func launchError() async throws {
    let device = try await ScriptedDevice.start(
      ScriptedDevice.wellBehaved { message, peer in
        guard message.type == "LAUNCH" else { return false }
        let error: JSONValue = ["type": "LAUNCH_ERROR", "requestId": message.requestID, "reason": "NOT_FOUND"]
        peer.send(error, in: .receiver, to: message.source)
        return true
      })
    let (finished, events) = try await run(device.address)
    #expect(finished.exitCode == 5, "\(finished.errors)")
    #expect(errorClasses(events).contains("launch_failed"))
    #expect(finished.errors.contains("NOT_FOUND"))
    await device.stop()
  }

  @Test("LOAD_FAILED fails the load with its code and name: 5")
  func loadFailed() async throws {
    let device = try await ScriptedDevice.start(
      ScriptedDevice.wellBehaved { message, peer in
        guard message.type == "LOAD" else { return false }
        let error: JSONValue = ["type": "LOAD_FAILED", "requestId": message.requestID, "detailedErrorCode": 104]
        peer.send(error, in: .media, from: ScriptedDevice.transportID, to: message.source)
        return true
      })
    let (finished, events) = try await run(device.address)
    #expect(finished.exitCode == 5, "\(finished.errors)")
    #expect(errorClasses(events).contains("load_failed"))
    #expect(finished.errors.contains("104 MEDIA_SRC_NOT_SUPPORTED"))
    await device.stop()
  }

  @Test("LAUNCH answered by LAUNCH_STATUS and then a broadcast status passes: 0")
  func launchStatusThenBroadcast() async throws {
    let device = try await ScriptedDevice.start(
      ScriptedDevice.wellBehaved { message, peer in
        guard message.type == "LAUNCH" else { return false }
        peer.send(
          ["type": "LAUNCH_STATUS", "launchRequestId": message.requestID, "status": "USER_ALLOWED"], in: .receiver)
        peer.send(ScriptedDevice.receiverStatus(requestID: 0, running: "CC1AD845"), in: .receiver)
        return true
      })
    let (finished, _) = try await run(device.address)
    #expect(finished.exitCode == 0, "\(finished.errors)")
    await device.stop()
  }

  @Test("LAUNCH answered by LAUNCH_STATUS alone is a timeout: 6")
  func launchStatusAlone() async throws {
    let device = try await ScriptedDevice.start(
      ScriptedDevice.wellBehaved { message, peer in
        guard message.type == "LAUNCH" else { return false }
        peer.send(
          ["type": "LAUNCH_STATUS", "launchRequestId": message.requestID, "status": "USER_ALLOWED"], in: .receiver)
        return true
      })
    let folder = try TemporaryFolder()
    let document = try folder.write(
      "launch.yaml",
      """
      scenario: Launch
      device: Living Room TV
      steps:
        - launch: default
          timeout: 1s
        - expect: { app: { id: CC1AD845 } }
      """)
    let (finished, events) = try await run(device.address, document: document)
    #expect(finished.exitCode == 6, "\(finished.errors)")
    #expect(errorClasses(events).contains("timeout"))
    await device.stop()
  }

  @Test("A connection cut in mid-expectation is an error, not a mismatch: 5")
  func cutInExpectation() async throws {
    let device = try await ScriptedDevice.start(
      ScriptedDevice.wellBehaved { message, peer in
        guard message.type == "SET_PLAYBACK_RATE" else { return false }
        let status = ScriptedDevice.mediaStatus(
          requestID: message.requestID, state: "PLAYING", more: ["playbackRate": 1.5])
        peer.send(status, in: .media, from: ScriptedDevice.transportID)
        peer.cut()
        return true
      })
    let folder = try TemporaryFolder()
    let document = try folder.write(
      "cut.yaml",
      """
      scenario: Cut
      device: Living Room TV
      steps:
        - load: https://media.example.com/welcome.mp4
        - rate: 1.5
        - expect: { player: paused }
          within: 20s
      """)
    let (finished, events) = try await run(device.address, document: document)
    #expect(finished.exitCode == 5, "\(finished.errors)")
    #expect(errorClasses(events).contains("connection_lost"))
    #expect(!events.contains { $0["type"]?.string == "expect.failed" })
    #expect(finished.duration < .seconds(15))
    await device.stop()
  }

  @Test("Another sender that takes over fails the run at once: 5")
  func takenOver() async throws {
    let device = try await ScriptedDevice.start(
      ScriptedDevice.wellBehaved { message, peer in
        guard message.type == "SET_PLAYBACK_RATE" else { return false }
        let status = ScriptedDevice.mediaStatus(
          requestID: message.requestID, state: "PLAYING", more: ["playbackRate": 1.5])
        peer.send(status, in: .media, from: ScriptedDevice.transportID)
        peer.send(["type": "CLOSE"], in: .connection, from: ScriptedDevice.transportID)
        peer.send(
          [
            "type": "RECEIVER_STATUS", "requestId": 0,
            "status": [
              "applications": [
                [
                  "appId": "233637DE", "displayName": "YouTube", "isIdleScreen": false, "namespaces": [],
                  "sessionId": "yt", "statusText": "YouTube", "transportId": "yt",
                ]
              ], "volume": ["level": 0.5, "muted": false],
            ],
          ], in: .receiver)
        return true
      })
    let folder = try TemporaryFolder()
    let document = try folder.write(
      "taken.yaml",
      """
      scenario: Taken over
      device: Living Room TV
      steps:
        - load: https://media.example.com/welcome.mp4
        - rate: 1.5
        - expect: { player: paused }
          within: 20s
      """)
    let (finished, events) = try await run(device.address, document: document)
    #expect(finished.exitCode == 5, "\(finished.errors)")
    #expect(errorClasses(events).contains("taken_over"))
    #expect(finished.errors.contains("YouTube"))
    #expect(finished.duration < .seconds(15))
    await device.stop()
  }

  @Test("A frame of 70 KiB breaks the protocol: 5 once the run has begun")
  func longFrame() async throws {
    let device = try await ScriptedDevice.start(
      ScriptedDevice.wellBehaved { message, peer in
        guard message.type == "LOAD" else { return false }
        peer.send(raw: [0, 1, 0x18, 0] + [UInt8](repeating: 0x20, count: 71_680))
        return true
      })
    let (finished, events) = try await run(device.address)
    #expect(finished.exitCode == 5, "\(finished.errors)")
    #expect(errorClasses(events).contains("protocol"))
    await device.stop()
  }

  @Test(
    "Ctrl-C in a step ends it, runs finally and exits 130; SIGTERM 143",
    arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func interruption(signal: Int32, exitCode: Int32) async throws {
    let folder = try TemporaryFolder()
    let document = try folder.write(
      "long.yaml",
      """
      scenario: Long
      device: Living Room TV
      steps:
        - load: https://media.example.com/welcome.mp4
        - mark: begun
        - wait: 5m
        - expect: { player: playing }
      finally:
        - log: cleaning up
        - stop_app
      """)
    let running = try Showcaller.start([
      "run", "--virtual", "--runs", folder.path("runs"), "--report", "json=\(folder.path("events.jsonl"))", document,
    ])
    try await running.waitFor("begun")
    running.signal(signal)
    let finished = try await running.finish()
    #expect(finished.exitCode == exitCode, "\(finished.errors)")
    #expect(finished.errors.contains("cleaning up"))
    #expect(finished.duration < .seconds(20))
    let events = try EventStream.read(folder.path("events.jsonl"))
    try EventStream.check(events, exitCode: Int(exitCode))
    let cleanup = events.first { $0["type"]?.string == "finally.finished" }
    #expect(cleanup?["result"]?.string == "passed")
  }

  /// One document for each budget of docs/design.md 5.
  enum Bomb: String, CaseIterable {
    case depth, size, aliases, aliasNodes, nodes

    var text: String {
      func list(_ item: String, _ count: Int) -> String {
        "[" + Array(repeating: item, count: count).joined(separator: ", ") + "]"
      }
      switch self {
      case .depth: return "scenario: x\nvars:\n  a: " + String(repeating: "[", count: 60_000)
      case .size: return "scenario: x\ndescription: " + String(repeating: "a", count: 1 << 20)
      case .aliases: return "scenario: x\nvars:\n  a: &a [x]\n  b: " + list("*a", 1_001)
      case .aliasNodes:
        let levels = zip("bcdefgh", "abcdefg").map { new, old in "  \(new): &\(new) \(list("*\(old)", 10))\n" }
        return "scenario: x\nvars:\n  a: &a \(list("x", 10))\n" + levels.joined()
      case .nodes: return "scenario: x\nvars:\n  a: " + list("x", 200_001)
      }
    }
  }

  @Test("A document that breaks a budget is refused at once: 3", arguments: Bomb.allCases)
  func bomb(_ bomb: Bomb) async throws {
    let folder = try TemporaryFolder()
    let document = try folder.write("bomb.yaml", bomb.text)
    for command in [["check", document], ["run", "--virtual", "--runs", folder.path("runs"), document]] {
      let finished = try await Showcaller.start(command).finish()
      #expect(finished.exitCode == 3, "\(bomb): \(finished.output.prefix(500))\(finished.errors)")
    }
  }
}
