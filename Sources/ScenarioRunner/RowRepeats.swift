/// How often the rows of a run are run (`--repeat`).
package struct RowRepeats: Hashable, Sendable {
  /// How often each is asked for, at least 1; `nil`: once, and nothing is told of repeats.
  package var count: Int?
  /// Those of each row, in the document's order, that are this run's, counted from 1; `nil`: all of every row.
  package var chosen: [[Int]]?

  package init(count: Int? = nil, chosen: [[Int]]? = nil) {
    self.count = count
    self.chosen = chosen
  }

  /// One of several.
  struct Place: Hashable, Sendable {
    /// From 1.
    var number: Int
    var count: Int
  }

  /// The repeats of the row at a place in the document; `[nil]` where rows are run once.
  func places(ofRow index: Int) -> [Place?] {
    guard let count else { return [nil] }
    let numbers = chosen.flatMap { $0.indices.contains(index) ? $0[index] : nil } ?? Array(1...max(1, count))
    return numbers.map { Place(number: $0, count: count) }
  }
}
