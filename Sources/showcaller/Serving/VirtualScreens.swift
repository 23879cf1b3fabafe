import CastClient
import CastProtocol
import CastReceiver
import CastTransport
import DeviceControl
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Simulation
import Synchronization

/// The virtual receivers of a `serve` to which documents may come that need others.
final class VirtualScreens: Sendable {
  typealias Start = @Sendable (VirtualDeviceNeeds) async throws -> (VirtualDeviceServers, DeviceAccess)

  fileprivate struct Group: Sendable {
    var servers: VirtualDeviceServers
    var access: DeviceAccess
    /// For which they were started.
    var selectors: Set<Plan.DeviceSelector>
  }

  private let groups: Mutex<[Group]>
  private let start: Start

  init(_ servers: VirtualDeviceServers, _ access: DeviceAccess, for needs: VirtualDeviceNeeds, start: @escaping Start) {
    groups = Mutex([Group(servers: servers, access: access, selectors: Self.selectors(of: needs))])
    self.start = start
  }

  private static func selectors(of needs: VirtualDeviceNeeds) -> Set<Plan.DeviceSelector> {
    Set(needs.devices.joined().map(\.selector.withoutSpans))
  }

  /// Starts receivers for those screens of a playlist that none are there for.
  func provide(_ plan: PlaylistPlan) async throws {
    var needs = VirtualDeviceNeeds(of: [plan])
    let groups = groups.withLock { $0 }
    needs.devices = needs.devices.map { devices in
      devices.filter { device in !groups.contains { $0.has(device.selector) } }
    }
    guard needs.devices.contains(where: { !$0.isEmpty }) else { return }
    let (servers, access) = try await start(needs)
    let group = Group(servers: servers, access: access, selectors: Self.selectors(of: needs))
    self.groups.withLock { $0.append(group) }
  }

  /// Reaches all of them.
  var access: DeviceAccess {
    var access = DeviceAccess(
      find: { [self] selector, limit throws(RunError) in
        try await group(for: selector)?.access.find(selector, limit) ?? []
      },
      connect: { [self] device, tap throws(ClientError) in
        guard let group = group(of: device) else { throw ClientError(.unreachable, "there is no such virtual device") }
        return try await group.access.connect(device, tap)
      })
    access.resolve = { [self] device, limit throws(RunError) in
      guard let group = group(of: device) else { return device.address }
      return try await group.access.resolve(device, limit)
    }
    return access
  }

  private func group(for selector: Plan.DeviceSelector) -> Group? {
    let groups = groups.withLock { $0 }
    return groups.first { $0.has(selector) } ?? (groups.count == 1 ? groups[0] : nil)
  }

  private func group(of device: FoundDevice) -> Group? {
    groups.withLock { $0 }.first { $0.servers.found.contains { $0.isSame(as: device) } }
  }

  /// Stops those that were started later; the first are another's.
  func stop() async { for group in groups.withLock({ $0.dropFirst() }) { await group.servers.stop() } }
}

extension VirtualScreens.Group {
  fileprivate func has(_ selector: Plan.DeviceSelector) -> Bool {
    selectors.contains(selector.withoutSpans) || servers.found.contains { selector.fits($0) }
  }
}

extension Plan.DeviceSelector {
  /// The same wherever it is written.
  var withoutSpans: Plan.DeviceSelector {
    var own = self
    own.span = .ofCommandLine
    own.requirements.featuresSpan = nil
    own.tagged = tagged.map(\.withoutSpans)
    own.excluded = excluded.map(\.withoutSpans)
    return own
  }
}
