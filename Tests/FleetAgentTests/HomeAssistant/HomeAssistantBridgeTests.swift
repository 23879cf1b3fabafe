import CastTransport
import FleetAgent
import FleetMessages
import Signage
import Testing

/// A site's agent with Home Assistant, by its rules alone.
@Suite struct HomeAssistantBridgeTests {
  private typealias Views = HomeAssistantViews

  private static func machine(hasBridge: Bool) throws -> SiteMachine {
    let site = try Views.site()
    var machine = SiteMachine(
      site: site, keys: [], homeAssistant: hasBridge ? HomeAssistantBridge(of: site) : nil, at: .zero,
      unixTime: 1_795_600_000)
    machine.remember([], at: 1_795_600_000)
    return machine
  }

  private static func filters(_ commands: [BrokerCommand]) -> [String] {
    commands.compactMap { if case .subscribe(let filter, _) = $0 { filter } else { nil } }
  }

  /// What it publishes at a time, all of it acknowledged.
  private static func published(_ machine: inout SiteMachine, at time: Duration) -> [BrokerMessage] {
    machine.due(at: time).compactMap { command in
      guard case .publish(let message, let flight?) = command else { return nil }
      machine.acknowledged(flight, at: time)
      return message
    }
  }

  private static let skip = BrokerMessage("showcaller/berlin-1/window/set", Array(#"{"verb":"skip"}"#.utf8))
  private static let configs = [
    "homeassistant/device/berlin-1/showcaller-all/config",
    "homeassistant/device/berlin-1/showcaller-screen_-window/config",
  ]

  @Test("A site with Home Assistant tells it of each screen, obeys its buttons, and tells again after it has started")
  func withIt() throws {
    var machine = try Self.machine(hasBridge: true)
    let filters = Self.filters(machine.connected(at: .zero))
    for filter in [
      "showcaller/berlin-1/+/set", "homeassistant/status", "homeassistant/device/berlin-1/+/config",
    ] { #expect(filters.contains(filter)) }
    let view = try Views.view([(Views.cafe, ["window"])])
    _ = machine.look(view, ledgers: [], at: .zero)
    let first = Self.published(&machine, at: .zero).map(\.topic)
    #expect(first.filter { $0.hasSuffix("/config") } == Self.configs)

    _ = machine.receive(Self.skip, at: .seconds(2), unixTime: 1_795_600_002)
    let order = machine.nextOrder()
    #expect(order.map { "\($0)" }?.contains("skip") == true)

    // A message of birth that the broker kept is from before; one that comes now is answered, a little later.
    let birth = BrokerMessage("homeassistant/status", Array("online".utf8))
    var kept = birth
    kept.isRetained = true
    _ = machine.receive(kept, at: .seconds(10), unixTime: 1_795_600_010)
    let unasked = Self.published(&machine, at: .seconds(16))
    #expect(unasked.isEmpty)
    _ = machine.receive(birth, at: .seconds(20), unixTime: 1_795_600_020)
    let later = Duration.seconds(20) + HomeAssistant.spread(of: try Views.site())
    let early = Self.published(&machine, at: later - .milliseconds(1))
    #expect(early.isEmpty)
    let again = Self.published(&machine, at: later).map(\.topic)
    #expect(again.filter { $0.hasSuffix("/config") } == Self.configs)
  }

  @Test(
    "A screen that is gone is removed from Home Assistant, also one of an earlier process, and nothing of other programs"
  )
  func gone() throws {
    var machine = try Self.machine(hasBridge: true)
    _ = machine.connected(at: .zero)
    let earlier = "homeassistant/device/berlin-1/showcaller-screen_-old/config"
    _ = machine.receive(
      BrokerMessage(earlier, Array("{}".utf8), isRetained: true), at: .zero, unixTime: 1_795_600_000)
    let others = "homeassistant/device/berlin-1/lamp/config"
    _ = machine.receive(
      BrokerMessage(others, Array("{}".utf8), isRetained: true), at: .zero, unixTime: 1_795_600_000)
    _ = machine.look(try Views.view([(Views.cafe, ["window", "door"])]), ledgers: [], at: .zero)
    _ = Self.published(&machine, at: .zero)
    _ = machine.look(try Views.view([(Views.cafe, ["window"])]), ledgers: [], at: .seconds(100))
    let removed = Self.published(&machine, at: .seconds(100)).filter { $0.payload.isEmpty && $0.isRetained }
      .map(\.topic)
    #expect(
      Set(removed) == [
        earlier, "homeassistant/device/berlin-1/showcaller-screen_-door/config", "showcaller/berlin-1/door/state",
      ])
  }

  @Test(
    "A site without Home Assistant tells it nothing, asks for no plain orders, and obeys none that comes all the same")
  func withoutIt() throws {
    var machine = try Self.machine(hasBridge: false)
    let filters = Self.filters(machine.connected(at: .zero))
    #expect(!filters.contains { $0.hasSuffix("/set") || $0.hasPrefix("homeassistant") })
    _ = machine.look(try Views.view([(Views.cafe, ["window"])]), ledgers: [], at: .zero)
    let told = Self.published(&machine, at: .zero)
    #expect(!told.isEmpty && told.allSatisfy { $0.topic.hasPrefix("showcaller/") })
    _ = machine.receive(Self.skip, at: .seconds(2), unixTime: 1_795_600_002)
    let order = machine.nextOrder()
    #expect(order == nil)
    #expect(machine.refused == 1)
  }

  @Test("What Home Assistant is told changes with the document and with the screens, not with what they show")
  func changes() throws {
    let site = try Views.site()
    let bridge = HomeAssistantBridge(of: site)
    func told(_ view: SiteView) -> [BrokerMessage] { bridge.messages(view, site, ScreenNames(view)) }
    var view = try Views.view([(Views.cafe, ["window"])])
    let first = told(view)
    view.time += 60
    view.playlists[0].fired = ["alarm": 7]
    view.playlists[0].sights = ["window": ScreenSight()]
    #expect(told(view) == first)
    #expect(told(try Views.view([(Views.cafe.replacing("menu, film", with: "film"), ["window"])])) != first)
    #expect(told(try Views.view([(Views.cafe, ["door"])])) != first)
    view.version = "9.9.10"
    #expect(told(view) != first)
  }
}
