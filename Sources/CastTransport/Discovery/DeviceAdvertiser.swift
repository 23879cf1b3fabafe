import NIOCore
import NIOPosix
import Synchronization

/// Makes virtual receivers visible on the network for as long as it is open: all of them by one thread, and one connection to
/// the daemon.
package final class DeviceAdvertiser: Sendable {
  private let entries: [AdvertisedDevice]
  private let thread: ServiceThread
  private let ended: Outcome<Void>

  /// How long to wait before trying again when the daemon went.
  private static let retryInterval = Duration.seconds(5)
  /// How long the daemon may take to say goodbye for us.
  private static let closingLimit = Duration.seconds(2)

  /// Registers a device, as ``advertise(_:limit:)`` of several does.
  package static func advertise(
    _ advertisement: DeviceAdvertisement, limit: Duration = .seconds(5)
  ) async throws(TransportError) -> DeviceAdvertiser {
    try await advertise([advertisement], limit: limit)
  }

  /// Registers devices; takes about a second, in which the network is asked whether the names are free.
  ///
  /// If the daemon dies later, it is registered again once one is back.
  /// - Throws: ``TransportError/Code/discoveryUnavailable`` or ``TransportError/Code/nameInUse``.
  package static func advertise(
    _ advertisements: [DeviceAdvertisement], limit: Duration = .seconds(5)
  ) async throws(TransportError) -> DeviceAdvertiser {
    let entries = advertisements.map(AdvertisedDevice.init)
    let ended = Outcome<Void>()
    let thread: ServiceThread
    do {
      thread = try ServiceThread.start { poller in
        run(entries, poller)
        for entry in entries { entry.registered.complete(.failure(.noDaemon)) }
        ended.complete(.success(()))
      }
    } catch {
      // A promise must be kept, also where nobody waits.
      for entry in entries { entry.registered.complete(.failure(error)) }
      ended.complete(.success(()))
      throw error
    }
    for entry in entries { entry.registered.complete(.failure(.noDaemon), after: limit) }
    do {
      for entry in entries { try await entry.registered.value() }
      return DeviceAdvertiser(entries: entries, thread: thread, ended: ended)
    } catch {
      thread.stop()
      throw error
    }
  }

  private init(entries: [AdvertisedDevice], thread: ServiceThread, ended: Outcome<Void>) {
    self.entries = entries
    self.thread = thread
    self.ended = ended
  }

  deinit { thread.stop() }

  /// The names in use, in the order given; ` #2` is added where another machine has ours already.
  package var instanceNames: [String] { entries.map(\.instanceName) }
  /// That of the first device.
  package var instanceName: String { instanceNames.first ?? "" }

  /// Tells the network what has changed of the device at `index`, or that it is gone; returns at once.
  package func update(_ index: Int, _ advertisement: DeviceAdvertisement?) {
    guard entries.indices.contains(index) else { return }
    entries[index].wanted = advertisement
    thread.wake()
  }

  /// Takes the devices off the network; returns when the daemon has done so, after 2 s at most.
  package func close() async {
    thread.stop()
    ended.complete(.success(()), after: Self.closingLimit)
    try? await ended.value()
  }

  /// The thread's life.
  private static func run(_ entries: [AdvertisedDevice], _ poller: ServiceThread.Poller) {
    while true {
      do throws(TransportError) {
        let client = try AvahiClient(wakeEnd: poller.wakeEnd)
        let publications = entries.map(DevicePublication.init)
        while poller.goesOn() {
          if let failure = client.failure { throw failure }
          if client.isRunning {
            for publication in publications { publication.follow(through: client) }
          } else {
            for publication in publications { publication.withdraw() }
          }
          client.wait()
        }
        return
      } catch {
        for entry in entries { entry.registered.complete(.failure(error)) }
      }
      let retry = poller.now + retryInterval
      while poller.now < retry { if !poller.wait(until: retry) { return } }
    }
  }
}

/// A device that is to be advertised, and what became of it.
final class AdvertisedDevice: Sendable {
  private struct State {
    var wanted: DeviceAdvertisement?
    var instanceName: String
  }

  let registered = Outcome<Void>()
  private let state: Mutex<State>

  init(_ advertisement: DeviceAdvertisement) {
    state = Mutex(State(wanted: advertisement, instanceName: advertisement.instanceName))
  }

  /// What the network is to know of it; `nil`: nothing.
  var wanted: DeviceAdvertisement? {
    get { state.withLock { $0.wanted } }
    set { state.withLock { $0.wanted = newValue } }
  }

  var instanceName: String {
    get { state.withLock { $0.instanceName } }
    set { state.withLock { $0.instanceName = newValue } }
  }
}

/// What the daemon has of a device. Belongs to the advertiser's thread.
private final class DevicePublication {
  private let device: AdvertisedDevice
  private var service: AvahiService?
  private var told: DeviceAdvertisement?
  private var hasCollided = false

  init(_ device: AdvertisedDevice) { self.device = device }

  /// Tells the daemon what it does not know yet.
  func follow(through client: AvahiClient) {
    if hasCollided {
      hasCollided = false
      if let name = AvahiService.alternative(to: device.instanceName) { device.instanceName = name }
      withdraw()
    }
    guard let wanted = device.wanted else { return withdraw() }
    if wanted == told { return }
    do throws(TransportError) {
      if let service, wanted.port == told?.port {
        try service.update(txt: wanted.txt.bytes)
      } else {
        service = nil
        service = try client.publish(name: device.instanceName, port: wanted.port, txt: wanted.txt.bytes) {
          [weak self] state in self?.changed(to: state)
        }
      }
      told = wanted
    } catch {
      device.registered.complete(.failure(error))
      // Not tried again before something changes.
      told = wanted
    }
  }

  func withdraw() {
    service = nil
    told = nil
  }

  private func changed(to state: AvahiService.State) {
    switch state {
    case .established: device.registered.complete(.success(()))
    case .collided: hasCollided = true
    case .failed(let error): device.registered.complete(.failure(error))
    }
  }
}
