package import CastClient
package import CastProtocol
import RunReporting
package import ScenarioLanguage

/// How a run reaches devices. The executable gives it sockets and mDNS, a simulation in-memory channels.
package struct DeviceAccess: Sendable {
  /// Lists every device that fits, however many: listens for all of the time, or until there are `atLeast`.
  package var discoverAll:
    @Sendable (
      _ selector: Plan.DeviceSelector, _ listenFor: Duration, _ atLeast: Int?, _ way: Plan.DiscoverAction.Way
    ) async throws(RunError) -> [FoundDevice]
  /// Where a device found before is now: groups and devices that moved are found again by their id.
  package var resolve: @Sendable (_ device: FoundDevice, _ limit: Duration) async throws(RunError) -> HostAndPort = {
    device, _ throws(RunError) in device.address
  }
  /// Tells each time discovery sees a device that was found before; ends at once where nothing can look.
  package var reappearances: @Sendable (_ device: FoundDevice) -> AsyncStream<HostAndPort> = { _ in
    AsyncStream { $0.finish() }
  }

  /// Lists devices that fit `selector`; returns early once one is certain. Empty: none was found in time.
  package var find:
    @Sendable (_ selector: Plan.DeviceSelector, _ listenFor: Duration) async throws(RunError) -> [FoundDevice]
  /// Opens a connection (TCP, TLS, CONNECT, first RECEIVER_STATUS). The argument after the device is what to tell of each message.
  package var connect:
    @Sendable (_ device: FoundDevice, _ wireTap: WireTap?) async throws(ClientError) ->
      OpenedDevice

  /// Gives files of this computer to devices; `nil` where nothing does, and devices get `file:` addresses as they are.
  package var localMedia: LocalMedia?

  package init(
    find: @escaping @Sendable (Plan.DeviceSelector, Duration) async throws(RunError) -> [FoundDevice],
    connect:
      @escaping @Sendable (FoundDevice, WireTap?) async throws(ClientError) ->
      OpenedDevice
  ) {
    self.find = find
    self.connect = connect
    discoverAll = { selector, listenFor, _, _ throws(RunError) in try await find(selector, listenFor) }
  }
}

extension DeviceAccess {
  /// The one device that fits `selector`.
  /// - Throws: `not_found`, or `ambiguous` with those that fit.
  package func device(
    _ selector: Plan.DeviceSelector, within limit: Duration
  ) async throws(RunError) -> FoundDevice {
    let found = try await find(selector, limit)
    guard found.count == 1, let device = found.first else {
      throw RunError(errorClass: found.isEmpty ? .notFound : .ambiguous, message: "", candidates: found)
    }
    return device
  }

  /// Returns when discovery sees a lost device anew. A device that it remembers comes at once and does not count, unless the
  /// device has another address there.
  package func waitUntilSeenAgain(_ device: FoundDevice, on clock: TimeSource) async {
    let start = clock.now
    for await address in reappearances(device)
    where address != device.address || clock.now - start > .milliseconds(500) {
      return
    }
    // Nothing can look: the wait ends by itself.
    try? await clock.sleep(for: .seconds(86_400))
  }
}
