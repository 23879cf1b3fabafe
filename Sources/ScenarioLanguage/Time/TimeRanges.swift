/// Seconds as sorted ranges that do not touch: readings of a wall clock, or Unix times.
package struct TimeRanges: Hashable, Sendable {
  package private(set) var ranges: [Range<Int>]

  /// Sorts and joins.
  package init(_ parts: [Range<Int>]) {
    ranges = []
    ranges.reserveCapacity(parts.count)
    for part in parts.sorted(by: { $0.lowerBound < $1.lowerBound }) where !part.isEmpty {
      if let last = ranges.last, part.lowerBound <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, part.upperBound)
      } else {
        ranges.append(part)
      }
    }
  }

  private init(sorted ranges: [Range<Int>]) { self.ranges = ranges }

  package var isEmpty: Bool { ranges.isEmpty }

  /// The first range that has not ended at `second`; the number of ranges where there is none.
  private func index(after second: Int) -> Int { ranges.sortedIndex(where: { $0.upperBound > second }) }

  /// The range with `second` in it.
  package func range(with second: Int) -> Range<Int>? {
    let index = index(after: second)
    return index < ranges.count && ranges[index].contains(second) ? ranges[index] : nil
  }

  /// The part that lies in `range`.
  package func clamped(to range: Range<Int>) -> TimeRanges {
    var kept: [Range<Int>] = []
    var next = index(after: range.lowerBound)
    while next < ranges.count, ranges[next].lowerBound < range.upperBound {
      kept.append(ranges[next].clamped(to: range))
      next += 1
    }
    return TimeRanges(sorted: kept)
  }

  /// The part that is in both.
  package func intersection(_ other: TimeRanges) -> TimeRanges {
    var both: [Range<Int>] = []
    var (mine, theirs) = (0, 0)
    while mine < ranges.count, theirs < other.ranges.count {
      let (left, right) = (ranges[mine], other.ranges[theirs])
      if left.overlaps(right) { both.append(left.clamped(to: right)) }
      if left.upperBound < right.upperBound { mine += 1 } else { theirs += 1 }
    }
    return TimeRanges(sorted: both)
  }

  /// The part that is not in `other`.
  package func subtracting(_ other: TimeRanges) -> TimeRanges {
    if other.isEmpty { return self }
    var left: [Range<Int>] = []
    var index = 0
    for range in ranges {
      var start = range.lowerBound
      while index < other.ranges.count, other.ranges[index].upperBound <= start { index += 1 }
      var next = index
      while next < other.ranges.count, other.ranges[next].lowerBound < range.upperBound {
        let taken = other.ranges[next]
        if taken.lowerBound > start { left.append(start..<taken.lowerBound) }
        start = max(start, taken.upperBound)
        next += 1
      }
      if start < range.upperBound { left.append(start..<range.upperBound) }
    }
    return TimeRanges(sorted: left)
  }
}
