import CastProtocol
import ScenarioLanguage
import Testing

@testable import DeviceControl
@testable import RunReporting

/// The parts that the expectations share: silence, samples of positions, near misses, judging.
@Suite struct ExpectationPartsTests {
  @Test("Who hears nothing asks once, and again only after a push")
  func silence() {
    var timer = SilenceTimer(patience: .seconds(5), from: .seconds(10))
    #expect(timer.due == .seconds(15))
    #expect(timer.asks(at: .milliseconds(14_999)) == false)
    timer.heard(at: .seconds(12))
    #expect(timer.due == .seconds(17))
    #expect([15, 17, 99].map { timer.asks(at: .seconds($0)) } == [false, true, false])
    #expect(timer.due == nil)
    timer.heard(at: .seconds(3))
    #expect(timer.due == .seconds(17), "what is told late was not heard later")
  }

  // MARK: advances

  static let advances = Make.field("position", .advances(atLeast: 4, over: 5))

  @Test("Only a condition about growing positions takes samples, also within `not`, for the longest of its spans")
  func samplers() {
    #expect(AdvanceSampler(for: Make.min("position", 5), start: .zero) == nil)
    #expect(AdvanceSampler(for: Self.advances, start: .zero)?.over == .seconds(5))
    let both = Condition.any([Self.advances, Make.field("position", .not(.advances(atLeast: 1, over: 8)))])
    #expect(AdvanceSampler(for: both, start: .zero)?.over == .seconds(8))
  }

  static let samples: [(title: String, reports: [(at: Double, position: Double)], hasAdvanced: Bool)] = [
    ("nothing was reported", [], false), ("one report", [(0, 0)], false), ("too short", [(0, 0), (4, 100)], false),
    ("just enough", [(0, 10), (5, 14)], true), ("not quite", [(0, 10), (5, 13.9)], false),
    ("longer asks for more", [(0, 10), (10, 17.9)], false), ("as fast over longer", [(0, 10), (10, 18)], true),
    ("from the middle on", [(0, 10), (3, 10), (8, 15)], true), ("back", [(0, 10), (5, 0)], false),
    ("stalled at the end", [(0, 0), (5, 5), (10, 5)], false),
  ]

  @Test("A position advances where it grew as fast as asked, up to the newest report", arguments: samples.indices)
  func sampled(index: Int) throws {
    let row = Self.samples[index]
    var sampler = try #require(AdvanceSampler(for: Self.advances, start: .zero))
    for (at, position) in row.reports {
      let view = Make.view(Make.snapshot(.playing, position: position, at: at), at: at)
      #expect(sampler.sample(view) == true)
    }
    #expect(sampler.hasAdvanced(atLeast: 4, over: 5) == row.hasAdvanced, "\(row.title)")
    #expect(!sampler.hasAdvanced(atLeast: 4, over: 0))
  }

  @Test("A reckoned position is no sample, nor is a status without one")
  func reckoned() throws {
    var sampler = try #require(AdvanceSampler(for: Self.advances, start: .zero))
    #expect(sampler.sample(Make.view(Make.snapshot(.playing, position: 5, at: 1), at: 2)) == false)
    #expect(sampler.sample(Make.view(Make.snapshot(.playing, position: nil, at: 1), at: 1)) == false)
    #expect(sampler.due == nil, "the first is still awaited")
  }

  @Test("The far end is asked for when its time has come, and then once in each span")
  func due() throws {
    var sampler = try #require(AdvanceSampler(for: Self.advances, start: .zero))
    func report(_ at: Double) {
      _ = sampler.sample(Make.view(Make.snapshot(.playing, position: at, at: at), at: at))
    }
    report(2)
    #expect(sampler.due == .seconds(7) && !sampler.wantsSample(at: .milliseconds(6_999)))
    #expect(sampler.wantsSample(at: .seconds(7)))
    sampler.asked()
    #expect(sampler.due == nil, "its answer is under way")
    report(7.2)
    #expect(sampler.due == .seconds(12))
    sampler.asked()
    #expect(sampler.due == .seconds(17))
  }

  // MARK: judging

  @Test("What does not fit stands first in what was wanted and what was got; what is absent is null")
  func order() {
    let view = Make.view(Make.snapshot(.playing, position: 5), at: 0)
    let judge = ConditionJudge(
      condition: .all([Make.equal("player", "playing"), Make.min("position", 20)]), saved: [:])
    let mismatches = judge.mismatches(in: view)
    #expect(mismatches.map(\.path.text) == ["position"])
    #expect(judge.values(in: view, first: mismatches).members.map(\.name) == ["position", "player"])
    #expect(judge.want(first: mismatches).object?.members.map(\.name) == ["position", "player"])
    #expect(judge.want(first: []).object?.members.map(\.name) == ["player", "position"])
    let absent = judge.values(in: Make.view(Make.snapshot(.idle), at: 0), first: [])
    #expect(absent == ["player": "idle", "position": .null])
  }

