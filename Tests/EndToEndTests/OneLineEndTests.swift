import CastProtocol
import Foundation
import Synchronization
import TestSupport
import Testing

/// `--until finished` tells the truth about every end; `--auth` and `--log` do what they say.
@Suite(.serialized) struct OneLineEndTests {
  private static let film = OneLineLab.film

  /// A command that waits for the end of a film, once it plays.
  private func watching(_ lab: OneLineLab, _ arguments: String...) async throws -> Running {
    let running = try Showcaller.start(arguments + ["--until", "finished", "--json", "--host", lab.address])
    try await lab.waitUntilPlaying()
    return running
  }

  private func check(_ running: Running, exit: Int32, _ errorClass: String, _ says: String) async throws {
    let finished = try await running.finish()
    let json = try JSONValue(parsing: Array(finished.output.utf8))
    #expect(finished.exitCode == exit && json["exit"] == .int(Int(exit)), "\(finished.errors)")
    #expect(json["error"]?["class"] == .string(errorClass) && json["ok"] == false, "\(finished.output)")
    #expect(finished.errors.contains(says), "\(finished.errors)")
  }

  @Test("It was stopped: 1; another film, another app or no app took its place: 5")
  func ends() async throws {
    let lab = try await OneLineLab(name: "Lobby TV", "--app", "A1B2C3D4")
    let stopped = try await watching(lab, "load", Self.film)
    #expect(try await lab.run("stop").exitCode == 0)
    try await check(stopped, exit: 1, "expectation", "it was stopped (cancelled)")
    let replaced = try await watching(lab, "load", Self.film)
    #expect(try await lab.run("load", "https://cdn.example.com/other.mp4", "--title", "Other").exitCode == 0)
    try await check(replaced, exit: 5, "taken_over", "another sender loaded")
    // What plays now would be taken for the film.
    #expect(try await lab.run("stop").exitCode == 0)
    let other = try await watching(lab, "load", Self.film)
    #expect(try await lab.run("launch", "A1B2C3D4").exitCode == 0)
    try await check(other, exit: 5, "taken_over", "A1B2C3D4")
    let gone = try await watching(lab, "load", Self.film)
    #expect(try await lab.run("stop-app").exitCode == 0)
    try await check(gone, exit: 5, "app_gone", "the app")
    try await lab.end()
  }

  @Test("play --until finished watches what somebody else loaded in the same way")
  func joined() async throws {
    let lab = try await OneLineLab()
    for (meanwhile, exit, errorClass, says) in [
      (["stop"], Int32(1), "expectation", "it was stopped (cancelled)"),
      (["load", "https://cdn.example.com/other.mp4"], 5, "taken_over", "another sender loaded"),
      (["stop-app"], 5, "app_gone", "the app"),
    ] {
      #expect(try await lab.run("load", Self.film, "--paused").exitCode == 0)
      let running = try await watching(lab, "play")
      #expect(try await lab.run(meanwhile).exitCode == 0)
      try await check(running, exit: exit, errorClass, says)
    }
    try await lab.end()
  }

  @Test("A device that drops the connection is reached again, and its film watched to the end")
  func reconnects() async throws {
    let state = Mutex<(loader: ScriptedPeer?, hasBroken: Bool)>((nil, false))
    let device = try await ScriptedDevice.start(
      ScriptedDevice.wellBehaved { message, peer in
        if message.type == "LOAD" { state.withLock { $0.loader = peer } }
        guard message.namespace == .media, message.type == "GET_STATUS", state.withLock({ $0.hasBroken }) else {
          return false
        }
        let playing = ScriptedDevice.mediaStatus(requestID: message.requestID, state: "PLAYING")
        peer.send(playing, in: .media, from: ScriptedDevice.transportID)
        let over = ScriptedDevice.mediaStatus(requestID: 0, state: "IDLE", more: ["idleReason": "FINISHED"])
        peer.send(over, in: .media, from: ScriptedDevice.transportID)
        return true
      })
    let running = try Showcaller.start(
      [
        "load", "https://media.example.com/welcome.mp4", "--until", "finished", "--json", "--log",
        "client.request=debug", "--host", device.address,
      ])
    try await running.waitFor(" LOAD #")
    _ = try await Showcaller.run("status", "--host", device.address)
    let peer = state.withLock { state in
      state.hasBroken = true
      return state.loader
    }
    try #require(peer).cut()
    let finished = try await running.finish()
    #expect(finished.exitCode == 0, "\(finished.output) \(finished.errors)")
    await device.stop()
  }

