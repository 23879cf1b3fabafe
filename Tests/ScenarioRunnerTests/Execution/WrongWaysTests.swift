import CastProtocol
import CastTransport
import ScenarioLanguage
import Synchronization
import Testing

@testable import DeviceControl
@testable import RunReporting
@testable import ScenarioRunner

@Suite struct WrongWaysTests {
  static func scenario(_ rest: String) -> String { "scenario: Wrong\ndevice: TV\n" + rest }

  @Test("A failed expectation ends the run with 1, tells what was seen, and finally still runs") func expectation()
    throws
  {
    let play = try Play(
      Self.scenario(
        """
        steps:
          - load: https://cdn.example.com/a.mp4
          - expect: { player: paused }
            within: 3s
            because: it was asked to
          - play
        finally:
          - log: done
        """))
    #expect(play.outcome == Runner.Outcome(result: .failed, exitCode: 1))
    #expect(play.results.prefix(3) == ["s1 passed", "s2 failed", "s3 not_run"])
    let failed = try #require(play.events(.expectFailed).first)
    #expect(failed.fields["want"] == ["player": "paused"])
    #expect(failed.fields["got"] == ["player": "playing"])
    #expect(failed.fields["because"] == "it was asked to")
    #expect(failed.elapsed == 3)
    #expect(play.events(.finallyFinished).first?.fields["result"] == "passed")
    #expect(play.events(.scenarioFinished).first?.fields["firstFailure"] == .string(failed.step ?? ""))
  }

  @Test("if_fails: continue goes on and ends failed; ignore goes on and ends passed") func softly() throws {
    func text(_ word: String) -> String {
      Self.scenario("steps:\n  - expect: { connection: closed }\n    within: 0s\n    if_fails: \(word)\n  - log: on\n")
    }
    let soft = try Play(text("continue"))
    #expect(soft.outcome == Runner.Outcome(result: .failed, exitCode: 1))
    #expect(soft.results == ["s1 failed", "s2 passed"])
    let ignored = try Play(text("ignore"))
    #expect(ignored.outcome == Runner.Outcome(result: .passed, exitCode: 0))
    #expect(ignored.results == ["s1 failed", "s2 passed"])
    #expect(ignored.events(.scenarioFinished).first?.fields["ignored"] == 1)
  }

  @Test("An app that does not exist is launch_failed, exit 5, and the steps after are not run") func launchFailed()
    throws
  {
    let play = try Play(
      Self.scenario("steps:\n  - launch: A1B2C3D4\n  - play\n"),
      accept: { FaultyDevice(.launchError("NOT_FOUND", times: .max)).serve($0, $1) })
    #expect(play.outcome == Runner.Outcome(result: .error, exitCode: 5))
    #expect(play.errorClass(of: "s1") == "launch_failed")
    #expect(play.results == ["s1 error", "s2 not_run"])
  }

  @Test("A launch that is cancelled once and then works is flaky") func flaky() throws {
    let peer = FaultyDevice(.launchError("CANCELLED", times: 1))
    let text = Self.scenario("steps:\n  - launch: A1B2C3D4\n    retry: 3\n")
    let play = try Play(text, accept: { peer.serve($0, $1) })
    #expect(play.outcome == Runner.Outcome(result: .flaky, exitCode: 0))
    let failed = try #require(play.events(.attemptFailed).first)
    #expect(failed.fields["error"]?["class"] == "launch_cancelled")
    #expect(failed.fields["nextTryIn"] == 1)
    #expect(play.events(.stepFinished).first?.fields["attempts"] == 2)
    #expect(play.events(.stepFinished).first?.elapsed == 1)
    let strict = try Play(text, accept: { FaultyDevice(.launchError("CANCELLED", times: 1)).serve($0, $1) }) {
      $0.failOnFlaky = true
    }
    #expect(strict.outcome == Runner.Outcome(result: .flaky, exitCode: 7))
  }

