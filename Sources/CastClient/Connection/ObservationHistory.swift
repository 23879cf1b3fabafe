import CastProtocol

/// The newest observations of a connection, numbered without holes: a ring.
///
/// Who reads slowly finds the newest and has missed the oldest, so that no reader and no device makes it grow: there are
/// so many, of so many bytes in all. Who knows that it will not look back any more says so: ``forget(through:)``.
struct ObservationHistory: Sendable {
  private struct Entry: Sendable {
    var observation: Observation
    /// Roughly how many bytes it takes in memory.
    var bytes: Int
  }

  /// What all observations may take together, in bytes; the oldest go first.
  static let byteLimit = 8 << 20
  /// What messages of apps may take of that; older ones are forgotten but for that they came.
  static let messageByteLimit = 4 << 20

  /// About what an observation takes in memory.
  ///
  /// A kilobyte for itself and the status behind it, and four bytes for each of the message's text: so much does the
  /// tree of a usual message take that was parsed from it, and less a status that is kept as its text.
  /// - Parameter length: The length of its message on the wire, in bytes.
  static func footprint(ofMessage length: Int) -> Int { 1024 + 4 * length }

  private let limit: Int
  private let age: Duration?
  private var ring: [Entry] = []
  /// Where the oldest is, and how many there are from there on.
  private var oldest = 0
  private(set) var count = 0
  private var bytes = 0
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
  /// - Parameter bytes: The length of the message it is about.
  mutating func append(bytes: Int = 0, _ make: (_ number: Int) -> Observation) {
    lastNumber += 1
    let entry = Entry(observation: make(lastNumber), bytes: Self.footprint(ofMessage: bytes))
    forgetOld(at: entry.observation.at, keeping: 0)
    self.bytes += entry.bytes
    if count == limit {
      self.bytes -= ring[oldest].bytes
      ring[oldest] = entry
      oldest = oldest + 1 == ring.count ? 0 : oldest + 1
    } else {
      add(entry)
    }
    while self.bytes > Self.byteLimit, count > 1 { removeOldest() }
  }

  /// Adds to a ring that is not full.
  private mutating func add(_ entry: Entry) {
    if count < ring.count {
      ring[(oldest + count) % ring.count] = entry
    } else {
      if oldest > 0 {
        ring = Array(ring[oldest...] + ring[..<oldest])
        oldest = 0
      }
      ring.append(entry)
    }
    count += 1
  }

  /// Gives back the room that a burst took.
  private mutating func shrink() {
    guard ring.count > max(2, 2 * count) else { return }
    ring = (0..<count).map { ring[(oldest + $0) % ring.count] }
    oldest = 0
  }

  private mutating func removeOldest() {
    bytes -= ring[oldest].bytes
    // What it held is let go of now, not when its place is needed again.
    ring[oldest].observation.dropPayload()
    ring[oldest].bytes = 0
    oldest = oldest + 1 == ring.count ? 0 : oldest + 1
    count -= 1
  }

  /// Forgets what is older than anybody may look back; the newest stays.
  mutating func forgetOld(at now: Duration) { forgetOld(at: now, keeping: 1) }

  private mutating func forgetOld(at now: Duration, keeping least: Int) {
    guard let age else { return }
    while count > least, ring[oldest].observation.at < now - age { removeOldest() }
    shrink()
  }

  /// Forgets all up to observation `number`; the newest stays in any case.
  mutating func forget(through number: Int) {
    while count > 1, lastNumber - count < number { removeOldest() }
    shrink()
  }

  /// Notes that the newest is a message of an app of this length.
  mutating func chargeMessageBudget(bytes: Int) {
    let bytes = Self.footprint(ofMessage: bytes)
    messages.append((lastNumber, bytes))
    messageBytes += bytes
    while messages.count - firstMessage > 1, let oldest = messages[firstMessage...].first {
      // Those that have left the ring take nothing any more.
      let age = lastNumber - oldest.number
      let isGone = age >= count
      guard isGone || messageBytes > Self.messageByteLimit else { break }
      firstMessage += 1
      messageBytes -= oldest.bytes
      if !isGone { ring[(self.oldest + count - 1 - age) % ring.count].observation.message = nil }
    }
    if firstMessage > 64, firstMessage * 2 > messages.count {
      messages.removeFirst(firstMessage)
      firstMessage = 0
    }
  }

  /// How many messages of apps are accounted for.
  var chargedMessages: Int { messages.count }

  /// What came after `number`, oldest first, as far as it is still there.
  func observations(after number: Int) -> [Observation] {
    guard number < lastNumber else { return [] }
    let wanted = min(count, lastNumber - max(0, number))
    let first = oldest + count - wanted
    return (first..<first + wanted).map { ring[$0 % ring.count].observation }
  }
}

extension Observation {
  private static let nothing = DeviceSnapshot()

  /// Lets go of what is large.
  fileprivate mutating func dropPayload() {
    snapshot = Self.nothing
    message = nil
    others = []
  }
}
