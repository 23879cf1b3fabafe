import CastProtocol
import CastReceiver
import DeviceControl
import ScenarioLanguage
import Testing

@testable import Simulation

@Suite struct VirtualDeviceNeedsTests {
  private static func playlist(_ head: String) throws -> PlaylistPlan {
    let text = "playlist: P\ntimezone: UTC\n\(head)\nprogram: [{ play: [\"https://x.example/a.png\"] }]\n"
    let outcome = PlanCompiler.compile(SourceFile(name: "p.yaml", bytes: Array(text.utf8)))
    guard case .playlist(let plan)? = outcome.document else { throw Invalid(problems: outcome.diagnostics) }
    return plan
  }
  private struct Invalid: Error { var problems: [Diagnostic] }

  static let playlists: [(heads: [String], names: [String])] = [
    (["device: TV"], ["TV"]),
    (["devices: [Left, Right]"], ["Left", "Right"]),
    (["device: { name_like: \"Lobby*\" }"], ["Lobby"]),
    (["devices: { match: { name_like: \"Bar *\" }, at_least: 2 }"], ["Bar ", "Bar  2"]),
    (
      ["inventory: { a: { name: One, tags: [x] }, b: { name: Two, tags: [x] } }\ndevices: { match: { tag: x } }"],
      ["One", "Two"]
    ),
    (["inventory: { a: { name: One }, b: { name: Two } }\ndevice: b"], ["Two"]),
    (["devices: [Left, Right]", "devices: [Right, Door]"], ["Left", "Right", "Door"]),
  ]

  @Test("Playlists that are shown together get a device for each that one of them names", arguments: playlists)
  func devices(heads: [String], names: [String]) throws {
    let needs = VirtualDeviceNeeds(of: try heads.map { try Self.playlist($0) })
    #expect(VirtualDevices(for: needs).devices.map(\.name) == names)
    #expect(needs.devices.count == heads.count)
  }

  @Test("The devices of a playlist are found by what it asks for, all that fit")
  func found() throws {
    let plan = try Self.playlist("devices: { match: { name_like: \"Lobby*\" }, at_least: 3 }")
    let devices = VirtualDevices(for: .init(of: [plan]))
    #expect(devices.fitting(plan.devices.selectors[0]).count == 3)
  }

  @Test("A receiver launches the app of every playlist")
  func apps() throws {
    let plans = try [
      "device: TV\napps: { menu: { id: AAAA1111 } }\napp: menu",
      "device: TV\napps: { own: { id: BBBB2222 } }\napp: own",
    ].map { try Self.playlist($0) }
    let needs = VirtualDeviceNeeds(of: plans)
    let device = try #require(VirtualDevices(for: needs).devices.first)
    let configuration = VirtualDevice.configuration(for: device, needs: needs, seed: 1)
    #expect(configuration.appIDs.isSuperset(of: ["AAAA1111", "BBBB2222"]))
    #expect(configuration.name == "TV" && configuration.id == device.id)
  }

  static let proofs: [(head: String, isNeeded: Bool)] = [
    ("device: TV", false), ("inventory: { a: { name: One, auth: report } }\ndevice: a", false),
    ("inventory: { a: { name: One, auth: require } }\ndevice: a", true),
  ]

  @Test("A proof is needed where the inventory requires one, of playlists as of what is run", arguments: proofs)
  func proof(head: String, isNeeded: Bool) throws {
    #expect(VirtualDeviceNeeds(of: [try Self.playlist(head)]).needsProof == isNeeded)
    let plan = try ScenarioSimulationTests.compile("scenario: S\n\(head)\nsteps: [{ log: hi }]\n")
    #expect(VirtualDeviceNeeds(of: RunnableDocument(plan)).needsProof == isNeeded)
  }

  @Test(
    "Pages of the inventory are shown by the receivers that stand for their devices alone, and only where asked for")
  func pages() throws {
    let text = """
      scenario: S
      roles: { left: a, right: b, far: Real TV }
      inventory: { a: { receiver: "http://e.com/1" }, b: { receiver: "http://e.com/2" } }
      steps: [{ launch: A1B2C3D4, role: all }]
      """
    let outcome = PlanCompiler.compile(SourceFile(name: "s.yaml", bytes: Array(text.utf8)))
    guard case .scenario(let document)? = outcome.document else { throw Invalid(problems: outcome.diagnostics) }
    var needs = VirtualDeviceNeeds(of: RunnableDocument(document))
    #expect(VirtualDevices(for: needs).devices.map(\.name) == ["a", "b", "Real TV"])
    #expect(VirtualDevices(for: needs).pages == [:])
    needs.keepPages()
    let devices = VirtualDevices(for: needs)
    #expect(devices.devices.map(\.name) == ["a", "b"])
    #expect(devices.pages == [0: "http://e.com/1", 1: "http://e.com/2"])
    needs.show("http://e.com/1")
    #expect(needs.pages == ["A1B2C3D4": "http://e.com/1", "CC1AD845": "http://e.com/1"])
    needs.show("http://e.com/other")
    #expect(needs.pages["A1B2C3D4"] == "http://e.com/1")
  }
}
