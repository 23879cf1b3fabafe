import Foundation
import Testing

/// Our receiver judged by an implementation that is not ours.
@Suite struct PeerTests {
  /// The Python of the environment that `make test` makes, with pychromecast in it.
  static let python: URL? = {
    let folder =
      ProcessInfo.processInfo.environment["SHOWCALLER_PEERS"] ?? Showcaller.root.appending(path: ".build/peers").path
    let python = URL(filePath: folder).appending(path: "bin/python")
    if FileManager.default.isExecutableFile(atPath: python.path) { return python }
    print("SKIPPED: no pychromecast; `make test` installs it into .build/peers")
    return nil
  }()

  static let sessionSteps = [
    "connected", "launched", "playing", "paused", "sought", "resumed", "volume set", "stopped", "left",
  ]
  static let queueSteps = [
    "launched", "playing", "inserted", "next", "previous", "jumped", "removed", "queue loaded", "went on by itself",
    "began again", "stopped",
  ]

  @Test("pychromecast connects, launches, loads, sees it play, pauses, seeks and stops", .enabled(if: python != nil))
  func session() async throws {
    let python = try #require(Self.python)
    let receiver = try Showcaller.start(["receive", "--port", "0", "--name", "Peer Test", "--latency", "device"])
    let line = try await receiver.firstLine()
    let port = try #require(line.split(separator: ":").last.map(String.init))
    let script = Showcaller.root.appending(path: "Tests/EndToEndTests/Peers/session.py").path
    let peer = try Running(python, [script, port, "Peer Test"], in: Showcaller.root)
    let finished = try await peer.finish()
    #expect(finished.exitCode == 0, "\(finished.output)\(finished.errors)")
    let steps = finished.output.split(separator: "\n").map(String.init)
    #expect(steps == Self.sessionSteps)
    receiver.signal(SIGINT)
    #expect(try await receiver.finish().exitCode == 0)
  }

  @Test(
    "pychromecast drives a queue: it enqueues, steps, jumps, removes, and sees it go on and begin again",
    .enabled(if: python != nil))
  func queue() async throws {
    let python = try #require(Self.python)
    let receiver = try Showcaller.start(["receive", "--port", "0", "--name", "Queue Test", "--latency", "device"])
    let line = try await receiver.firstLine()
    let port = try #require(line.split(separator: ":").last.map(String.init))
    let script = Showcaller.root.appending(path: "Tests/EndToEndTests/Peers/queue_session.py").path
    let peer = try Running(python, [script, port, "Queue Test"], in: Showcaller.root)
    let finished = try await peer.finish()
    #expect(finished.exitCode == 0, "\(finished.output)\(finished.errors)")
    #expect(finished.output.split(separator: "\n").map(String.init) == Self.queueSteps)
    receiver.signal(SIGINT)
    #expect(try await receiver.finish().exitCode == 0)
  }

  @Test(
    "pychromecast sees the members of a group, and hears of their volumes whoever sets them",
    .enabled(if: python != nil))
  func group() async throws {
    let python = try #require(Self.python)
    let lab = try await GroupLab("--latency", "device")
    let script = Showcaller.root.appending(path: "Tests/EndToEndTests/Peers/group_session.py").path
    let ports = [lab.group, lab.kitchen].compactMap { $0.split(separator: ":").last.map(String.init) }
    let peer = try Running(python, [script] + ports, in: Showcaller.root)
    let finished = try await peer.finish()
    #expect(finished.exitCode == 0, "\(finished.output)\(finished.errors)")
    #expect(
      finished.output.split(separator: "\n").map(String.init) == ["members", "member set", "group set", "left"])
    try await lab.end()
  }

  @Test(
    "pychromecast learns name, model and id over HTTP and HTTPS; a port that is in use is said, and nothing else ends",
    .enabled(if: python != nil && DiscoveryTests.canMakeNetworks))
  func setup() async throws {
    let python = try #require(Self.python)
    let script = Showcaller.root.appending(path: "Tests/EndToEndTests/Peers/setup.sh").path
    let peer = try Running(
      URL(filePath: "/usr/bin/unshare"), ["--net", script, Showcaller.binary.path, python.path], in: Showcaller.root)
    let finished = try await peer.finish()
    #expect(finished.exitCode == 0, "\(finished.output)\(finished.errors)")
    let parts = finished.output.components(separatedBy: "== ").map { $0.split(separator: "\n").map(String.init) }
    #expect(parts.count == 3)
    let id = "0b4ea0b4-4dc9-5d6b-8d6b-000000000000".count
    #expect(parts.first?.first == #"{"name": "Lobby TV", "version": 12}"#)
    let device = parts.first?.dropFirst().first ?? ""
    #expect(device.hasPrefix("Lobby TV Showcaller Virtual Receiver Showcaller cast "), "\(device)")
    #expect(device.split(separator: " ").last?.count == id)
    #expect(parts.first?.last == "MultizoneStatus(dynamic_groups=[], groups=[])")
    let busy = parts.count > 1 ? parts[1] : []
    #expect(busy.last == "note: no answer to /setup/eureka_info at port 8008, which is in use", "\(busy)")
    #expect(busy.contains { $0.hasSuffix(" 127.0.0.1:8009") })
    // Senders ask at one place only: who is elsewhere answers nobody, and takes nobody's ports.
    let elsewhere = parts.last ?? []
    #expect(elsewhere.count == 2 && elsewhere.last?.hasSuffix(" 127.0.0.1:8011") == true, "\(elsewhere)")
  }
}