  @Test("An error of the player is media_error with the device's code; a device that goes away is unreachable")
  func broken() async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("showcaller"), withIntermediateDirectories: true)
    _ = try folder.write("showcaller/config.yaml", "timeout: { step: 2s }\n")
    for (isCut, exit, errorClass, says) in [
      (false, Int32(5), "media_error", "the player stopped with ERROR 311 HLS_NETWORK_MASTER_PLAYLIST"),
      (true, 4, "unreachable", "cannot reach"),
    ] {
      let loader = Mutex<ScriptedPeer?>(nil)
      let device = try await ScriptedDevice.start(
        ScriptedDevice.wellBehaved { message, peer in
          if message.type == "LOAD" { loader.withLock { $0 = peer } }
          return false
        })
      let running = try Showcaller.start(
        [
          "load", "https://media.example.com/welcome.mp4", "--until", "finished", "--json", "--log",
          "client.request=debug", "--host", device.address,
        ], environment: ["XDG_CONFIG_HOME": folder.url.path])
      try await running.waitFor(" LOAD #")
      // By the time another command is through it waits for the end.
      _ = try await Showcaller.run("status", "--host", device.address)
      let peer = try #require(loader.withLock { $0 })
      if isCut {
        await device.stop()
        peer.cut()
      } else {
        let failure: JSONValue = ["type": "ERROR", "detailedErrorCode": 311]
        peer.send(failure, in: .media, from: ScriptedDevice.transportID)
        peer.send(
          ScriptedDevice.mediaStatus(requestID: 0, state: "IDLE", more: ["idleReason": "ERROR"]), in: .media,
          from: ScriptedDevice.transportID)
      }
      try await check(running, exit: exit, errorClass, says)
      if !isCut { await device.stop() }
    }
  }

  @Test(
    "--auth decides, else the settings, else nothing is refused; the root of a receiver is trusted where it is named")
  func authentication() async throws {
    let folder = try TemporaryFolder()
    let root = folder.path("root.pem")
    let lab = try await OneLineLab(name: "Lobby TV", "--write-auth-root", root)
    try FileManager.default.createDirectory(atPath: folder.path("showcaller"), withIntermediateDirectories: true)
    for (setting, arguments, exit) in [
      ("require", [], Int32(4)), ("require", ["--auth-root", root], 0),
      ("require", ["--auth", "none"], 0), ("none", [], 0), ("report", [], 0),
      ("none", ["--auth", "require"], 4), ("none", ["--auth", "report", "--auth-root", root], 0),
    ] {
      _ = try folder.write("showcaller/config.yaml", "auth: \(setting)\n")
      let finished = try await Showcaller.start(
        ["volume", "40%", "--json", "--host", lab.address] + arguments,
        environment: ["XDG_CONFIG_HOME": folder.url.path]
      ).finish()
      #expect(finished.exitCode == exit, "\(setting) \(arguments) \(finished.errors)")
      // A virtual receiver's own root says as little as no proof, which is not warned of.
      #expect(!finished.errors.contains("warning: the device is not authenticated"), "\(finished.errors)")
      let json = try JSONValue(parsing: Array(finished.output.utf8))
      #expect(json["error"]?["class"] == (exit == 4 ? "auth" : nil), "\(finished.output)")
    }
    try await lab.end()
  }

  @Test("--log tells each request of a command and nothing of it on standard output")
  func log() async throws {
    let lab = try await OneLineLab()
    let logged = try await lab.run("volume", "40%", "--log", "client.request=debug")
    #expect(logged.exitCode == 0 && logged.errors.contains("SET_VOLUME #"), "\(logged.errors)")
    #expect(logged.output == "\(lab.address): no app is running, volume 40%\n")
    let wrong = try await lab.run("queue", "repeat", "all", "--log", "clint=debug")
    #expect(wrong.exitCode == 2 && wrong.errors.contains("no component of the log is called `clint`"))
    try await lab.end()
  }
}
