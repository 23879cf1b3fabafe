import CastProtocol
import ScenarioLanguage
import Simulation
import Synchronization
import Testing

@testable import DeviceControl
@testable import RunReporting
@testable import ScenarioRunner

/// What a run does about the locks of its devices, which somebody else keeps.
@Suite struct DeviceLockTests {
  /// Locks that others have for some of the times that they are asked for, and all that was asked of them.
  private final class Locks: Sendable {
    private struct State {
      var refusals: Int
      var asked: [Set<String>] = []
      var uses: [String: Int] = [:]
    }

    private let state: Mutex<State>
    private let busy: String

    /// - Parameters:
    ///   - busy: A part of the keys that others have.
    ///   - refusals: How often they are asked for in vain.
    init(busy: String = "", refusals: Int = 0) {
      self.busy = busy
      state = Mutex(State(refusals: refusals))
    }

    func locking(patience: Duration = .zero) -> DeviceLocking {
      DeviceLocking(
        take: { keys in
          self.state.withLock { state in
            state.asked.append(keys)
            if state.refusals > 0, let key = keys.sorted().first(where: { $0.contains(self.busy) }) {
              state.refusals -= 1
              return .held(key: key, by: "showcaller run night.yaml", isBrief: false)
            }
            for key in keys { state.uses[key, default: 0] += 1 }
            return .taken
          }
        },
        giveBack: { keys in self.state.withLock { state in for key in keys { state.uses[key, default: 0] -= 1 } } },
        releaseUnused: {}, patience: patience)
    }

    var asked: [Set<String>] { state.withLock { $0.asked } }
    var areGivenBack: Bool { state.withLock { $0.uses.values.allSatisfy { $0 == 0 } } }
  }

  private static let text = "scenario: A\ndevice: TV\nsteps:\n  - load: https://cdn.example.com/a.mp4\n"

  @Test("A device of another run is busy: exit code 75, told at the device's line, and nobody connects")
  func busy() throws {
    let locks = Locks(refusals: .max)
    let play = try Play(Self.text, configure: { $0.locking = locks.locking() })
    #expect(play.outcome == Runner.Outcome(result: .error, exitCode: 75))
    #expect(play.events(.deviceConnected).isEmpty && locks.asked.count == 1)
    let problem = try #require(play.events(.diagnostic).first { $0.fields["code"] == "R703" })
    #expect(problem.fields["line"] == 2 && problem.fields["severity"] == "error", "\(problem)")
    #expect(problem.fields["message"] == "TV is in use by showcaller run night.yaml")
    let finished = try #require(play.events(.scenarioFinished).first)
    #expect(finished.fields["error"]?["class"] == "busy" && finished.fields["result"] == "error")
  }

  @Test("It is waited for as long as somebody said; who has it is told once, before anything is sent")
  func waits() throws {
    let locks = Locks(refusals: 30)
    let play = try Play(Self.text, configure: { $0.locking = locks.locking(patience: .seconds(10)) })
    #expect(play.outcome == Runner.Outcome(result: .passed, exitCode: 0))
    let logs = play.events(.log)
    #expect(logs.count == 1 && logs.first?.device == "tv")
    #expect(logs.first?.fields["text"] == "waiting for TV, which is in use by showcaller run night.yaml")
    #expect(try #require(play.events(.deviceConnected).first).elapsed >= 3)
    #expect(locks.areGivenBack)
    let late = try Play(Self.text, configure: { $0.locking = Locks(refusals: .max).locking(patience: .seconds(10)) })
    #expect(late.outcome.exitCode == 75 && late.events(.deviceConnected).isEmpty)
    #expect(late.events.last.map { (10..<11).contains($0.elapsed) } == true)
  }

  @Test("Ctrl-C ends the wait at once")
  func interrupted() throws {
    let (stream, continuation) = AsyncStream<Runner.Interruption>.makeStream()
    let play = try Play(
      Self.text, interruptions: stream,
      configure: { $0.locking = Locks(refusals: .max).locking(patience: .seconds(3600)) },
      onEvent: { if $0.type == .log { continuation.yield(.interrupt) } })
    #expect(play.outcome.exitCode == 130 && play.events(.diagnostic).isEmpty, "\(play.lines)")
    #expect((play.events.last?.elapsed ?? 9999) < 1)
  }

