import CastClient
import CastProtocol
import ScenarioLanguage
import Testing

@testable import DeviceControl
@testable import RunReporting

@Suite struct ExpectStateMachineTests {
  static func machine(_ condition: Condition, within: Double = 10, hold: Double? = nil, start: Double = 0)
    -> ExpectStateMachine
  {
    var action = Plan.ExpectAction(condition: condition, within: .seconds(within))
    action.holdFor = hold.map { .seconds($0) }
    return ExpectStateMachine(action, saved: [:], start: .seconds(start), reply: .seconds(5))
  }

  static let playing = Make.equal("player", "playing")

  struct Case: CustomTestStringConvertible, Sendable {
    var title: String
    var machine: ExpectStateMachine
    var now: DeviceSnapshot
    var statuses: [ObservedStatus] = []
    var outcome: Verdict.Outcome
    var at: Double
    var testDescription: String { title }
  }

  static let cases: [Case] = [
    Case(
      title: "true now passes now", machine: machine(playing), now: Make.snapshot(.playing), outcome: .passed, at: 0),
    Case(
      title: "a push makes it true", machine: machine(playing), now: Make.snapshot(.buffering),
      statuses: [Make.status(Make.snapshot(.playing), at: 3)], outcome: .passed, at: 3),
    Case(
      title: "a push at the deadline still counts", machine: machine(playing), now: Make.snapshot(.buffering),
      statuses: [Make.status(Make.snapshot(.playing), at: 10)], outcome: .passed, at: 10),
    Case(
      title: "a push after the deadline does not", machine: machine(playing), now: Make.snapshot(.buffering),
      statuses: [Make.status(Make.snapshot(.playing), at: 10.001)], outcome: .failed, at: 10),
    Case(
      title: "within 0 looks once", machine: machine(playing, within: 0), now: Make.snapshot(.paused),
      statuses: [Make.status(Make.snapshot(.playing), at: 0)], outcome: .failed, at: 0),
    Case(
      title: "for: holds long enough", machine: machine(playing, hold: 5), now: Make.snapshot(.buffering),
      statuses: [Make.status(Make.snapshot(.playing), at: 3)], outcome: .passed, at: 8),
    Case(
      title: "for: starts anew when interrupted", machine: machine(playing, hold: 5), now: Make.snapshot(.playing),
      statuses: [
        Make.status(Make.snapshot(.buffering), at: 4), Make.status(Make.snapshot(.playing), at: 6),
      ], outcome: .passed, at: 11),
    Case(
      title: "for: fails when broken after the time to become true", machine: machine(playing, hold: 5),
      now: Make.snapshot(.buffering),
      statuses: [Make.status(Make.snapshot(.playing), at: 9), Make.status(Make.snapshot(.buffering), at: 12)],
      outcome: .failed, at: 12),
    Case(
      title: "position is solved between pushes", machine: machine(Make.min("position", 20)),
      now: Make.snapshot(.playing, position: 14, at: 0, rate: 2), outcome: .passed, at: 3),
    Case(
      title: "clip_time of 5 s passes at 5.0 s", machine: machine(Make.min("break.clip_time", 5)),
      now: Make.inBreak(time: 0.25, skippableAt: 5, at: 0), outcome: .passed, at: 4.75),
    Case(
      title: "skippable passes at the instant", machine: machine(Make.equal("break.skippable", true)),
      now: Make.inBreak(time: 1, skippableAt: 5, at: 0), outcome: .passed, at: 4),
    Case(
      title: "a reckoned position can end a hold",
      machine: machine(
        Make.field("position", .range(min: nil, max: .init(.literal(12)), above: nil, below: nil)), within: 1, hold: 5),
      now: Make.snapshot(.playing, position: 10, at: 0), outcome: .failed, at: 2.001),
    Case(
      title: "a paused film gets nowhere", machine: machine(Make.min("position", 20)),
      now: Make.snapshot(.paused, position: 14), outcome: .failed, at: 10),
  ]

