import CastClient
import CastProtocol
import CastReceiver
import RunReporting
import ScenarioLanguage
import Simulation
import Synchronization
import Testing

@testable import DeviceControl

/// A device that is reached again at another address is kept there, too.
@Suite struct RegainingLockTests {
  private static let old = HostAndPort(host: "192.0.2.1", port: 8009)
  private static let new = HostAndPort(host: "192.0.2.9", port: 8009)

  private struct NoSink: EventSink {
    func record(_ event: Event) {}
  }

  /// Loses a device, which then has another address, and reaches it again.
  /// - Returns: Why that failed, the addresses connected to, and how long it took.
  private static func regain(
    _ ledger: DeviceHoldTests.Ledger, within limit: Duration
  ) throws -> (failure: StepFailure?, addresses: [HostAndPort], time: Duration) {
    let executor = SimulationExecutor(seed: 3)
    let network = SimulatedNetwork(executor: executor, seed: 3, latency: .zero ... .milliseconds(10))
    return try executor.run { _ in
      let receiver = VirtualReceiver(configuration: .init(id: "a"), times: network.times)
      defer { receiver.stop() }
      let opened = Mutex<[(HostAndPort, CastConnection)]>([])
      let found = FoundDevice(name: "TV", id: "a", address: Self.old, via: .mdns)
      var access = DeviceAccess(
        find: { _, _ throws(RunError) in [found] },
        connect: { device, _ throws(ClientError) in
          let (sender, far, _) = network.connect()
          receiver.accept(far)
          let connection = CastConnection(channel: sender, times: network.times, configuration: ClientConfiguration())
          try await connection.open()
          opened.withLock { $0.append((device.address, connection)) }
          return OpenedDevice(connection: connection, latency: .zero)
        })
      access.resolve = { _, _ throws(RunError) in Self.new }
      var policies = SessionPolicies(commands: Plan.Timeouts())
      policies.hold = DeviceHold(ledger.locking())
      let session = DeviceSession(
        selector: Plan.DeviceSelector(span: Make.span), policies: policies, access: access, times: network.times,
        emitter: EventEmitter(show: network.times.show, wallClock: { 0 }, sink: NoSink()), owner: IndifferentOwner(),
        random: { 0.5 })
      await session.use(found, called: "tv")
      var failure = await session.connectAndJoin()
      await opened.withLock { $0.last?.1 }?.disconnect(abruptly: true)
      await session.catchUp()
      let begun = network.times.show.now
      if failure == nil {
        do throws(StepFailure) { try await session.makeReachable(until: begun + limit) } catch { failure = error }
      }
      let time = network.times.show.now - begun
      await session.close()
      return (failure, opened.withLock { $0.map(\.0) }, time)
    }
  }

  @Test("It is locked at its new address before anybody connects there")
  func moved() throws {
    let ledger = DeviceHoldTests.Ledger()
    let outcome = try Self.regain(ledger, within: .seconds(30))
    #expect(outcome.failure == nil && outcome.addresses == [Self.old, Self.new])
    #expect(ledger.used == ["id a", "at 192.0.2.1:8009", "at 192.0.2.9:8009"])
  }

  @Test("While another run has that address nobody connects to it, and it is tried again")
  func taken() throws {
    let some = try Self.regain(DeviceHoldTests.Ledger(["at 192.0.2.9:8009": 2]), within: .seconds(30))
    #expect(some.failure == nil && some.addresses == [Self.old, Self.new] && some.time > .seconds(1))
    let never = try Self.regain(DeviceHoldTests.Ledger(["at 192.0.2.9:8009": .max]), within: .seconds(30))
    #expect(never.failure?.errorClass == .busy && never.addresses == [Self.old], "\(never.failure?.message ?? "")")
    #expect(never.time >= .seconds(29))
  }
}
