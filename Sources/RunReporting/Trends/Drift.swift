/// How a value of every run changes from run to run.
///
/// The slope is the median of the slopes between any two runs (Theil and Sen), so that a few slow runs say nothing. Whether
/// it is more than chance is asked of the ranks alone (Mann and Kendall).
package struct Drift: Hashable, Sendable {
  /// What a run adds to the value.
  package var slope: Double
  /// The value now, by the line through all runs.
  package var level: Double
  /// By how many standard deviations more pairs of runs grow than fall.
  package var confidence: Double

  /// Of fewer runs nothing is said.
  package static let leastCount = 8
  /// Older runs than so many are not looked at: each is compared with each.
  package static let runLimit = 60
  /// One in a thousand series without a trend looks like one.
  static let leastConfidence = 3.1

  /// - Parameter values: Those of the runs, oldest first, all finite.
  package init?(_ values: some Collection<Double>) {
    let values = Array(values.suffix(Self.runLimit))
    guard values.count >= Self.leastCount, values.allSatisfy(\.isFinite) else { return nil }
    var slopes: [Double] = []
    var rises = 0
    for later in values.indices.dropFirst() {
      for earlier in 0..<later {
        let change = values[later] - values[earlier]
        slopes.append(change / Double(later - earlier))
        rises += change > 0 ? 1 : change < 0 ? -1 : 0
      }
    }
    slope = Self.median(slopes)
    let last = Double(values.count - 1)
    let slope = slope
    level = Self.median(values.enumerated().map { $0.element - slope * Double($0.offset) }) + slope * last
    confidence = Self.confidence(rises: rises, values)
  }

  /// After how many more runs the value is at `limit`; `nil` where it does not go there, or that is more runs than were
  /// looked at.
  package func runs(until limit: Double, of count: Int) -> Int? {
    guard confidence >= Self.leastConfidence, slope > 0 else { return nil }
    let runs = max(0, ((limit - level) / slope).rounded(.up))
    return runs <= Double(max(count, Self.leastCount)) ? Int(exactly: runs) : nil
  }

  /// The standard score of the number of rising pairs less that of falling ones, with equal values allowed for.
  private static func confidence(rises: Int, _ values: [Double]) -> Double {
    let count = Double(values.count)
    func weight(_ size: Double) -> Double { size * (size - 1) * (2 * size + 5) }
    var ties: [Double: Double] = [:]
    for value in values { ties[value, default: 0] += 1 }
    let variance = (weight(count) - ties.values.map(weight).reduce(0, +)) / 18
    guard variance > 0, rises != 0 else { return 0 }
    return (Double(rises) - (rises > 0 ? 1 : -1)) / variance.squareRoot()
  }

  /// The middle of some values; of an even number of them between the two in the middle.
  static func median(_ values: [Double]) -> Double { quantile(0.5, of: values) }

  /// The value that a share of all values does not exceed; 0 of none.
  static func quantile(_ share: Double, of values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    let place = share * Double(sorted.count - 1)
    let below = min(max(0, Int(place)), sorted.count - 1)
    let above = min(below + 1, sorted.count - 1)
    return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
  }
}
