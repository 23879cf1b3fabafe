import CastProtocol
import Testing

@testable import RunReporting

/// How values change from run to run.
@Suite struct DriftTests {
  private func rising(_ count: Int, from first: Double = 0.5, by step: Double = 0.02) -> [Double] {
    (0..<count).map { first + Double($0) * step }
  }

  @Test("A straight line is told exactly: its slope, its value now, and when it is at a limit")
  func line() throws {
    let drift = try #require(Drift(rising(20)))
    #expect(abs(drift.slope - 0.02) < 1e-9 && abs(drift.level - 0.88) < 1e-9)
    #expect(drift.runs(until: 1, of: 20) == 6)
    #expect(drift.runs(until: 0.5, of: 20) == 0)
  }

  @Test("One run that took very long, or every third that took half as long again, is no trend")
  func outliers() {
    var values = Array(repeating: 0.4, count: 30)
    values[29] = 0.99
    #expect(Drift(values)?.runs(until: 1, of: 30) == nil)
    let jumping = (0..<30).map { $0 % 3 == 0 ? 0.6 : 0.4 }
    #expect(Drift(jumping)?.runs(until: 1, of: 30) == nil)
    #expect(Drift(values) != nil && Drift(jumping) != nil)
  }

  @Test("A slow rise in much noise is seen")
  func noise() throws {
    var random = SeededGenerator(seed: 3)
    let values = rising(40, from: 0.3, by: 0.01).map { $0 + Double.random(in: -0.05...0.05, using: &random) }
    let drift = try #require(Drift(values))
    let runs = try #require(drift.runs(until: 1, of: 40))
    #expect((22...40).contains(runs))
  }

  @Test("Of a thousand series without a trend at most a handful is taken for one")
  func chance() {
    var random = SeededGenerator(seed: 11)
    var found = 0
    for _ in 0..<1000 {
      let values = (0..<20).map { _ in Double.random(in: 0.3...0.9, using: &random) }
      if Drift(values)?.runs(until: 1, of: 20) != nil { found += 1 }
    }
    #expect(found <= 5)
  }

  @Test("What falls, stays, is too short or no number goes nowhere")
  func nowhere() {
    #expect(Drift(rising(20).reversed())?.runs(until: 1, of: 20) == nil)
    #expect(Drift(Array(repeating: 1, count: 20))?.runs(until: 1, of: 20) == nil)
    #expect(Drift(rising(Drift.leastCount - 1)) == nil)
    #expect(Drift(rising(20) + [.nan]) == nil && Drift(rising(20) + [.infinity]) == nil)
    // It rises, but so slowly that nobody need look.
    #expect(Drift(rising(20, by: 0.001))?.runs(until: 1, of: 20) == nil)
  }

  @Test("Only the newest runs are looked at")
  func newest() throws {
    let drift = try #require(Drift(Array(repeating: 9, count: 500) + rising(Drift.runLimit)))
    #expect(abs(drift.slope - 0.02) < 1e-9)
  }

  @Test("Equal values count for less: four and four of a kind are no trend yet")
  func ties() throws {
    let drift = try #require(Drift([1, 1, 1, 1, 2, 2, 2, 2]))
    // 16 pairs rise; the variance is (8·7·21 − 2·4·3·13) / 18 = 48.
    #expect(abs(drift.confidence - 15 / 48.0.squareRoot()) < 1e-9)
  }

  @Test("A share of values", arguments: [(0.0, 1.0), (0.5, 2.5), (1, 4), (0.25, 1.75)])
  func quantile(share: Double, value: Double) {
    #expect(Drift.quantile(share, of: [4, 1, 3, 2]) == value)
    #expect(Drift.quantile(share, of: []) == 0 && Drift.quantile(share, of: [7]) == 7)
  }
}