  @Test("A launch that is only promised and never happens is a timeout, exit 6") func launchNeverHappens() throws {
    let play = try Play(
      Self.scenario("steps:\n  - launch: A1B2C3D4\n"),
      accept: { FaultyDevice(.launchStatusOnly).serve($0, $1) })
    #expect(play.outcome.exitCode == 6)
    #expect(play.errorClass(of: "s1") == "timeout")
    #expect(play.events.last.map { $0.elapsed <= 16 } == true)
  }

  @Test("A device that closes at once, or says nothing, is exit 4 before its first status") func neverConnects() throws
  {
    for behaviour in [FaultyDevice.Behaviour.closesAtOnce, .silent] {
      let play = try Play(
        Self.scenario("steps:\n  - play\nfinally:\n  - stop_app\n"),
        accept: { FaultyDevice(behaviour).serve($0, $1) })
      #expect(play.outcome == Runner.Outcome(result: .error, exitCode: 4))
      #expect(play.results == ["s1 not_run"])
      #expect(play.events(.diagnostic).first?.fields["severity"] == "error")
      #expect(play.events(.scenarioFinished).first?.fields["error"] != nil)
      #expect(play.events.last?.type == .runFinished)
    }
  }

  @Test("Media the device refuses is load_failed with its code") func loadFailed() throws {
    let play = try Play(
      Self.scenario(
        "media:\n  odd: { url: 'https://cdn.example.com/a.xyz', type: text/plain }\nsteps:\n  - load: odd\n"))
    #expect(play.outcome == Runner.Outcome(result: .error, exitCode: 5))
    #expect(play.errorClass(of: "s1") == "load_failed")
    let message = play.events(.attemptFailed).last?.fields["error"]?["message"]?.string
    #expect(message?.contains("104") == true)
  }

  @Test("A connection that ends in an expectation is connection_lost, exit 5, never a mismatch") func cut() throws {
    let play = try Play(
      Self.scenario(
        "steps:\n  - launch: default\n  - expect: { player: playing }\n    within: 30s\n  - play\n"),
      accept: { FaultyDevice(.closesAfterLaunch(.seconds(4))).serve($0, $1) })
    #expect(play.outcome == Runner.Outcome(result: .error, exitCode: 5))
    #expect(play.errorClass(of: "s2") == "connection_lost")
    #expect(play.events(.expectFailed).isEmpty)
    #expect(play.events(.deviceLost).count == 1)
    #expect(play.events(.attemptFailed).last?.elapsed == 4)
  }

  @Test("A pulled cable is noticed within ten seconds of silence") func severed() throws {
    let play = try Play(
      Self.scenario(
        "steps:\n  - load: https://cdn.example.com/a.mp4\n  - expect: { player: idle }\n    within: 50s\n"),
      accept: { FaultyDevice(.silentAfterLoad).serve($0, $1) })
    #expect(play.outcome.exitCode == 5)
    #expect(play.events(.attemptFailed).last.map { $0.elapsed <= 11 } == true)
  }

  @Test("Another sender's app ends the run at once with its name, and finally leaves it alone") func takenOver() throws
  {
    let peer = FaultyDevice(.takenOver(after: .seconds(5)))
    let play = try Play(
      Self.scenario(
        "steps:\n  - launch: default\n  - wait: 30s\n  - log: on\nfinally:\n  - stop_app\n"),
      accept: { peer.serve($0, $1) })
    #expect(play.outcome == Runner.Outcome(result: .error, exitCode: 5))
    #expect(play.errorClass(of: "s2") == "taken_over")
    let message = play.events(.attemptFailed).last?.fields["error"]?["message"]?.string
    #expect(message == "taken over by YouTube (233637DE)")
    #expect(play.events(.attemptFailed).last?.elapsed == 5)
    #expect(play.events(.finallyFinished).first?.fields["result"] == "passed")
    #expect(peer.received("STOP") == 0)
  }