  @Test("expect waits on pushes and on reckoned instants", arguments: cases)
  func table(testCase: Case) throws {
    var machine = testCase.machine
    let (verdict, _) = machine.run(from: Make.view(testCase.now, at: 0), testCase.statuses)
    let found = try #require(verdict)
    #expect(found.outcome == testCase.outcome)
    #expect(abs(found.at.seconds - testCase.at) < 0.0005)
  }

  @Test("Silence asks the device once, and its answer may satisfy expect, marked polled") func silence() throws {
    var machine = Self.machine(Self.playing)
    let (verdict, refreshes) = machine.run(from: Make.view(Make.snapshot(.buffering), at: 0), []) {
      Make.status(Make.snapshot(.playing), at: $0.seconds + 0.1, .polled)
    }
    #expect(refreshes == [.seconds(5)])
    #expect(try #require(verdict).outcome == .passed)
    #expect(verdict?.isPolled == true)
    #expect(verdict?.statuses == 0)
  }

  @Test("An unanswered question is not asked twice, but again after a push") func silenceAgain() {
    var machine = Self.machine(Self.playing, within: 20)
    let push = Make.status(Make.snapshot(.buffering), at: 7)
    let (verdict, refreshes) = machine.run(from: Make.view(Make.snapshot(.buffering), at: 0), [push])
    #expect(refreshes == [.seconds(5), .seconds(12)])
    #expect(verdict?.outcome == .failed)
  }

  @Test("A verdict on a reckoned value is marked estimated, one on a reported value is not") func estimated() {
    var reckoned = Self.machine(Make.min("position", 20))
    let moving = Make.snapshot(.playing, position: 14, at: 0)
    #expect(reckoned.run(from: Make.view(moving, at: 0), []).verdict?.isEstimated == true)
    var reported = Self.machine(Make.min("position", 20))
    let there = Make.status(Make.snapshot(.playing, position: 21, at: 2), at: 2)
    #expect(reported.run(from: Make.view(moving, at: 0), [there]).verdict?.isEstimated == false)
  }

  @Test("A failure names the fields that did not fit, and the nearest miss") func nearest() throws {
    let about = Make.field("position", .about(.init(.literal(10)), tolerance: 1))
    var machine = Self.machine(.all([Make.equal("break", .null), about]), within: 12)
    let after = Make.status(Make.snapshot(.playing, position: 12.1, at: 6.1), at: 6.1)
    let (found, _) = machine.run(from: Make.view(Make.inBreak(time: 0, skippableAt: nil, at: 0), at: 0), [after])
    let verdict = try #require(found)
    #expect(verdict.outcome == .failed)
    #expect(verdict.mismatches.map(\.path.text) == ["position"])
    #expect(verdict.nearest?.at == .seconds(6.1))
    #expect(verdict.nearest?.values == ["position": 12.1])
    #expect(verdict.want.object?.members.map(\.name) == ["position", "break"])
    #expect(verdict.got == ["position": 18, "break": .null])
  }

  @Test("advances compares reported positions only: a frozen player that claims to play fails") func frozen() {
    let advances = Make.field("position", .advances(atLeast: 4, over: 5))
    for (speed, outcome) in [(0.0, Verdict.Outcome.failed), (1.0, .passed)] {
      var machine = Self.machine(advances)
      let (verdict, refreshes) = machine.run(from: Make.view(Make.snapshot(.playing, position: 30, at: -3), at: 0), [])
      {
        let now = $0.seconds + 0.05
        return Make.status(Make.snapshot(.playing, position: 30 + speed * now, at: now), at: now, .polled)
      }
      #expect(verdict?.outcome == outcome)
      #expect(refreshes.first == .zero)
      if outcome == .passed { #expect(verdict.map { $0.at > .seconds(5) && $0.at < .seconds(5.2) } == true) }
    }
  }
}
