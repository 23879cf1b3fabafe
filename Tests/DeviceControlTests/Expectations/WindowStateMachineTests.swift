import CastClient
import CastProtocol
import ScenarioLanguage
import Testing

@testable import DeviceControl
@testable import RunReporting

@Suite struct WindowStateMachineTests {
  static func machine(_ rule: WindowStateMachine.Rule, _ condition: Condition, forAtLeast: Double? = nil)
    -> WindowStateMachine
  {
    var action = Plan.WindowAction(condition: condition, during: .seconds(20))
    action.forAtLeast = forAtLeast.map { .seconds($0) }
    return WindowStateMachine(rule, action, saved: [:], start: .zero, reply: .seconds(5))
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var title: String
    var machine: WindowStateMachine
    var now: DeviceSnapshot = Make.snapshot(.playing)
    var statuses: [ObservedStatus] = []
    var answer: DeviceSnapshot?
    var outcome: Verdict.Outcome
    var at: Double
    var isPolled = false
    var testDescription: String { title }
  }

  static let playing = Make.equal("player", "playing")
  static let buffering = Make.equal("player", "buffering")
  static let cases: [Case] = [
    Case(
      title: "always passes at the window's end", machine: machine(.always, playing),
      statuses: [Make.status(Make.snapshot(.playing), at: 4)], outcome: .passed, at: 20),
    Case(
      title: "always fails at the status that breaks it", machine: machine(.always, playing),
      statuses: [Make.status(Make.snapshot(.paused), at: 4)], outcome: .failed, at: 4),
    Case(
      title: "the state at the opening can violate", machine: machine(.never, playing), outcome: .failed, at: 0),
    Case(
      title: "the state at the opening does not count as seen", machine: machine(.always, playing),
      outcome: .inconclusive, at: 25),
    Case(
      title: "an answer that agrees at the end passes, polled", machine: machine(.always, playing),
      answer: Make.snapshot(.playing), outcome: .passed, at: 20.1, isPolled: true),
    Case(
      title: "an answer that disagrees proves nothing", machine: machine(.always, playing),
      answer: Make.snapshot(.paused), outcome: .inconclusive, at: 20.1, isPolled: true),
    Case(
      title: "a polled status in the window never violates", machine: machine(.always, playing),
      statuses: [
        Make.status(Make.snapshot(.paused), at: 3, .polled), Make.status(Make.snapshot(.playing), at: 9),
      ], outcome: .passed, at: 20),
    Case(
      title: "never: for at most 5 s in a row is allowed", machine: machine(.never, buffering, forAtLeast: 5),
      statuses: [
        Make.status(Make.snapshot(.buffering), at: 2), Make.status(Make.snapshot(.playing), at: 7),
        Make.status(Make.snapshot(.buffering), at: 8), Make.status(Make.snapshot(.playing), at: 12),
      ], outcome: .passed, at: 20),
    Case(
      title: "never: longer in a row fails without another push", machine: machine(.never, buffering, forAtLeast: 5),
      statuses: [Make.status(Make.snapshot(.buffering), at: 2)], outcome: .failed, at: 7),
    Case(
      title: "a push at the very end still counts", machine: machine(.never, buffering),
      statuses: [Make.status(Make.snapshot(.playing), at: 1), Make.status(Make.snapshot(.buffering), at: 20)],
      outcome: .failed, at: 20),
  ]

  @Test("always and never judge pushes in their window", arguments: cases)
  func table(testCase: Case) throws {
    var machine = testCase.machine
    let (verdict, _) = machine.run(from: Make.view(testCase.now, at: 0), testCase.statuses) { now in
      testCase.answer.map { Make.status($0, at: now.seconds + 0.1, .polled) }
    }
    let found = try #require(verdict)
    #expect(found.outcome == testCase.outcome)
    #expect(abs(found.at.seconds - testCase.at) < 0.0005)
    #expect(found.isPolled == testCase.isPolled)
  }

  @Test("A violated never names what was seen") func never() {
    var machine = Self.machine(.never, Self.playing)
    let verdict = machine.run(from: Make.view(Make.snapshot(.playing), at: 0), []).verdict
    #expect(verdict?.mismatches.map(\.path.text) == ["player"])
    #expect(verdict?.got == ["player": "playing"])
  }
}

@Suite struct MonitorStateMachineTests {
  static func monitor(_ rule: Plan.Monitor.Rule, forAtLeast: Double? = nil) -> MonitorStateMachine {
    MonitorStateMachine(
      Plan.Monitor(
        name: "m", rule: rule, forAtLeast: forAtLeast.map { .seconds($0) }, ifFails: .stop, span: Make.span))
  }

  @Test("A monitor is broken by the first push that breaks it, once, and never by a polled answer") func breaks() {
    var monitor = Self.monitor(.never(Make.equal("idle_reason", "error")))
    let broken = Make.snapshot(.idle) { $0.idleReason = .error }
    #expect(monitor.observe(Make.status(broken, at: 1, .polled), saved: [:]) == nil)
    #expect(monitor.observe(Make.status(broken, at: 2), saved: [:])?.at == .seconds(2))
    #expect(monitor.observe(Make.status(broken, at: 3), saved: [:]) == nil)
  }

  @Test("With `for`, only a streak that lasts longer breaks it, by the clock alone") func streak() {
    var monitor = Self.monitor(.never(Make.equal("player", "buffering")), forAtLeast: 5)
    #expect(monitor.observe(Make.status(Make.snapshot(.buffering), at: 1), saved: [:]) == nil)
    #expect(monitor.nextCheck == .milliseconds(6001))
    #expect(monitor.timerFired(at: .seconds(6)) == nil)
    #expect(monitor.observe(Make.status(Make.snapshot(.playing), at: 6), saved: [:]) == nil)
    #expect(monitor.nextCheck == nil)
    #expect(monitor.observe(Make.status(Make.snapshot(.buffering), at: 10), saved: [:]) == nil)
    let violation = monitor.timerFired(at: .milliseconds(15_001))
    #expect(violation?.since == .seconds(10))
    #expect(violation?.at == .seconds(15))
  }
}
