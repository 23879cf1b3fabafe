import CastProtocol
import ScenarioLanguage
import Testing

@testable import DeviceControl
@testable import RunReporting

/// What moves between two statuses, and when a condition about it may change.
@Suite struct StatusEstimateTests {
  static func film(
    _ state: MediaStatus.PlayerState = .playing, _ position: Double? = 10, rate: Double? = 1, duration: Double? = 60,
    stream: String? = nil, edit: (inout DeviceSnapshot) -> Void = { _ in }
  ) -> DeviceSnapshot {
    var snapshot = Make.snapshot(state, position: position, at: 100, rate: rate) {
      $0.media = MediaInformation()
      $0.media?.duration = duration
      $0.media?.streamType = stream
    }
    edit(&snapshot)
    return snapshot
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var snapshot: DeviceSnapshot
    var condition: Condition
    /// Seconds after the status of second 100.
    var crossings: [Double]
    /// When it is looked at, in seconds after the status.
    var at = 0.0
  }

  static func position(_ matcher: Matcher) -> Condition { Make.field("position", matcher) }
  static func number(_ value: Double) -> Matcher.Operand { .init(.literal(.double(value))) }
  static func between(_ min: Double?, _ max: Double?) -> Matcher {
    .range(min: min.map(number), max: max.map(number), above: nil, below: nil)
  }

  static let rows: [Row] = [
    Row(testDescription: "a bound", snapshot: film(), condition: position(between(20, nil)), crossings: [10]),
    Row(testDescription: "two bounds", snapshot: film(), condition: position(between(20, 30)), crossings: [10, 20]),
    Row(
      testDescription: "at twice the speed", snapshot: film(rate: 2), condition: position(between(20, nil)),
      crossings: [5]),
    Row(
      testDescription: "no rate is the usual one", snapshot: film(rate: nil), condition: position(between(20, nil)),
      crossings: [10]),
    Row(testDescription: "passed before", snapshot: film(), condition: position(between(5, 10)), crossings: []),
    Row(
      testDescription: "passed by now", snapshot: film(), condition: position(between(20, 40)), crossings: [30], at: 15),
    Row(testDescription: "beyond the end", snapshot: film(), condition: position(between(70, nil)), crossings: []),
    Row(testDescription: "the end itself", snapshot: film(), condition: position(between(60, nil)), crossings: [50]),
    Row(
      testDescription: "a live stream has no end", snapshot: film(stream: "LIVE"),
      condition: position(between(70, nil)),
      crossings: [60]),
    Row(
      testDescription: "no length that is known", snapshot: film(duration: 0), condition: position(between(70, nil)),
      crossings: [60]),
    Row(testDescription: "paused", snapshot: film(.paused), condition: position(between(20, nil)), crossings: []),
    Row(testDescription: "buffering", snapshot: film(.buffering), condition: position(between(20, nil)), crossings: []),
    Row(
      testDescription: "no position is told", snapshot: film(.playing, nil), condition: position(between(20, nil)),
      crossings: []),
    Row(
      testDescription: "carried over from an earlier status",
      snapshot: film { $0.carriedPosition = .init(seconds: 15, at: .seconds(102)) },
      condition: position(between(20, nil)), crossings: [7]),
    Row(
      testDescription: "a value and its surroundings", snapshot: film(),
      condition: position(.about(number(20), tolerance: 2)), crossings: [8, 10, 12]),
    Row(
      testDescription: "one of several", snapshot: film(), condition: position(.oneOf([30, 20])), crossings: [10, 20]),
    Row(testDescription: "not within", snapshot: film(), condition: .not(position(between(20, nil))), crossings: [10]),
    Row(
      testDescription: "all parts of a condition, in order", snapshot: film(),
      condition: .any([position(between(30, nil)), position(.equals(number(20)))]), crossings: [10, 20]),
    Row(testDescription: "what does not move", snapshot: film(), condition: Make.min("duration", 70), crossings: []),
    Row(
      testDescription: "in a break the film stands still",
      snapshot: Make.inBreak(time: 1, skippableAt: 5, at: 100), condition: position(between(20, nil)), crossings: []),
    Row(
      testDescription: "a clip's time", snapshot: Make.inBreak(time: 1, skippableAt: nil, at: 100),
      condition: Make.min("break.clip_time", 4), crossings: [3]),
    Row(
      testDescription: "the moment it can be skipped", snapshot: Make.inBreak(time: 1, skippableAt: 5, at: 100),
      condition: Make.equal("break.skippable", true), crossings: [4]),
    Row(
      testDescription: "one that never can", snapshot: Make.inBreak(time: 1, skippableAt: -1, at: 100),
      condition: Make.equal("break.skippable", true), crossings: []),
    Row(
      testDescription: "farther than a century", snapshot: film(stream: "LIVE"),
      condition: position(between(1e12, nil)), crossings: []),
    Row(
      testDescription: "endless", snapshot: film(stream: "LIVE"), condition: position(between(.infinity, nil)),
      crossings: []),
  ]

