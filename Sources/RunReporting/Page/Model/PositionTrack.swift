/// Where the media was: what statuses told, and how fast it ran from then on.
///
/// It keeps ``limit`` points at most: then some are left out, so that those that stay are about as far apart.
struct PositionTrack: Sendable {
  struct Point: Hashable, Sendable {
    /// Document seconds since the run began.
    var time: Double
    /// Seconds of the media; `nil`: there is none.
    var position: Double?
    /// Seconds of the media in a second.
    var speed = 0.0
  }

  static let limit = 2_000

  private(set) var points: [Point] = []
  private(set) var count = 0

  mutating func add(_ point: Point) {
    if point.position == nil, points.last.map({ $0.position == nil }) ?? true { return }
    count += 1
    points.append(point)
    if points.count >= Self.limit { points = Self.thinned(points, to: Self.limit / 2) }
  }

  /// At most `limit` points, about as far apart; the first and the last stay.
  static func thinned(_ points: [Point], to limit: Int) -> [Point] {
    guard points.count > max(2, limit), let first = points.first, let last = points.last else { return points }
    var grain = max((last.time - first.time) / Double(max(1, limit)), 0.001)
    var thinned = points
    while thinned.count > max(2, limit), grain.isFinite {
      var kept = [first]
      for point in thinned.dropFirst().dropLast() where point.time - (kept.last?.time ?? 0) >= grain {
        kept.append(point)
      }
      thinned = kept + [last]
      grain *= 2
    }
    return thinned
  }

  /// The lines of a drawing, each a list of moments and positions. Between two statuses the position runs as fast as the
  /// first said; a gap is where there is none.
  /// - Parameter end: Where the drawing ends.
  static func lines(_ points: [Point], until end: Double) -> [[(time: Double, position: Double)]] {
    var lines: [[(time: Double, position: Double)]] = []
    for (index, point) in points.enumerated() {
      guard let position = point.position else { continue }
      let next = index + 1 < points.count ? max(point.time, points[index + 1].time) : max(point.time, end)
      let run = [(point.time, position), (next, max(0, position + point.speed * (next - point.time)))]
      if index > 0, points[index - 1].position != nil, !lines.isEmpty {
        lines[lines.count - 1] += run
      } else {
        lines.append(run)
      }
    }
    return lines
  }
}
