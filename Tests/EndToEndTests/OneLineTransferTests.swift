import CastProtocol
import Foundation
import Synchronization
import TestSupport
import Testing

/// `transfer` in one line, between `receive` processes and from devices that know less.
@Suite(.serialized) struct OneLineTransferTests {
  private static let film = OneLineLab.film

  private func position(_ json: JSONValue) -> Double { json["position"]?.number ?? -1 }

  @Test("What plays goes on on the other device, by the platform's own messages; this one stops only then")
  func session() async throws {
    let (source, target) = (try await OneLineLab(name: "Lobby TV"), try await OneLineLab(name: "Bar TV"))
    let loaded = try await source.run(
      "load", Self.film, "--duration", "10m", "--start", "2:00", "--title", "Sintel", "--rate", "1.5")
    #expect(loaded.exitCode == 0, "\(loaded.errors)")
    let volume = try await target.run("volume", "35%")
    #expect(volume.exitCode == 0)
    let (json, moved) = try await source.json(
      "transfer", "--to-host", target.address, "--log", "client.request=debug")
    #expect(moved.exitCode == 0 && json["ok"] == true, "\(moved.errors)")
    let lines = moved.errors.split(separator: "\n").map(String.init)
    let resumed = lines.firstIndex { $0.contains("RESUME_SESSION #") && $0.contains("completed") }
    let stopped = lines.firstIndex { $0.contains("STOP #") }
    #expect(try #require(resumed) < #require(stopped), "\(moved.errors)")
    #expect(json["status"]?["player"] == "idle" && json["device"]?["address"] == .string(source.address))
    let other = try #require(json["other"]?["status"])
    #expect(json["other"]?["device"]?["address"] == .string(target.address))
    #expect(other["player"] == "playing" && other["title"] == "Sintel" && other["rate"] == 1.5)
    #expect(position(other) >= 120 && other["volume"]?["level"] == 35, "\(moved.output)")
    #expect(try await source.run("status").output.contains("nothing loaded"))
    try await source.end()
    try await target.end()
  }

