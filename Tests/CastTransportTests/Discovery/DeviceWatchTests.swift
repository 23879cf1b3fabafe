import Testing

@testable import CastTransport

@Suite struct DeviceWatchTests {
  static func record(
    _ number: Int, name: String? = nil, id: Int? = nil, at addresses: [String] = ["192.0.2.1"], port: Int = 8009,
    shows: String = ""
  ) throws -> DeviceRecord {
    var txt = TXTRecord()
    txt.set("id", "\(id ?? number)")
    txt.set("fn", name ?? "Device \(number)")
    txt.set("rs", shows)
    return try #require(
      DeviceRecord(
        instanceName: "service-\(number)", host: "device-\(number).local", port: port, txt: txt.bytes,
        addresses: addresses))
  }

  private static let failure = TransportError.noDaemon

  @Test("What the daemon does not know at the start is an error; later it is told and looked for with growing waits")
  func failures() throws {
    var machine = WatchStateMachine()
    #expect(throws: Self.failure) { try machine.failed(Self.failure) }
    _ = machine.saw([], at: .zero)
    var waits: [Duration] = []
    var events: [DeviceWatchEvent] = []
    for _ in 0..<6 {
      let (told, wait) = try machine.failed(Self.failure)
      events += told
      waits.append(wait)
    }
    #expect(events == [.lost(Self.failure)])
    #expect(waits == [1, 2, 4, 8, 10, 10].map { .seconds($0) })
    // Once it is back the waits begin anew.
    #expect(machine.saw([], at: .zero).0 == [.back])
    #expect(try machine.failed(Self.failure).retryAfter == .seconds(1))
  }

  @Test("A restart of the daemon is no coming and going of devices; one that stays away is gone after a while")
  func restart() throws {
    let (first, second) = (try Self.record(1), try Self.record(2))
    var machine = WatchStateMachine()
    #expect(machine.saw([first, second], at: .seconds(1)).0 == [.changed(.found(first)), .changed(.found(second))])
    _ = try machine.failed(Self.failure)
    let (events, wake) = machine.saw([], at: .seconds(10))
    #expect(events == [.back] && wake == WatchStateMachine.settlingTime)
    #expect(machine.saw([first], at: .seconds(11)).0.isEmpty)
    let renamed = try Self.record(1, name: "Renamed")
    #expect(machine.saw([renamed], at: .seconds(12)).0 == [.changed(.updated(renamed))])
    #expect(machine.saw([renamed], at: .seconds(16)).0 == [.changed(.removed(second))])
    #expect(machine.saw([], at: .seconds(17)).0 == [.changed(.removed(renamed))])
  }

  // MARK: The roster

  @Test("Devices come, change what they say, move and go")
  func roster() throws {
    var roster = DeviceRoster()
    let first = try Self.record(1)
    let playing = try Self.record(1, shows: "Sintel")
    let moved = try Self.record(1, at: ["192.0.2.9"], shows: "Sintel")
    #expect(roster.receive(.found(first)) == .came(first))
    #expect(roster.receive(.updated(first)) == nil)
    #expect(roster.receive(.updated(try Self.record(1, at: ["192.0.2.1", "2001:db8::1"]))) == nil)
    #expect(roster.receive(.updated(first)) == nil)
    #expect(roster.receive(.updated(playing)) == .changed(from: first, to: playing))
    #expect(roster.receive(.updated(moved)) == .moved(from: playing, to: moved))
    #expect(roster.receive(.removed(moved)) == .gone(moved))
    #expect(roster.receive(.removed(moved)) == nil)
  }

  @Test("A group that gets another leader has moved, whichever record is told of first", arguments: [true, false])
  func leader(comesFirst: Bool) throws {
    var roster = DeviceRoster()
    let before = try Self.record(1, id: 7, at: ["192.0.2.1"], port: 42_001)
    let after = try Self.record(2, id: 7, at: ["192.0.2.2"], port: 42_777)
    _ = roster.receive(.found(before))
    if comesFirst {
      #expect(roster.receive(.found(after)) == .moved(from: before, to: after))
      #expect(roster.receive(.removed(before)) == nil)
    } else {
      #expect(roster.receive(.removed(before)) == .gone(before))
      #expect(roster.receive(.found(after)) == .came(after))
    }
    #expect(roster.receive(.removed(after)) == .gone(after))
  }

  @Test("Where two services claim one id and the newer one leaves, the device is where the other is")
  func twoOfOneID() throws {
    var roster = DeviceRoster()
    let real = try Self.record(1, id: 7, at: ["192.0.2.1"])
    let spoof = try Self.record(2, id: 7, at: ["192.0.2.66"])
    _ = roster.receive(.found(real))
    #expect(roster.receive(.found(spoof)) == .moved(from: real, to: spoof))
    #expect(roster.receive(.removed(spoof)) == .moved(from: spoof, to: real))
  }

  @Test("A service that takes another id is another device")
  func newID() throws {
    var roster = DeviceRoster()
    let before = try Self.record(1, id: 7)
    let after = try Self.record(1, id: 8)
    _ = roster.receive(.found(before))
    #expect(roster.receive(.updated(after)) == .came(after))
    #expect(roster.receive(.removed(after)) == .gone(after))
  }
}
