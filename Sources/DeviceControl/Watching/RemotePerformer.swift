package import CastClient
package import CastProtocol
package import RunReporting
package import ScenarioLanguage

/// Does what keys ask of a device over the connection that watches it, on whatever runs there.
package struct RemotePerformer: Sendable {
  let device: FoundDevice
  let timeouts: Plan.Timeouts
  let times: TimeSources

  /// - Parameter timeouts: How long a step may take, and how long the device's reply.
  package init(device: FoundDevice, timeouts: Plan.Timeouts, times: TimeSources) {
    self.device = device
    self.timeouts = timeouts
    self.times = times
  }

  /// Does it, and returns when the device shows that it is done.
  /// - Parameter connection: Stays open; who lost it is not waited for.
  /// - Throws: Why it could not be done.
  package func perform(_ command: RemoteCommand, over connection: CastConnection) async throws(StepFailure) {
    let session = DeviceSession(
      selector: Plan.DeviceSelector(span: .ofCommandLine), policies: SessionPolicies(borrowing: timeouts),
      access: DeviceAccess(
        find: { [device] _, _ throws(RunError) in [device] },
        connect: { _, _ throws(ClientError) in OpenedDevice(connection: connection, latency: .zero) }),
      times: times, emitter: EventEmitter(show: times.show, wallClock: { 0 }, sink: UnreadEvents()),
      owner: IndifferentOwner(), random: { 0.5 })
    await session.use(device, called: device.name)
    if let failure = await session.connectAndJoin() { throw failure }
    // What plays was told while the app was joined.
    await session.catchUp()
    let scope = ActionScope(deadline: times.show.now + timeouts.step)
    do throws(StepFailure) {
      try await session.perform(command.action, in: scope)
    } catch {
      throw await session.cause(of: error, scope)
    }
    await session.close()
  }
}

/// For events that nobody reads.
private struct UnreadEvents: EventSink {
  func record(_ event: Event) {}
}
