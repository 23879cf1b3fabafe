import CastProtocol
import RunReporting
import Testing

@testable import Conformance

/// Results beside earlier ones.
@Suite struct ConformanceComparisonTests {
  static func device(_ checks: ConformanceResult..., firmware: String? = "1") -> CheckedDevice {
    var device = CheckedDevice(name: "Lobby TV", address: "192.0.2.14", time: "2026-11-27T02:00:00.000Z")
    (device.id, device.model, device.firmware, device.castVersion) = ("0a", "Chromecast", firmware, "1.56")
    device.checks = checks
    return device
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var before: ConformanceResult.Verdict?
    var now: ConformanceResult.Verdict?
    var kind: ConformanceComparison.Kind?
    /// How `conform` exits, and how with --baseline.
    var exit: RunExit
    var exitExcused: RunExit
    var testDescription: String { "\(before?.rawValue ?? "nothing") to \(now?.rawValue ?? "nothing")" }

    init(
      _ before: ConformanceResult.Verdict?, _ now: ConformanceResult.Verdict?, _ kind: ConformanceComparison.Kind?,
      _ exit: RunExit, _ exitExcused: RunExit
    ) {
      (self.before, self.now, self.kind, self.exit, self.exitExcused) = (before, now, kind, exit, exitExcused)
    }
  }

  static let rows: [Row] = [
    Row(.passed, .passed, nil, .passed, .passed),
    Row(.passed, .failed, .regressed, .expectationFailed, .expectationFailed),
    Row(.passed, .error, .regressed, .stepFailed, .stepFailed),
    Row(.passed, .skipped, .changed, .passed, .passed),
    Row(.passed, .notRun, nil, .deadlinePassed, .deadlinePassed),
    Row(.failed, .passed, .fixed, .passed, .passed),
    Row(.failed, .failed, nil, .expectationFailed, .passed),
    Row(.failed, .error, .changed, .stepFailed, .stepFailed),
    Row(.skipped, .skipped, nil, .passed, .passed),
    Row(.skipped, .failed, .changed, .expectationFailed, .expectationFailed),
    Row(.error, .error, nil, .stepFailed, .passed),
    Row(.error, .passed, .fixed, .passed, .passed),
    Row(nil, .passed, .new, .passed, .passed),
    Row(nil, .failed, .new, .expectationFailed, .expectationFailed),
    Row(.passed, nil, nil, .passed, .passed),
  ]
  @Test("A verdict and the one before say what became of a check, and how the command ends", arguments: rows)
  func kinds(row: Row) {
    let before = Self.device()
    var (old, new) = (before, before)
    if let verdict = row.before { old.checks = [ConformanceResult("media.seek", verdict)] }
    if let verdict = row.now { new.checks = [ConformanceResult("media.seek", verdict)] }
    let column = ConformanceMatrix.Column(new, comparedWith: old)
    #expect(column.comparison?.changes.map(\.kind) == (row.kind.map { [$0] } ?? []))
    #expect(column.ending(excusingKnown: false) == row.exit)
    #expect(column.ending(excusingKnown: true) == row.exitExcused)
  }

  static let parts: [(run: Int, left: Int, words: String)] = [
    (3, 0, "nothing changed"), (17, 31, "nothing of these 17 changed"), (1, 2, "nothing of this one changed"),
    (0, 3, "nothing was compared"),
  ]
  @Test("Where checks were not run, that nothing changed is said of the others only", arguments: parts)
  func unfinished(run: Int, left: Int, words: String) {
    var (before, now) = (Self.device(), Self.device())
    let ids = (0..<run + left).map { "media.check\($0)" }
    before.checks = ids.map { ConformanceResult($0, .passed) }
    now.checks = ids.enumerated().map { ConformanceResult($1, $0 < run ? .passed : .notRun) }
    #expect(ConformanceMatrix.Column(now, comparedWith: before).changes == words)
  }

