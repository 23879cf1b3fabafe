import CastProtocol
import CastTransport
import ScenarioLanguage
import Simulation
import Synchronization
import Testing

@testable import DeviceControl
@testable import RunReporting
@testable import ScenarioRunner

@Suite struct ReconnectingTests {
  private static let film = "https://cdn.example.com/a.mp4"
  private static func scenario(_ steps: String) -> String { "scenario: A\ndevice: TV\nsteps:\n" + steps }

  /// Plays against the virtual receiver and cuts the first connection `cut` after it was made; the device then does
  /// not answer for `gone`.
  private static func play(
    _ steps: String, cut: Duration, gone: Duration = .zero, simulate: (inout ScenarioSimulation) -> Void = { _ in }
  ) throws -> Play {
    try Play(
      scenario(steps),
      simulate: { simulation in
        // Behind what is sent at the same moment.
        simulation.link = .cut(at: max(cut, .nanoseconds(1)))
        // Nobody who connects during the outage gets an answer; the cut itself is on the wire.
        if cut + gone > .zero { simulation.presence.absences = [.nanoseconds(1)..<(cut + gone)] }
        simulate(&simulation)
      })
  }

  @Test("A retried step gets the device back with app and media, and goes on where it was")
  func resumes() throws {
    let play = try Self.play(
      """
        - load: \(Self.film)
        - wait: 30s
        - pause: {}
          retry: 3
        - expect: { player: paused }

      """, cut: .seconds(10))
    #expect(play.outcome == Runner.Outcome(result: .flaky, exitCode: 0))
    #expect(play.errorClass(of: "s3") == "connection_lost")
    #expect(play.events(.deviceLost).first?.elapsed == 15)
    #expect(play.events(.deviceBack).count == 1)
    #expect(play.results.last == "s4 passed")
  }

  @Test("Within one try the device is asked for at 0, 1, 2, 4 ... s, whatever the retry policy")
  func schedule() throws {
    let asked = Mutex<[Double]>([])
    let play = try Self.play(
      "  - launch: default\n  - wait: 15s\n  - refresh: { what: receiver }\n    retry: 2\n    timeout: 60s\n",
      cut: .zero, gone: .seconds(45)
    ) { simulation in
      simulation.onAttempt = { _, now in asked.withLock { $0.append(now.seconds) } }
    }
    #expect(play.outcome == Runner.Outcome(result: .flaky, exitCode: 0), "\(play.results)")
    let tries = asked.withLock { $0 }.dropFirst().map { $0 }
    let waits = zip(tries.dropFirst(), tries).map { $0 - $1 }
    for (wait, wanted) in zip(waits, [1.0, 2, 4, 8, 16]) {
      #expect(wait >= wanted * 0.8 && wait <= wanted * 1.2, "\(waits)")
    }
    #expect(waits.count >= 4)
  }

  @Test("Discovery that sees the device again ends the wait")
  func sighted() throws {
    let steps = "  - launch: default\n  - wait: 15s\n  - refresh: { what: receiver }\n    retry: 2\n    timeout: 90s\n"
    func back(_ reappearances: [Duration]) throws -> Double? {
      let play = try Self.play(steps, cut: .zero, gone: .seconds(50)) { $0.presence.reappearances = reappearances }
      return play.events(.deviceBack).first?.elapsed
    }
    let (alone, woken) = (try back([]), try back([.seconds(50)]))
    #expect(woken == 50)
    #expect(alone.map { $0 > 51 } == true)
  }

  @Test("A device that moved is reached at its new address, and events say so")
  func moved() throws {
    let home = HostAndPort(host: "192.0.2.9", port: 32025)
    let play = try Self.play(
      "  - load: \(Self.film)\n  - wait: 15s\n  - pause: {}\n    retry: 2\n", cut: .seconds(1)
    ) { simulation in
      simulation.presence.absences = []
      simulation.presence.moves = [.init(at: .seconds(1), to: home)]
    }
    #expect(play.outcome == Runner.Outcome(result: .flaky, exitCode: 0), "\(play.results)")
    let found = play.events(.deviceFound).last?.fields
    #expect(found?["ip"] == "192.0.2.9" && found?["port"] == 32025)
  }

  @Test("A device that stays away is unreachable when the try's time is up; the run ends")
  func staysAway() throws {
    let play = try Self.play(
      "  - launch: default\n  - wait: 15s\n  - refresh: {}\n    retry: 2\n    timeout: 20s\n", cut: .zero,
      gone: .seconds(9999))
    #expect(play.outcome.result == .error)
    #expect(
      play.events(.attemptFailed, step: "s3").map { $0.fields["error"]?["class"]?.string } == [
        "connection_lost", "unreachable",
      ])
    #expect(play.events.last?.type == .runFinished)
  }

  @Test("A step without retry is not saved by reconnecting: it fails with connection_lost")
  func unretried() throws {
    let play = try Self.play("  - launch: default\n  - wait: 15s\n  - refresh: {}\n", cut: .zero)
    #expect(play.outcome == Runner.Outcome(result: .error, exitCode: 5))
    #expect(play.errorClass(of: "s3") == "connection_lost")
  }

  @Test("An app that is gone after the reconnect is app_gone; another sender's is taken_over and ends the run")
  func changed() throws {
    func play(_ second: FaultyDevice.Behaviour) throws -> Play {
      let connections = Mutex(0)
      let first = FaultyDevice(.closesAfterLaunch(.seconds(2)))
      return try Play(
        Self.scenario(
          "  - launch: default\n  - wait: 5s\n  - play: {}\n    retry: { attempts: 3, wait: 1s }\n  - log: on\n"),
        accept: { channel, times in
          let number = connections.withLock {
            $0 += 1
            return $0
          }
          if number == 1 { return first.serve(channel, times) }
          FaultyDevice(second).serve(channel, times)
        })
    }
    let gone = try play(.launchError("", times: 0))
    #expect(gone.errorClass(of: "s3") == "app_gone" && gone.outcome.exitCode == 5)
    let taken = try play(.runs("233637DE", "YouTube"))
    #expect(taken.errorClass(of: "s3") == "taken_over")
    #expect(taken.events(.attemptFailed).last?.fields["error"]?["message"] == "taken over by YouTube (233637DE)")
    #expect(taken.results.last == "s4 not_run")
  }

  @Test("An expectation that looks back over a lost connection fails with connection_lost")
  func lookingBack() throws {
    let play = try Self.play(
      """
        - load: \(Self.film)
          id: film
        - wait: 15s
        - pause: {}
          retry: 2
        - expect_sequence: [{ player: playing }, { player: paused }]
          since: film

      """, cut: .seconds(1))
    #expect(play.results.contains("s3 flaky"), "\(play.results)")
    #expect(play.errorClass(of: "s4") == "connection_lost")
  }

  @Test("The same seed waits the same times", arguments: [1, 2])
  func seeded(seed: UInt64) throws {
    func lines() throws -> [String] {
      try Play(
        Self.scenario("  - launch: default\n  - wait: 15s\n  - refresh: {}\n    retry: 3\n    timeout: 40s\n"),
        seed: seed,
        simulate: {
          $0.link = .cut(at: .seconds(1))
          $0.presence.absences = [.seconds(1)..<(.seconds(30) + .nanoseconds(1))]
        }
      ).lines
    }
    #expect(try lines() == lines())
  }
}
