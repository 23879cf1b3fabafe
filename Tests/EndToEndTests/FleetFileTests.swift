import CastProtocol
import Foundation
import Testing

/// `receive FLEET.yaml`: several receivers of one file.
@Suite struct FleetFileTests {
  static let library = """
    library: Lab
    receiver: { model: Chromecast, apps: [player] }
    apps:
      player: { id: A1B2C3D4, title: Acme Player, namespaces: [urn:x-cast:com.example.acme], types: [video] }
    receivers:
      lobby: { name: Lobby TV, seed: 7 }
      bar: { name: Bar TV, id: 8e2d1c0a-7b1f-4c39-9a55-0c1d2e3f4a5b, apps: [] }
      all: { name: Everywhere, members: [lobby, bar] }

    """

  @Test("Each has its name, id, model, port and apps; the apps play what they say; the group moves its members")
  func fleet() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("fleet.yaml", Self.library)
    let receiver = try Showcaller.start(["receive", file, "--port", "0"])
    let lines = try await receiver.lines(3).map { $0.split(separator: " ").map(String.init) }
    #expect(lines.map { $0[0] } == ["Lobby", "Bar", "Everywhere"])
    #expect(lines[1][2] == "8e2d1c0a-7b1f-4c39-9a55-0c1d2e3f4a5b")
    let addresses = try lines.map { try #require($0.last) }
    #expect(Set(addresses).count == 3)
    func run(_ words: String..., on index: Int) async throws -> Finished {
      try await Showcaller.start(words + ["--host", addresses[index], "--auth", "none"]).finish()
    }
    let found = try await Showcaller.run("discover", "--json", "--host", addresses[0])
    #expect(found.output.contains("\"model\":\"Chromecast\""))
    #expect(try await run("launch", "A1B2C3D4", on: 0).exitCode == 0)
    #expect(try await run("status", on: 0).output.contains("Acme Player"))
    let audio = try await run("load", "https://cdn.example.com/a.mp3", "--app", "A1B2C3D4", on: 0)
    #expect(audio.exitCode == 5 && audio.errors.contains("104"), "\(audio.errors)")
    #expect(try await run("load", "https://cdn.example.com/a.mp4", "--app", "A1B2C3D4", on: 0).exitCode == 0)
    #expect(try await run("launch", "A1B2C3D4", on: 1).exitCode != 0)
    #expect(try await run("volume", "50%", on: 2).exitCode == 0)
    #expect(try await run("status", "--json", on: 1).output.contains("\"level\":50"))
    receiver.signal(SIGTERM)
    #expect(try await receiver.finish().exitCode == 0)
  }

  @Test("A receiver with a seed has the same session ids each time; without one it has others")
  func seeds() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("fleet.yaml", Self.library)
    var sessions: [[String]] = []
    for _ in 0..<2 {
      let receiver = try Showcaller.start(["receive", file, "--port", "0", "--wire"])
      let lines = try await receiver.lines(3).map { $0.split(separator: " ").map(String.init) }
      for index in 0..<2 {
        let launched = try await Showcaller.run(
          "launch", "CC1AD845", "--host", try #require(lines[index].last), "--auth", "none")
        #expect(launched.exitCode == 0)
      }
      receiver.signal(SIGTERM)
      let output = try await receiver.finish().output
      sessions.append(
        ["Lobby TV", "Bar TV"].map { name in
          let line = output.split(separator: "\n").first { $0.contains(name) && $0.contains("transportId") } ?? ""
          return line.components(separatedBy: "\"sessionId\":\"").last?.prefix(36).description ?? ""
        })
    }
    #expect(sessions[0][0] == sessions[1][0] && sessions[0][0].count == 36)
    #expect(sessions[0][1] != sessions[1][1] && sessions[0][1] != sessions[0][0])
  }

  @Test("Options that say again which receivers there are, and ports in use, are refused with why")
  func refused() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("fleet.yaml", Self.library)
    for (option, value) in [("--name", "TV"), ("--count", "2"), ("--group", "All")] {
      let finished = try await Showcaller.run("receive", file, option, value)
      #expect(finished.exitCode == 2, "\(finished.errors)")
      #expect(finished.errors.contains("\(option) is for one receiver: the library has 3 of its own"))
    }
    let first = try Showcaller.start(["receive", "--port", "0"])
    let port = try #require(try await first.firstLine().split(separator: ":").last.map(String.init))
    let busy = try folder.write("busy.yaml", "library: L\nreceivers:\n  a: { port: \(port) }\n")
    let finished = try await Showcaller.run("receive", busy)
    #expect(finished.exitCode == 75 && finished.errors.contains("127.0.0.1:\(port) is in use"), "\(finished.errors)")
    first.signal(SIGTERM)
    _ = try await first.finish()
    let twins = try folder.write("twins.yaml", "library: L\nreceivers:\n  a: { name: TV }\n  b: { name: TV }\n")
    let wrong = try await Showcaller.run("receive", twins)
    #expect(wrong.exitCode == 3 && wrong.errors.contains("error[K104]: two receivers are called TV"), "\(wrong.errors)")
  }
}