  @Test(
    "A mismatch is told in the field's words and unit",
    arguments: [
      (Make.equal("player", "playing"), "player: expected playing, observed paused"),
      (Make.min("position", 20), "position: expected min 20s, observed 5.0s"),
      (Make.equal("title", "Sintel"), "title: expected Sintel, observed none"),
      (Make.field("duration", .exists(true)), "duration: expected present, observed none"),
    ])
  func text(condition: Condition, text: String) {
    let judge = ConditionJudge(condition: condition, saved: [:])
    #expect(judge.mismatches(in: Make.view(Make.snapshot(.paused, position: 5), at: 0)).map(\.text) == [text])
  }

  private static let raw = Condition.all([
    Make.equal("raw.media./status/0/a", 1), Make.equal("raw.media./status/0/b", 2),
  ])
  private static let reads: [(condition: Condition, media: Bool, receiver: Bool, baseline: Bool)] = [
    (raw, true, false, false), (.not(raw), true, false, false), (Make.min("position", 5), false, false, false),
    (Make.field("raw.receiver./status", .exists(true)), false, true, false),
    (Make.field("raw.other", .exists(false)), false, false, false),
    (.any([raw, Make.field("player", .changed(true))]), true, false, false),
    (Make.field("raw.media./status", .not(.changed(true))), true, false, true),
  ]

  @Test(
    "Trees are made of the messages that a condition reads from, and of what was before only for `changed`",
    arguments: reads)
  func messagesRead(condition: Condition, media: Bool, receiver: Bool, baseline: Bool) {
    var snapshot = Make.snapshot(.paused, position: 5)
    snapshot.mediaMessage = .text(#"{"status":[{"a":1,"b":2}]}"#)
    snapshot.receiverMessage = .text(#"{"status":{}}"#)
    var view = Make.view(snapshot, at: 0)
    view.baseline = .init(view)
    var judge = ConditionJudge(condition: condition, saved: [:])
    let prepared = judge.prepared(view)
    #expect((prepared.snapshot.mediaMessage?.knownJSON != nil) == media)
    #expect((prepared.snapshot.receiverMessage?.knownJSON != nil) == receiver)
    #expect((prepared.baseline?.snapshot.mediaMessage?.knownJSON != nil) == baseline)
    #expect(prepared.baseline?.snapshot.receiverMessage?.knownJSON == nil)
    #expect(prepared.snapshot == snapshot && prepared.baseline?.snapshot == snapshot)
  }

  @Test(
    "Fields of messages are judged alike, prepared or not; a new action's status is compared, not the one of before")
  func messagesJudged() {
    func view(_ now: Int, before: Int) -> StatusView {
      func one(_ number: Int) -> StatusView {
        var snapshot = Make.snapshot(.paused, position: 5)
        snapshot.mediaMessage = .text(#"{"status":[{"a":\#(number),"b":2}]}"#)
        return Make.view(snapshot, at: 0)
      }
      var view = one(now)
      view.baseline = .init(one(before))
      return view
    }
    var judge = ConditionJudge(condition: Make.field("raw.media./status/0/a", .changed(true)), saved: [:])
    for (now, before) in [(1, 1), (2, 1), (2, 1), (2, 2), (1, 2), (1, 1)] {
      let view = view(now, before: before)
      let prepared = judge.prepared(view)
      #expect(judge.mismatches(in: prepared).isEmpty == (now != before), "\(now) \(before)")
      #expect(judge.mismatches(in: view).isEmpty == (now != before), "\(now) \(before)")
    }
    #expect(ConditionJudge(condition: Self.raw, saved: [:]).mismatches(in: view(1, before: 3)).isEmpty)
  }

  @Test("The nearest miss is the one with the fewest fields, then the smallest distance, and the first of equals")
  func nearest() {
    let judge = ConditionJudge(
      condition: .all([Make.equal("player", "playing"), Make.min("position", 20)]), saved: [:])
    var tracker = NearMissTracker()
    func consider(_ state: MediaStatus.PlayerState, _ position: Double, at: Double) {
      let view = Make.view(Make.snapshot(state, position: position, at: at), at: at)
      tracker.consider(judge.mismatches(in: view), in: view)
    }
    #expect(tracker.nearest == nil)
    consider(.playing, 30, at: 1)
    #expect(tracker.nearest == nil, "one that fits is no miss")
    consider(.paused, 19, at: 2)
    consider(.playing, 5, at: 3)
    #expect(tracker.nearest?.at == .seconds(3) && tracker.nearest?.values == ["position": 5])
    consider(.playing, 12, at: 4)
    consider(.playing, 12, at: 5)
    consider(.playing, 11, at: 6)
    #expect(tracker.nearest?.at == .seconds(4) && tracker.nearest?.values == ["position": 12])
  }
}
