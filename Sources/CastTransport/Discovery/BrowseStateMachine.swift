/// Decides which services to look up, when, and what to tell of them. Holds no clock and no operation of the library.
///
/// A service is resolved (host, port, text), then its host's addresses are asked for; it is told of at its first IPv4
/// address. Each operation costs a thread and a connection to the bus, and near 255 of them the library fails, so no
/// more than ``maximumLookups`` run at once. The first ``maximumWatched`` services keep theirs open and report changes
/// within seconds; the rest is looked up again every ``refreshInterval``.
struct BrowseStateMachine {
  /// What is known of at most (docs/security.md S10); later ones are passed over.
  static let maximumServices = 1024
  static let maximumLookups = 24
  static let maximumWatched = 32
  static let refreshInterval = Duration.seconds(15)
  /// For services that are watched: only their addresses can have changed unseen.
  static let watchedRefreshInterval = Duration.seconds(60)
  static let resolveLimit = Duration.seconds(5)
  static let addressLimit = Duration.seconds(1)
  /// How long the other addresses may take once there is one.
  static let addressGrace = Duration.milliseconds(100)
  fileprivate static let maximumAddresses = 16

  /// A service's name and domain.
  struct Key: Hashable, Sendable {
    var name: String
    var domain: String
  }

  enum Input: Hashable {
    case appeared(Key)
    case disappeared(Key)
    case resolved(Key, host: String, port: Int, txt: [UInt8])
    /// The lookup is over, without an answer or after one.
    case resolveFailed(Key)
    case address(Key, DeviceAddress, isAdded: Bool)
    /// Time has passed.
    case timerFired
  }

  enum Effect: Hashable {
    case startResolve(Key)
    case stopResolve(Key)
    /// Asks for A and AAAA records; replaces what runs for this service.
    case startAddresses(Key, host: String)
    case stopAddresses(Key)
  }

  fileprivate enum Phase { case waiting, resolving, findingAddresses, settled }

  fileprivate struct Service {
    let key: Key
    /// How often it appeared, less how often it disappeared: once for each interface and protocol.
    var count = 1
    var phase = Phase.waiting
    /// When the phase ends by itself.
    var due: Duration?
    /// Its resolve operation runs: while it is looked up, and afterwards where it is watched.
    var hasResolve = false
    var host = ""
    var port = 0
    var txt: [UInt8] = []
    var addresses: [DeviceAddress] = []
    /// What has been told.
    var record: DeviceRecord?
  }

  /// In the order they appeared.
  private var services: [Service] = []

  /// What is known now, by name, then id, then service.
  var records: [DeviceRecord] {
    services.compactMap(\.record).sorted {
      ($0.name, $0.id.compact, $0.instanceName) < ($1.name, $1.id.compact, $1.instanceName)
    }
  }

  /// When to call with ``Input/timerFired``.
  var nextDeadline: Duration? { services.lazy.compactMap(\.due).min() }

  /// Takes what happened at `now`, on a clock that only moves forward, and returns what to do.
  mutating func receive(_ input: Input, at now: Duration) -> [Effect] {
    var effects: [Effect] = []
    switch input {
    case .appeared(let key): appear(key)
    case .disappeared(let key): disappear(key, &effects)
    case .resolved(let key, let host, let port, let txt):
      change(key) { $0.resolve(host: host, port: port, txt: txt, at: now, &effects) }
    case .resolveFailed(let key):
      change(key) { service in
        service.hasResolve = false
        if service.phase == .resolving { service.settle(at: now + Self.resolveLimit) }
      }
    case .address(let key, let address, let isAdded):
      change(key) { $0.note(address, isAdded: isAdded, at: now) }
    case .timerFired: break
    }
    passTime(now, &effects)
    startWaiting(now, &effects)
    return effects
  }

  private mutating func change(_ key: Key, _ body: (inout Service) -> Void) {
    guard let index = services.firstIndex(where: { $0.key == key }) else { return }
    body(&services[index])
  }

  private mutating func appear(_ key: Key) {
    if let index = services.firstIndex(where: { $0.key == key }) {
      services[index].count += 1
    } else if services.count < Self.maximumServices {
      services.append(Service(key: key))
    }
  }