  static let times: [(before: String, now: String, since: String)] = [
    ("2026-11-26T02:00:05.123Z", "2026-11-27T02:00:00.000Z", "2026-11-26"),
    ("2026-11-27T02:00:05.123Z", "2026-11-27T03:00:00.000Z", "02:00:05 UTC"),
    ("2026-11-27", "2026-11-27T03:00:00.000Z", "2026-11-27"), ("", "", ""),
  ]
  @Test("An earlier result of the same day is named by its time, any other by its day", arguments: times)
  func since(before: String, now: String, since: String) {
    var (old, new) = (Self.device(), Self.device())
    (old.time, new.time) = (before, now)
    #expect(ConformanceComparison(new, with: old).since == since)
  }

  @Test(
    "Something else observed is told of a check that still passes, and of one that still fails; not of one that broke off"
  )
  func observations() {
    func result(_ verdict: ConformanceResult.Verdict, _ step: String?, _ more: String? = nil) -> ConformanceResult {
      var result = ConformanceResult("receiver.status", verdict)
      if let step { result.observed.append(.init("volume step", step)) }
      if let more { result.observed.append(.init("volume control", more)) }
      return result
    }
    func changes(_ before: ConformanceResult, _ now: ConformanceResult) -> [ConformanceComparison.Change] {
      ConformanceComparison(Self.device(now), with: Self.device(before)).changes
    }
    #expect(
      changes(result(.passed, "0.05"), result(.passed, "0.02"))
        == [.init(check: "receiver.status", item: "volume step", kind: .changed, before: "0.05", now: "0.02")])
    #expect(
      changes(result(.failed, "0.05"), result(.failed, nil, "fixed"))
        == [
          .init(check: "receiver.status", item: "volume control", kind: .changed, before: nil, now: "fixed"),
          .init(check: "receiver.status", item: "volume step", kind: .changed, before: "0.05", now: nil),
        ])
    #expect(changes(result(.error, "0.05"), result(.error, nil)) == [])
    #expect(changes(result(.passed, "0.05"), result(.passed, "0.05")) == [])
  }

  @Test("A check that the suite has no more is gone; one that was left out is not")
  func gone() {
    var before = Self.device(ConformanceResult("media.levitate", .passed), ConformanceResult("media.seek", .passed))
    before.checks.append(ConformanceResult("media.load", .passed))
    let comparison = ConformanceComparison(Self.device(ConformanceResult("media.load", .passed)), with: before)
    #expect(comparison.changes == [.init(check: "media.levitate", kind: .gone, before: "passed", now: nil)])
  }

  @Test("The firmware is told as old and new where it is another; what was not told is no other")
  func firmware() {
    let same = ConformanceComparison(Self.device(), with: Self.device())
    #expect(!same.hasOtherFirmware && same.versions == "1.56 (build 1)")
    let other = ConformanceComparison(Self.device(firmware: "2"), with: Self.device())
    #expect(other.hasOtherFirmware && other.versions == "1.56 (build 1) → 1.56 (build 2)")
    for (now, before) in [(nil, "1"), ("1", nil)] as [(String?, String?)] {
      let half = ConformanceComparison(Self.device(firmware: now), with: Self.device(firmware: before))
      #expect(!half.hasOtherFirmware && half.versions == half.now.versions)
    }
  }

  @Test("The worst check decides the exit, and a result with a broken check is not complete")
  func exits() {
    let device = Self.device(
      ConformanceResult("a.a", .failed), ConformanceResult("a.b", .error), ConformanceResult("a.c", .passed))
    #expect(ConformanceMatrix.Column(device).ending(excusingKnown: false) == .stepFailed)
    #expect(!device.isComplete)
    #expect(ConformanceMatrix.Column(device).counts == "1 passed, 1 failed, 1 error")
    #expect(Self.device(ConformanceResult("a.a", .failed), ConformanceResult("a.b", .skipped)).isComplete)
    #expect(!Self.device(ConformanceResult("a.a", .notRun)).isComplete)
  }
}
