package import CastClient
package import CastProtocol
import CastTransport
package import RunReporting
package import ScenarioLanguage

/// A device, connected.
package struct ReachedDevice: Sendable {
  package var device: FoundDevice
  package var opened: OpenedDevice

  package init(device: FoundDevice, opened: OpenedDevice) {
    self.device = device
    self.opened = opened
  }
}

/// Finds the one device that somebody means, keeps other runs off it, and connects to it.
package struct DeviceSearch: Sendable {
  package let book: DeviceBook
  package let times: TimeSources
  package let configuration: ClientConfiguration
  /// For how long a device is looked for.
  package let limit: Duration
  /// What keeps other runs off the devices.
  package let hold: DeviceHold
  private let resolver: DeviceResolver
  private let connecting: @Sendable (FoundDevice) async throws(ClientError) -> OpenedDevice
  private let tell: @Sendable (String) -> Void

  /// - Parameters:
  ///   - connect: `nil`: over the real network.
  ///   - tell: Gets who is waited for.
  package init(
    _ book: DeviceBook, times: TimeSources, configuration: ClientConfiguration, limit: Duration,
    hold: DeviceHold = DeviceHold(), resolver: DeviceResolver? = nil,
    connect: (@Sendable (FoundDevice) async throws(ClientError) -> OpenedDevice)? = nil,
    tell: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.book = book
    self.times = times
    self.configuration = configuration
    self.limit = limit
    self.hold = hold
    self.resolver = resolver ?? LiveDevices.resolver(knowing: book)
    // Not with `??`: Swift 6.3 crashes on a closure with a typed throw behind it.
    if let connect {
      connecting = connect
    } else {
      connecting = { device throws(ClientError) in
        try await LiveDevices.connect(to: device, times: times, configuration: configuration)
      }
    }
    self.tell = tell
  }

  /// Finds the device and connects to it; the address of the last discovery is tried first, and looked up anew where
  /// nobody answers there.
  /// - Parameter others: Further devices that are wanted: all are taken together, or none is.
  /// - Throws: Why there is no device, with a cure; `busy` where another run has one of them.
  package func connect(
    _ selector: Plan.DeviceSelector, together others: [FoundDevice] = []
  ) async throws(StepFailure) -> ReachedDevice {
    let first = try await findOrAsk(selector)
    try await keep([first] + others)
    do throws(ClientError) {
      let opened = try await connecting(first)
      if await Self.isThere(first, opened.connection) { return ReachedDevice(device: first, opened: opened) }
      // Another device has the address by now.
      await opened.connection.disconnect()
    } catch {
      guard first.via == .cache, !Task.isCancelled else { throw StepFailure(error).withCure }
    }
    let second = try await find(selector, trustsMemory: false)
    return ReachedDevice(device: second, opened: try await open(second, together: others))
  }

  /// Keeps other runs off a device, and connects to it.
  package func open(_ device: FoundDevice, together others: [FoundDevice]) async throws(StepFailure) -> OpenedDevice {
    try await keep([device] + others)
    do { return try await connecting(device) } catch { throw StepFailure(error).withCure }
  }

  private func keep(_ devices: [FoundDevice]) async throws(StepFailure) {
    if let refusal = await hold.lock(devices, on: times.network, tell: tell) { throw refusal.failure }
  }

  /// Finds the device without connecting to it.
  /// - Parameter trustsMemory: Whether the address of the last discovery will do.
  /// - Throws: What there is instead, with a cure.
  package func find(_ selector: Plan.DeviceSelector, trustsMemory: Bool) async throws(StepFailure) -> FoundDevice {
    do throws(RunError) {
      let device = try await resolver.device(selector, within: limit, trustsMemory: trustsMemory)
      if device.via == .mdns { book.remember(device) }
      return device
    } catch {
      // Devices of the hosts file are asked for an id before anything is said to be wrong.
      if selector.id == nil { book.tellMistakes() }
      let note = error.errorClass == .notFound ? book.note(selector) : nil
      throw StepFailure(notFound: error, asking: selector, within: limit, note: note)
    }
  }

  /// Where somebody wrote the address of a device down, it tells its id only when it is asked.
  private func findOrAsk(_ selector: Plan.DeviceSelector) async throws(StepFailure) -> FoundDevice {
    do throws(StepFailure) {
      return try await find(selector, trustsMemory: true)
    } catch {
      guard let id = selector.id, selector.host == nil, let device = await hostsDevice(id: id) else {
        book.tellMistakes()
        throw error
      }
      return device
    }
  }

  /// The device of the hosts file that answers with this id: the file has names and addresses only.
  private func hostsDevice(id: String) async -> FoundDevice? {
    guard let wanted = DeviceID(id) else { return nil }
    let inquiry = DeviceInquiry(times: times, firstRequestID: configuration.firstRequestID)
    for answer in await inquiry.ask(book.hosts().map { ListedDevice($0) }) {
      if let told = answer.device.id.flatMap({ DeviceID($0) }), told == wanted { return answer.device.found }
    }
    return nil
  }

  /// The device that the hosts file has under this name.
  func hostsDevice(named selector: Plan.DeviceSelector) async -> FoundDevice? {
    let written = try? await resolver.discoverAll(selector, for: .zero, atLeast: nil, way: .hosts)
    return written?.first
  }

  /// Whether a device that was looked up in what discovery remembers is the one that answered, as far as it says who it
  /// is.
  private static func isThere(_ device: FoundDevice, _ connection: CastConnection) async -> Bool {
    guard device.via == .cache, let wanted = device.id.flatMap({ DeviceID($0) }),
      let info = try? await connection.deviceInfo(within: .seconds(2)),
      let answered = info.deviceID.flatMap({ DeviceID($0) })
    else { return true }
    return answered == wanted
  }
}

extension StepFailure {
  /// A device that was not found, or more than one, with what there is instead.
  /// - Parameter note: What the settings have to say of it.
  init(notFound error: RunError, asking selector: Plan.DeviceSelector, within limit: Duration, note: String?) {
    let seen = error.candidates
    let known = note.map { "\($0); " } ?? ""
    let isPlain = error.help == nil && error.errorClass == .notFound
    guard !seen.isEmpty || isPlain, let diagnostic = selector.diagnostic(among: seen, listenFor: limit) else {
      self.init(error.errorClass, error.message, help: known.isEmpty ? error.help : known + (error.help ?? ""))
      return
    }
    let list = seen.map(\.text).joined(separator: ", ")
    let label = diagnostic.primary.text.isEmpty ? "" : diagnostic.primary.text + " "
    let help: String
    if error.errorClass == .ambiguous {
      help = "found \(list); name one by its id or with --host"
    } else if error.isFinal {
      help = "\(label)\(error.message); the hosts file has \(list)" + (error.help.map { "; \($0)" } ?? "")
    } else if !seen.isEmpty {
      help = "\(label)found in \(limit.spelled): \(list)"
    } else {
      help =
        "nothing answered within \(limit.spelled); `showcaller discover` lists what does, and --host names an address"
    }
    self.init(error.errorClass, diagnostic.message, help: known + help)
  }
}
