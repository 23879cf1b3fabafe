import CastProtocol
import ScenarioLanguage
import Testing

@testable import DeviceControl
@testable import RunReporting

@Suite struct SequenceStateMachineTests {
  static let loading = Make.equal("player", "loading")
  static let ad = Make.equal("break.id", "mid")
  static let film = Condition.all([Make.equal("player", "playing"), Make.equal("break", .null)])

  static func status(_ kind: String, at seconds: Double) -> ObservedStatus {
    switch kind {
    case "loading": Make.status(Make.snapshot(.idle) { $0.extendedPlayerState = "LOADING" }, at: seconds)
    case "ad": Make.status(Make.inBreak(time: 0, skippableAt: nil, at: seconds), at: seconds)
    case "buffering": Make.status(Make.snapshot(.buffering, position: 0, at: seconds), at: seconds)
    default: Make.status(Make.snapshot(.playing, position: 0, at: seconds), at: seconds)
    }
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var title: String
    var history: [String]
    var live: [String]
    var forbidsGaps = false
    var outcome: Verdict.Outcome
    var matched: Int
    var testDescription: String { title }
  }

  static let cases: [Case] = [
    Case(title: "all in the past", history: ["loading", "ad", "film"], live: [], outcome: .passed, matched: 3),
    Case(title: "part past, part to come", history: ["loading", "ad"], live: ["film"], outcome: .passed, matched: 3),
    Case(
      title: "others may lie between", history: ["loading", "buffering", "ad"], live: ["buffering", "film"],
      outcome: .passed, matched: 3),
    Case(title: "the order matters", history: ["ad", "film", "loading"], live: ["film"], outcome: .failed, matched: 1),
    Case(
      title: "one status does for one entry only", history: ["loading", "film"], live: [], outcome: .failed,
      matched: 1),
    Case(
      title: "gaps: none forbids others", history: ["loading", "buffering", "ad"], live: ["film"],
      forbidsGaps: true, outcome: .failed, matched: 0),
    Case(
      title: "gaps: none lets a state be told twice", history: ["loading", "loading", "ad"], live: ["ad", "film"],
      forbidsGaps: true, outcome: .passed, matched: 3),
  ]

  @Test("A sequence looks back, then waits; each entry on a status of its own", arguments: cases)
  func table(testCase: Case) throws {
    var action = Plan.SequenceAction(
      entries: [Self.loading, Self.ad, Self.film].map { .init($0) }, within: .seconds(10))
    action.forbidsGaps = testCase.forbidsGaps
    var machine = SequenceStateMachine(action, saved: [:], start: .seconds(20), reply: .seconds(5))
    let history = testCase.history.enumerated().map { Self.status($1, at: 10 + Double($0)) }
    let early = machine.lookBack(on: history)
    var verdict: Verdict?
    if case .finished(let found)? = early.last {
      verdict = found
    } else {
      let live = testCase.live.enumerated().map { Self.status($1, at: 21 + Double($0)) }
      var now = try #require(history.last).view
      now.at = .seconds(20)
      verdict = machine.run(from: now, live).verdict
    }
    #expect(verdict?.outcome == testCase.outcome)
    #expect(machine.matched == testCase.matched)
    if testCase.outcome == .failed { #expect(verdict?.at == .seconds(30)) }
  }

  @Test("An entry about a position comes true between two pushes") func crossing() {
    let action = Plan.SequenceAction(
      entries: [.init(Self.film), .init(Make.min("position", 3))], within: .seconds(10))
    var machine = SequenceStateMachine(action, saved: [:], start: .seconds(1), reply: .seconds(5))
    let playing = Self.status("film", at: 0)
    #expect(machine.lookBack(on: [playing]).isEmpty)
    let verdict = machine.run(from: Make.view(playing.view.snapshot, at: 1), []).verdict
    #expect(verdict?.outcome == .passed)
    #expect(verdict?.at == .seconds(3))
    #expect(verdict?.isEstimated == true)
  }
}
