import Foundation
import Testing

@testable import Workspace

@Suite("The keys of devices outlive runs, and what is damaged says nothing for a device")
struct PinnedKeysTests {
  private static let key = String(repeating: "0f", count: 32)

  private static func pin(_ device: String = "id a", name: String = "Lobby TV", key: String = key) -> PinnedKeys.Pin {
    PinnedKeys.Pin(device: device, name: name, key: key, since: 1_795_000_000)
  }

  /// Keys below a folder of the test's own, and where its files are.
  private static func keys(_ folder: TemporaryFolder) -> (PinnedKeys, String) {
    (PinnedKeys(.living(in: folder)), folder.path(".local/state/showcaller/keys"))
  }

  @Test("The first key stays, whoever keeps another; a forgotten one makes room; only its owner reads the file")
  func first() throws {
    let folder = try TemporaryFolder()
    let (keys, path) = Self.keys(folder)
    #expect(try keys.pin(of: "id a") == nil)
    #expect(try keys.keep(Self.pin()) == Self.pin())
    #expect(try keys.pin(of: "id a") == Self.pin())
    let other = Self.pin(key: String(repeating: "1", count: 64))
    #expect(try keys.keep(other) == Self.pin())
    let files = try FileManager.default.contentsOfDirectory(atPath: path)
    #expect(files == ["id_20a.json"])
    let mode = try FileManager.default.attributesOfItem(atPath: "\(path)/id_20a.json")[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try keys.forget("id a") && !keys.forget("id a"))
    #expect(try keys.keep(other) == other)
  }

  @Test(
    "A damaged file is an error and no key, and is not written over; forgetting removes it",
    arguments: [
      "", "{}", "[", #"{"v":2,"device":"id a","name":"n","key":"KEY","since":1}"#,
      #"{"v":1,"device":"id b","name":"n","key":"KEY","since":1}"#,
      #"{"v":1,"device":"id a","name":"n","key":"0f","since":1}"#,
      #"{"v":1,"device":"id a","name":"n","key":"KEY","since":-1}"#,
      #"{"v":1,"device":"id a","name":"\#(String(repeating: "n", count: 5000))","key":"KEY","since":1}"#,
    ])
  func damaged(text: String) throws {
    let folder = try TemporaryFolder()
    let (keys, path) = Self.keys(folder)
    _ = try keys.keep(Self.pin())
    let file = "\(path)/id_20a.json"
    let text = text.replacing("KEY", with: Self.key)
    try text.write(toFile: file, atomically: false, encoding: .utf8)
    for attempt in 1...2 {
      let error = #expect(throws: WorkspaceError.self) {
        if attempt == 1 { _ = try keys.pin(of: "id a") } else { _ = try keys.keep(Self.pin()) }
      }
      #expect(error?.message.contains(file) == true)
    }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
    #expect(try keys.forget("id a"))
    #expect(try keys.pin(of: "id a") == nil)
  }

  @Test("A link in place of the file is not followed")
  func link() throws {
    let folder = try TemporaryFolder()
    let (keys, path) = Self.keys(folder)
    _ = try keys.keep(Self.pin("id b"))
    let genuine = try folder.write("elsewhere.json", "{}")
    try FileManager.default.createSymbolicLink(atPath: "\(path)/id_20a.json", withDestinationPath: genuine)
    #expect(throws: WorkspaceError.self) { try keys.pin(of: "id a") }
  }

  @Test("No id makes a path; devices are found by the name they had")
  func names() throws {
    let folder = try TemporaryFolder()
    let (keys, path) = Self.keys(folder)
    let devices = ["id ../../x", "192.0.2.1:8009", "id \(String(repeating: "y", count: 300))"]
    for device in devices { _ = try keys.keep(Self.pin(device, name: device == devices[0] ? "Hall" : "Lobby TV")) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: path).count == 3)
    for device in devices { #expect(try keys.pin(of: device)?.device == device) }
    #expect(Set(keys.pins(named: "lobby tv").map(\.device)) == Set(devices.dropFirst()))
    #expect(keys.pins(named: "Kitchen") == [])
  }

  @Test("Without a place for them nothing is kept and that is told; a full folder takes no more")
  func noPlace() throws {
    let keys = PinnedKeys(Surroundings(environment: [:], unixTime: { 0 }))
    let error = #expect(throws: WorkspaceError.self) { try keys.pin(of: "id a") }
    #expect(error?.help == "set HOME or XDG_STATE_HOME")
    #expect(throws: WorkspaceError.self) { try keys.keep(Self.pin()) }

    let folder = try TemporaryFolder()
    let (full, path) = Self.keys(folder)
    _ = try full.keep(Self.pin())
    for number in 1..<PinnedKeys.deviceLimit {
      #expect(FileManager.default.createFile(atPath: "\(path)/\(number)", contents: nil))
    }
    let refused = #expect(throws: WorkspaceError.self) { try full.keep(Self.pin("id b")) }
    #expect(refused?.message.contains("4096 devices") == true)
    #expect(try full.keep(Self.pin()) == Self.pin())
  }
}