  @Test("A queue goes along, paused as it is; --keep lets both play; aliases name both")
  func queueAndKeep() async throws {
    let (source, target) = (try await OneLineLab(name: "Lobby TV"), try await OneLineLab(name: "Bar TV"))
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("showcaller"), withIntermediateDirectories: true)
    _ = try folder.write(
      "showcaller/config.yaml",
      "device: lobby\naliases: { lobby: { host: \"\(source.address)\" }, bar: { host: \"\(target.address)\" } }\n")
    func run(_ arguments: String...) async throws -> Finished {
      try await Showcaller.start(arguments, environment: ["XDG_CONFIG_HOME": folder.url.path]).finish()
    }
    let urls = ["a", "b", "c"].map { "https://cdn.example.com/\($0).mp4" }
    #expect(try await run("queue", "load", urls[0], urls[1], urls[2], "--start-at", "2").exitCode == 0)
    let kept = try await run("transfer", "--to", "bar", "--keep")
    #expect(kept.exitCode == 0 && kept.output.contains("playing \(urls[1])"), "\(kept.output)\(kept.errors)")
    #expect(try await run("status").output.contains("playing \(urls[1])"))
    #expect(try await run("pause", "-d", "bar").exitCode == 0)
    #expect(try await run("stop-app").exitCode == 0)
    let back = try await run("transfer", "-d", "bar", "--to", "lobby")
    #expect(back.exitCode == 0 && back.output.contains("paused \(urls[1])"), "\(back.output)\(back.errors)")
    let (json, _) = try await source.json("queue")
    #expect(json["queue"]?.array?.map { $0["content"]?.string ?? "" } == urls)
    for lab in [source, target] { try await lab.end() }
  }

  /// A device that plays and knows nothing of transfers; it notes what it was asked.
  private static func plainDevice(_ asked: Asked, refusesLoad: Bool = false) async throws -> ScriptedDevice {
    try await ScriptedDevice.start(
      ScriptedDevice.wellBehaved { message, peer in
        asked.note(message.type)
        switch (message.namespace, message.type) {
        case (.receiver, "GET_STATUS"):
          peer.send(
            ScriptedDevice.receiverStatus(requestID: message.requestID, running: "CC1AD845"), in: .receiver)
        case (.media, "GET_STATUS") where !refusesLoad:
          peer.send(
            ScriptedDevice.mediaStatus(
              requestID: message.requestID, state: "PLAYING", url: Self.film, more: ["currentTime": 30]), in: .media,
            from: ScriptedDevice.transportID)
        case (.media, "LOAD") where refusesLoad:
          let refusal: JSONValue = [
            "type": "LOAD_FAILED", "requestId": message.requestID, "detailedErrorCode": 104,
          ]
          peer.send(refusal, in: .media, from: ScriptedDevice.transportID)
        default: return false
        }
        return true
      })
  }

  /// What a device was asked, in order.
  private final class Asked: Sendable {
    private let types = Mutex<[String]>([])
    func note(_ type: String) { types.withLock { $0.append(type) } }
    var all: [String] { types.withLock { $0 } }
  }

  @Test("A device that cannot hand over its session is looked at, and the other one loads what it shows")
  func snapshot() async throws {
    let asked = Asked()
    let source = try await Self.plainDevice(asked)
    let target = try await OneLineLab(name: "Bar TV")
    let moved = try await Showcaller.run(
      "transfer", "--host", source.address, "--to-host", target.address, "--json", "--log", "client.request=debug")
    #expect(moved.exitCode == 0, "\(moved.errors)")
    let json = try JSONValue(parsing: Array(moved.output.utf8))
    #expect(json["other"]?["status"]?["content"] == .string(Self.film))
    #expect(position(json["other"]?["status"] ?? .null) >= 30, "\(moved.output)")
    #expect(moved.errors.contains(" LOAD #") && !moved.errors.contains("STORE_SESSION"))
    #expect(asked.all.last { $0 != "CLOSE" } == "STOP" && asked.all.count { $0 == "STOP" } == 1, "\(asked.all)")
    await source.stop()
    try await target.end()
  }

  @Test("Where the other device does not play it, nobody is there, or it is the same one, this one plays on")
  func refused() async throws {
    let (asked, others) = (Asked(), Asked())
    let source = try await Self.plainDevice(asked)
    let target = try await Self.plainDevice(others, refusesLoad: true)
    let refused = try await Showcaller.run(
      "transfer", "--host", source.address, "--to-host", target.address, "--json")
    #expect(refused.exitCode == 5 && refused.errors.contains("LOAD_FAILED 104"), "\(refused.errors)")
    let json = try JSONValue(parsing: Array(refused.output.utf8))
    #expect(json["error"]?["class"] == "load_failed" && json["status"]?["player"] == "playing")
    let cases: [([String], Int32, String)] = [
      (["--to-host", "127.0.0.1:1"], 4, "unreachable"), (["--to-host", source.address], 5, "invalid_request"),
      (["--to", "nobody"], 4, "not_found"),
    ]
    for (arguments, exit, errorClass) in cases {
      let failed = try await Showcaller.start(
        ["transfer", "--host", source.address, "--json"] + arguments,
        environment: [
          "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/proc/nonexistent/bus", "XDG_CACHE_HOME": "/proc/nonexistent",
        ]
      ).finish()
      let json = try JSONValue(parsing: Array(failed.output.utf8))
      #expect(failed.exitCode == exit, "\(arguments) \(failed.errors)")
      #expect(json["error"]?["class"] == .string(errorClass), "\(arguments) \(failed.output)")
    }
    #expect(!asked.all.contains("STOP"), "\(asked.all)")
    await source.stop()
    await target.stop()
  }

  @Test("Nothing plays, or no target is named: told in a sentence")
  func nothing() async throws {
    let lab = try await OneLineLab()
    let idle = try await lab.run("transfer", "--to-host", "127.0.0.1:1")
    #expect(idle.exitCode == 5 && idle.errors.contains("no app is running"), "\(idle.errors)")
    let unnamed = try await lab.run("transfer")
    #expect(unnamed.exitCode == 2 && unnamed.errors.contains("say where to"), "\(unnamed.errors)")
    try await lab.end()
  }
}
