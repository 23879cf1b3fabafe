/// The newest observations of a connection, numbered without holes: a ring.
struct ObservationHistory: Sendable {
  private let limit: Int
  private var ring: [Observation] = []
  /// Where the oldest is once the ring is full.
  private var oldest = 0
  private var messages: [(number: Int, bytes: Int)] = []
  private var messageBytes = 0
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

  /// What messages of apps may take together; older ones are forgotten but for that they came.
  static let messageByteLimit = 1 << 20

  /// Notes that the newest is a message of an app of this length.
  mutating func noteMessage(bytes: Int) {
    messages.append((lastNumber, bytes))
    messageBytes += bytes
    while messageBytes > Self.messageByteLimit, messages.count > 1 {
      let oldest = messages.removeFirst()
      messageBytes -= oldest.bytes
      // It may have left the ring already.
      let age = lastNumber - oldest.number
      guard age < ring.count else { continue }
      ring[(self.oldest + ring.count - 1 - age) % ring.count].message = nil
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
