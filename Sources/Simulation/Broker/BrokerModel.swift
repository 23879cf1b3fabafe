package import FleetMessages

/// What an MQTT 5 broker does, as a value: what clients send goes in with the time, what they get comes out.
///
/// Every connection begins clean and leaves nothing behind, as those of a ``BrokerLink`` do. What real brokers do in ways
/// of their own is in ``Habits``; the tests play the same with a real Mosquitto.
package struct BrokerModel: Sendable {
  /// A connection; its owner counts them, and never uses a number twice.
  package typealias ConnectionID = Int

  package enum Input: Hashable, Sendable {
    case connect(ConnectionID, clientID: String, will: BrokerMessage? = nil)
    case subscribe(ConnectionID, String, BrokerCommand.Subscription = .init())
    case unsubscribe(ConnectionID, String)
    /// - Parameter id: Is acknowledged; `nil`: nobody asks.
    case publish(ConnectionID, BrokerMessage, id: Int? = nil)
    /// The client has the delivery of this number.
    case received(ConnectionID, number: Int)
    case goodbye(ConnectionID)
    /// The connection broke, or nothing was heard of it for too long.
    case lost(ConnectionID)
    /// Somebody else than a client brings a message in: another node, or whoever owns the broker.
    case plant(BrokerMessage)
    /// Writes down what is retained.
    case save
    /// All connections end, and no last will is published.
    case crash(Survivors)
  }

  /// What is still retained after a crash.
  package enum Survivors: String, Hashable, Sendable, CaseIterable {
    case all
    /// What was there when it was last written down.
    case saved
    case none
  }

  package enum Effect: Hashable, Sendable {
    case accepted(ConnectionID)
    /// - Parameter number: To be told by ``Input/received(_:number:)``; `nil`: at most once.
    case deliver(ConnectionID, BrokerMessage, number: Int?)
    case acknowledged(ConnectionID, Int)
    case ended(ConnectionID, Ending)
  }

  /// Why the broker ends a connection (MQTT 5.0, 3.14.2.1).
  package enum Ending: Hashable, Sendable {
    case takenOver
    /// It sent what no client may.
    case misused
  }

  /// What brokers do in different ways.
  package struct Habits: Hashable, Sendable {
    /// Whether a message comes once for each subscription of a connection that asks for it (MQTT 5.0, 3.3.4).
    package var repeatsOverlaps = true
    /// Whether another of the group gets what one of it had not acknowledged when its connection ended (4.8.2).
    package var passesOn = false
    /// Whether what is retained also goes to those who share, which nobody should do (3.8.4).
    package var givesRetainedToGroups = false
    /// Whether the same filter again leaves the options as they were, where they should be the new ones (3.8.4).
    package var keepsFirstOptions = false
    /// How many deliveries may be unacknowledged, and how many more wait, on a connection; further ones are dropped.
    package var mostInFlight = 20
    package var mostQueued = 1_000
    /// How many messages are retained; those of further topics are not.
    package var mostRetained = 100_000

    package init() {}

    /// Those of Mosquitto 2.0.11, as the tests have seen them.
    package static var mosquitto: Habits {
      var habits = Habits()
      (habits.givesRetainedToGroups, habits.keepsFirstOptions) = (true, true)
      return habits
    }
  }

  struct Kept: Sendable {
    var topic: TopicFilter.Topic
    var message: BrokerMessage
    /// When it is forgotten.
    var end: Duration?
  }

  struct Subscription: Sendable {
    var filter: TopicFilter
    var includesOwn: Bool
  }

  struct Delivery: Sendable {
    var message: BrokerMessage
    var end: Duration?
    /// The shared subscription that it came by.
    var shared: TopicFilter?
  }

  struct Connection: Sendable {
    var clientID: String
    var will: BrokerMessage?
    var subscriptions: [Subscription] = []
    var inFlight: [Int: Delivery] = [:]
    var queue: [Delivery] = []
    var lastNumber = 0
  }

  package let habits: Habits
  var connections: [ConnectionID: Connection] = [:]
  /// Those connections in the order in which they came.
  var order: [ConnectionID] = []
  /// The members of each shared subscription; the first is the next to get a message.
  var groups: [TopicFilter: [ConnectionID]] = [:]
  var retained: [String: Kept] = [:]
  private var saved: [String: Kept] = [:]

  package init(_ habits: Habits = Habits()) { self.habits = habits }

  package mutating func receive(_ input: Input, at now: Duration) -> [Effect] {
    switch input {
    case .connect(let id, let clientID, let will): return connect(id, clientID, will, now)
    case .subscribe(let id, let filter, let options): return subscribe(id, filter, options, now)
    case .unsubscribe(let id, let text):
      guard let filter = TopicFilter(text) else { return end(id, .misused, now) }
      unsubscribe(id, filter)
      return []
    case .publish(let id, let message, let token): return publish(id, message, token, now)
    case .received(let id, let number):
      connections[id]?.inFlight[number] = nil
      return sendQueued(id, now)
    case .goodbye(let id): return remove(id, publishesWill: false, now)
    case .lost(let id): return remove(id, publishesWill: true, now)
    case .plant(let message): return spread(message, from: nil, now)
    case .save:
      saved = retained
      return []
    case .crash(let survivors):
      switch survivors {
      case .all: break
      case .saved: retained = saved
      case .none: (retained, saved) = ([:], [:])
      }
      (connections, order, groups) = ([:], [], [:])
      return []
    }
  }

  // MARK: connections

  private mutating func connect(
    _ id: ConnectionID, _ clientID: String, _ will: BrokerMessage?, _ now: Duration
  ) -> [Effect] {
    guard connections[id] == nil else { return [] }
    var effects: [Effect] = []
    // The last will of whoever had the name comes before anything of the new one (3.1.4, and 3.1.2.5).
    if let former = order.first(where: { connections[$0]?.clientID == clientID }) {
      effects = [.ended(former, .takenOver)] + remove(former, publishesWill: true, now)
    }
    connections[id] = Connection(clientID: clientID, will: will)
    order.append(id)
    return effects + [.accepted(id)]
  }

  mutating func end(_ id: ConnectionID, _ why: Ending, _ now: Duration) -> [Effect] {
    guard connections[id] != nil else { return [] }
    return [.ended(id, why)] + remove(id, publishesWill: true, now)
  }

  private mutating func remove(_ id: ConnectionID, publishesWill: Bool, _ now: Duration) -> [Effect] {
    guard let connection = connections.removeValue(forKey: id) else { return [] }
    order.removeAll { $0 == id }
    for subscription in connection.subscriptions where subscription.filter.group != nil {
      leave(subscription.filter, id)
    }
    var effects: [Effect] = []
    if habits.passesOn {
      let open = connection.inFlight.sorted { $0.key < $1.key }.map(\.value) + connection.queue
      for delivery in open {
        if let shared = delivery.shared { effects += share(delivery, in: shared, now) }
      }
    }
    if publishesWill, let will = connection.will { effects += spread(will, from: connection.clientID, now) }
    return effects
  }

  // MARK: what it costs

  /// What it keeps in memory.
  package struct Load: Hashable, Sendable {
    package var connections = 0
    package var subscriptions = 0
    package var retained = 0
    /// Topics and payloads of what is retained.
    package var retainedBytes = 0
    /// Deliveries that wait or are not acknowledged.
    package var waiting = 0

    package init() {}
  }

  package var load: Load {
    var load = Load()
    load.connections = connections.count
    load.subscriptions = connections.values.reduce(0) { $0 + $1.subscriptions.count }
    load.retained = retained.count
    load.retainedBytes = retained.reduce(0) { $0 + $1.key.utf8.count + $1.value.message.payload.count }
    load.waiting = connections.values.reduce(0) { $0 + $1.inFlight.count + $1.queue.count }
    return load
  }

  /// What is retained now, by topic.
  package func retained(at now: Duration) -> [BrokerMessage] {
    retained.sorted { $0.key < $1.key }.compactMap { $0.value.message(at: now) }
  }
}

extension BrokerModel.Kept {
  /// With the time that is left (3.3.2.3.3); `nil`: none is.
  func message(at now: Duration) -> BrokerMessage? { BrokerModel.fresh(message, until: end, at: now) }
}

extension BrokerModel {
  static func fresh(_ message: BrokerMessage, until end: Duration?, at now: Duration) -> BrokerMessage? {
    guard let end else { return message }
    // Whole seconds: brokers count no others.
    let left = end.components.seconds - now.components.seconds
    guard left > 0 else { return nil }
    var message = message
    message.expiry = .seconds(left)
    return message
  }
}
