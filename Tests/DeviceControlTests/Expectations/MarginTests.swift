import CastClient
import CastProtocol
import ScenarioLanguage
import Testing

@testable import DeviceControl
@testable import RunReporting

/// How near what holds is to its limits (docs/runs.md "Margins").
@Suite struct MarginTests {
  private static func range(_ min: Double?, _ max: Double?) -> Matcher {
    func operand(_ number: Double?) -> Matcher.Operand? { number.map { .init(.literal(.double($0))) } }
    return .range(min: operand(min), max: operand(max), above: nil, below: nil)
  }

  static let matchers: [(matcher: Matcher, value: JSONValue?, left: Double?, room: Double?)] = [
    (.about(.init(.literal(10)), tolerance: 1), 10.75, 0.25, 1),
    (.about(.init(.literal(10)), tolerance: 1), 9, 0, 1),
    (.about(.init(.literal(10)), tolerance: 1), 12, nil, nil),
    (.about(.init(.literal(10)), tolerance: 0), 10, nil, nil),
    (range(2, 10), 8.5, 1.5, 4), (range(2, 10), 3, 1, 4), (range(2, nil), 8.5, 6.5, nil),
    (range(nil, 10), 8.5, 1.5, nil),
    (range(2, 10), 11, nil, nil), (range(2, 10), nil, nil, nil), (range(2, 10), "8", nil, nil),
    (.count(range(1, nil)), [1, 2, 3], 2, nil), (.equals(.init(.literal(10))), 10, nil, nil),
    // Dates in milliseconds are too large to be told.
    (range(0, nil), 1_700_000_000_000, nil, nil), (range(0, 1e300), 5, nil, nil),
    (.not(range(2, 10)), 20, nil, nil), (.exists(true), 1, nil, nil),
  ]

  @Test(
    "A number that fits has what is left to the nearest limit; other matchers and values have nothing",
    arguments: matchers)
  func matcher(matcher: Matcher, value: JSONValue?, left: Double?, room: Double?) {
    let margin = matcher.margin(of: value)
    #expect(margin?.left == left && margin?.room == room, "\(String(describing: margin))")
  }

  @Test("All fields of a condition are told, of alternatives and negations none")
  func conditions() {
    let volume = Make.field("volume.level", Self.range(0.4, 0.6))
    let position = Make.min("position", 5)
    func margins(_ condition: Condition) -> [EventKind.Margin] {
      condition.margins(value: { ["position": 8, "volume.level": 0.5][$0.text] })
    }
    #expect(margins(.all([volume, position])).map(\.subject.word) == ["volume.level", "position"])
    #expect(margins(.any([volume, position])).isEmpty && margins(.not(volume)).isEmpty)
  }

  private static let about = Make.field("position", .about(.init(.literal(10)), tolerance: 1))

  @Test("expect: a value as a status told it has a margin; one that came to its limit by itself has none")
  func expect() throws {
    var told = ExpectStateMachineTests.machine(Self.about)
    let status = Make.status(Make.snapshot(.paused, position: 10.25), at: 2)
    let verdict = try #require(told.run(from: Make.view(Make.snapshot(.paused, position: 30), at: 0), [status]).verdict)
    #expect(verdict.margins == [.init(.init("position"), left: 0.75, of: 1)] && verdict.waitedFor == ["position"])
    var reckoned = ExpectStateMachineTests.machine(Self.about)
    let moving = Make.view(Make.snapshot(.playing, position: 5), at: 0)
    let later = try #require(reckoned.run(from: moving, []).verdict)
    #expect(later.outcome == .passed && later.margins.isEmpty && later.waitedFor == ["position"])
  }

  @Test("expect names the field that it waited for to the end, and none where it held at once")
  func waitedFor() throws {
    let both = Condition.all([Make.equal("player", "playing"), Make.min("position", 5)])
    var machine = ExpectStateMachineTests.machine(both)
    let statuses = [
      Make.status(Make.snapshot(.paused, position: 6), at: 2), Make.status(Make.snapshot(.playing, position: 6), at: 4),
    ]
    let verdict = machine.run(from: Make.view(Make.snapshot(.paused, position: 1), at: 0), statuses).verdict
    #expect(verdict?.waitedFor == ["player"])
    var atOnce = ExpectStateMachineTests.machine(both)
    #expect(atOnce.run(from: Make.view(Make.snapshot(.playing, position: 6), at: 0), []).verdict?.waitedFor == [])
    var failed = ExpectStateMachineTests.machine(both)
    let none = failed.run(from: Make.view(Make.snapshot(.paused, position: 1), at: 0), []).verdict
    #expect(none?.outcome == .failed && none?.waitedFor == [] && none?.margins == [])
  }