  @Test("Another sender's media in our app ends the run at once, too") func mediaTakenOver() throws {
    let play = try Play(
      Self.scenario("steps:\n  - load: https://cdn.example.com/a.mp4\n  - wait: 30s\n"),
      accept: { FaultyDevice(.mediaTakenOver(after: .seconds(5))).serve($0, $1) })
    #expect(play.outcome == Runner.Outcome(result: .error, exitCode: 5))
    #expect(play.errorClass(of: "s2") == "taken_over")
    let message = play.events(.attemptFailed).last?.fields["error"]?["message"]?.string
    #expect(message == "another sender loaded `Theirs` in App CC1AD845")
  }

  @Test("A retried action connects again; finally does once") func reconnects() throws {
    func play(_ rest: String) throws -> Play {
      let connections = Mutex(0)
      return try Play(
        Self.scenario("steps:\n  - launch: default\n  - wait: 5s\n" + rest),
        accept: { channel, times in
          let number = connections.withLock {
            $0 += 1; return $0
          }
          let behaviour: FaultyDevice.Behaviour =
            number == 1 ? .closesAfterLaunch(.seconds(4)) : .launchError("", times: 0)
          FaultyDevice(behaviour).serve(channel, times)
        })
    }
    let retried = try play("  - refresh: { what: receiver }\n    retry: 2\n")
    #expect(retried.outcome == Runner.Outcome(result: .flaky, exitCode: 0), "\(retried.lines.suffix(14))")
    #expect(retried.errorClass(of: "s3") == "connection_lost")
    #expect(retried.events(.deviceBack).first?.fields["after"] == 2)
    let cleaned = try play("  - refresh: { what: receiver }\nfinally:\n  - refresh: { what: receiver }\n")
    #expect(cleaned.outcome == Runner.Outcome(result: .error, exitCode: 5))
    #expect(cleaned.events(.finallyFinished).first?.fields["result"] == "passed")
  }

  @Test("An interruption ends the running step at once; finally runs, exit 130; a second one skips finally")
  func interrupted() throws {
    let text = Self.scenario("steps:\n  - wait: 60s\n  - log: on\nfinally:\n  - wait: 5s\n  - log: tidy\n")
    let play = try Self.interrupted(text, [(.seconds(3), .interrupt)])
    #expect(play.outcome == Runner.Outcome(result: .error, exitCode: 130))
    #expect(play.results.prefix(2) == ["s1 error", "s2 not_run"])
    #expect(play.events(.stepFinished).first?.elapsed == 3)
    #expect(play.events(.finallyFinished).first?.fields["result"] == "passed")
    #expect(play.events(.log).count == 1)
    #expect(play.events.last?.elapsed == 8)
    let skipped = try Self.interrupted(text, [(.seconds(3), .terminate), (.seconds(4), .interrupt)])
    #expect(skipped.outcome.exitCode == 143)
    #expect(skipped.events(.log).isEmpty)
    #expect(skipped.events.last?.elapsed == 4)
    let late = try Self.interrupted(
      "scenario: Late\ndevice: TV\nsteps:\n  - log: on\nfinally:\n  - wait: 5s\n", [(.seconds(2), .interrupt)])
    #expect(late.outcome.exitCode == 130)
    #expect(late.events(.finallyFinished).first?.fields["result"] == "passed")
  }

  @Test("An interruption before the device is found ends the run with 130 at once") func interruptedEarly() throws {
    let play = try Play(Self.scenario("steps:\n  - play\n"), interruptions: AsyncStream { $0.yield(.interrupt) })
    #expect(play.outcome.exitCode == 130)
    #expect(play.results == ["s1 not_run"])
  }

