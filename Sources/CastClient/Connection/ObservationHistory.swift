/// The newest observations of a connection, numbered without holes: a ring.
struct ObservationHistory: Sendable {
  private let limit: Int
  private let age: Duration?
  private var ring: [Observation] = []
  /// Where the oldest is once the ring is full.
  private var oldest = 0
  /// Those of the ring that are messages of apps, oldest first, from ``firstMessage`` on.
  private var messages: [(number: Int, bytes: Int)] = []
  private var firstMessage = 0
  private var messageBytes = 0
  /// The number of the newest; 0 before the first.
  private(set) var lastNumber = 0

  /// - Parameters:
  ///   - limit: How many are kept; at least one is.
  ///   - age: How much older than the newest they may be; `nil`: any age.
  init(limit: Int, age: Duration? = nil) {
    self.limit = max(1, limit)
    self.age = age
  }

  /// Adds what `make` returns for the next number.
  mutating func append(_ make: (_ number: Int) -> Observation) {
    lastNumber += 1
    let newest = make(lastNumber)
    if let age { forget(before: newest.at - age) }
    if ring.count < limit {
      ring.append(newest)
    } else {
      ring[oldest] = newest
      oldest = oldest + 1 == limit ? 0 : oldest + 1
    }
  }

  /// Drops what was seen before `time`.
  private mutating func forget(before time: Duration) {
    guard !ring.isEmpty, ring[oldest].at < time else { return }
    if oldest > 0 {
      ring = Array(ring[oldest...] + ring[..<oldest])
      oldest = 0
    }
    ring.removeFirst(ring.firstIndex { $0.at >= time } ?? ring.count)
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
