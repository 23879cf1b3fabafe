import Testing

@testable import CastTransport

@Suite struct DeviceRecordTests {
  static let allStrings = [
    "id=0123456789ABCDEF0123456789abcdef", "ve=05", "md=Chromecast", "fn=Kitchen", "ca=199172", "st=1", "rs=News",
  ]

  static func record(
    _ strings: [String] = allStrings, host: String = "kitchen.local.", port: Int = 8009
  ) -> DeviceRecord? {
    DeviceRecord(instanceName: "i", host: host, port: port, txt: TXTRecordTests.wire(strings), addresses: ["192.0.2.1"])
  }

  @Test("All that a device says is read")
  func complete() throws {
    let record = try #require(Self.record())
    #expect(record.id.description == "01234567-89ab-cdef-0123-456789abcdef")
    #expect(record.name == "Kitchen" && record.model == "Chromecast" && record.statusText == "News")
    #expect(record.capabilities.contains([.audioOut]) && !record.capabilities.contains(.videoOut))
    #expect(record.isAppRunning && record.host == "kitchen.local" && record.preferredHost == "192.0.2.1")
  }

  @Test("An id and a name are all a device needs")
  func minimal() throws {
    let record = try #require(Self.record(["id=x", "fn=n"]))
    #expect(record.model == "" && record.capabilities == [] && !record.isAppRunning)
  }

  @Test(
    "What is no Cast device is passed over",
    arguments: [
      ["fn=n"], ["id=x"], ["id=x", "fn="], ["id=--", "fn=n"], ["id=a b", "fn=n"], ["id=", "fn=n"],
      ["id=x", "fn=n", "ve=1"], ["id=x", "fn=n", "ve=100"], ["id=x", "fn=n", "ve=five"],
      ["id=" + String(repeating: "a", count: 65), "fn=n"],
    ])
  func refused(strings: [String]) {
    #expect(Self.record(strings) == nil)
  }

  @Test("Ports are 1 to 65535", arguments: [(0, false), (1, true), (65535, true), (65536, false), (-1, false)])
  func ports(port: Int, isTaken: Bool) {
    #expect((Self.record(port: port) != nil) == isTaken)
  }

  @Test("A nonsensical capability field counts as none", arguments: ["-1", "0x5", "99999999999999999999", "", "5 "])
  func capabilities(text: String) {
    #expect(Self.record(["id=x", "fn=n", "ca=\(text)"])?.capabilities == [])
  }

  @Test("Ids are equal whatever the hyphens and the case")
  func ids() throws {
    let compact = try #require(DeviceID("8E2D1C0A7B1F4C399A550C1D2E3F4A5B"))
    #expect(compact == DeviceID("8e2d1c0a-7b1f-4c39-9a55-0c1d2e3f4a5b"))
    #expect(compact.hashValue == DeviceID("8e2d1c0a-7b1f-4c39-9a55-0c1d2e3f4a5b")?.hashValue)
    #expect(compact != DeviceID("8e2d1c0a7b1f4c399a550c1d2e3f4a5c"))
    #expect(DeviceID("Odd-One")?.description == "Odd-One")
  }

  static let hostNames: [(text: String, name: String?)] = [
    ("a.local.", "a.local"), ("a.local", "a.local"), ("Living\\032Room.local.", "Living\\032Room.local"),
    ("a\\.b.local", "a\\.b.local"),
    (String(repeating: "a", count: 63) + ".local", String(repeating: "a", count: 63) + ".local"),
    (String(repeating: "a", count: 64) + ".local", nil), ("", nil), (".", nil), ("a..b", nil), (".a", nil),
    ("a\\", nil), ("a\\03", nil), ("a\\999.local", nil), ("a\\010.local", nil), ("a\nb.local", nil),
    (String(repeating: "abcdefg.", count: 31) + "local", String(repeating: "abcdefg.", count: 31) + "local"),
    (String(repeating: "abcdefg.", count: 32) + "local", nil),
  ]
  @Test("Host names keep to the DNS's limits", arguments: hostNames)
  func hostNamesAreChecked(text: String, name: String?) {
    #expect(DNSName.validated(text) == name)
  }

  static let addressTable: [(bytes: [UInt8], interface: UInt32, text: String?)] = [
    ([192, 0, 2, 14], 1, "192.0.2.14"),
    ([127, 0, 0, 1], 1, "127.0.0.1"), ([127, 0, 0, 1], 4_000_000, nil),
    ([0, 0, 0, 0], 1, nil), ([224, 0, 0, 251], 1, nil), ([255, 255, 255, 255], 1, nil),
    ([192, 0, 2], 1, nil), ([], 1, nil), ([UInt8](repeating: 1, count: 17), 1, nil),
    ([0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [1], 1, "fe80::1%lo"),
    ([0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [1], 4_000_000, "fe80::1%4000000"),
    ([0x20, 1, 0xD, 0xB8] + [UInt8](repeating: 0, count: 11) + [7], 1, "2001:db8::7"),
    ([UInt8](repeating: 0, count: 16), 1, nil), ([UInt8](repeating: 0, count: 15) + [1], 1, "::1"),
    ([UInt8](repeating: 0, count: 15) + [1], 4_000_000, nil), ([0xFF, 2] + [UInt8](repeating: 0, count: 14), 1, nil),
  ]
  @Test("Only addresses a device can have are taken; loopback only from loopback", arguments: addressTable)
  func addressesAreChecked(bytes: [UInt8], interface: UInt32, text: String?) {
    #expect(DeviceAddress(bytes, interface: interface)?.text == text)
  }

  @Test("What a virtual receiver advertises reads back as itself")
  func advertisement() throws {
    let id = try #require(DeviceID("8e2d1c0a-7b1f-4c39-9a55-0c1d2e3f4a5b"))
    let advertisement = DeviceAdvertisement(
      id: id, name: "Wohnzimmer \u{1F4FA}", model: "Showcaller Virtual Receiver", statusText: "News",
      isAppRunning: true,
      port: 8009)
    #expect(advertisement.instanceName == "Showcaller-Virtual-R-8e2d1c0a7b1f4c399a550c1d2e3f4a5b")
    let record = try #require(
      DeviceRecord(
        instanceName: advertisement.instanceName, host: "h.local", port: 8009, txt: advertisement.txt.bytes))
    #expect(record.id == id && record.name == advertisement.name && record.model == advertisement.model)
    #expect(record.capabilities == [.videoOut, .audioOut] && record.isAppRunning && record.statusText == "News")
  }

  @Test("An instance name is one label, however long model and id are")
  func longInstanceName() throws {
    let id = try #require(DeviceID(String(repeating: "f", count: 64)))
    let advertisement = DeviceAdvertisement(id: id, name: "n", model: "Überlanges Modell für alle", port: 1)
    #expect(advertisement.instanceName.utf8.count == 63)
    #expect(advertisement.instanceName.hasPrefix("Überlanges-Modell-f-"))
  }

  @Test("Differences tell of removals first, and of each device once")
  func differences() throws {
    func device(_ instance: String, _ name: String) throws -> DeviceRecord {
      var record = try #require(Self.record(["id=\(instance)", "fn=\(name)"]))
      record.instanceName = instance
      return record
    }
    let (a, b, c) = (try device("a", "A"), try device("b", "B"), try device("c", "C"))
    let renamed = try device("b", "B2")
    #expect(DeviceChange.differences(from: [a, b], to: [renamed, c]) == [.removed(a), .updated(renamed), .found(c)])
    #expect(DeviceChange.differences(from: [a], to: [a]) == [])
  }
}