  private mutating func disappear(_ key: Key, _ effects: inout [Effect]) {
    guard let index = services.firstIndex(where: { $0.key == key }) else { return }
    services[index].count -= 1
    guard services[index].count <= 0 else { return }
    let service = services.remove(at: index)
    if service.phase == .findingAddresses { effects.append(.stopAddresses(key)) }
    if service.hasResolve { effects.append(.stopResolve(key)) }
  }

  private mutating func passTime(_ now: Duration, _ effects: inout [Effect]) {
    for index in services.indices {
      guard let due = services[index].due, due <= now else { continue }
      let key = services[index].key
      switch services[index].phase {
      case .waiting: services[index].due = nil
      case .resolving:
        services[index].stopResolve(&effects)
        services[index].settle(at: now + Self.resolveLimit)
      case .findingAddresses:
        effects.append(.stopAddresses(key))
        services[index].publish()
        if services.count(where: { $0.hasResolve }) > Self.maximumWatched { services[index].stopResolve(&effects) }
        let interval = services[index].hasResolve ? Self.watchedRefreshInterval : Self.refreshInterval
        services[index].settle(at: now + (services[index].record == nil ? Self.resolveLimit : interval))
      case .settled:
        services[index].phase = .waiting
        services[index].due = nil
      }
    }
  }

  private mutating func startWaiting(_ now: Duration, _ effects: inout [Effect]) {
    var running = services.count { $0.phase == .resolving || $0.phase == .findingAddresses }
    for index in services.indices where services[index].phase == .waiting && running < Self.maximumLookups {
      running += 1
      if services[index].hasResolve {
        services[index].findAddresses(at: now, &effects)
      } else {
        services[index].phase = .resolving
        services[index].hasResolve = true
        services[index].due = now + Self.resolveLimit
        effects.append(.startResolve(services[index].key))
      }
    }
  }
}

extension BrowseStateMachine.Service {
  fileprivate mutating func settle(at due: Duration) {
    phase = .settled
    self.due = due
  }

  fileprivate mutating func stopResolve(_ effects: inout [BrowseStateMachine.Effect]) {
    if hasResolve { effects.append(.stopResolve(key)) }
    hasResolve = false
  }

  fileprivate mutating func findAddresses(at now: Duration, _ effects: inout [BrowseStateMachine.Effect]) {
    addresses = []
    phase = .findingAddresses
    due = now + BrowseStateMachine.addressLimit
    effects.append(.startAddresses(key, host: host))
  }

  fileprivate mutating func resolve(
    host: String, port: Int, txt: [UInt8], at now: Duration, _ effects: inout [BrowseStateMachine.Effect]
  ) {
    guard hasResolve else { return }  // an answer that was on its way when the operation was stopped
    let isSameHost = host == self.host
    (self.host, self.port, self.txt) = (host, port, txt)
    switch phase {
    case .resolving: findAddresses(at: now, &effects)
    case .findingAddresses where !isSameHost: findAddresses(at: now, &effects)
    // Watched, and something changed. At another host it needs a turn of its own.
    case .settled where !isSameHost:
      phase = .waiting
      due = nil
    case .settled: publish()
    case .findingAddresses, .waiting: break
    }
  }

  fileprivate mutating func note(_ address: DeviceAddress, isAdded: Bool, at now: Duration) {
    guard phase == .findingAddresses else { return }
    addresses.removeAll { $0 == address }
    guard isAdded, addresses.count < BrowseStateMachine.maximumAddresses else { return }
    addresses.append(address)
    due = min(due ?? now, now + BrowseStateMachine.addressGrace)
    // The first time at once; later, only when all are known, so that a refresh does not flicker.
    if record == nil, address.isIPv4 { publish() }
  }

  /// Tells what is known; what was told stays where the newest answers make no device.
  fileprivate mutating func publish() {
    let known = addresses.isEmpty ? record?.addresses ?? [] : addresses.sorted().map(\.text)
    guard !known.isEmpty else { return }
    record = DeviceRecord(instanceName: key.name, host: host, port: port, txt: txt, addresses: known) ?? record
  }
}
