import CastTransport
import FleetMessages
import Signage
import Testing

@testable import FleetAgent

/// What a site does with what comes from a broker (docs/security.md F4, F5, F6).
@Suite struct SiteMachineTests {
  private let example: SiteExample

  init() throws { example = try SiteExample() }

  /// A machine that is connected and has told all.
  private func settled(_ bridge: HomeAssistantBridge? = nil) throws -> SiteMachine {
    var machine = example.machine(homeAssistant: bridge)
    _ = machine.connected(at: .zero)
    _ = machine.look(try SiteExample.usualView(), ledgers: [], at: .zero)
    _ = Self.settle(&machine, at: .zero)
    return machine
  }

  private static func settle(_ machine: inout SiteMachine, at time: Duration) -> [BrokerCommand] {
    var all: [BrokerCommand] = []
    while true {
      let due = machine.due(at: time)
      if due.isEmpty { return all }
      all += due
      for case .publish(_, let id?) in due { machine.acknowledged(id, at: time) }
    }
  }

  private func receive(
    _ message: BrokerMessage, _ machine: inout SiteMachine, at time: Duration = .seconds(1)
  ) -> [BrokerCommand] {
    machine.receive(message, at: time, unixTime: SiteExample.time)
  }

  @Test("After each connection a site subscribes and tells everything again, and then it is silent")
  func reconnects() throws {
    var machine = try settled()
    #expect(machine.deadline(at: .seconds(50)) == nil)
    machine.disconnected()
    let subscriptions = machine.connected(at: .seconds(2))
    #expect(subscriptions.contains(.subscribe("showcaller/berlin/document/+/put")))
    #expect(subscriptions.contains(.subscribe("showcaller/berlin/order/+/put")))
    #expect(!subscriptions.contains(.subscribe("showcaller/berlin/+/set")))
    let topics = Set(Self.settle(&machine, at: .seconds(2)).published.keys)
    #expect(topics == ["availability", "health", "tv/state"].reduce(into: []) { $0.insert("showcaller/berlin/\($1)") })
    #expect(machine.deadline(at: .seconds(3)) == nil)
  }

  @Test("What somebody else writes over a site's retained state is written again, and the same words are not")
  func overwritten() throws {
    var machine = try settled()
    let topic = "showcaller/berlin/tv/state"
    _ = receive(BrokerMessage(topic, Array("{}".utf8)), &machine, at: .seconds(5))
    let again = Self.settle(&machine, at: .seconds(5)).published
    #expect(again.keys.sorted() == [topic])
    let own = try #require(again[topic])
    _ = receive(BrokerMessage(topic, own.payload), &machine, at: .seconds(9))
    #expect(Self.settle(&machine, at: .seconds(9)).isEmpty)
  }

  @Test("A topic that the broker denies is told once, and the connection goes on without it")
  func denied() throws {
    var machine = example.machine()
    _ = machine.connected(at: .zero)
    _ = machine.look(try SiteExample.usualView(), ledgers: [], at: .zero)
    for case .publish(_, let id?) in machine.due(at: .zero) { machine.denied(id, at: .zero) }
    #expect(machine.takeLines().count == 1)
    #expect(machine.due(at: .seconds(61)).isEmpty && machine.deadline(at: .seconds(61)) == nil)
  }

