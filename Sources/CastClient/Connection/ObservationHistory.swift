/// The newest observations of a connection, numbered without holes: a ring.
struct ObservationHistory: Sendable {
  private let limit: Int
  private var ring: [Observation] = []
  /// Where the oldest is once the ring is full.
  private var oldest = 0
  /// The number of the newest; 0 before the first.
  private(set) var lastNumber = 0

  /// - Parameter limit: How many are kept; at least one is.
  init(limit: Int) { self.limit = max(1, limit) }

  /// Adds what `make` returns for the next number.
  mutating func append(_ make: (_ number: Int) -> Observation) {
    lastNumber += 1
    if ring.count < limit {
      ring.append(make(lastNumber))
    } else {
      ring[oldest] = make(lastNumber)
      oldest = oldest + 1 == limit ? 0 : oldest + 1
    }
  }

  /// What came after `number`, oldest first, as far as it is still there.
  func observations(after number: Int) -> [Observation] {
    guard number < lastNumber else { return [] }
    let count = min(ring.count, lastNumber - max(0, number))
    let first = oldest + ring.count - count
    return (first..<first + count).map { ring[$0 % ring.count] }
  }
}
