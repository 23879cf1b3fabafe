import CastProtocol
import ScenarioLanguage
import Synchronization
import Testing

@testable import DeviceControl
@testable import RunReporting

@Suite struct DeviceResolverTests {
  /// What answers on a network of the test's own, and how often it was asked.
  private final class Network: Sendable {
    private let state = Mutex((devices: [FoundDevice](), asked: [Duration]()))
    let failure: RunError?

    init(_ devices: [FoundDevice] = [], failure: RunError? = nil) {
      self.failure = failure
      state.withLock { $0.devices = devices }
    }

    var asked: [Duration] { state.withLock { $0.asked } }
    func move(_ device: FoundDevice) {
      state.withLock { state in
        state.devices.removeAll { $0.id == device.id }
        state.devices.append(device)
      }
    }

    /// Devices answer one after the other; the listener leaves when it has enough.
    func listen(_ listenFor: Duration, _ isEnough: ([FoundDevice]) -> Bool) throws(RunError) -> [FoundDevice] {
      if let failure { throw failure }
      let devices = state.withLock { state in
        state.asked.append(listenFor)
        return state.devices
      }
      var seen: [FoundDevice] = []
      for device in devices {
        seen.append(device)
        if isEnough(seen) { break }
      }
      return seen
    }
  }

  private static func device(
    _ name: String, id: String? = nil, model: String? = "Chromecast", at host: String, port: Int = 8009,
    via: FoundDevice.Via = .mdns
  ) -> FoundDevice {
    FoundDevice(name: name, id: id, model: model, address: HostAndPort(host: host, port: port), via: via)
  }

  private static func resolver(
    _ network: Network, hosts: [FoundDevice] = [], remembered: [DeviceResolver.Remembered] = []
  ) -> DeviceResolver {
    DeviceResolver(
      hosts: { hosts }, remembered: { remembered },
      listen: { time, isEnough throws(RunError) in try network.listen(time, isEnough) })
  }

