import CastProtocol
import FleetMessages

/// A broker, its clients and the ways between them, as a value: what is due when comes out as alarms.
struct BrokerWorld: Sendable {
  typealias ConnectionID = BrokerModel.ConnectionID

  /// What is to be done at a time.
  enum Alarm: Hashable, Sendable {
    /// Something may arrive.
    case traffic(client: Int)
    case connect(client: Int, attempt: Int)
    /// No answer came to an attempt to connect.
    case unanswered(client: Int, ConnectionID)
    /// Nothing was heard for too long: of the client, or of the broker.
    case clientSilent(ConnectionID, onlyIfHeld: Bool)
    case brokerSilent(ConnectionID, onlyIfHeld: Bool)
    case fault(BrokerFault)
    case isUp
    case hostile([HostileAct], until: Duration)
    /// A message that comes twice, the second time.
    case again(ConnectionID, BrokerMessage)
  }

  /// What is under way to a client.
  enum Parcel: Hashable, Sendable {
    case accepted
    case refused
    case message(BrokerMessage, number: Int?)
    case acknowledged(Int)
    case ended(BrokerFailure)
  }

  struct Transit<Content: Sendable>: Sendable {
    var content: Content
    var connection: ConnectionID
    var due: Duration
  }

  enum Phase: Hashable, Sendable {
    case waiting
    case connecting(ConnectionID)
    case connected(ConnectionID)
    case closed

    var connection: ConnectionID? {
      switch self {
      case .waiting, .closed: nil
      case .connecting(let id), .connected(let id): id
      }
    }
  }

  struct Client: Sendable {
    var clientID: String
    var will: BrokerMessage?
    var phase = Phase.waiting
    /// Attempts to connect in all, and those in a row that failed.
    var attempts = 0
    var failures = 0
    var toldFailure: BrokerFailure.Code?
    var toBroker: [Transit<BrokerModel.Input>] = []
    var toClient: [Transit<Parcel>] = []
    /// What its owner has not read yet.
    var events: [BrokerEvent] = []
    /// Until when nothing goes either way.
    var heldUntil = Duration.zero
    /// Messages of the last seconds.
    var window = (start: Duration.zero, messages: 0)
  }

  /// After how much silence a client, and the broker (one and a half times as much: MQTT 5.0, 3.1.2.10), gives up.
  static let clientPatience = Duration.seconds(30)
  static let brokerPatience = Duration.seconds(45)
  static let connectTimeout = Duration.seconds(10)
  static let longestWait = 60.0
  /// More is not read while nobody takes it, and more does not wait on the way.
  static let mostEvents = 256
  static let mostUnderWay = 4_000
  static let mostSending = 1_000
  static let rateLimit = (messages: 10_000, time: Duration.seconds(5))

  var model: BrokerModel
  var clients: [Int: Client] = [:]
  var owners: [ConnectionID: Int] = [:]
  var lastClient = -1
  var lastConnection = 0
  var isUp = true
  var latency = Duration.zero ... .zero
  var duplicates = 0
  var lostAcknowledgements = 0
  var dice: SeededGenerator
  var hostile: HostileBroker
  var now = Duration.zero
  /// What was asked for since it was last taken.
  private(set) var alarms: [(time: Duration, alarm: Alarm)] = []

  init(_ habits: BrokerModel.Habits, seed: UInt64) {
    model = BrokerModel(habits)
    dice = SeededGenerator(seed: seed)
    hostile = HostileBroker(seed: seed.mixed(with: "hostile"))
  }

  mutating func takeAlarms() -> [(time: Duration, alarm: Alarm)] {
    defer { alarms = [] }
    return alarms
  }

  mutating func alarm(_ alarm: Alarm, at time: Duration) { alarms.append((time, alarm)) }

  // MARK: connections

  /// - Returns: The number of the client.
  mutating func add(_ clientID: String, _ will: BrokerMessage?) -> Int {
    lastClient += 1
    clients[lastClient] = Client(clientID: clientID, will: will)
    alarm(.connect(client: lastClient, attempt: 0), at: now)
    return lastClient
  }

  func isHeld(_ client: Int) -> Bool { (clients[client]?.heldUntil ?? .zero) > now }

  mutating func newConnection(of client: Int?) -> ConnectionID {
    lastConnection += 1
    if let client { owners[lastConnection] = client }
    return lastConnection
  }

  mutating func connect(_ client: Int, attempt: Int) {
    guard let state = clients[client], state.phase == .waiting, state.attempts == attempt else { return }
    let id = newConnection(of: client)
    clients[client]?.phase = .connecting(id)
    clients[client]?.attempts += 1
    alarm(.unanswered(client: client, id), at: now + Self.connectTimeout)
    // An attempt that is not answered at all is not answered later either.
    if !isHeld(client) { send(.connect(id, clientID: state.clientID, will: state.will), id, from: client) }
  }

  /// The client has no connection any more, and connects again after a wait.
  mutating func fail(_ client: Int, _ failure: BrokerFailure, after wait: Duration? = nil) {
    guard var state = clients[client], state.phase != .closed else { return }
    if let id = state.phase.connection { forget(id) }
    state.phase = .waiting
    (state.toBroker, state.toClient) = ([], [])
    state.failures += 1
    if state.toldFailure != failure.code {
      state.events.append(.disconnected(failure))
      state.toldFailure = failure.code
    }
    clients[client] = state
    let longest = min(Self.longestWait, Double(1 << min(state.failures - 1, 6)))
    let drawn = Duration.milliseconds(Int(longest * (500 + 500 * dice.fraction())))
    alarm(.connect(client: client, attempt: state.attempts), at: now + (wait ?? drawn))
  }

  /// What is still sent on a connection of the broker's goes nowhere.
  private mutating func forget(_ id: ConnectionID) { owners[id] = nil }

  /// Says goodbye.
  /// - Returns: When the broker has heard it at the latest.
  mutating func close(_ client: Int) -> Duration {
    guard let state = clients[client] else { return now }
    if case .connected(let id) = state.phase { send(.goodbye(id), id, from: client) }
    return min(now + .seconds(1), clients[client]?.toBroker.last?.due ?? now)
  }

  mutating func remove(_ client: Int) {
    guard let state = clients.removeValue(forKey: client), let id = state.phase.connection else { return }
    forget(id)
    // Where the goodbye did not arrive.
    alarm(.clientSilent(id, onlyIfHeld: false), at: now + Self.brokerPatience)
  }
}
