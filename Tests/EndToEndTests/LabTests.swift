#if Fleet
  import CastTransport
  import Foundation
  import TestSupport
  import Testing

  /// Runs that are sent to a lab, over a real broker (docs/fleet.md "Labs").
  @Suite(.enabled(if: MosquittoBroker.isInstalled), .timeLimit(.minutes(3))) struct LabTests {
    private let folder: TemporaryFolder
    private let broker: MosquittoBroker

    init() throws {
      folder = try TemporaryFolder()
      let library = folder.url.appending(path: "docs/lib")
      try FileManager.default.createDirectory(at: library, withIntermediateDirectories: true)
      broker = try MosquittoBroker()
      let key = try #require(SigningKey())
      let publicKey = try #require(key.publicKey)
      _ = try folder.write("key.pem", String(decoding: key.pem, as: UTF8.self))
      _ = try folder.write("key.pub", String(decoding: publicKey.pem, as: UTF8.self))
    }

    private var broking: [String] {
      ["--broker", "mqtts://localhost:\(broker.port)", "--broker-ca", broker.authority.certificate]
    }

    private func agent(_ name: String, devices: Int = 1, _ more: String...) throws -> Running {
      let words = ["fleet", "work", "--queue", "lab", "--name", name, "--virtual", "\(devices)"]
      let own = ["--operator-key", folder.path("key.pub"), "--runs", folder.path("runs-\(name)")]
      return try Showcaller.start(words + own + broking + more, limit: 150)
    }

    private func send(_ document: String, _ more: String...) throws -> Running {
      let path = try folder.write("docs/show.yaml", document)
      let words = ["run", path, "--queue", "lab", "--virtual", "--sign-key", folder.path("key.pem")]
      return try Showcaller.start(words + ["--runs", folder.path("runs")] + broking + more, limit: 150)
    }

    private static let rows = """
      scenario: Rows
      device: Lobby
      include: [lib/words.yaml]
      matrix: { number: [1, 2, 3, 4, 5, 6] }
      steps:
        - use: greet
        - wait: 1s
        - expect: { volume: { muted: false } }
      """
    private static let words = """
      library: Words
      blocks:
        greet:
          steps: [{ log: hello }]
      """

    private func takers(_ finished: Finished) -> Set<String> {
      Set(["one", "two"].filter { finished.errors.contains("\($0) runs it on virtual-1") })
    }

    @Test("Six rows are spread over two agents, and their runs are kept and reported as one")
    func spread() async throws {
      _ = try folder.write("docs/lib/words.yaml", Self.words)
      let agents = [try agent("one"), try agent("two")]
      for agent in agents { try await agent.waitFor("waits for jobs") }
      let junit = folder.path("out.xml")
      let finished = try await send(Self.rows, "--speed", "5x", "--report", "junit=\(junit)").finish()
      #expect(finished.exitCode == 0, "\(finished.errors)")
      #expect(takers(finished) == ["one", "two"], "\(finished.errors)")
      #expect(finished.errors.contains("6 of 6 jobs passed"), "\(finished.errors)")
      let report = try String(contentsOfFile: junit, encoding: .utf8)
      #expect(report.components(separatedBy: "<testsuite ").count == 7, "\(report)")
      let kept = try FileManager.default.contentsOfDirectory(atPath: folder.path("runs")).filter { $0.count == 26 }
      #expect(kept.count == 6)
      let again = try await Showcaller.run("report", kept[0], "--runs", folder.path("runs"), "--console")
      #expect(again.exitCode == 0 && again.output.contains("passed"), "\(again.output)\(again.errors)")
      for agent in agents {
        agent.signal(SIGTERM)
        let ended = try await agent.finish()
        #expect(ended.exitCode == 0, "\(ended.errors)")
      }
    }

    @Test("An agent that is killed in the middle of a job loses it to the other, and the sender tells the truth")
    func killed() async throws {
      let first = try agent("one")
      try await first.waitFor("waits for jobs")
      let sender = try send(
        "scenario: Long\ndevice: Lobby\nsteps:\n  - wait: 8s\n  - expect: { volume: { muted: true } }\n    within: 1s\n"
      )
      try await sender.waitFor("one runs it on virtual-1")
      let second = try agent("two")
      try await second.waitFor("waits for jobs")
      first.signal(SIGKILL)
      let finished = try await sender.finish()
      #expect(finished.exitCode == 1, "\(finished.errors)")
      #expect(finished.errors.contains("one is not heard of any more"), "\(finished.errors)")
      #expect(finished.errors.contains("exit 1, by two on virtual-1, the 2nd agent that had it"), "\(finished.errors)")
      second.signal(SIGTERM)
      _ = try await second.finish()
    }

    @Test("Without an agent the sender gives up in time, says who is there, and its reports say why there is no run")
    func noAgent() async throws {
      let junit = folder.path("out.xml")
      let finished = try await send(
        "scenario: S\ndevice: Lobby\nsteps: [{ log: hi }]\n", "--wait-agent", "1s", "--report", "junit=\(junit)"
      ).finish()
      #expect(finished.exitCode == 4, "\(finished.errors)")
      #expect(finished.errors.contains("the queue `lab` has no agent"), "\(finished.errors)")
      #expect(try String(contentsOfFile: junit, encoding: .utf8).contains("no agent has a device for it"))
      #expect(finished.duration < .seconds(20))
    }

    @Test("An agent that is told to end gives its job back, and the next one takes it")
    func givenBack() async throws {
      let first = try agent("one")
      try await first.waitFor("waits for jobs")
      let sender = try send("scenario: Long\ndevice: Lobby\nsteps:\n  - wait: 5s\n")
      try await sender.waitFor("one runs it on virtual-1")
      first.signal(SIGTERM)
      #expect(try await first.finish().exitCode == 0)
      let second = try agent("two")
      let finished = try await sender.finish()
      #expect(finished.exitCode == 0, "\(finished.errors)")
      #expect(finished.errors.contains("one gave it back: the agent ends"), "\(finished.errors)")
      second.signal(SIGTERM)
      _ = try await second.finish()
    }

    @Test("A broker that starts again in the middle of a job, and has forgotten all, loses nothing")
    func brokerRestart() async throws {
      let one = try agent("one")
      try await one.waitFor("waits for jobs")
      let sender = try send("scenario: Long\ndevice: Lobby\nsteps:\n  - wait: 6s\n")
      try await sender.waitFor("one runs it on virtual-1")
      try broker.restart()
      let finished = try await sender.finish()
      #expect(finished.exitCode == 0, "\(finished.errors)")
      #expect(!finished.errors.contains("offered again"), "\(finished.errors)")
      one.signal(SIGTERM)
      _ = try await one.finish()
    }

    @Test("Ctrl-C at the sender stops the run at the agent")
    func cancelled() async throws {
      let one = try agent("one")
      try await one.waitFor("waits for jobs")
      let sender = try send("scenario: Long\ndevice: Lobby\nsteps:\n  - wait: 60s\n")
      try await sender.waitFor("one runs it on virtual-1")
      sender.signal(SIGINT)
      #expect(try await sender.finish().exitCode == 130)
      try await one.waitFor("nobody waits for it any more")
      one.signal(SIGTERM)
      #expect(try await one.finish().exitCode == 0)
    }

    @Test("A job that another key signed is not run")
    func stranger() async throws {
      let one = try agent("one")
      try await one.waitFor("waits for jobs")
      let other = try #require(SigningKey())
      _ = try folder.write("key.pem", String(decoding: other.pem, as: UTF8.self))
      let finished = try await send("scenario: S\ndevice: Lobby\nsteps: [{ log: hi }]\n", "--timeout", "3s").finish()
      #expect(finished.exitCode == 6, "\(finished.errors)")
      #expect(one.errors.contains("another key signed it"), "\(one.errors)")
      one.signal(SIGTERM)
      _ = try await one.finish()
    }
  }
#endif