  @Test("Where nothing can look, the devices of the hosts file are what a name may have meant")
  func candidatesWithoutDaemon() async throws {
    var failure = Self.noDaemon
    failure.isFinal = true
    let resolver = Self.resolver(
      Network(failure: failure), hosts: [Self.device("Lobby TV", at: "192.0.2.7", via: .hosts)])
    let error = await #expect(throws: RunError.self) {
      try await resolver.find(Self.selector { $0.name = "Loby TV" }, for: .seconds(5))
    }
    #expect(error?.candidates.map(\.name) == ["Lobby TV"] && error?.message == failure.message)
  }

  private static func selector(_ change: (inout Plan.DeviceSelector) -> Void) -> Plan.DeviceSelector {
    var selector = Plan.DeviceSelector(span: .init(file: "x", line: 1, column: 1, endLine: 1, endColumn: 1))
    change(&selector)
    return selector
  }
  private static func named(_ name: String) -> Plan.DeviceSelector { selector { $0.name = name } }

  private static let noDaemon = RunError(errorClass: .notFound, message: "no mDNS daemon answers (Avahi)", help: "x")
  private static let lobby = FoundDevice(name: "Lobby", address: HostAndPort(host: "192.0.2.7"), via: .hosts)

  @Test("An address needs no network")
  func host() async throws {
    let network = Network(failure: Self.noDaemon)
    let found = try await Self.resolver(network).find(
      Self.selector { $0.host = HostAndPort(host: "192.0.2.1", port: 8010) }, for: .seconds(5))
    #expect(found.map(\.address.text) == ["192.0.2.1:8010"] && found.map(\.via) == [.host])
  }

  @Test("A name of the hosts file needs no daemon, and two of one name are ambiguous")
  func hostsFile() async throws {
    let network = Network(failure: Self.noDaemon)
    let resolver = Self.resolver(network, hosts: [Self.lobby])
    #expect(try await resolver.device(Self.named("Lobby"), within: .seconds(5)) == Self.lobby)
    var twin = Self.lobby
    twin.address.port = 8010
    let both = Self.resolver(network, hosts: [Self.lobby, twin])
    let error = await #expect(throws: RunError.self) {
      try await both.device(Self.named("Lobby"), within: .seconds(5))
    }
    #expect(error?.errorClass == .ambiguous && error?.candidates.count == 2)
    await #expect(throws: Self.noDaemon) { try await resolver.device(Self.named("Kitchen"), within: .seconds(5)) }
  }

  @Test("A name waits a moment for others of the same name, an id does not")
  func settling() async throws {
    let network = Network([
      Self.device("TV", id: "aa", at: "192.0.2.1"), Self.device("TV", id: "bb", at: "192.0.2.2"),
    ])
    let resolver = Self.resolver(network)
    #expect(try await resolver.find(Self.named("TV"), for: .seconds(5)).map(\.id) == ["aa", "bb"])
    #expect(network.asked == [.seconds(5), DeviceResolver.settlingTime])
    #expect(try await resolver.find(Self.selector { $0.id = "BB" }, for: .seconds(5)).map(\.id) == ["bb"])
    #expect(network.asked.count == 3)
  }

  @Test("What is not there is told with what is, the hosts file included")
  func notFound() async throws {
    let network = Network([Self.device("Kitchen", id: "aa", at: "192.0.2.1")])
    let error = await #expect(throws: RunError.self) {
      try await Self.resolver(network, hosts: [Self.lobby]).device(Self.named("Kitchn"), within: .seconds(5))
    }
    #expect(error?.errorClass == .notFound && error?.candidates.map(\.name) == ["Lobby", "Kitchen"])
  }

  // MARK: The last discovery

  private static func remembered(_ device: FoundDevice, _ age: Duration) -> DeviceResolver.Remembered {
    .init(device: device, age: age)
  }

  @Test("A fresh address of the last discovery is used at once where that will do, and only there")
  func memory() async throws {
    let old = Self.device("TV", id: "aa", at: "192.0.2.1")
    let network = Network([Self.device("TV", id: "aa", at: "192.0.2.9")])
    let resolver = Self.resolver(network, remembered: [Self.remembered(old, .seconds(60))])
    let quick = try await resolver.device(Self.named("TV"), within: .seconds(5), trustsMemory: true)
    #expect(quick.address.host == "192.0.2.1" && quick.via == .cache && network.asked.isEmpty)
    let sure = try await resolver.device(Self.named("TV"), within: .seconds(5))
    #expect(sure.address.host == "192.0.2.9" && sure.via == .mdns)
    // Where nobody answers at the remembered address, it is looked up by the id.
    #expect(try await resolver.address(of: quick, within: .seconds(5)).host == "192.0.2.9")
  }

  @Test(
    "What may have moved or is not certain is not taken from memory",
    arguments: [
      [remembered(device("TV", id: "aa", at: "192.0.2.1"), .seconds(601))],
      [remembered(device("TV", id: "aa", at: "192.0.2.1"), .seconds(-5))],
      [remembered(device("TV", id: "aa", model: "Google Cast Group", at: "192.0.2.1"), .seconds(1))],
      [
        remembered(device("TV", id: "aa", at: "192.0.2.1"), .seconds(1)),
        remembered(device("TV", id: "bb", at: "192.0.2.2"), .seconds(1)),
      ],
    ])
  func notFromMemory(remembered: [DeviceResolver.Remembered]) async throws {
    let network = Network([Self.device("TV", id: "aa", at: "192.0.2.9")])
    let resolver = Self.resolver(network, remembered: remembered)
    let found = try await resolver.device(Self.named("TV"), within: .seconds(5), trustsMemory: true)
    #expect(found.address.host == "192.0.2.9")
  }

  @Test("The hosts file is stronger than memory")
  func hostsFirst() async throws {
    let old = Self.device("Lobby", id: "aa", at: "192.0.2.1")
    let resolver = Self.resolver(
      Network(), hosts: [Self.lobby], remembered: [Self.remembered(old, .seconds(1))])
    #expect(try await resolver.device(Self.named("Lobby"), within: .seconds(5), trustsMemory: true) == Self.lobby)
  }

  // MARK: Moved

  @Test("A group is found again by its id, whatever its address and name are now")
  func moved() async throws {
    let group = Self.device("Ground floor", id: "AA-BB", model: "Google Cast Group", at: "192.0.2.1", port: 42_001)
    let network = Network([Self.device("Ground floor", id: "cc", at: "192.0.2.3")])
    network.move(Self.device("Downstairs", id: "aabb", model: "Google Cast Group", at: "192.0.2.5", port: 42_777))
    let resolver = Self.resolver(network)
    #expect(try await resolver.address(of: group, within: .seconds(5)).text == "192.0.2.5:42777")
  }

  @Test("A device without an id is found again by its name; one that is gone is not found")
  func again() async throws {
    let network = Network([Self.device("TV", at: "192.0.2.2")])
    let resolver = Self.resolver(network)
    let lost = Self.device("TV", at: "192.0.2.1")
    #expect(try await resolver.address(of: lost, within: .seconds(5)).host == "192.0.2.2")
    let error = await #expect(throws: RunError.self) {
      try await resolver.address(of: Self.device("Gone", id: "dd", at: "192.0.2.1"), within: .seconds(5))
    }
    #expect(error?.errorClass == .notFound)
  }

  @Test("An address that somebody wrote stays what it is", arguments: [FoundDevice.Via.host, .hosts, .virtual])
  func fixed(via: FoundDevice.Via) async throws {
    let network = Network(failure: Self.noDaemon)
    let device = Self.device("TV", id: "aa", at: "192.0.2.1", via: via)
    #expect(try await Self.resolver(network).address(of: device, within: .seconds(5)) == device.address)
  }

  // MARK: All of them

  @Test("Asking for all devices lists what fits, the hosts file first, and ends as soon as there are enough")
  func discoverAll() async throws {
    let network = Network((1...5).map { Self.device("Screen \($0)", id: "a\($0)", at: "192.0.2.\($0)") })
    let resolver = Self.resolver(
      network, hosts: [FoundDevice(name: "Screen 0", address: .init(host: "x"), via: .hosts)])
    let any = Self.selector { $0.nameLike = "Screen *" }
    #expect(try await resolver.discoverAll(any, for: .seconds(5), atLeast: nil).map(\.name).count == 6)
    #expect(
      try await resolver.discoverAll(any, for: .seconds(5), atLeast: 3).map(\.name) == [
        "Screen 0", "Screen 1", "Screen 2",
      ])
    let before = network.asked.count
    #expect(try await resolver.discoverAll(any, for: .seconds(5), atLeast: 1).map(\.name) == ["Screen 0"])
    #expect(
      try await resolver.discoverAll(any, for: .seconds(5), atLeast: nil, way: .hosts).map(\.name) == ["Screen 0"])
    #expect(network.asked.count == before)
    #expect(try await resolver.discoverAll(any, for: .seconds(5), atLeast: nil, way: .mdns).count == 5)
    // One that is wanted by such a selector is looked for everywhere.
    #expect(try await resolver.find(any, for: .seconds(5)).count == 6)
  }

  @Test("Without a daemon asking for all devices has the hosts file, and fails only where that has none")
  func surveyWithoutDaemon() async throws {
    let network = Network(failure: Self.noDaemon)
    let all = Self.selector { _ in }
    #expect(
      try await Self.resolver(network, hosts: [Self.lobby]).discoverAll(all, for: .seconds(5), atLeast: 2) == [
        Self.lobby
      ])
    await #expect(throws: Self.noDaemon) {
      try await Self.resolver(network).discoverAll(all, for: .seconds(5), atLeast: nil)
    }
    #expect(try await Self.resolver(network).discoverAll(all, for: .seconds(5), atLeast: nil, way: .hosts).isEmpty)
  }

  @Test("Devices of the inventory that have an address need no daemon, also by their tag")
  func inventory() async throws {
    var left = Self.selector { $0.host = HostAndPort(host: "192.0.2.1") }
    left.inventoryID = "left"
    let right = Self.selector { $0.name = "Bar right" }
    let network = Network([Self.device("Bar right", id: "aa", at: "192.0.2.2")])
    let resolver = Self.resolver(network)
    let bar = Self.selector {
      $0.tag = "bar"
      $0.tagged = [left, right]
    }
    #expect(try await resolver.discoverAll(bar, for: .seconds(5), atLeast: nil).map(\.name) == ["left", "Bar right"])
    let offline = Self.resolver(Network(failure: Self.noDaemon))
    let only = Self.selector {
      $0.tag = "bar"
      $0.tagged = [left]
    }
    #expect(try await offline.device(only, within: .seconds(5)).address.host == "192.0.2.1")
  }
}
