import CastClient
import CastProtocol
import ScenarioLanguage
import Simulation
import TestSupport
import Testing

@testable import DeviceControl
@testable import RunReporting
@testable import ScenarioRunner

/// Another sender has the device, or stopped our app: whatever runs, it ends at once and says so.
@Suite struct TakeoverTests {
  /// What happens three seconds after the launch, and what is told of it.
  struct Loss: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var behaviour: FaultyDevice.Behaviour
    var errorClass: String
    var message: String
    /// When it must be told, in seconds.
    var latest: Double
  }

  static let losses = [
    Loss(
      testDescription: "another app", behaviour: .takenOver(after: .seconds(3)), errorClass: "taken_over",
      message: "taken over by YouTube (233637DE)", latest: 3.1),
    Loss(
      testDescription: "another app, with nothing running in between",
      behaviour: .takenOver(after: .seconds(3), gap: .milliseconds(1200)), errorClass: "taken_over",
      message: "taken over by YouTube (233637DE)", latest: 4.3),
    Loss(
      testDescription: "the app is stopped", behaviour: .appStopped(after: .seconds(3)), errorClass: "app_gone",
      message: "the app App CC1AD845 (CC1AD845) is no longer running: another sender stopped it, or it ended itself",
      latest: 5.1),
  ]

  /// Every kind of step that lasts, as the last but one of a document.
  static let lasting: [(title: String, step: String)] = [
    ("wait", "wait: 30s"),
    ("wait_until", "wait_until: { player: paused }"),
    ("expect", "expect: { player: paused }\n    within: 30s"),
    ("expect that the app's going would meet", "expect: { player: idle }\n    within: 30s"),
    ("always", "always: { player: playing }\n    during: 30s"),
    ("never", "never: { player: paused }\n    during: 30s"),
    ("never that the app's going would break", "never: { player: idle }\n    during: 30s"),
    ("expect_sequence", "expect_sequence: [{ player: playing }, { player: paused }]\n    within: 30s"),
    (
      "expect_message", "expect_message: { namespace: \"urn:x-cast:com.acme\", message: { a: 1 } }\n    within: 30s"
    ),
    ("group", "group: { steps: [{ wait: 30s }] }"),
    ("group of expectations", "group: { steps: [{ expect: { player: paused }, within: 30s }] }"),
    ("choose", "choose: [{ if: { player: playing }, steps: [{ wait: 30s }] }]"),
    ("repeat", "repeat: { times: 30, steps: [{ wait: 1s }] }"),
    (
      "parallel",
      "parallel: [{ name: a, steps: [{ wait: 30s }] }, { name: b, steps: [{ expect: { player: paused }, within: 30s }] }]"
    ),
    ("an action that waits for its reply", "pause: {}\n    timeout: 20s"),
    ("an action that waits for its effect", "volume: { to: 20%, over: 30s }"),
  ]

  private func check(_ play: Play, _ loss: Loss, _ title: String) {
    #expect(play.outcome == Runner.Outcome(result: .error, exitCode: 5), "\(title): \(play.results)")
    let failed = play.events(.attemptFailed).last
    #expect(failed?.fields["error"]?["class"]?.string == loss.errorClass, "\(title): \(play.lines.suffix(8))")
    #expect(failed?.fields["error"]?["message"]?.string == loss.message, "\(title)")
    #expect((failed?.elapsed ?? 99) <= loss.latest, "\(title): \(failed?.elapsed ?? 99)")
    #expect(play.results.last == "s4 not_run", "\(title): \(play.results)")
    #expect(play.events(.expectFailed).isEmpty && play.events(.monitorFailed).isEmpty, "\(title)")
    let suites = ReportText.junit(play.events)
    #expect(suites.contains("type=\"\(loss.errorClass)\""), "\(suites)")
    #expect(ReportText.console(play.events).contains(loss.message), "\(title)")
  }

  @Test("Every kind of step ends with the class and exit code of the loss, by name, in every report", arguments: losses)
  func everyStep(_ loss: Loss) throws {
    for (title, step) in Self.lasting {
      let peer = FaultyDevice(loss.behaviour)
      let play = try Play(
        "scenario: T\ndevice: TV\nsteps:\n  - launch: default\n  - load: https://cdn.example.com/a.mp4\n  - \(step)\n"
          + "  - log: on\n", accept: { peer.serve($0, $1) })
      check(play, loss, title)
    }
  }

  @Test("Rules of watch are not asked about what is not ours any more", arguments: losses)
  func monitors(_ loss: Loss) throws {
    let peer = FaultyDevice(loss.behaviour)
    let play = try Play(
      "scenario: T\ndevice: TV\nwatch: [{ name: Plays, never: { player: idle }, for: 1s }]\nsteps:\n"
        + "  - launch: default\n  - load: https://cdn.example.com/a.mp4\n  - wait: 30s\n  - log: on\n",
      accept: { peer.serve($0, $1) })
    check(play, loss, "watch")
  }

  @Test("Devices that are judged together are left together", arguments: losses)
  func together(_ loss: Loss) throws {
    let play = try Play(
      SeveralDevicesTests.story(
        """
          - { load: film, role: all }
          - expect_together: { roles: [left, right], that: { player: paused } }
            within: 30s
          - wait: 1s
        """), accept: { FaultyDevice(loss.behaviour).serve($0, $1) })
    #expect(play.outcome == Runner.Outcome(result: .error, exitCode: 5), "\(play.results)")
    #expect(play.errorClass(of: "s2") == loss.errorClass && play.events(.expectFailed).isEmpty)
  }

  @Test("While it is not known yet what became of the app, no step begins, and the scenario has the reason")
  func between() throws {
    for loss in Self.losses.dropFirst() {
      let peer = FaultyDevice(loss.behaviour)
      let play = try Play(
        "scenario: T\ndevice: TV\nsteps:\n  - launch: default\n  - wait: 4s\n  - log: on\n",
        accept: { peer.serve($0, $1) })
      #expect(play.outcome == Runner.Outcome(result: .error, exitCode: 5), "\(play.results)")
      #expect(play.results == ["s1 passed", "s2 passed", "s3 not_run"])
      let error = play.events(.scenarioFinished).last?.fields["error"]
      #expect(error?["class"]?.string == loss.errorClass && error?["message"]?.string == loss.message)
      #expect(ReportText.console(play.events).contains(loss.message))
    }
  }

  @Test(
    "An app that goes during the last step fails the scenario, though what became of it is known only after the step")
  func lastStep() throws {
    for loss in Self.losses.dropFirst() {
      let play = try Play(
        "scenario: T\ndevice: TV\nsteps:\n  - launch: default\n  - wait: 4s\n",
        accept: { FaultyDevice(loss.behaviour).serve($0, $1) })
      #expect(play.results == ["s1 passed", "s2 passed"], "\(loss)")
      #expect(play.outcome == Runner.Outcome(result: .error, exitCode: 5), "\(loss): \(play.lines.suffix(4))")
      let error = play.events(.scenarioFinished).last?.fields["error"]
      #expect(error?["class"]?.string == loss.errorClass && error?["message"]?.string == loss.message, "\(loss)")
    }
    let wanted = try Play(
      "scenario: T\ndevice: TV\nsteps:\n  - launch: default\n  - expect: { app: none }\n    within: 30s\n",
      accept: { FaultyDevice(.appStopped(after: .seconds(3))).serve($0, $1) })
    #expect(wanted.outcome.exitCode == 0, "\(wanted.results)")
  }

  @Test("An app that is gone and comes back under its session id counts as gone: its connection and media are not ours")
  func back() throws {
    let play = try Play(
      "scenario: T\ndevice: TV\nsteps:\n  - launch: default\n  - load: https://cdn.example.com/a.mp4\n"
        + "  - wait: 30s\n  - log: on\n",
      accept: { FaultyDevice(.appBack(after: .seconds(3), gap: .milliseconds(500))).serve($0, $1) })
    #expect(play.errorClass(of: "s3") == "app_gone" && play.results.last == "s4 not_run", "\(play.results)")
    #expect(play.outcome == Runner.Outcome(result: .error, exitCode: 5))
    #expect((play.events(.attemptFailed).last?.elapsed ?? 99) <= 5.1)
  }

  @Test("takeover: ignore carries on, and only what needs the app fails", arguments: losses)
  func ignored(_ loss: Loss) throws {
    let peer = FaultyDevice(loss.behaviour)
    let play = try Play(
      "scenario: T\ndevice: TV\ntakeover: ignore\nsteps:\n  - load: https://cdn.example.com/a.mp4\n  - wait: 30s\n"
        + "  - log: on\n  - pause\n", accept: { peer.serve($0, $1) })
    #expect(play.events(.log).count == 1 && play.results.last == "s4 error", "\(play.results)")
    #expect(play.errorClass(of: "s4") == loss.errorClass)
  }

  @Test("A command under way, as one-line commands run it, ends with the class of the loss", arguments: losses)
  func command(_ loss: Loss) throws {
    let peer = FaultyDevice(loss.behaviour)
    var reader = CommandReader(CommandLineText([]))
    let read = reader.load(LoadWords(url: "https://cdn.example.com/a.mp4"))
    let command = DeviceCommand([.action(.load(try #require(read))), .action(.seek(Seek(.to(300))))])
    let executor = SimulationExecutor(seed: 1)
    let network = SimulatedNetwork(executor: executor, seed: 1, latency: .zero ... .zero)
    try executor.run { _ in
      let device = FoundDevice(name: "TV", address: HostAndPort(host: "192.0.2.1", port: 8009), via: .host)
      let access = DeviceAccess(
        find: { _, _ throws(RunError) in [device] },
        connect: { _, _ throws(ClientError) in
          let (sender, receiver, _) = network.connect()
          peer.serve(receiver, network.times)
          let connection = CastConnection(channel: sender, times: network.times, configuration: ClientConfiguration())
          try await connection.open()
          return OpenedDevice(connection: connection, latency: .zero)
        })
      let performer = CommandPerformer(
        on: Plan.DeviceSelector(span: .ofCommandLine),
        policies: SessionPolicies(commands: Plan.Timeouts(), takeover: .ignore), access: access,
        times: network.times,
        emitter: EventEmitter(show: network.times.show, wallClock: { 0 }, sink: RecordingSink(nil)), random: { 0.5 })
      #expect(await performer.connect(device) == nil)
      let failure = await performer.perform(command)
      #expect(failure?.errorClass.rawValue == loss.errorClass, "\(String(describing: failure))")
      #expect(network.times.show.now <= .seconds(5.1))
      await performer.leave()
    }
  }

  @Test("Who waits for the app to be gone gets it, and a step that is tried again for it gets its next try")
  func wanted() throws {
    let gone = try Play(
      "scenario: T\ndevice: TV\nsteps:\n  - launch: default\n  - expect: { app: none }\n    within: 30s\n  - log: on\n",
      accept: { FaultyDevice(.appStopped(after: .seconds(3))).serve($0, $1) })
    #expect(gone.outcome.exitCode == 0 && gone.events(.log).count == 1, "\(gone.results)")
    let retried = try Play(
      "scenario: T\ndevice: TV\nsteps:\n  - launch: { app: default, language: de }\n"
        + "  - load: https://cdn.example.com/a.mp4\n  - wait: 2s\n  - pause: {}\n    timeout: 20s\n"
        + "    retry: { attempts: 2, errors: [app_gone], before: relaunch }\n",
      accept: { FaultyDevice(.appStopped(after: .seconds(3))).serve($0, $1) }, configure: { $0.includesWire = true })
    let first = retried.events(.attemptFailed, step: "s4").first?.fields
    #expect(first?["error"]?["class"] == "app_gone" && first?["nextTryIn"] != nil, "\(retried.lines.suffix(6))")
    let launches = retried.events(.request).map { $0.fields["msg"] }.filter { $0?["type"] == "LAUNCH" }
    #expect(launches.count == 2 && launches.allSatisfy { $0?["language"] == "de" }, "\(launches)")
  }
}