  @Test("A scenario is tried again where its `retry` asks for it, and keeps its device between two tries")
  func retried() throws {
    let text =
      Self.text + "  - expect: { player: paused }\nretry: { attempts: 3, wait: 1s, errors: [busy, expectation] }\n"
    let locks = Locks(refusals: 1)
    let play = try Play(text, configure: { $0.locking = locks.locking() })
    #expect(play.events(.scenarioStarted).count == 3 && locks.asked.count == 2)
    #expect(locks.areGivenBack)
    let once = try Play(
      text.replacing("busy, ", with: ""), configure: { $0.locking = Locks(refusals: 1).locking() })
    #expect(once.events(.scenarioStarted).count == 1 && once.outcome.exitCode == 75)
  }

  @Test("A device stays locked over a `disconnect` and a reconnect")
  func reconnects() throws {
    let locks = Locks()
    let text = Self.text + "  - disconnect\n  - connect\n  - disconnect: { abrupt: true }\n  - connect\n"
    let play = try Play(text, configure: { $0.locking = locks.locking() })
    #expect(play.outcome.exitCode == 0 && play.events(.deviceConnected).count == 3, "\(play.results)")
    #expect(locks.asked.count == 1 && locks.areGivenBack)
  }

  @Test("All devices of a story are asked for at once; the one that is busy is told at its own line")
  func roles() throws {
    let text = """
      scenario: A
      roles:
        left: Bar left
        right: Bar right
      steps:
        - { load: https://cdn.example.com/a.mp4, role: all }
      """
    let free = Locks()
    #expect(try Play(text, configure: { $0.locking = free.locking() }).outcome.exitCode == 0)
    #expect(free.asked.count == 1 && (free.asked.first?.count ?? 0) >= 2 && free.areGivenBack)
    let device = try #require(
      Play(text).events(.deviceFound).first { $0.fields["name"] == "Bar right" }?.fields["id"]?.string)
    let id = device.filter { $0 != "-" }.lowercased()
    let play = try Play(text, configure: { $0.locking = Locks(busy: id, refusals: .max).locking() })
    let problem = try #require(play.events(.diagnostic).first { $0.fields["code"] == "R703" })
    #expect(problem.fields["line"] == 4 && problem.fields["message"]?.string?.hasPrefix("Bar right is") == true)
    #expect(play.outcome.exitCode == 75 && play.events(.deviceConnected).isEmpty)
  }

  @Test("A device that joins by `transfer` is not waited for; a later try of the step may have it")
  func transfer() throws {
    let text = """
      scenario: Move
      device: Living Room TV
      media: { film: { url: https://cdn.example.com/film.mp4, duration: 10m } }
      steps:
        - load: film
        - transfer: Kitchen
          retry: { attempts: 3, wait: 5s, errors: [busy] }
      """
    let device = try #require(
      Play(text).events(.deviceFound).first { $0.fields["name"] == "Kitchen" }?.fields["id"]?.string)
    let id = device.filter { $0 != "-" }.lowercased()
    let locks = Locks(busy: id, refusals: 2)
    let play = try Play(text, configure: { $0.locking = locks.locking(patience: .seconds(3600)) })
    #expect(play.outcome == Runner.Outcome(result: .flaky, exitCode: 0), "\(play.lines.suffix(5))")
    #expect(play.events(.attemptFailed, step: "s2").map { $0.fields["error"]?["class"] } == ["busy", "busy"])
    #expect(locks.areGivenBack)
    let never = try Play(
      text, configure: { $0.locking = Locks(busy: id, refusals: .max).locking(patience: .seconds(3600)) })
    #expect(never.outcome.exitCode == 75 && never.errorClass(of: "s2") == "busy")
  }
}
