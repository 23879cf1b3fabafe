import Testing

@testable import CastTransport

@Suite struct BrowseStateMachineTests {
  typealias Machine = BrowseStateMachine

  static func key(_ name: String) -> Machine.Key { Machine.Key(name: name, domain: "local.") }

  static func txt(_ name: String) -> [UInt8] { TXTRecordTests.wire(["id=\(name)", "fn=Name of \(name)"]) }

  static func resolved(_ name: String, host: String = "h.local.", port: Int = 8009, text: String? = nil)
    -> Machine.Input
  {
    .resolved(key(name), host: host, port: port, txt: txt(text ?? name))
  }

  static func address(_ name: String, _ last: UInt8 = 1, isAdded: Bool = true) throws -> Machine.Input {
    .address(key(name), try #require(DeviceAddress([192, 0, 2, last], interface: 1)), isAdded: isAdded)
  }

  static func address6(_ name: String) throws -> Machine.Input {
    let bytes: [UInt8] = [0x20, 1, 0xD, 0xB8] + [UInt8](repeating: 0, count: 11) + [7]
    return .address(key(name), try #require(DeviceAddress(bytes, interface: 1)), isAdded: true)
  }

  /// A machine that knows the device `a`, which appeared twice, at 1 s.
  static func knowingOne() throws -> Machine {
    var machine = Machine()
    _ = machine.receive(.appeared(key("a")), at: .zero)
    _ = machine.receive(.appeared(key("a")), at: .zero)
    _ = machine.receive(resolved("a"), at: .zero)
    _ = machine.receive(try address("a"), at: .zero)
    _ = machine.receive(.timerFired, at: .seconds(1))
    #expect(machine.records.map(\.name) == ["Name of a"])
    return machine
  }

  @Test("A service is resolved once, then its addresses are asked for; it is told of at the first IPv4 address")
  func happyPath() throws {
    var machine = Machine()
    let a = Self.key("a")
    #expect(machine.receive(.appeared(a), at: .zero) == [.startResolve(a)])
    #expect(machine.receive(.appeared(a), at: .zero) == [])
    #expect(machine.receive(Self.resolved("a"), at: .zero) == [.startAddresses(a, host: "h.local.")])
    #expect(machine.records == [])
    #expect(machine.receive(try Self.address6("a"), at: .milliseconds(10)) == [])
    #expect(machine.records == [])
    #expect(machine.receive(try Self.address("a"), at: .milliseconds(20)) == [])
    #expect(machine.records.map(\.addresses) == [["192.0.2.1", "2001:db8::7"]])
    #expect(machine.nextDeadline == .milliseconds(110))
    #expect(machine.receive(.timerFired, at: .milliseconds(110)) == [.stopAddresses(a)])
  }

  @Test("A device with IPv6 alone is told of after a moment; one without addresses is not, and asked for again")
  func otherAddresses() throws {
    var machine = Machine()
    _ = machine.receive(.appeared(Self.key("a")), at: .zero)
    _ = machine.receive(.appeared(Self.key("b")), at: .zero)
    _ = machine.receive(Self.resolved("a"), at: .zero)
    _ = machine.receive(Self.resolved("b"), at: .zero)
    _ = machine.receive(try Self.address6("a"), at: .zero)
    _ = machine.receive(.timerFired, at: Machine.addressGrace)
    _ = machine.receive(.timerFired, at: Machine.addressLimit)
    #expect(machine.records.map(\.id.rawValue) == ["a"])
    let again = Machine.addressLimit + Machine.resolveLimit
    #expect(machine.nextDeadline == again)
    #expect(machine.receive(.timerFired, at: again) == [.startAddresses(Self.key("b"), host: "h.local.")])
  }

  @Test("A device is gone when it disappeared as often as it appeared")
  func counting() throws {
    var machine = try Self.knowingOne()
    #expect(machine.receive(.disappeared(Self.key("a")), at: .seconds(2)) == [])
    #expect(machine.records.count == 1)
    #expect(machine.receive(.disappeared(Self.key("a")), at: .seconds(2)) == [.stopResolve(Self.key("a"))])
    #expect(machine.records == [])
    #expect(machine.receive(.disappeared(Self.key("a")), at: .seconds(2)) == [])
    #expect(machine.nextDeadline == nil)
  }

  @Test("New text is told at once; a new host's addresses are found first")
  func updates() throws {
    var machine = try Self.knowingOne()
    #expect(machine.receive(Self.resolved("a", text: "renamed"), at: .seconds(2)) == [])
    #expect(machine.records.map(\.name) == ["Name of renamed"])
    let moved = Self.resolved("a", host: "other.local.", port: 32025)
    #expect(machine.receive(moved, at: .seconds(3)) == [.startAddresses(Self.key("a"), host: "other.local.")])
    #expect(machine.records.map(\.port) == [8009])
    _ = machine.receive(try Self.address("a", 9), at: .seconds(3))
    _ = machine.receive(.timerFired, at: .seconds(4))
    #expect(machine.records.map(\.port) == [32025] && machine.records.map(\.addresses) == [["192.0.2.9"]])
  }

  @Test("A refresh without answers keeps what was known, and so does text that makes no device")
  func refresh() throws {
    var machine = try Self.knowingOne()
    let again = Duration.seconds(1) + Machine.watchedRefreshInterval
    #expect(machine.receive(.timerFired, at: again) == [.startAddresses(Self.key("a"), host: "h.local.")])
    _ = machine.receive(.timerFired, at: again + Machine.addressLimit)
    #expect(machine.records.count == 1)
    _ = machine.receive(.resolved(Self.key("a"), host: "h.local.", port: 8009, txt: [3]), at: again + .seconds(5))
    #expect(machine.records.map(\.name) == ["Name of a"])
  }

  @Test("A lookup that fails is tried again, later")
  func failure() {
    var machine = Machine()
    let a = Self.key("a")
    #expect(machine.receive(.appeared(a), at: .zero) == [.startResolve(a)])
    #expect(machine.receive(.resolveFailed(a), at: .seconds(1)) == [])
    #expect(machine.receive(.timerFired, at: .seconds(5)) == [])
    #expect(machine.receive(.timerFired, at: .seconds(6)) == [.startResolve(a)])
    #expect(machine.receive(.timerFired, at: .seconds(11)) == [.stopResolve(a)])
  }

  /// Runs the operations a machine asks for, and counts them.
  struct Operations {
    var resolves: Set<Machine.Key> = []
    var addresses: Set<Machine.Key> = []

    mutating func perform(_ effects: [Machine.Effect]) {
      for effect in effects {
        switch effect {
        case .startResolve(let key): #expect(resolves.insert(key).inserted)
        case .stopResolve(let key): #expect(resolves.remove(key) != nil)
        case .startAddresses(let key, _): addresses.insert(key)
        case .stopAddresses(let key): #expect(addresses.remove(key) != nil)
        }
      }
    }
  }

  @Test("A thousand services are all found, in turn, with few operations at a time; the rest is passed over")
  func crowd() throws {
    var machine = Machine()
    var operations = Operations()
    for number in 0..<1500 { operations.perform(machine.receive(.appeared(Self.key("d\(number)")), at: .zero)) }
    var now = Duration.zero
    var most = 0
    while machine.records.count < Machine.maximumServices, now < .seconds(60) {
      for key in operations.resolves.sorted(by: { $0.name < $1.name }) where !operations.addresses.contains(key) {
        operations.perform(machine.receive(Self.resolved(key.name), at: now))
      }
      for key in operations.addresses.sorted(by: { $0.name < $1.name }) {
        operations.perform(machine.receive(try Self.address(key.name), at: now))
      }
      most = max(most, operations.resolves.count + 2 * operations.addresses.count)
      now += Machine.addressGrace
      operations.perform(machine.receive(.timerFired, at: now))
    }
    #expect(machine.records.count == Machine.maximumServices)
    #expect(most <= 3 * Machine.maximumLookups + Machine.maximumWatched)
    #expect(now < .seconds(10))
  }

  @Test(
    "Whatever happens in whatever order, operations are started and stopped in pairs",
    arguments: 1...20 as ClosedRange<UInt64>)
  func randomWalk(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var machine = Machine()
    var operations = Operations()
    var now = Duration.zero
    for _ in 0..<2000 {
      let name = "d\(Int.random(in: 0..<40, using: &random))"
      let input: Machine.Input =
        switch Int.random(in: 0..<7, using: &random) {
        case 0, 1: .appeared(Self.key(name))
        case 2: .disappeared(Self.key(name))
        case 3: Self.resolved(name, host: Bool.random(using: &random) ? "h.local." : "i.local.")
        case 4:
          try Self.address(
            name, UInt8.random(in: 1...20, using: &random), isAdded: Int.random(in: 0..<4, using: &random) > 0)
        case 5:
          if operations.resolves.remove(Self.key(name)) != nil { .resolveFailed(Self.key(name)) } else { .timerFired }
        default: .timerFired
        }
      now += .milliseconds(Int.random(in: 0...400, using: &random))
      operations.perform(machine.receive(input, at: now))
      #expect(
        operations.resolves.count + 2 * operations.addresses.count <= 3 * Machine.maximumLookups
          + Machine.maximumWatched)
    }
    for number in 0..<40 {
      for _ in 0..<200 { operations.perform(machine.receive(.disappeared(Self.key("d\(number)")), at: now)) }
    }
    #expect(operations.resolves.isEmpty && operations.addresses.isEmpty && machine.nextDeadline == nil)
  }
}
