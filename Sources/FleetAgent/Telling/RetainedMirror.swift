import FleetMessages

/// What is to be retained on the broker, against what it has acknowledged on this connection: which messages go when.
///
/// After each connection everything goes again, then only what changed; a topic once a second at most, and its last value
/// always. A value without I/O; times are of one monotonic clock.
struct RetainedMirror: Sendable {
  /// Messages that are under way and not acknowledged.
  static let mostInFlight = 50
  /// From one message of a topic to the next.
  static let pause = Duration.seconds(1)
  /// How long after its beginning a site does not know all of its screens yet, and removes nothing of an earlier process.
  static let grace = Duration.seconds(60)
  /// More topics of an earlier process are not remembered at a time.
  static let mostFound = 1_000
  /// Of the names of such topics: longer ones no site has.
  static let longestFound = 500
  /// A broker that does not acknowledge a message for so long is left.
  static let patience = Duration.seconds(60)

  private struct Topic: Sendable {
    /// `nil`: it is to be removed.
    var wanted: BrokerMessage?
    /// The number of the message that is not acknowledged yet.
    var flight: Int?
    /// When a message was last sent, on this connection or an earlier one; `nil`: the broker cannot have any.
    var sentAt: Duration?
  }

  private var topics: [String: Topic] = [:]
  /// The topics of which the broker has not, or may not have, what is wanted.
  private var dirty: Set<String> = []
  private var flights: [Int: String] = [:]
  private var nextFlight = 1
  private var isConnected = false
  /// Retained topics of the site that nobody wants.
  private var found: Set<String> = []
  private let begin: Duration

  init(at time: Duration) { begin = time }

  var isSettled: Bool { dirty.isEmpty && flights.isEmpty }

  // MARK: what is wanted

  /// Takes all that is to be retained; what was and is not any more is removed.
  mutating func want(_ messages: [BrokerMessage]) {
    var wanted: Set<String> = []
    for message in messages {
      wanted.insert(message.topic)
      found.remove(message.topic)
      guard topics[message.topic]?.wanted != message else { continue }
      topics[message.topic, default: Topic()].wanted = message
      dirty.insert(message.topic)
    }
    for (topic, entry) in topics where entry.wanted != nil && !wanted.contains(topic) {
      if entry.sentAt == nil {
        // Nobody ever heard of it.
        topics[topic] = nil
        dirty.remove(topic)
      } else {
        topics[topic]?.wanted = nil
        dirty.insert(topic)
      }
    }
  }

  /// Publishes a topic again, although the broker has it.
  mutating func again(_ topic: String) { if topics[topic] != nil { dirty.insert(topic) } }

  mutating func everythingAgain() { dirty.formUnion(topics.keys) }

  // MARK: what the broker says

  mutating func connected(at time: Duration) {
    isConnected = true
    forgetFlights()
    everythingAgain()
  }

  mutating func disconnected() {
    isConnected = false
    forgetFlights()
  }

  private mutating func forgetFlights() {
    for topic in flights.values {
      topics[topic]?.flight = nil
      dirty.insert(topic)
    }
    flights = [:]
  }

  mutating func acknowledged(_ flight: Int, at time: Duration) {
    guard let topic = flights.removeValue(forKey: flight) else { return }
    guard topics[topic]?.flight == flight else { return }
    topics[topic]?.flight = nil
    if topics[topic]?.wanted == nil, !dirty.contains(topic) { topics[topic] = nil }
  }

  /// What is under way by a number.
  func topic(of flight: Int) -> String? { flights[flight] }

  /// Somebody else has published on a topic of the site: the site's message goes there again.
  mutating func overwritten(_ topic: String, by payload: [UInt8]) {
    if let wanted = topics[topic]?.wanted, wanted.payload != payload { again(topic) }
  }

  /// The broker holds a retained message of the site: of this process, or of an earlier one.
  mutating func find(_ topic: String) {
    guard topics[topic] == nil, found.count < Self.mostFound, topic.utf8.count <= Self.longestFound else { return }
    found.insert(topic)
  }

  // MARK: what is to be done

  /// What is to go now, each with the number by which it is acknowledged.
  mutating func due(at time: Duration) -> [(message: BrokerMessage, flight: Int)] {
    guard isConnected else { return [] }
    if time >= begin + Self.grace {
      for topic in found {
        topics[topic] = Topic(wanted: nil, flight: nil, sentAt: nil)
        dirty.insert(topic)
      }
      found = []
    }
    guard flights.count < Self.mostInFlight else { return [] }
    var due: [(message: BrokerMessage, flight: Int)] = []
    for topic in dirty.sorted(by: Self.goesFirst) where isReady(topic, at: time) {
      guard flights.count < Self.mostInFlight else { break }
      let flight = nextFlight
      nextFlight &+= 1
      topics[topic]?.flight = flight
      topics[topic]?.sentAt = time
      flights[flight] = topic
      dirty.remove(topic)
      due.append((topics[topic]?.wanted ?? .removal(of: topic), flight))
    }
    return due
  }

  /// The link did not take it: it goes later.
  mutating func dropped(_ flight: Int) {
    guard let topic = flights.removeValue(forKey: flight) else { return }
    topics[topic]?.flight = nil
    dirty.insert(topic)
  }

  /// Whether the broker takes messages and acknowledges none.
  func isStuck(at time: Duration) -> Bool { oldestFlight.map { time - $0 >= Self.patience } ?? false }

  /// When the message went out that is under way for the longest time.
  private var oldestFlight: Duration? { flights.values.compactMap { topics[$0]?.sentAt }.min() }

  /// When there is something to do that no event of the link announces; `nil`: never.
  func deadline(at time: Duration) -> Duration? {
    guard isConnected else { return nil }
    var deadlines: [Duration] = []
    if !found.isEmpty { deadlines.append(begin + Self.grace) }
    if let oldestFlight { deadlines.append(oldestFlight + Self.patience) }
    if flights.count < Self.mostInFlight {
      deadlines += dirty.compactMap { topic in
        guard let entry = topics[topic], entry.flight == nil else { return nil }
        return entry.sentAt.map { $0 + Self.pause } ?? time
      }
    }
    return deadlines.min()
  }

  private func isReady(_ topic: String, at time: Duration) -> Bool {
    guard let entry = topics[topic], entry.flight == nil else { return false }
    return entry.sentAt.map { time - $0 >= Self.pause } ?? true
  }

  /// Availability goes first, then health, then all else.
  private static func goesFirst(_ left: String, _ right: String) -> Bool {
    let (leftRank, rightRank) = (rank(left), rank(right))
    return leftRank == rightRank ? left < right : leftRank < rightRank
  }

  private static func rank(_ topic: String) -> Int {
    topic.hasSuffix("/availability") ? 0 : topic.hasSuffix("/health") ? 1 : 2
  }
}
