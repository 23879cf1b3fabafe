import CastClient
import CastProtocol
import Foundation
import RunReporting
import ScenarioLanguage
import Simulation
import Testing

@testable import DeviceControl

@Suite("Which of the devices that answer is meant") struct DeviceMatchingTests {
  static let lobby = FoundDevice(
    name: "Lobby TV", id: "8E2D1C0A-7b1f", model: "Chromecast Ultra", address: HostAndPort(host: "192.0.2.1"),
    via: .mdns)
  static let hall = FoundDevice(
    name: "Hall TV", id: "aa", model: "Nest Hub", address: HostAndPort(host: "192.0.2.2"), via: .mdns)
  static let group = FoundDevice(
    name: "Ground floor", id: "bb", model: "Google Cast Group", address: HostAndPort(host: "192.0.2.2", port: 42_001),
    via: .mdns)
  static let nameless = FoundDevice(name: "192.0.2.9", address: HostAndPort(host: "192.0.2.9"), via: .hosts)
  static let all = [lobby, hall, group, nameless]

  static func selector(_ change: (inout Plan.DeviceSelector) -> Void = { _ in }) -> Plan.DeviceSelector {
    var selector = Plan.DeviceSelector(span: Make.span)
    change(&selector)
    return selector
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var selector: Plan.DeviceSelector
    var found: [String]

    init(_ title: String, _ found: [FoundDevice], _ change: (inout Plan.DeviceSelector) -> Void) {
      (testDescription, selector, self.found) = (title, DeviceMatchingTests.selector(change), found.map(\.name))
    }
  }

  static let rows: [Row] = [
    Row("nothing asked", all) { _ in }, Row("a name", [lobby]) { $0.name = "Lobby TV" },
    Row("a name in another case", []) { $0.name = "lobby tv" }, Row("a part of a name", []) { $0.name = "Lobby" },
    Row("a pattern", [lobby, hall]) { $0.nameLike = "*TV" }, Row("one letter", [hall]) { $0.nameLike = "H?ll TV" },
    Row("an id", [lobby]) { $0.id = "8E2D1C0A-7b1f" },
    Row("an id in another spelling", [lobby]) { $0.id = "8e2d-1c0a7B1F" },
    Row("a part of an id", []) { $0.id = "8E2D" },
    Row("a model", [hall]) { $0.model = "Nest Hub" }, Row("a kind of model", [lobby]) { $0.modelLike = "Chromecast*" },
    Row("any model that is told", [lobby, hall, group]) { $0.modelLike = "*" },
    Row("devices", [lobby, hall, nameless]) { $0.kind = .device }, Row("groups", [group]) { $0.kind = .group },
    Row("an address", [hall]) { $0.host = HostAndPort(host: "192.0.2.2") },
    Row("an address with its port", [group]) { $0.host = HostAndPort(host: "192.0.2.2", port: 42_001) },
    Row("all parts must fit", []) { ($0.name, $0.model) = ("Lobby TV", "Nest Hub") },
    Row("without some", [lobby, nameless]) {
      $0.excluded = [selector { $0.name = "Hall TV" }, selector { $0.kind = .group }]
    },
    Row("a tag", [lobby, nameless]) {
      $0.tag = "x"
      $0.tagged = [selector { $0.name = "Lobby TV" }, selector { $0.host = nameless.address }]
    },
    Row("a tag that nothing has", []) { $0.tag = "x" },
    Row("a tag and a kind", [lobby]) {
      ($0.tag, $0.modelLike) = ("x", "Chrome*")
      $0.tagged = [selector { $0.nameLike = "*TV" }]
    },
  ]

  @Test("Every part that is given must fit", arguments: rows)
  func matches(row: Row) { #expect(Self.all.filter(row.selector.fits).map(\.name) == row.found) }

  static let found = [
    FoundDevice(
      name: "Living Room TV", id: "8e2d1c0a7b1f4c399a550c1d2e3f4a5b", model: "Chromecast Ultra",
      address: HostAndPort(host: "192.0.2.14"), via: .mdns),
    FoundDevice(name: "Kitchen", model: "Nest Hub", address: HostAndPort(host: "192.0.2.15"), via: .mdns),
  ]

  @Test("Nothing found names what was found, several name each other, one is fine")
  func diagnostics() {
    let missing = Self.selector { $0.name = "Living Rom TV" }
    let problem = missing.diagnostic(among: Self.found, listenFor: .seconds(5))
    #expect(problem?.code == .r701)
    #expect(problem?.message == "no device called `Living Rom TV`")
    #expect(problem?.primary.text == "did you mean `Living Room TV`?")
    let empty = missing.diagnostic(among: [], listenFor: .milliseconds(2_500))
    #expect(empty?.footers.first == .note("found in 2.5 s: nothing"))
    let several = Self.selector { $0.nameLike = "*" }.diagnostic(among: Self.found, listenFor: .seconds(5))
    #expect(several?.code == .r702)
    #expect(Self.selector { $0.name = "Kitchen" }.diagnostic(among: Self.found, listenFor: .seconds(5)) == nil)
  }

  @Test("The golden message for a device that is not there comes out byte for byte")
  func golden() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    func read(_ ending: String) throws -> [UInt8] {
      let path = "ScenarioLanguageTests/Fixtures/golden/diagnostics/42-R701.\(ending)"
      return Array(try Data(contentsOf: tests.appending(path: path)))
    }
    let outcome = PlanCompiler.compile(SourceFile(name: "lobby.yaml", bytes: try read("yaml")))
    guard case .scenario(let plan)? = outcome.document else { throw ConditionJudgingTests.NoPlan() }
    let problem = try #require(plan.device.diagnostic(among: Self.found, listenFor: .seconds(5)))
    let text = DiagnosticRenderer(sources: outcome.sources).render([problem])
    #expect(text.contains(String(decoding: try read("txt"), as: UTF8.self)), "\(text)")
  }