  @Test("A condition may change where what moves reaches one of its values, and a millisecond later", arguments: rows)
  func crossings(row: Row) {
    let view = Make.view(row.snapshot, at: 100 + row.at)
    let found = view.crossings(of: row.condition, saved: [:])
    #expect(found == row.crossings.flatMap { [Duration.seconds(100 + $0), .seconds(100 + $0) + .milliseconds(1)] })
  }

  @Test("A bound may be saved; one that is not there has no moment")
  func saved() {
    let condition = Self.position(.range(min: .init(.saved("start"), plus: 5), max: nil, above: nil, below: nil))
    let view = Make.view(Self.film(), at: 100)
    #expect(view.crossings(of: condition, saved: ["start": 20]).first == .seconds(115))
    #expect(view.crossings(of: condition, saved: [:]).isEmpty)
  }

  @Test(
    "An answer is an estimate where it rests on what moves, later than it was said",
    arguments: [
      (film(), "position", 5.0, true), (film(), "position", 0.0, false), (film(.paused), "position", 5, false),
      (film(rate: 0), "position", 5, false), (film(), "player", 5, false),
      (Make.inBreak(time: 0, skippableAt: 5, at: 100), "position", 5, false),
      (Make.inBreak(time: 0, skippableAt: 5, at: 100), "break.clip_time", 5, true),
      (Make.inBreak(time: 0, skippableAt: nil, at: 100), "break.skippable", 5, false),
      (DeviceSnapshot(), "position", 5, false),
    ] as [(DeviceSnapshot, String, Double, Bool)])
  func estimated(snapshot: DeviceSnapshot, field: String, after: Double, isEstimated: Bool) {
    let view = Make.view(snapshot, at: 100 + after)
    #expect(view.isEstimated(Make.field(field, .exists(true))) == isEstimated)
    #expect(view.isEstimated(.all([Make.equal("player", "x"), .not(Make.field(field, .exists(true)))])) == isEstimated)
  }

  @Test(
    "A clip can be skipped from the moment the device names, at its own time",
    arguments: [(5, 5.0, true), (4.9, 5, false), (0, 0, true), (9, -1, false), (9, nil, false)]
      as [(Double, Double?, Bool)])
  func skippable(time: Double, from: Double?, isSkippable: Bool) {
    let view = Make.view(Make.inBreak(time: time, skippableAt: from, at: 0), at: 0)
    #expect(view.isSkippable == isSkippable)
    #expect(view.skippableAt == from.flatMap { $0 >= 0 ? $0 : nil })
  }

  @Test("A clip's time ends with the clip, where its length is known")
  func clipEnd() {
    let ad = Watched.ad(time: 12, at: 100)
    #expect(Make.view(ad, at: 110).clipTime == 15)
    #expect(Make.view(ad, at: 100).crossings(of: Make.min("break.clip_time", 20), saved: [:]).isEmpty)
    #expect(Make.view(Make.inBreak(time: 12, skippableAt: nil, at: 100), at: 110).clipTime == 22)
  }

  @Test("Of another's media nothing is reckoned")
  func foreign() {
    let loaded = LoadedMedia(source: EndpointID("t"), mediaSessionID: 9)
    let view = StatusView(Watched.ad(time: 1), at: .seconds(5), loaded: loaded)
    #expect(view.isForeign && view.position == nil && view.clipTime == nil && view.breakTime == nil)
    #expect(!view.isSkippable && view.skippableAt == nil)
    #expect(view.crossings(of: Make.min("position", 900), saved: [:]).isEmpty)
  }

  @Test(
    "Media are another's by their session, or by the app they play in",
    arguments: [(1, "t-1", false), (2, "t-1", true), (1, "t-2", true)])
  func whose(session: Int, source: String, isForeign: Bool) {
    let loaded = LoadedMedia(source: EndpointID(source), mediaSessionID: session)
    #expect(StatusView(Watched.film(), at: .zero, loaded: loaded).isForeign == isForeign)
    var unknown = Watched.film()
    unknown.mediaSource = nil
    #expect(StatusView(unknown, at: .zero, loaded: loaded).isForeign == (session != 1))
  }
}
