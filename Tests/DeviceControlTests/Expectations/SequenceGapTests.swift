import CastClient
import CastProtocol
import ScenarioLanguage
import Testing

@testable import DeviceControl
@testable import RunReporting

/// `expect_sequence` beyond its first cases.
@Suite struct SequenceGapTests {
  static let (first, second) = (Make.equal("player", "buffering"), Make.equal("player", "playing"))

  static func machine(within: Double = 10, forbidsGaps: Bool = true, _ entries: [Condition] = [first, second])
    -> SequenceStateMachine
  {
    var action = Plan.SequenceAction(entries: entries.map { .init($0) }, within: .seconds(within))
    action.forbidsGaps = forbidsGaps
    return SequenceStateMachine(action, saved: [:], start: .zero, reply: .seconds(5))
  }

  static func status(_ state: MediaStatus.PlayerState, _ at: Double, _ source: Observation.Source = .push)
    -> ObservedStatus
  {
    Make.status(Make.snapshot(state), at: at, source)
  }

  static let rows:
    [(
      title: String, forbidsGaps: Bool, statuses: [ObservedStatus], outcome: Verdict.Outcome, at: Double,
      remark: String?
    )] = [
      ("one after the other", true, [status(.buffering, 1), status(.playing, 2)], .passed, 2, nil),
      (
        "another between begins anew", true, [status(.buffering, 1), status(.paused, 2), status(.playing, 3)], .failed,
        10,
        "0 of 2 came true in order; another status came after entry 1"
      ),
      (
        "and may come true then", true,
        [status(.buffering, 1), status(.paused, 2), status(.buffering, 3), status(.playing, 4)], .passed, 4, nil
      ),
      (
        "an answer to a question is no gap", true,
        [status(.buffering, 1), status(.paused, 2, .polled), status(.playing, 3)], .passed,
        3, nil
      ),
      ("none of it", false, [], .failed, 10, "0 of 2 came true in order"),
    ]

  @Test("Where gaps are forbidden the entries follow each other at once", arguments: rows.indices)
  func gaps(index: Int) throws {
    let row = Self.rows[index]
    var machine = Self.machine(forbidsGaps: row.forbidsGaps)
    let verdict = try #require(machine.run(from: Make.view(Make.snapshot(.idle), at: 0), row.statuses).verdict)
    #expect(
      verdict.outcome == row.outcome && verdict.at == .seconds(row.at) && verdict.remark == row.remark, "\(row.title)")
  }

  @Test("A sequence of nothing has passed, one without time looks back only")
  func bounds() throws {
    var empty = Self.machine([])
    #expect(empty.run(from: Make.view(Make.snapshot(.idle), at: 0), []).verdict?.outcome == .passed)
    var short = Self.machine(within: 0)
    let effects = short.lookBack(on: [Self.status(.buffering, -2)])
    #expect(effects.isEmpty && short.matched == 1)
    let verdict = short.run(from: Make.view(Make.snapshot(.playing), at: 0), []).verdict
    #expect(verdict?.outcome == .failed && verdict?.at == .zero && verdict?.remark == "1 of 2 came true in order")
    var passed = Self.machine(within: 0)
    #expect(passed.lookBack(on: [Self.status(.buffering, -2), Self.status(.playing, -1)]).hasFinished)
  }
}