  @Test("Without an operator's key no document or order is subscribed to, and none is taken")
  func noKey() throws {
    var machine = SiteMachine(site: example.site, keys: [], at: .zero, unixTime: SiteExample.time)
    #expect(
      !machine.connected(at: .zero).contains { if case .subscribe(let f, _) = $0 { f.hasSuffix("put") } else { false } }
    )
    _ = receive(try example.put(example.document(1)), &machine)
    #expect(machine.nextDocument() == nil && machine.refused == 1)
  }

  @Test("What happens while there is no connection is no news, and the state that it led to is told later")
  func offlineNews() throws {
    var machine = try settled()
    machine.disconnected()
    let program = try SiteExample.program()
    let dark = SiteExample.screen("tv", [.showing(try SiteExample.showing(program)), .lost("no answer")])
    let view = SiteExample.view([.init(program: program, screens: [dark], fired: [:])])
    #expect(machine.look(view, ledgers: [], at: .seconds(1)).isEmpty)
    _ = machine.connected(at: .seconds(2))
    let state = Self.settle(&machine, at: .seconds(2)).published["showcaller/berlin/tv/state"]
    #expect(state.flatMap { ScreenReport(payload: $0.payload) }?.isDark == true)
  }

  @Test("A report goes out when a document was taken, and again when it is seen again")
  func documentReports() throws {
    var machine = try settled()
    #expect(receive(try example.put(example.document(3)), &machine).isEmpty)
    #expect(machine.nextDocument()?.edition == 3)
    machine.finished(.on, at: SiteExample.time)
    let topic = "showcaller/berlin/document/cafe/report"
    let report = Self.settle(&machine, at: .seconds(2)).published[topic]
    #expect(report?.isRetained == true && report.flatMap { DocumentReport(payload: $0.payload) }?.state == .on)
    _ = receive(try example.put(example.document(3)), &machine, at: .seconds(3))
    #expect(Self.settle(&machine, at: .seconds(4)).published[topic] == report)
    #expect(machine.nextDocument() == nil)
  }

  @Test("10 000 hostile messages obey nothing, grow nothing, are told in few lines and end the connection for a minute")
  func hostile() throws {
    var machine = try settled()
    let valid = try example.put(example.document(3))
    var commands: [BrokerCommand] = []
    var lines = 0
    for number in 0..<10_000 {
      var message = valid
      switch number % 8 {
      case 0: message.payload[number % message.payload.count] ^= 1
      case 1: message.payload = Array(message.payload.prefix(number % 200))
      case 2: message.topic = "showcaller/bern/document/cafe/put"
      case 3: message.topic = "showcaller/berlin/order/\(number)/put"
      case 4: message = BrokerMessage("showcaller/berlin/tv/set", Array("skip".utf8))
      case 5: message = BrokerMessage("showcaller/berlin/x\(number)/state", [1], isRetained: true)
      case 6: message = BrokerMessage("$SYS/\(number)/\u{1B}[2J", [])
      default: message = BrokerMessage("showcaller/berlin/availability", Array("offline".utf8), isRetained: true)
      }
      commands += receive(message, &machine, at: .seconds(1) + .milliseconds(number))
      lines += machine.takeLines().count
    }
    #expect(machine.nextDocument() == nil && machine.nextOrder() == nil)
    #expect(commands.allSatisfy { $0 == .reconnect(after: SiteMachine.floodPause) } && !commands.isEmpty)
    #expect(lines <= 2 && machine.refused > 8_000)
    // What it tells of its screens goes on.
    machine.disconnected()
    _ = machine.connected(at: .seconds(100))
    #expect(Self.settle(&machine, at: .seconds(100)).published["showcaller/berlin/tv/state"] != nil)
  }

  @Test("200 refused messages in a minute end the connection, and fewer do not")
  func flood() {
    var refusals = Refusals()
    let times = (0..<199).map { Duration.milliseconds(300 * $0) }
    // A minute after the first one they are counted anew.
    let later = (0..<199).map { Duration.seconds(60) + .milliseconds($0) }
    for time in times + later {
      let isFlood = refusals.note("x", at: time)
      #expect(!isFlood)
    }
    let isFlood = refusals.note("x", at: .seconds(61))
    #expect(isFlood && refusals.count == 399)
  }

  @Test("Documents for which there was no room at once are asked for again")
  func askedAgain() throws {
    var machine = try settled()
    let message = try example.put(example.document(3))
    var forged = message
    forged.payload[200] ^= 1
    for _ in 0..<199 { _ = receive(forged, &machine) }
    #expect(machine.nextDocument() == nil)
    _ = receive(forged, &machine)
    _ = receive(message, &machine)
    #expect(machine.nextDocument() == nil)
    let at = try #require(machine.deadline(at: .seconds(1)))
    #expect(at <= .seconds(31))
    #expect(machine.due(at: .seconds(31)).contains(.subscribe("showcaller/berlin/document/+/put")))
    _ = receive(message, &machine, at: .seconds(32))
    #expect(machine.nextDocument()?.edition == 3)
  }

  // MARK: Home Assistant

  private static let bridge = HomeAssistantBridge(
    messages: { _, _, _ in [BrokerMessage("homeassistant/device/berlin/tv/config", [2], isRetained: true)] },
    own: ["homeassistant/device/berlin/+/config"],
    order: { $0 == Array("skip".utf8) ? PlainOrder(.skip) : nil }, spread: .seconds(2))

  @Test("A plain order is obeyed where Home Assistant may give it, for a screen that there is, and not a retained one")
  func plainOrders() throws {
    var machine = try settled(Self.bridge)
    let skip = Array("skip".utf8)
    _ = receive(BrokerMessage("showcaller/berlin/tv/set", skip, isRetained: true), &machine)
    _ = receive(BrokerMessage("showcaller/berlin/other/set", skip), &machine)
    _ = receive(BrokerMessage("showcaller/berlin/tv/set", Array("nonsense".utf8)), &machine)
    #expect(machine.nextOrder() == nil && machine.refused == 3)
    _ = receive(BrokerMessage("showcaller/berlin/tv/set", skip), &machine)
    let next = machine.nextOrder()
    let order = try #require(next)
    #expect(order.playlist == "cafe" && order.screen == "tv" && order.verb == .skip)
    #expect(machine.finished(.init(isObeyed: true, detail: ""), at: SiteExample.time).isEmpty)
    for _ in 0..<100 { _ = receive(BrokerMessage("showcaller/berlin/tv/set", skip), &machine) }
    #expect(machine.refused > 80)
  }

  @Test("When Home Assistant starts everything is told again, a little later and not for each of many births")
  func birth() throws {
    var machine = try settled(Self.bridge)
    let online = BrokerMessage("homeassistant/status", Array("online".utf8))
    _ = receive(BrokerMessage("homeassistant/status", Array("online".utf8), isRetained: true), &machine)
    _ = receive(BrokerMessage("homeassistant/status", Array("offline".utf8)), &machine)
    #expect(machine.deadline(at: .seconds(1)) == nil)
    for _ in 0..<50 { _ = receive(online, &machine) }
    #expect(machine.deadline(at: .seconds(1)) == .seconds(3) && machine.due(at: .seconds(2)).isEmpty)
    #expect(Self.settle(&machine, at: .seconds(3)).published["homeassistant/device/berlin/tv/config"] != nil)
    _ = receive(online, &machine, at: .seconds(9))
    #expect(machine.deadline(at: .seconds(9)) == nil && machine.refused == 0)
  }

  @Test("Only topics of the site itself are removed as those of an earlier process")
  func foreignTopics() throws {
    var machine = try settled(Self.bridge)
    for topic in ["device/berlin/old", "device/bern/old"] {
      _ = receive(BrokerMessage("homeassistant/\(topic)/config", [1], isRetained: true), &machine)
    }
    _ = receive(BrokerMessage("showcaller/bern/tv/state", [1], isRetained: true), &machine)
    _ = receive(BrokerMessage("showcaller/berlin/alert/cafe/0123", [1], isRetained: true), &machine)
    let removed = Self.settle(&machine, at: RetainedMirror.grace).published.filter { $0.value.payload.isEmpty }
    #expect(Set(removed.keys) == ["homeassistant/device/berlin/old/config", "showcaller/berlin/alert/cafe/0123"])
  }
}
