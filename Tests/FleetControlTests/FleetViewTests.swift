import CastProtocol
import FleetMessages
import Testing

@testable import FleetControl

/// What an operator knows of sites, and what of it counts.
@Suite struct FleetViewTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var messages: @Sendable (SiteName) -> [BrokerMessage]
    var condition: SiteRow.Condition
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(name: "online and well", messages: { [Fleet.availability($0), Fleet.health($0)] }, condition: .ok),
    Case(name: "starting", messages: { [Fleet.availability($0), Fleet.health($0, .starting)] }, condition: .starting),
    Case(
      name: "offline beats what it said before",
      messages: { [Fleet.health($0, .dark, dark: 1), Fleet.availability($0, "offline")] }, condition: .offline),
    Case(
      name: "a screen says it is dark, the site does not",
      messages: { [Fleet.availability($0), Fleet.health($0), Fleet.screen($0, "Bar", isDark: true)] }, condition: .dark),
    Case(
      name: "the site counts a dark one", messages: { [Fleet.availability($0), Fleet.health($0, dark: 1)] },
      condition: .dark),
    Case(name: "not served", messages: { [Fleet.availability($0), Fleet.health($0, .invalid)] }, condition: .invalid),
    Case(
      name: "a document was refused",
      messages: {
        [
          Fleet.availability($0), Fleet.health($0),
          Fleet.message(.documentReport($0, id: "cafe"), Fleet.report($0, edition: 2, .refused)),
        ]
      }, condition: .invalid),
    Case(
      name: "an alert lasts", messages: { [Fleet.availability($0), Fleet.health($0), Fleet.alert($0, "a")] },
      condition: .alert),
    Case(
      name: "an alert is over",
      messages: { [Fleet.availability($0), Fleet.health($0), Fleet.alert($0, "a"), Fleet.alert($0, "a", .over)] },
      condition: .ok),
    Case(name: "says nothing of how it is", messages: { [Fleet.availability($0)] }, condition: .unknown),
    Case(
      name: "says neither online nor offline", messages: { [Fleet.health($0), Fleet.availability($0, "maybe")] },
      condition: .unknown),
    Case(name: "no availability", messages: { [Fleet.health($0)] }, condition: .unknown),
  ]

  @Test("A site counts as the worst of what is known of it", arguments: cases)
  func condition(_ entry: Case) throws {
    let site = try Fleet.site("bar-nord")
    let row = try #require(Fleet.view(entry.messages(site)).rows(nil).first)
    #expect(row.condition == entry.condition && row.site == site)
  }

  static let garbage: [[UInt8]] = [
    Array("{".utf8), Array("[]".utf8), Array("{\"v\":1}".utf8), [0xFF, 0xFE], Array("null".utf8),
    Array(repeating: UInt8(ascii: "["), count: 10_000), Array("{\"v\":1,\"site\":5}".utf8),
  ]

  @Test("What cannot be read takes the place of nothing", arguments: garbage)
  func unreadable(_ payload: [UInt8]) throws {
    let site = try Fleet.site("a")
    var view = Fleet.view([Fleet.availability(site), Fleet.health(site), Fleet.screen(site, "Bar", title: "Menu")])
    let before = view.rows(nil)
    for topic in [
      FleetTopic.health(site), .screenState(site, screen: "Bar"), .alert(site, playlist: "p", key: "k"),
      .documentReport(site, id: "cafe"), .ledger(site, playlist: "p", file: "f"),
    ] {
      #expect(view.receive(BrokerMessage(topic.text, payload)) == nil)
    }
    #expect(view.rows(nil) == before && view.dropped == 5)
  }

  @Test("Another site's name within a report changes nothing there")
  func foreignName() throws {
    let (a, b) = (try Fleet.site("a"), try Fleet.site("b"))
    var message = Fleet.health(b, .dark, dark: 3)
    message.topic = FleetTopic.health(a).text
    let view = Fleet.view([Fleet.availability(b), Fleet.health(b), Fleet.availability(a), message])
    #expect(view.rows(nil).map(\.condition) == [.dark, .ok] && view.rows(nil).map(\.site) == [a, b])
  }

  @Test("A site is told with no more than its limit of screens, alerts and documents")
  func limits() throws {
    let site = try Fleet.site("a")
    var view = FleetView()
    for number in 0..<(FleetView.Limit.screens + 10) { view.receive(Fleet.screen(site, "s\(number)")) }
    for number in 0..<(FleetView.Limit.alerts + 10) { view.receive(Fleet.alert(site, "k\(number)")) }
    let facts = try #require(view.sites[site])
    #expect(facts.screens.count == FleetView.Limit.screens && facts.alerts.count == FleetView.Limit.alerts)
    #expect(view.dropped == 20)
    var large = ScreenReport(site: "a", playlist: "p", screen: "s", state: "on", phase: "showing", since: 0)
    large.title = String(repeating: "x", count: FleetView.Limit.reportBytes)
    #expect(view.receive(Fleet.message(.screenState(site, screen: "s1"), large)) == nil && view.dropped == 21)
  }

  @Test("Counts that nobody can have are not added up")
  func hugeCounts() throws {
    let site = try Fleet.site("a")
    let view = Fleet.view([
      Fleet.availability(site), Fleet.health(site, screens: .max, dark: .max, time: .min),
      Fleet.health(try Fleet.site("b"), screens: .max, dark: -5, time: .max),
    ])
    let lines = SiteList(view.rows(nil), at: 5).lines(width: 80, most: nil)
    #expect(lines.last == "2 sites: 1 dark, 1 unknown, 1000 screens dark of 2000")
  }

  @Test("What is removed from the broker is gone, and a removal makes no site")
  func removal() throws {
    let site = try Fleet.site("a")
    var view = Fleet.view([Fleet.availability(site), Fleet.alert(site, "a")])
    view.receive(.removal(of: FleetTopic.alert(site, playlist: "cafe", key: "a").text))
    #expect(view.sites[site]?.alerts.isEmpty == true)
    view.receive(.removal(of: FleetTopic.availability(site).text))
    view.receive(.removal(of: FleetTopic.health(try Fleet.site("b")).text))
    #expect(view.sites.isEmpty && view.dropped == 0)
  }

  @Test("Changes tell what people look for, once")
  func changes() throws {
    let site = try Fleet.site("a")
    var view = Fleet.view([Fleet.availability(site), Fleet.health(site), Fleet.screen(site, "Bar", title: "Menu")])
    func texts(_ message: BrokerMessage) -> [String] {
      let old = view.sites[site]
      guard let topic = view.receive(message) else { return [] }
      return FleetChange.changes(of: site, on: topic, from: old, to: view.sites[site]).map(\.text)
    }
    #expect(texts(Fleet.screen(site, "Bar", title: "Menu")) == [])
    #expect(texts(Fleet.screen(site, "Bar", title: "Offers")) == ["a Bar: Offers"])
    #expect(
      texts(Fleet.screen(site, "Bar", isDark: true, why: "no device"))
        == ["a is dark, was ok: Bar: no device", "a Bar: dark: no device"])
    #expect(texts(Fleet.alert(site, "x")) == ["a alert host: x: does not answer"])
    #expect(texts(Fleet.alert(site, "x")) == [])
    #expect(texts(Fleet.alert(site, "x", .over)) == ["a over host: x"])
    #expect(texts(Fleet.availability(site, "offline")) == ["a is offline, was dark"])
  }

  @Test("All has come once nothing that was kept came for half a second; news do not hold it up")
  func reading() throws {
    var reading = FleetReading(limit: .seconds(10), at: .zero)
    #expect(reading.state(at: .seconds(9)) == .waiting)
    reading.receive(.connected, at: .seconds(1))
    reading.receive(.message(Fleet.health(try Fleet.site("a"))), at: .seconds(2))
    #expect(reading.state(at: .milliseconds(2_400)) == .waiting)
    var news = Fleet.health(try Fleet.site("a"))
    news.isRetained = false
    reading.receive(.message(news), at: .milliseconds(2_450))
    #expect(reading.state(at: .milliseconds(2_500)) == .complete)
  }

  @Test("A broker that is not there, or does not want us, is told as such")
  func unreachable() {
    var reading = FleetReading(limit: .seconds(10), at: .zero)
    let failure = BrokerFailure(.unreachable, "connection refused")
    reading.receive(.disconnected(failure), at: .zero)
    #expect(reading.state(at: .seconds(9)) == .waiting && reading.state(at: .seconds(10)) == .unreachable(failure))
    let refused = BrokerFailure(.refused, "not authorised")
    reading.receive(.disconnected(refused), at: .seconds(1))
    #expect(reading.state(at: .seconds(1)) == .unreachable(refused))
    // A broker without any site is waited for no longer.
    var empty = FleetReading(limit: .seconds(10), at: .zero)
    empty.receive(.connected, at: .zero)
    #expect(empty.state(at: .seconds(10)) == .complete)
  }

  @Test("An order's answers are those of its sites, each once, and of no other order")
  func orders() throws {
    let (a, b, c) = (try Fleet.site("a"), try Fleet.site("b"), try Fleet.site("c"))
    var round = OrderRound(id: "o1", to: [a, b])
    func answer(_ site: SiteName, _ id: String, _ isObeyed: Bool) -> BrokerMessage {
      Fleet.message(
        .orderReport(site, id: id), OrderReport(site: site.text, id: id, isObeyed: isObeyed, detail: "d", time: 1))
    }
    for message in [answer(c, "o1", true), answer(a, "o2", true), BrokerMessage("showcaller/a/order/o1/report", [1])] {
      #expect(round.receive(message) == nil)
    }
    #expect(round.missing == [a, b])
    #expect(round.receive(answer(a, "o1", true)) == a && round.receive(answer(a, "o1", false)) == nil)
    #expect(round.receive(answer(b, "o1", false)) == b && round.isComplete && !round.isObeyed)
    #expect([a, b].map { round.line(of: $0) } == ["a: done: d", "b: refused: d"])
  }

  @Test(
    "A ledger's end is compared with what its site told",
    arguments: [
      ("plays-1.jsonl", 10, "aa", LedgerProof.same), ("plays-1.jsonl", 9, "bb", .different(lines: 10, hash: "aa")),
      ("plays-2.jsonl", 9, "bb", .unknown), ("plays-3.jsonl", 9, "bb", .noneOf(2)), ("plays-3.jsonl", 2, "dd", .same),
    ])
  func ledger(file: String, lines: Int, hash: String, expected: LedgerProof) {
    let told = [("plays-1.jsonl", 10, "aa"), ("plays-3.jsonl", 1, "cc"), ("plays-3.jsonl", 2, "dd")].map {
      LedgerReport(site: "a", playlist: "p", file: $0.0, lines: $0.1, hash: $0.2)
    }
    #expect(LedgerProof(file: file, lines: lines, hash: hash, told: told) == expected)
  }
}
