import CastProtocol
import Testing

@testable import ScenarioLanguage

@Suite struct TargetTests {
  static let roles = "roles: { left: Bar left, right: { host: 192.0.2.7 } }"

  @Test("Roles are kept in order; a step has the role written next to it or around it")
  func roles() throws {
    let plan = try FlowTests.plan(
      "{ play: {}, role: left }, { group: { steps: [play, { stop: {}, role: all }] }, role: right }, { log: x }",
      top: Self.roles)
    #expect(plan.roles.map(\.name) == ["left", "right"])
    #expect(plan.device.name == "Bar left")
    #expect(plan.steps.map(\.role) == [.one("left"), .one("right"), nil])
    #expect(plan.steps[1].action.steps.map(\.role) == [.one("right"), .all])
  }

  @Test("The only role needs not be written")
  func oneRole() throws {
    let plan = try FlowTests.plan("play", top: "roles: { only: TV }")
    #expect(plan.steps.map(\.role) == [.one("only")])
  }

  static let cases: [(top: String, steps: String, codes: [String])] = [
    (roles, "play", ["K105"]),
    (roles, "{ log: x }, { wait: 1s }, { play: {}, role: all }", []),
    (roles, "{ play: {}, role: lft }", ["N406"]),
    (roles, "{ play: {}, role: left }", ["P613"]),
    (roles, "{ log: x, if: { player: idle } }", ["K105"]),
    ("device: TV", "{ play: {}, role: left }", ["N406"]),
    ("roles: { all: TV }", "play", ["N411"]),
    ("roles: {}", "play", ["K105"]),
    (roles + "\ndevice: TV", "{ play: {}, role: all }", ["K107"]),
    (roles, "{ parallel: [{ role: left, steps: [play] }, { role: right, steps: [play] }] }", []),
    (
      roles, "{ parallel: [{ role: left, steps: [play] }, { role: left, steps: [play] }] }, { play: {}, role: right }",
      ["K107"]
    ),
    (roles, "{ parallel: [{ role: left, steps: [play] }, { role: all, steps: [play] }] }", ["K107"]),
    ("devices: []", "play", ["K105"]),
    ("devices: { match: { model_like: \"Chrome*\" }, at_most: 0 }", "play", ["T213"]),
    ("devices: { match: { name: A }, at_least: 3, at_most: 2 }", "play", ["T213"]),
    ("devices: { match: { name: A }, at_least: 2, at_most: 2 }", "play", []),
    ("devices: [A, { host: 192.0.2.7 }]", "play", []),
  ]
  @Test("Devices and roles are complete and meant", arguments: cases)
  func checked(top: String, steps: String, codes: [String]) { #expect(FlowTests.codes(steps, top: top) == codes) }

  @Test("devices is a list, or a match with limits and an order")
  func devices() throws {
    let list = try FlowTests.plan("play", top: "devices: [A, { name_like: \"B*\" }]")
    #expect(list.devices?.selectors.map(\.name) == ["A", nil])
    #expect(list.device.name == "A")
    let match = try FlowTests.plan("play", top: "devices: { match: { model: X }, at_least: 2, run: one_by_one }")
    #expect(match.devices?.atLeast == 2)
    #expect(match.devices?.order == .oneByOne)
    #expect(match.device.model == "X")
  }

  @Test("What the scenario says of retries, sessions and takeovers is in the plan")
  func settings() throws {
    let plan = try FlowTests.plan(
      "play",
      top:
        "device: TV\nretry: { attempts: 2, errors: [expectation] }\nsession: { join: must_exist, leave: keep }\ntakeover: ignore"
    )
    #expect(plan.retry.attempts == 2)
    #expect(plan.retry.errors == [.expectation])
    #expect(plan.session.join == .mustExist)
    #expect(plan.session.leave == .keep)
    #expect(plan.takeover == .ignore)
  }

  @Test("A device is an inventory id first, then a friendly name")
  func inventoryFirst() throws {
    func device(_ device: String) throws -> Plan.DeviceSelector {
      try Compiling.plan(
        """
        scenario: Devices
        device: \(device)
        inventory:
          lobby: { name: Lobby TV }
          bar: { name: Bar TV, id: 8e2d1c0a, host: "192.0.2.14:8010" }
        steps: [{ expect: { player: idle } }]
        """
      ).device
    }
    #expect(try device("Kitchen").name == "Kitchen")
    #expect(try device("lobby").name == "Lobby TV")
    #expect(try device("lobby").inventoryID == "lobby")
    let bar = try device("bar")
    #expect(bar.id == "8e2d1c0a")
    #expect(bar.host == HostAndPort(host: "192.0.2.14", port: 8010))
    #expect(try device("{ model_like: \"Chrome*\" }").modelLike == "Chrome*")
  }
}
