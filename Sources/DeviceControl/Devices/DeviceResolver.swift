package import CastProtocol
import RunReporting
package import ScenarioLanguage

/// Finds the address of a device, whatever it is called by: an address, the hosts file, the last discovery, mDNS.
///
/// Holds no socket and no clock: what listens is handed in.
package struct DeviceResolver: Sendable {
  /// A device of the last discovery and how long ago it was seen.
  package struct Remembered: Hashable, Sendable {
    package var device: FoundDevice
    package var age: Duration

    package init(device: FoundDevice, age: Duration) {
      self.device = device
      self.age = age
    }
  }

  /// Listens for a time, or until what was found is enough.
  package typealias Listening =
    @Sendable (_ listenFor: Duration, _ isEnough: @escaping @Sendable ([FoundDevice]) -> Bool)
    async throws(RunError) -> [FoundDevice]

  /// How long others of the same name may take once one has answered; the daemon has most in its cache.
  package static let settlingTime = Duration.milliseconds(500)
  /// For how long an address may be used without asking: no router hands it to another device within this.
  package static let freshness = Duration.seconds(600)

  /// Devices that need no discovery.
  private let hosts: @Sendable () -> [FoundDevice]
  private let remembered: @Sendable () -> [Remembered]
  private let listen: Listening

  package init(
    hosts: @escaping @Sendable () -> [FoundDevice], remembered: @escaping @Sendable () -> [Remembered] = { [] },
    listen: @escaping Listening
  ) {
    self.hosts = hosts
    self.remembered = remembered
    self.listen = listen
  }

  /// The devices that fit `selector` where one is wanted: more than one means that it is ambiguous.
  ///
  /// An address needs nothing else, and what the hosts file names is not looked for. Discovery ends early once an id was
  /// seen, or shortly after a name was.
  /// - Throws: `not_found` with what was seen instead, or where nothing can look.
  package func find(_ selector: Plan.DeviceSelector, for listenFor: Duration) async throws(RunError) -> [FoundDevice] {
    let fixed = withoutDiscovery(selector)
    if Self.isComplete(fixed, for: selector) { return fixed }
    if !fixed.isEmpty { return try await discoverAll(selector, for: listenFor, atLeast: nil) }
    let isCertain: @Sendable ([FoundDevice]) -> Bool = { $0.contains { selector.fits($0) } }
    var seen: [FoundDevice]
    do {
      seen = try await listen(listenFor, isCertain)
    } catch {
      // A slip in a name of the hosts file is one without a daemon, too.
      var error = error
      if error.isFinal { error.candidates = hosts() }
      throw error
    }
    // An id is certain; a name may be another device's, too, so the others get a moment to answer.
    if selector.id == nil, isCertain(seen) {
      seen = try await listen(min(listenFor, Self.settlingTime)) { _ in false }
    }
    let fitting = seen.filter(selector.fits)
    if fitting.isEmpty {
      throw RunError(errorClass: .notFound, message: "no device fits", candidates: hosts() + seen)
    }
    return fitting
  }

  /// Every device that fits `selector`, those of the hosts file first.
  ///
  /// - Parameters:
  ///   - atLeast: Ends as soon as there are so many; `nil` listens for all of the time.
  ///   - way: Where to look.
  /// - Throws: `not_found` where nothing can look and the hosts file has none that fits either.
  package func discoverAll(
    _ selector: Plan.DeviceSelector, for listenFor: Duration, atLeast: Int?, way: Plan.DiscoverAction.Way = .both
  ) async throws(RunError) -> [FoundDevice] {
    let fixed = way == .mdns ? [] : withoutDiscovery(selector)
    if way == .hosts || selector.host != nil { return fixed }
    if let atLeast, fixed.count >= atLeast { return fixed }
    do {
      let seen = try await listen(listenFor) { seen in
        atLeast.map { wanted in fixed.count + seen.count(where: { selector.fits($0) }) >= wanted } ?? false
      }
      return fixed + seen.filter(selector.fits)
    } catch {
      if fixed.isEmpty { throw error }
      return fixed
    }
  }

  /// The one device that fits `selector`.
  ///
  /// - Parameter trustsMemory: Whether the address of the last discovery will do, if it is no group's and was seen within
  ///   ``freshness``. Its answer has `via: cache`; when no device answers there, ask again without it.
  /// - Throws: `not_found`, or `ambiguous`, both with candidates.
  package func device(
    _ selector: Plan.DeviceSelector, within limit: Duration, trustsMemory: Bool = false
  ) async throws(RunError) -> FoundDevice {
    if trustsMemory, withoutDiscovery(selector).isEmpty, let known = memory(of: selector) { return known }
    let found = try await find(selector, for: limit)
    guard found.count == 1, let device = found.first else {
      throw RunError(errorClass: .ambiguous, message: "\(found.count) devices fit", candidates: found)
    }
    return device
  }

  /// Where a device found before is now.
  ///
  /// One with an id is looked for by it, since groups and devices move; an address somebody wrote stays what it is.
  package func address(of device: FoundDevice, within limit: Duration) async throws(RunError) -> HostAndPort {
    guard device.via == .mdns || device.via == .cache else { return device.address }
    let isIt: @Sendable (FoundDevice) -> Bool = { other in
      if let id = device.id, let otherID = other.id {
        return Self.plain(id) == Self.plain(otherID)
      }
      return other.name == device.name
    }
    let found = try await listen(limit) { $0.contains(where: isIt) }.filter(isIt)
    // While a group moves it may be there twice: a new address is worth more than the one that was lost.
    guard let now = found.first(where: { $0.address != device.address }) ?? found.first else {
      throw RunError(errorClass: .notFound, message: "\(device.name) is not seen by discovery any more")
    }
    return now.address
  }

  // MARK: Without asking the network

  /// What the selector says itself, what its tag's devices say, and what the hosts file has.
  private func withoutDiscovery(_ selector: Plan.DeviceSelector) -> [FoundDevice] {
    if let host = selector.host {
      let name = selector.name ?? selector.inventoryID ?? host.shortText
      return [FoundDevice(name: name, id: selector.id, address: host, via: .host)]
    }
    let tagged = selector.tagged.compactMap { entry -> FoundDevice? in
      entry.host.map { host in
        FoundDevice(
          name: entry.name ?? entry.inventoryID ?? host.shortText, id: entry.id, model: entry.model, address: host,
          via: .host)
      }
    }
    let places = Set(tagged.map(\.address))
    return (tagged + hosts().filter { !places.contains($0.address) }).filter(selector.fits)
  }

  /// Whether what is known without the network answers for all of it: a name in the hosts file means that device.
  private static func isComplete(_ fixed: [FoundDevice], for selector: Plan.DeviceSelector) -> Bool {
    if fixed.isEmpty { return false }
    if selector.host != nil || selector.name != nil { return true }
    return selector.tag != nil && selector.tagged.allSatisfy { $0.host != nil }
  }

  /// The device of the last discovery, if exactly one fits and its address can be trusted.
  private func memory(of selector: Plan.DeviceSelector) -> FoundDevice? {
    let fitting = remembered().filter { selector.fits($0.device) }
    guard fitting.count == 1, let only = fitting.first, only.age >= .zero, only.age <= Self.freshness,
      !only.device.isGroup
    else { return nil }
    var device = only.device
    device.via = .cache
    return device
  }

  private static func plain(_ id: String) -> String { id.lowercased().filter { $0 != "-" } }
}
