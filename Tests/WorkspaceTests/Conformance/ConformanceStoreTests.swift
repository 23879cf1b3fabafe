import Conformance
import Testing

@testable import Workspace

/// Where results are kept between two nights.
@Suite struct ConformanceStoreTests {
  private static func device(_ name: String, _ id: String?, firmware: String? = "1") -> CheckedDevice {
    var device = CheckedDevice(name: name, address: "192.0.2.14", time: "2026-11-27T02:00:00.000Z")
    (device.id, device.firmware) = (id, firmware)
    device.checks = [ConformanceResult("media.seek", .passed)]
    return device
  }

  struct Row: Sendable, CustomTestStringConvertible {
    /// Name and id of what was kept, one after the other.
    var kept: [(name: String, id: String?)]
    var now: (name: String, id: String?)
    /// Which of them the device now is.
    var found: Int?
    var testDescription: String { "\(now.name) \(now.id ?? "without an id") after \(kept)" }

    init(_ kept: [(String, String?)], _ now: (String, String?), _ found: Int?) {
      self.kept = kept.map { (name: $0.0, id: $0.1) }
      self.now = (name: now.0, id: now.1)
      self.found = found
    }
  }

  static let rows: [Row] = [
    Row([("Lobby TV", "0a")], ("Lobby TV", "0a"), 0),
    Row([("Lobby TV", "0a")], ("Kitchen", "0a"), 0),
    // Its id is not told now, or was not told the last time.
    Row([("Lobby TV", "0a")], ("Lobby TV", nil), 0),
    Row([("Lobby TV", nil)], ("Lobby TV", "0a"), 0),
    Row([("Lobby TV", nil)], ("Lobby TV", nil), 0),
    Row([("Kitchen", "0b"), ("Lobby TV", "0a")], ("Lobby TV", nil), 1),
    // Two of that name: nobody knows which.
    Row([("Lobby TV", "0a"), ("Lobby TV", "0b")], ("Lobby TV", nil), nil),
    Row([("Lobby TV", "0a"), ("Lobby TV", "0b")], ("Lobby TV", "0b"), 1),
    Row([("Lobby TV", "0a")], ("Lobby TV", "0b"), nil),
    Row([("Lobby TV", "0a")], ("Kitchen", nil), nil),
    Row([], ("Kitchen", nil), nil),
  ]
  @Test("A device is found again by its id, and by its name where it tells no id on one of two nights", arguments: rows)
  func again(row: Row) throws {
    let folder = try TemporaryFolder()
    let store = ConformanceStore(.living(in: folder))
    for (number, device) in row.kept.enumerated() {
      let device = Self.device(device.name, device.id, firmware: "\(number)")
      try store.keep(device, in: try store.record(of: device))
    }
    let now = Self.device(row.now.name, row.now.id, firmware: "9")
    let record = try store.record(of: now)
    #expect(record.devices.map(\.firmware) == (row.found.map { ["\($0)"] } ?? []))
    try store.keep(now, in: record)
    #expect(try store.record(of: now).devices.last == now)
  }

  @Test("A device is not told that another one's file is damaged; its own is told, and stays")
  func damaged() throws {
    let folder = try TemporaryFolder()
    let store = ConformanceStore(.living(in: folder))
    let device = Self.device("Lobby TV", "0a")
    try store.keep(device, in: ConformanceRecord())
    let path = try #require(store.path(of: device))
    try folder.write(String(path.dropFirst(folder.path.count + 1)), "{")
    #expect(try store.record(of: Self.device("Kitchen", nil)).devices.isEmpty)
    let error = #expect(throws: WorkspaceError.self) { try store.record(of: device) }
    #expect(error?.help?.contains("rm \(path)") == true)
  }

  @Test("The cure for a damaged file works when it is pasted, also where its path has blanks")
  func cure() throws {
    let folder = try TemporaryFolder()
    let store = ConformanceStore(.living(in: folder, ["XDG_STATE_HOME=\(folder.path)/my state"]))
    let device = Self.device("Lobby TV", "0a")
    try store.keep(device, in: ConformanceRecord())
    let path = try #require(store.path(of: device))
    try folder.write(String(path.dropFirst(folder.path.count + 1)), "{")
    let error = #expect(throws: WorkspaceError.self) { try store.record(of: device) }
    #expect(error?.help?.hasSuffix(": rm '\(path)'") == true, "\(error?.help ?? "")")
  }
}