  private static func interrupted(_ text: String, _ times: [(Duration, Runner.Interruption)]) throws -> Play {
    let (stream, continuation) = AsyncStream<Runner.Interruption>.makeStream()
    let peer = FaultyDevice(.launchError("", times: 0))
    return try Play(
      text, interruptions: stream,
      accept: { channel, clocks in
        peer.serve(channel, clocks)
        for (at, interruption) in times {
          clocks.show.spawn {
            try? await clocks.show.sleep(until: at)
            continuation.yield(interruption)
          }
        }
      })
  }

  @Test("The scenario's deadline ends the running step with 6; finally has its own") func deadline() throws {
    let play = try Play(
      Self.scenario(
        "timeout: 20s\nsteps:\n  - wait_until: { player: playing }\n    timeout: 15s\n    if_fails: continue\n"
          + "  - wait_until: { player: paused }\n    timeout: 10s\nfinally:\n  - log: tidy\n"))
    #expect(play.outcome.exitCode == 6)
    #expect(play.events(.attemptFailed).map(\.elapsed) == [15, 20])
    #expect(play.events(.finallyFinished).first?.fields["result"] == "passed")
  }

  @Test("finally runs every step even when one fails; that is a failed cleanup, exit 5, and the steps stay green")
  func cleanup() throws {
    let text = Self.scenario("steps:\n  - log: on\nfinally:\n  - fail: broken\n  - log: tidy\n")
    let play = try Play(text)
    #expect(play.outcome == Runner.Outcome(result: .error, exitCode: 5))
    #expect(play.events(.scenarioFinished).first?.fields["passed"] == 1)
    #expect(play.events(.scenarioFinished).first?.fields["cleanup"] == "failed")
    #expect(play.events(.log).count == 2)
    let lenient = try Play(text, configure: { $0.cleanupWarns = true })
    #expect(lenient.outcome == Runner.Outcome(result: .passed, exitCode: 0))
  }

  @Test("A failure in setup is an error: the steps do not run, on_failure and finally do") func setup() throws {
    let play = try Play(
      Self.scenario(
        "setup:\n  - expect: { connection: closed }\n    within: 0s\nsteps:\n  - log: a\non_failure:\n  - log: b\n"
          + "finally:\n  - log: c\n"))
    #expect(play.outcome == Runner.Outcome(result: .error, exitCode: 5))
    #expect(play.events(.log).compactMap { $0.fields["text"]?.string } == ["b", "c"])
  }

  @Test("A broken monitor ends the running step at once") func monitor() throws {
    let play = try Play(
      Self.scenario(
        """
        watch:
          - name: Never idle
            never: { idle_reason: finished }
        media:
          short: { url: 'https://cdn.example.com/a.mp4', duration: 5s }
        steps:
          - load: short
          - wait: 60s
          - log: on
        """))
    #expect(play.outcome == Runner.Outcome(result: .failed, exitCode: 1))
    let broken = try #require(play.events(.monitorFailed).first)
    #expect(broken.step == "s2")
    #expect(broken.elapsed == 5)
    #expect(play.results == ["s1 passed", "s2 failed", "s3 not_run"])
  }

  @Test("Monitors rest while finally runs, even one whose streak had begun") func monitorsRest() throws {
    let play = try Play(
      Self.scenario(
        "watch:\n  - { name: Short, never: { player: playing }, for: 10s }\nsteps:\n"
          + "  - load: https://cdn.example.com/a.mp4\nfinally:\n  - wait: 25s\n"))
    #expect(play.outcome == Runner.Outcome(result: .passed, exitCode: 0))
    #expect(play.events(.monitorFailed).isEmpty)
  }

  @Test("Verbs without what they need fail with invalid_state") func invalidState() throws {
    let play = try Play(
      Self.scenario(
        "steps:\n  - play: {}\n    if_fails: continue\n  - disconnect\n  - refresh\n"))
    #expect(play.results == ["s1 error", "s2 passed", "s3 error"])
    #expect(["s1", "s3"].map(play.errorClass) == ["invalid_state", "invalid_state"])
    #expect(play.outcome.exitCode == 5)
  }
}
