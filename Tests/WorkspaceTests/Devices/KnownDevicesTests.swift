import Testing

@testable import Workspace

@Suite struct KnownDevicesTests {
  private static let file = ".cache/showcaller/devices.json"

  private static func device(_ name: String, id: String = "", host: String = "192.0.2.1", seen: Int? = 5)
    -> KnownDevices.Device
  {
    KnownDevices.Device(name: name, id: id, model: "M", host: host, port: 8009, seen: seen)
  }

  @Test("What is stored is read again, sorted by name whatever its case")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    let known = KnownDevices(.living(in: folder))
    #expect(known.read() == [])
    let group = KnownDevices.Device(name: "Group", id: "g", model: "", host: "2001:db8::1", port: 32_000, seen: nil)
    known.store([Self.device("tv", id: "2"), group, Self.device("TV", id: "1"), Self.device("bar \u{1F37A}\n")])
    #expect(known.read().map(\.name) == ["bar \u{1F37A}\n", "Group", "TV", "tv"])
    #expect(known.read()[1] == group)
    #expect(folder.mode(Self.file) == 0o600)
    #expect(try folder.names(".cache/showcaller") == ["devices.json"])
  }

  @Test("A device takes the place of what was known of it: by its id, by its name where that had none")
  func remember() throws {
    let folder = try TemporaryFolder()
    let known = KnownDevices(.living(in: folder))
    known.store([Self.device("TV", id: "1"), Self.device("Bar")])
    known.remember(Self.device("Kitchen", id: "1", host: "192.0.2.2"))
    known.remember(Self.device("Bar", host: "192.0.2.3"))
    known.remember(Self.device("Bar", id: "2", host: "192.0.2.4"))
    #expect(known.read().map { "\($0.name) \($0.host)" } == ["Bar 192.0.2.4", "Kitchen 192.0.2.2"])
  }

  @Test(
    "A damaged file is as good as none",
    arguments: [
      "", "{", "null", "[]", #"{"devices":[{"name":"TV","host":"h"}]}"#,
      #"{"v":2,"devices":[{"name":"TV","host":"h"}]}"#,
      #"{"v":1}"#, #"{"v":1,"devices":{}}"#, "\u{0}", #"{"v":1,"devices":[{"name":"TV","host":"h"}]} x"#,
      #"{"v":1,"devices":[{"name":"TV","host":"h"}]}"# + String(repeating: " ", count: 1 << 18),
    ])
  func damaged(text: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.file, text)
    let known = KnownDevices(.living(in: folder))
    #expect(known.read() == [])
    known.remember(Self.device("TV"))
    #expect(known.read().map(\.name) == ["TV"])
  }

  @Test("Of devices that make no sense the others are read")
  func nonsense() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      Self.file,
      """
      {"v":1,"devices":[1,{},{"name":"","host":"h"},{"name":"A","host":""},{"name":"B"},{"name":"C","host":"h","port":0},
      {"name":"D","host":"h","port":65536},{"name":"E","host":"h","port":65535},{"name":"F","host":"h","seen":"x"}]}
      """)
    #expect(
      KnownDevices(.living(in: folder)).read() == [
        .init(name: "E", id: "", model: "", host: "h", port: 65_535, seen: nil),
        .init(name: "F", id: "", model: "", host: "h", port: 8009, seen: nil),
      ])
  }

  @Test("No more than 500 are kept")
  func many() throws {
    let folder = try TemporaryFolder()
    let known = KnownDevices(.living(in: folder))
    known.store((0..<700).map { Self.device("TV \($0 + 1000)", id: "\($0)") })
    #expect(known.read().count == 500)
    #expect(known.read().first?.name == "TV 1000")
  }

  @Test("What would not fit is not stored, and what was there stays")
  func large() throws {
    let folder = try TemporaryFolder()
    let known = KnownDevices(.living(in: folder))
    known.store([Self.device("TV")])
    known.store((0..<400).map { Self.device(String(repeating: "x", count: 1000) + "\($0)") })
    #expect(known.read().map(\.name) == ["TV"])
  }

  @Test(
    "The age counts from when a device was seen; a group may be elsewhere by now",
    arguments: [
      (1000 as Int?, .seconds(600)), (1600, .zero), (1700, .seconds(-100)), (0, .seconds(1600)), (nil, nil),
    ] as [(Int?, Duration?)])
  func age(seen: Int?, age: Duration?) throws {
    let folder = try TemporaryFolder()
    let known = KnownDevices(.living(in: folder, at: 1600))
    #expect(known.age(of: Self.device("TV", seen: seen)) == age)
    #expect(known.now == 1600)
  }

  @Test("Nothing is kept where there is no place for it")
  func nowhere() throws {
    let folder = try TemporaryFolder()
    try folder.write("file", "")
    for environment: Environment in [[:], ["XDG_CACHE_HOME": "relative"], ["XDG_CACHE_HOME": folder.path("file")]] {
      let known = KnownDevices(Surroundings(environment: environment, unixTime: { 0 }))
      known.remember(Self.device("TV"))
      #expect(known.read() == [])
    }
    #expect(try folder.names() == ["file"])
  }

  @Test("A pipe in the place of the file holds up nobody")
  func pipe() throws {
    let folder = try TemporaryFolder()
    try folder.folder(".cache/showcaller")
    try folder.pipe(Self.file)
    #expect(KnownDevices(.living(in: folder)).read() == [])
  }

  @Test(
    "An address is written as --host takes it",
    arguments: [
      ("192.0.2.1", 8009, "192.0.2.1"), ("192.0.2.1", 8010, "192.0.2.1:8010"), ("fe80::1%eth0", 8009, "fe80::1%eth0"),
      ("fe80::1%eth0", 8010, "[fe80::1%eth0]:8010"), ("tv.local", 1, "tv.local:1"),
    ])
  func address(host: String, port: Int, text: String) {
    #expect(KnownDevices.Device(name: "", id: "", model: "", host: host, port: port, seen: nil).address == text)
  }

  @Test("Many who remember devices at once leave a file that can be read")
  func together() async throws {
    let folder = try TemporaryFolder()
    let known = KnownDevices(.living(in: folder))
    await withTaskGroup { group in
      for number in 0..<8 { group.addTask { known.remember(Self.device("TV \(number)", id: "\(number)")) } }
    }
    #expect(!known.read().isEmpty)
    #expect(try folder.names(".cache/showcaller") == ["devices.json"])
  }
}
