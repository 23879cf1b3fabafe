/// The newest observations of a connection, numbered without holes: a ring.
struct ObservationHistory: Sendable {
  private let limit: Int
  private var ring: [Observation] = []
  /// Where the oldest is once the ring is full.
  private var oldest = 0
  /// Those of the ring that are messages of apps, oldest first, from ``firstMessage`` on.
  private var messages: [(number: Int, bytes: Int)] = []
  private var firstMessage = 0
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
  /// What a message counts at least: its parts take room, however short it is.
  static let leastMessageBytes = 256

  /// Notes that the newest is a message of an app of this length.
  mutating func noteMessage(bytes: Int) {
    let bytes = max(bytes, Self.leastMessageBytes)
    messages.append((lastNumber, bytes))
    messageBytes += bytes
    while messages.count - firstMessage > 1, let oldest = messages[firstMessage...].first {
      // Those that have left the ring take nothing any more.
      let age = lastNumber - oldest.number
      let isGone = age >= ring.count
      guard isGone || messageBytes > Self.messageByteLimit else { break }
      firstMessage += 1
      messageBytes -= oldest.bytes
      if !isGone { ring[(self.oldest + ring.count - 1 - age) % ring.count].message = nil }
    }
    if firstMessage > 64, firstMessage * 2 > messages.count {
      messages.removeFirst(firstMessage)
      firstMessage = 0
    }
  }

  /// How many messages of apps are accounted for.
  var notedMessages: Int { messages.count }

  /// What came after `number`, oldest first, as far as it is still there.
  func observations(after number: Int) -> [Observation] {
    guard number < lastNumber else { return [] }
    let count = min(ring.count, lastNumber - max(0, number))
    let first = oldest + ring.count - count
    return (first..<first + count).map { ring[$0 % ring.count] }
  }
}