  @Test("expect with `for` has the least margin since it holds")
  func hold() {
    var machine = ExpectStateMachineTests.machine(Self.about, hold: 5)
    let statuses = [9.25, 10.875, 10].enumerated().map { number, position in
      Make.status(Make.snapshot(.paused, position: position), at: Double(number) + 1)
    }
    let verdict = machine.run(from: Make.view(Make.snapshot(.paused, position: 30), at: 0), statuses).verdict
    #expect(verdict?.margins == [.init(.init("position"), left: 0.125, of: 1)])
  }

  @Test("expect with `for` has the margin at the end of that time of a value that moves by itself")
  func holdOfPlaying() {
    var machine = ExpectStateMachineTests.machine(Make.field("position", Self.range(nil, 20)), hold: 5)
    let verdict = machine.run(from: Make.view(Make.snapshot(.playing, position: 14), at: 0), []).verdict
    #expect(verdict?.outcome == .passed && verdict?.margins == [.init(.init("position"), left: 1, limit: 20)])
  }

  @Test(
    "A value that came by itself has with `for` the margin at its end, whenever the device tells of it meanwhile",
    arguments: [[], [10.5], [12], [10.5, 14]])
  func holdOfCrossing(told: [Double]) {
    var machine = ExpectStateMachineTests.machine(Make.field("position", Self.range(20, nil)), within: 40, hold: 5)
    // As it was when it began to play, from where it is reckoned.
    let statuses = told.map { Make.status(Make.snapshot(.playing, position: 10), at: $0) }
    let verdict = machine.run(from: Make.view(Make.snapshot(.playing, position: 10), at: 0), statuses).verdict
    #expect(verdict?.outcome == .passed)
    #expect(verdict?.margins == [.init(.init("position"), left: 5, limit: 20)])
  }

  @Test("A limit of one side that the document writes is told with its margin: another one makes another margin")
  func limits() {
    #expect(Self.range(20, nil).onlyLimit == 20 && Self.range(nil, 20).onlyLimit == 20)
    #expect(Matcher.count(Self.range(2, nil)).onlyLimit == 2)
    #expect(Self.range(2, 20).onlyLimit == nil && Matcher.about(.init(.literal(2)), tolerance: 1).onlyLimit == nil)
    let saved = Matcher.range(min: .init(.saved("begin"), plus: 5), max: nil, above: nil, below: nil)
    #expect(saved.onlyLimit == nil)
    #expect(Matcher.range(min: nil, max: nil, above: nil, below: .init(.literal(2), plus: 1)).onlyLimit == 3)
  }

