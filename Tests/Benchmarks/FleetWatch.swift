import BrokerClient
import FleetMessages
import Synchronization

/// Looks at all sites of a broker.
final class FleetWatch: Sendable {
  struct Seen: Sendable {
    var isConnected = false
    /// Those that are online and have told their health.
    var sites: Set<SiteName> = []
    var screens: [SiteName: Set<String>] = [:]
    /// Those that have told all their screens.
    var complete = 0
    /// Those that show the document.
    var on: Set<SiteName> = []
    var messages = 0
    /// Bytes of topics and payloads by topic.
    var sizes: [String: Int] = [:]
  }

  private let link: any BrokerLink
  private let seen = Mutex(Seen())
  private let reading = Mutex<Task<Void, Never>?>(nil)

  init(_ configuration: BrokerConfiguration) throws {
    link = try BrokerClient.connect(configuration)
    let task = Task { [self] in
      for await event in link.events { take(event) }
    }
    reading.withLock { $0 = task }
  }

  private func take(_ event: BrokerEvent) {
    switch event {
    case .connected:
      link.send(.subscribe("\(FleetTopic.root)/#"))
      seen.withLock { $0.isConnected = true }
    case .disconnected: seen.withLock { $0.isConnected = false }
    case .acknowledged, .denied: break
    case .message(let message): seen.withLock { Self.take(message, &$0) }
    }
  }

  private static func take(_ message: BrokerMessage, _ seen: inout Seen) {
    guard let topic = FleetTopic(message.topic) else { return }
    seen.messages += 1
    seen.sizes[message.topic] = message.topic.utf8.count + message.payload.count
    switch topic {
    case .health(let site): seen.sites.insert(site)
    case .screenState(let site, let screen):
      let isNew = seen.screens[site, default: []].insert(screen).inserted
      if isNew, seen.screens[site]?.count == FleetSites.screens { seen.complete += 1 }
    case .documentReport(let site, _):
      if DocumentReport(payload: message.payload)?.state == .on { seen.on.insert(site) }
    case .availability, .screenEvent, .screenSet, .alert, .documentPut, .documentPrevious, .ledger, .orderPut,
      .orderReport:
      break
    }
  }

  var messages: Int { seen.withLock { $0.messages } }
  var retained: Int { seen.withLock { $0.sizes.values.reduce(0, +) } }

  func forget() { seen.withLock { $0 = Seen() } }

  @discardableResult func publish(_ message: BrokerMessage) -> Bool { link.send(.publish(message)) }

  func wait(_ problem: String, until isSo: @Sendable (Seen) -> Bool) async throws {
    let deadline = Stopwatch.now + 180
    while !seen.withLock({ isSo($0) }) {
      guard Stopwatch.now < deadline else {
        let told = seen.withLock { "\($0.sites.count) sites, \($0.complete) complete, \($0.on.count) on" }
        throw ChildProcess.CannotRun(command: "\(problem): \(told)")
      }
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  func end() { reading.withLock { $0?.cancel() } }
}
