import CastProtocol
import CastReceiver
import DeviceControl
import ScenarioLanguage
import Testing

@testable import Simulation

@Suite struct VirtualDevicesTests {
  private static func document(_ head: String, _ steps: String = "[{ log: hi }]") throws -> RunnableDocument {
    let source = SourceFile(name: "v.yaml", bytes: Array("scenario: V\n\(head)\nsteps: \(steps)\n".utf8))
    let outcome = PlanCompiler.compile(source)
    return try #require(RunnableDocument(outcome.plans), "\(outcome.diagnostics.map(\.message))")
  }

  static let made: [(head: String, names: [String])] = [
    ("device: TV", ["TV"]), ("device: { name_like: \"Lobby*\" }", ["Lobby"]),
    ("device: { name_like: \"Bar?\" }", ["Barx"]),
    ("device: { host: 192.0.2.7 }", ["192.0.2.7"]),
    ("roles: { left: A, right: B }", ["A", "B"]),
    ("devices: [Left, Right]", ["Left", "Right"]),
    ("devices: { match: { name_like: \"Lobby*\" }, at_least: 3 }", ["Lobby", "Lobby 2", "Lobby 3"]),
    (
      "inventory: { a: { name: One, tags: [x] }, b: { name: Two, tags: [x] } }\ndevices: { match: { tag: x } }",
      ["One", "Two"]
    ),
  ]

  @Test("There is one device for each that a document speaks of, and its name fits what is asked", arguments: made)
  func names(head: String, names: [String]) throws {
    let devices = VirtualDevices(for: .init(of: try Self.document(head))).devices
    #expect(devices.map(\.name) == names)
    #expect(Set(devices.compactMap(\.id)).count == names.count && Set(devices.map(\.address)).count == names.count)
  }

  @Test("What asks for any device at all gets the device's usual name")
  func anything() throws {
    let devices = VirtualDevices(for: .init(of: try Self.document("device: { name_like: \"*\" }"))).devices
    #expect(devices.count == 1 && !devices[0].name.isEmpty)
  }

  @Test("What rows ask for in the same words is one device, and other words make another")
  func rows() throws {
    let same = try Self.document("device: TV\nmatrix: { n: [1, 2, 3] }\nvars: { m: \"${matrix.n}\" }")
    #expect(same.rows.count == 3 && VirtualDevices(for: .init(of: same)).devices.count == 1)
    let other = try Self.document("device: \"${matrix.tv}\"\nmatrix: { tv: [Left, Right] }")
    #expect(VirtualDevices(for: .init(of: other)).devices.map(\.name) == ["Left", "Right"])
  }

  @Test("The device that something is transferred to is there, too, and is the one that is found by its name")
  func transfer() throws {
    let document = try Self.document("device: TV", "[{ load: \"https://x.example/a.mp4\" }, { transfer: Kitchen }]")
    let lab = VirtualDevices(for: .init(of: document))
    #expect(lab.devices.map(\.name) == ["TV", "Kitchen"])
    let kitchen = try #require(Plan.DeviceSelector(spelled: "Kitchen", at: SourceSpan.ofCommandLine))
    #expect(lab.fitting(kitchen).map(\.name) == ["Kitchen"])
  }

  @Test("A document of one device gets that one, whatever it asks; of several only those that fit")
  func fitting() throws {
    func selector(_ text: String) throws -> Plan.DeviceSelector {
      try #require(Plan.DeviceSelector(spelled: text, at: SourceSpan.ofCommandLine))
    }
    let one = VirtualDevices(for: .init(of: try Self.document("device: TV")))
    #expect(try one.fitting(selector("Other")).map(\.name) == ["TV"])
    let two = VirtualDevices(for: .init(of: try Self.document("devices: [Left, Right]")))
    #expect(try two.fitting(selector("Left")).map(\.name) == ["Left"])
    #expect(try two.fitting(selector("Other")).isEmpty)
    let set = VirtualDevices(
      for: .init(of: try Self.document("devices: { match: { name_like: \"Lobby*\" }, at_least: 3 }")))
    var glob = try selector("Lobby")
    (glob.name, glob.nameLike) = (nil, "Lobby*")
    #expect(set.fitting(glob).count == 3)
    #expect(try set.fitting(selector("Lobby")).map(\.name) == ["Lobby"])
  }

  @Test("A receiver launches what any row launches, and answers on the namespaces of the plan's own")
  func apps() throws {
    let name = "urn:x-cast:com.example.score"
    let document = try Self.document(
      "device: TV\nmatrix: { app: [AAAA1111, BBBB2222] }",
      "[{ launch: \"${matrix.app}\" }, { send: { namespace: \"\(name)\", message: { n: 1 } } }, "
        + "{ send: { namespace: \"\(name)\", message: { n: 2 } } }]")
    #expect(document.rows[0].launchedAppIDs == ["AAAA1111"])
    #expect(document.rows[0].spokenNamespaces == [Namespace(rawValue: name)], "each once")
    let device = VirtualDevice.answering(document.rows[0].device)
    let configuration = VirtualDevice.configuration(for: device, needs: .init(of: document), seed: 1)
    #expect(configuration.appIDs.isSuperset(of: ["AAAA1111", "BBBB2222"]))
    #expect(configuration.customNamespaces["BBBB2222"] == [Namespace(rawValue: name)])
    #expect(configuration.name == "TV" && configuration.id == device.id)
  }
}