  @Test("always has the least margin of its window, never how near its field came, and `for` the longest streak")
  func windows() {
    func statuses(_ positions: [Double]) -> [ObservedStatus] {
      positions.enumerated().map { Make.status(Make.snapshot(.paused, position: $1), at: Double($0) + 1) }
    }
    let start = Make.view(Make.snapshot(.paused, position: 3), at: 0)
    let limit = Make.field("position", Self.range(nil, 10))
    var always = WindowStateMachineTests.machine(.always, limit)
    #expect(
      always.run(from: start, statuses([4, 9.5, 6])).verdict?.margins == [
        .init(.init("position"), left: 0.5, limit: 10)
      ])
    var never = WindowStateMachineTests.machine(.never, Make.min("position", 10))
    #expect(
      never.run(from: start, statuses([4, 9.75, 6])).verdict?.margins == [
        .init(.init("position"), left: 0.25, limit: 10)
      ])
    var streak = WindowStateMachineTests.machine(.never, Make.equal("player", "buffering"), forAtLeast: 5)
    let stalls = [
      Make.status(Make.snapshot(.buffering), at: 2), Make.status(Make.snapshot(.playing), at: 5),
      Make.status(Make.snapshot(.buffering), at: 18.5),
    ]
    let verdict = streak.run(from: Make.view(Make.snapshot(.playing), at: 0), stalls).verdict
    #expect(verdict?.margins == [.init(.timeBrokenInARow, left: 2, of: 5)])
  }

  @Test("A rule of watch tells its longest streak and its least margin; before a status and when it is broken nothing")
  func monitors() {
    var monitor = MonitorStateMachineTests.monitor(.never(Make.equal("player", "buffering")), forAtLeast: 5)
    #expect(monitor.margins(at: .seconds(1)) == nil)
    _ = monitor.observe(Make.status(Make.snapshot(.buffering), at: 1), saved: [:])
    _ = monitor.observe(Make.status(Make.snapshot(.playing), at: 4.75), saved: [:])
    #expect(monitor.margins(at: .seconds(9)) == [.init(.timeBrokenInARow, left: 1.25, of: 5)])
    _ = monitor.observe(Make.status(Make.snapshot(.buffering), at: 10), saved: [:])
    // One that goes on counts, too.
    #expect(monitor.margins(at: .seconds(14)) == [.init(.timeBrokenInARow, left: 1, of: 5)])
    #expect(monitor.margins(at: .seconds(15)) == [.init(.timeBrokenInARow, left: 0, of: 5)])
    // It is broken, also where no timer has said so yet.
    #expect(monitor.margins(at: .milliseconds(15_001)) == nil)
    _ = monitor.timerFired(at: .seconds(16))
    #expect(monitor.margins(at: .seconds(16)) == nil)
    var least = MonitorStateMachineTests.monitor(.always(Make.min("position", 5)))
    for (position, time) in [(20.0, 1.0), (5.5, 2), (30, 3)] {
      _ = least.observe(Make.status(Make.snapshot(.paused, position: position), at: time), saved: [:])
    }
    #expect(least.margins(at: .seconds(4)) == [.init(.init("position"), left: 0.5, limit: 5)])
  }

  @Test("A rule that an earlier process saw broken goes on with that time, unless it holds now")
  func resumed() throws {
    func rule(_ state: MediaStatus.PlayerState, after time: Double) -> MonitorStateMachine {
      var rule = MonitorStateMachineTests.monitor(.never(Make.equal("player", "buffering")), forAtLeast: 5)
      rule.resume(brokenFor: .seconds(time), Make.status(Make.snapshot(state), at: 10, .polled), saved: [:])
      return rule
    }
    var going = rule(.buffering, after: 3)
    #expect(going.hasStreak && going.nextCheck == .milliseconds(12_001))
    let early = going.timerFired(at: .seconds(12))
    let late = going.timerFired(at: .milliseconds(12_001))
    let violation = try #require(late)
    #expect(early == nil)
    #expect(violation.since == .seconds(7) && violation.got["player"] == "buffering" && !going.hasStreak)
    // What a journal says does not make it older than it may be.
    #expect(rule(.buffering, after: 1e9).nextCheck == .milliseconds(10_001))
    let over = rule(.playing, after: 3)
    #expect(!over.hasStreak && over.nextCheck == nil)
  }

  @Test("A rule that holds and has no margin is told as one that holds")
  func withoutMargin() {
    var monitor = MonitorStateMachineTests.monitor(.never(Make.equal("player", "idle")))
    _ = monitor.observe(Make.status(Make.snapshot(.playing), at: 1), saved: [:])
    #expect(monitor.margins(at: .seconds(2)) == [])
  }

  @Test("Answers to our own questions, which may be stale, have no margin in a rule and in a window")
  func polled() {
    func statuses() -> [ObservedStatus] {
      [
        Make.status(Make.snapshot(.paused, position: 7), at: 1),
        Make.status(Make.snapshot(.paused, position: 5.5), at: 2, .polled),
      ]
    }
    var monitor = MonitorStateMachineTests.monitor(.always(Make.min("position", 5)))
    for status in statuses() { _ = monitor.observe(status, saved: [:]) }
    #expect(monitor.margins(at: .seconds(3)) == [.init(.init("position"), left: 2, limit: 5)])
    var window = WindowStateMachineTests.machine(.always, Make.min("position", 5))
    let verdict = window.run(from: Make.view(Make.snapshot(.paused, position: 9), at: 0), statuses()).verdict
    #expect(verdict?.margins == [.init(.init("position"), left: 2, limit: 5)])
  }

  @Test("expect_together has what is left of its skew")
  func together() {
    var machine = TogetherStateMachineTests.machine(skew: 0.5)
    #expect(machine.margin == nil)
    machine.observe(Make.view(TogetherStateMachineTests.playing, at: 1), of: 0)
    machine.observe(Make.view(TogetherStateMachineTests.playing, at: 1.375), of: 1)
    #expect(machine.margin == EventKind.Margin(.timeBetweenDevices, left: 0.125, of: 0.5))
  }
}
