import CastClient
import CastProtocol
import CastReceiver
import RunReporting
import ScenarioLanguage
import Simulation
import Synchronization
import Testing

@testable import DeviceControl

/// A device is found, kept from other runs and connected to, in this order, with all that are wanted with it.
@Suite struct DeviceSearchTests {
  private static let group = HostAndPort(host: "192.0.2.1", port: 8009)
  private static let member = HostAndPort(host: "192.0.2.2", port: 8009)

  /// A group with one member, both in the hosts file, and what was connected to and waited for.
  private final class Lab: Sendable {
    let ledger: DeviceHoldTests.Ledger
    let network: SimulatedNetwork
    let connected = Mutex<[HostAndPort]>([])
    /// What was told, with the locks that were in use then.
    let told = Mutex<[(text: String, used: Set<String>)]>([])
    /// How often it was said what is wrong with the hosts file.
    let mistakes = Mutex(0)
    private let receivers: [HostAndPort: VirtualReceiver]

    init(_ ledger: DeviceHoldTests.Ledger, _ network: SimulatedNetwork) {
      self.ledger = ledger
      self.network = network
      var configuration = ReceiverConfiguration(id: "home")
      configuration.members = [.init(id: "bar", name: "Bar TV")]
      receivers = [
        DeviceSearchTests.group: VirtualReceiver(configuration: configuration, times: network.times),
        DeviceSearchTests.member: VirtualReceiver(configuration: .init(id: "bar"), times: network.times),
      ]
    }

    func search(patience: Duration = .zero) -> DeviceSearch {
      let hosts = [
        FoundDevice(name: "Home", address: DeviceSearchTests.group, via: .hosts),
        FoundDevice(name: "Bar TV", address: DeviceSearchTests.member, via: .hosts),
      ]
      return DeviceSearch(
        DeviceBook(tellMistakes: { self.mistakes.withLock { $0 += 1 } }), times: network.times,
        configuration: ClientConfiguration(), limit: .seconds(5),
        hold: DeviceHold(ledger.locking(patience: patience)),
        resolver: DeviceResolver(hosts: { hosts }, listen: { _, _ throws(RunError) in [] }),
        connect: { device throws(ClientError) in
          self.connected.withLock { $0.append(device.address) }
          let (sender, far, _) = self.network.connect()
          self.receivers[device.address]?.accept(far)
          let connection = CastConnection(
            channel: sender, times: self.network.times, configuration: ClientConfiguration())
          try await connection.open()
          return OpenedDevice(connection: connection, latency: .zero)
        },
        tell: { text in self.told.withLock { $0.append((text, self.ledger.used)) } })
    }

    func stop() { for (_, receiver) in receivers { receiver.stop() } }
  }

  private static func named(_ name: String) -> Plan.DeviceSelector {
    var selector = Plan.DeviceSelector(span: .ofCommandLine)
    selector.name = name
    return selector
  }

  /// - Parameter others: The locks that others have, and how often each is asked for in vain.
  private static func play<Value: Sendable>(
    _ others: [String: Int], _ body: @escaping @Sendable (Lab) async throws -> Value
  ) throws -> Value {
    let executor = SimulationExecutor(seed: 5)
    let network = SimulatedNetwork(executor: executor, seed: 5, latency: .zero ... .milliseconds(10))
    return try executor.run { _ in
      let lab = Lab(DeviceHoldTests.Ledger(others), network)
      defer { lab.stop() }
      return try await body(lab)
    }
  }

  @Test(
    "What is wrong with the hosts file is said where a name is not found, and not where devices are asked for an id")
  func hostsMistakes() throws {
    let counts = try Self.play([:]) { lab in
      var counts: [Int] = []
      var identified = Self.named("")
      (identified.name, identified.id) = (nil, "8e2d1c0a-7b1f-4c39-9a55-0c1d2e3f4a5b")
      for selector in [Self.named("Home"), identified, Self.named("Hall")] {
        _ = try? await lab.search().find(selector, trustsMemory: false)
        counts.append(lab.mistakes.withLock { $0 })
      }
      return counts
    }
    #expect(counts == [0, 0, 1])
  }

  @Test("A member is waited for as any device is, and connected to only once it is free")
  func member() throws {
    try Self.play(["at 192.0.2.2:8009": 20]) { lab in
      let search = lab.search(patience: .seconds(30))
      let group = try await search.connect(Self.named("Home"))
      let begun = lab.network.times.show.now
      let reached = try await search.member("bar tv", of: group)
      #expect(reached.device.address == Self.member && lab.network.times.show.now - begun >= .seconds(2))
      #expect(lab.connected.withLock { $0 } == [Self.group, Self.member])
      // Whoever waits for one of two has none.
      let told = lab.told.withLock { $0 }
      #expect(told.count == 1 && told.first?.text.contains("waiting for Bar TV") == true && told.first?.used == [])
      #expect(lab.ledger.used.isSuperset(of: ["at 192.0.2.1:8009", "at 192.0.2.2:8009"]))
      await reached.opened.connection.disconnect()
    }
  }

  @Test("A member that another run keeps is busy, and nobody connects to it")
  func busyMember() throws {
    try Self.play(["at 192.0.2.2:8009": .max]) { lab in
      let search = lab.search()
      let group = try await search.connect(Self.named("Home"))
      do throws(StepFailure) {
        _ = try await search.member("Bar TV", of: group)
        Issue.record("it was reached")
      } catch {
        #expect(error.errorClass == .busy && error.help?.contains("--wait-lock 1m") == true, "\(error)")
      }
      #expect(lab.connected.withLock { $0 } == [Self.group] && lab.ledger.used.isEmpty)
    }
  }

  @Test("Devices that are wanted together are waited for together; meanwhile none of them is kept")
  func together() throws {
    try Self.play(["at 192.0.2.2:8009": 20]) { lab in
      let other = FoundDevice(name: "Bar TV", address: Self.member, via: .hosts)
      let reached = try await lab.search(patience: .seconds(30)).connect(Self.named("Home"), together: [other])
      let told = lab.told.withLock { $0 }
      #expect(told.count == 1 && told.first?.used == [] && lab.connected.withLock { $0 } == [Self.group])
      #expect(lab.ledger.used == ["at 192.0.2.1:8009", "at 192.0.2.2:8009"])
      await reached.opened.connection.disconnect()
    }
  }

  @Test("A device that is not found is told with what there is instead")
  func notFound() throws {
    try Self.play([:]) { lab in
      do throws(StepFailure) {
        _ = try await lab.search().connect(Self.named("Bar TW"))
        Issue.record("it was reached")
      } catch {
        #expect(error.errorClass == .notFound && error.help?.contains("Bar TV") == true, "\(error)")
      }
    }
  }
}