  @Test(
    "Two are one device by their ids, and by the address where one has none",
    arguments: [
      (lobby, lobby, true), (lobby, hall, false), (nameless, lobby, false),
      (FoundDevice(name: "x", address: lobby.address, via: .host), lobby, true),
      (FoundDevice(name: "x", id: "cc", address: lobby.address, via: .host), lobby, false),
      (FoundDevice(name: "x", id: "8E2D1C0A-7b1f", address: hall.address, via: .host), lobby, true),
    ])
  func same(one: FoundDevice, other: FoundDevice, isSame: Bool) {
    #expect(one.isSame(as: other) == isSame && other.isSame(as: one) == isSame)
  }

  @Test("A device whose name is its address has none")
  func unnamed() {
    #expect(Self.nameless.isUnnamed && !Self.lobby.isUnnamed)
    let port = FoundDevice(name: "192.0.2.9:8010", address: HostAndPort(host: "192.0.2.9", port: 8010), via: .host)
    #expect(port.isUnnamed)
  }

  // MARK: what it is called by

  @Test(
    "`--device` takes the inventory's id, else the address somebody wrote, else the device's id, else its name",
    arguments: [
      ("left", lobby, "left"), (nil, lobby, "8E2D1C0A-7b1f"), (nil, nameless, "192.0.2.9"),
      (
        nil, FoundDevice(name: "TV", id: "x", address: HostAndPort(host: "192.0.2.9", port: 8010), via: .host),
        "192.0.2.9:8010"
      ),
    ] as [(String?, FoundDevice, String)])
  func choice(inventoryID: String?, device: FoundDevice, choice: String) {
    #expect(DeviceName.choice(of: device, selector: Self.selector { $0.inventoryID = inventoryID }) == choice)
  }

  @Test(
    "Before a device is found it has the name that is asked for, or the address",
    arguments: [
      (selector { $0.name = "Lobby TV" }, "lobby-tv"),
      (selector { $0.host = HostAndPort(host: "tv.local") }, "tv.local:8009"),
      (selector { ($0.name, $0.inventoryID) = ("Lobby TV", "left") }, "left"),
      (selector { $0.model = "Nest Hub" }, "device"),
    ])
  func early(selector: Plan.DeviceSelector, name: String) {
    #expect(DeviceName.name(of: nil, selector: selector) == name)
  }

  @Test(
    "A name that is taken gets the first free number",
    arguments: [
      ([], "tv"), (["tv"], "tv-2"), (["tv", "tv-2"], "tv-3"), (["tv", "tv-3"], "tv-2"), (["tv-2"], "tv"),
    ] as [([String], String)])
  func unique(taken: [String], name: String) { #expect("tv".unique(among: taken) == name) }

  // MARK: reappearances

  struct Reappearance: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// What discovery tells, and when.
    var told: [(at: Double, host: String)]
    /// When the wait is over, in seconds; a day where discovery ends.
    var at: Double
  }

  static let reappearances: [Reappearance] = [
    Reappearance(
      testDescription: "what is remembered does not count", told: [(0, "192.0.2.1"), (3, "192.0.2.1")], at: 3),
    Reappearance(testDescription: "another address counts at once", told: [(0, "192.0.2.7")], at: 0),
    Reappearance(
      testDescription: "half a second is remembered still", told: [(0.5, "192.0.2.1"), (0.6, "192.0.2.1")], at: 0.6),
    Reappearance(testDescription: "nothing can look", told: [], at: 86_400),
  ]

  @Test("A lost device is seen anew when discovery tells of it after a moment, or elsewhere", arguments: reappearances)
  func reappearance(row: Reappearance) throws {
    let executor = SimulationExecutor(seed: 1)
    let network = SimulatedNetwork(executor: executor, seed: 1)
    try executor.run { _ in
      let clock = network.times.show
      let (stream, continuation) = AsyncStream<HostAndPort>.makeStream()
      var access = DeviceAccess(
        find: { _, _ throws(RunError) in [] },
        connect: { _, _ throws(ClientError) in throw ClientError(.unreachable, "nobody there") })
      access.reappearances = { _ in stream }
      let telling = clock.spawn {
        for (at, host) in row.told {
          try? await clock.sleep(until: .seconds(at))
          continuation.yield(HostAndPort(host: host))
        }
        if row.told.isEmpty { continuation.finish() }
      }
      await access.waitUntilSeenAgain(Self.lobby, on: clock)
      #expect(clock.now == .seconds(row.at))
      await telling.value
      continuation.finish()
    }
  }

  @Test("Without a way of its own asking for all devices finds what a search does, and a device stays where it was")
  func defaults() async throws {
    let access = DeviceAccess(
      find: { _, limit throws(RunError) in limit == .seconds(3) ? Self.all : [] },
      connect: { _, _ throws(ClientError) in throw ClientError(.unreachable, "nobody there") })
    #expect(try await access.discoverAll(Self.selector(), .seconds(3), 1, .both).count == 4)
    #expect(try await access.resolve(Self.hall, .seconds(1)) == Self.hall.address)
    var seen = 0
    for await _ in access.reappearances(Self.hall) { seen += 1 }
    #expect(seen == 0)
  }
}
