import CastTransport
import FleetMessages
import ScenarioLanguage
import Signage
import Synchronization
import Testing

@testable import FleetAgent

/// Which orders are obeyed, and what is answered (docs/security.md F3).
@Suite struct OrderDeskTests {
  private let example: SiteExample

  init() throws { example = try SiteExample() }

  private func desk(begin offset: Double = -100) -> OrderDesk {
    OrderDesk(site: example.site, begin: SiteExample.time + offset, at: .zero)
  }

  private func give(
    _ order: FleetOrder, to desk: inout OrderDesk, at offset: Double = 0, by other: SigningKey? = nil
  ) throws -> OrderDesk.Verdict {
    let message = try example.put(order, by: other)
    let topic = try #require(FleetTopic(message.topic))
    return desk.receive(
      message.payload, on: topic, id: order.id, by: example.keys, at: SiteExample.time + offset,
      .seconds(100 + offset))
  }

  @Test("An order is obeyed once, and seen again its answer is given again")
  func once() throws {
    var desk = desk()
    #expect(try give(example.order(), to: &desk) == OrderDesk.Verdict())
    #expect(try give(example.order(), to: &desk) == OrderDesk.Verdict())
    #expect(desk.next()?.id == "7" && desk.next() == nil)
    let report = desk.finished(.init(isObeyed: true, detail: "done"), at: SiteExample.time)
    #expect(report?.isObeyed == true && report?.id == "7")
    for offset in [1.0, 30, 60] {
      #expect(try give(example.order(), to: &desk, at: offset) == OrderDesk.Verdict(report: report))
    }
    #expect(desk.next() == nil)
  }

  @Test(
    "An order that is late, early, or from before the site was started is answered and not obeyed",
    arguments: [(61.0, -100.0), (600, -100), (-31, -200), (5, 1)])
  func notNow(at offset: Double, begin: Double) throws {
    var desk = desk(begin: begin)
    let verdict = try give(example.order(), to: &desk, at: offset)
    #expect(verdict.report?.isObeyed == false && verdict.refusal != nil && desk.next() == nil)
  }

  @Test("An order that nobody of us signed is not even answered")
  func forged() throws {
    var desk = desk()
    let stranger = try #require(SigningKey())
    let verdict = try give(example.order(), to: &desk, by: stranger)
    #expect(verdict.report == nil && verdict.refusal != nil && desk.next() == nil)
  }

  @Test("More than ten orders a second are answered and not obeyed")
  func rate() throws {
    var desk = desk()
    let verdicts = try (0..<20).map { try give(example.order("o\($0)"), to: &desk) }
    #expect(verdicts.filter { $0 == OrderDesk.Verdict() }.count == 10)
    #expect(verdicts.filter { $0.report?.isObeyed == false }.count == 10)
    #expect(try give(example.order("later"), to: &desk, at: 1) == OrderDesk.Verdict())
    // What was answered with no stays no, also when there is room.
    #expect(try give(example.order("o19"), to: &desk, at: 9) == OrderDesk.Verdict(report: verdicts[19].report))
  }

  @Test("An order that came too early is not obeyed when its time has come")
  func early() throws {
    var desk = desk()
    let verdict = try give(example.order(), to: &desk, at: -40)
    #expect(verdict.report?.isObeyed == false)
    #expect(try give(example.order(), to: &desk, at: 0) == OrderDesk.Verdict(report: verdict.report))
    #expect(desk.next() == nil)
  }

  @Test("An order that waited until its time was over is not obeyed")
  func waited() {
    let order = SiteOrder(example.order())
    #expect(order.late(at: SiteExample.time + 60.9) == nil)
    #expect(order.late(at: SiteExample.time + 61)?.isObeyed == false)
  }

  // MARK: what is asked of the screens

  private final class Asked: Sendable {
    let orders = Mutex<[String]>([])
  }

  private func control(_ asked: Asked) -> SiteControl {
    SiteControl(
      view: { SiteExample.view([]) }, changes: { AsyncStream { $0.finish() } },
      order: { order, playlist, screen in
        guard ["cafe", "bar"].contains(playlist) else { return nil }
        if let screen, screen != "tv" || playlist == "bar" { return .noSuchScreen(["tv"]) }
        if case .play("nothing") = order { return .noSuchItem(["menu"]) }
        if case .pause = order { return .tooMany }
        asked.orders.withLock { $0.append("\(playlist) \(screen ?? "all") \(order.text)") }
        return .given
      },
      trigger: { name, playlist, fires in
        if name == "file" { return .notWebhook }
        if name != "sale" || playlist != "cafe" { return .unknown }
        asked.orders.withLock { $0.append("\(playlist) \(fires)") }
        return .done
      })
  }

  @Test("Without a playlist an order is for each that has the screen, item or trigger, and the answer names them")
  func obeyed() async throws {
    typealias Row = (
      verb: FleetOrder.Verb, playlist: String?, screen: String?, thing: String?, asked: Int, isObeyed: Bool,
      words: String
    )
    let table: [Row] = [
      (.skip, nil, nil, nil, 2, true, "`skip` was given to `cafe`, `bar`"),
      (.skip, nil, "tv", nil, 1, true, "`skip` was given to `cafe`"),
      (.skip, "bar", "tv", nil, 0, false, "`bar` has no screen `tv`; it has `tv`"),
      (.skip, "zoo", nil, nil, 0, false, "there is no playlist `zoo`; there is `cafe`, `bar`"),
      (.play, "cafe", nil, "nothing", 0, false, "`cafe` has no item `nothing`; it has `menu`"),
      (.play, "cafe", nil, "menu", 1, true, "`play` was given to `cafe`"),
      (.pause, "cafe", nil, nil, 0, false, "the screens of `cafe` have not obeyed the last orders yet"),
      (.fire, nil, nil, "sale", 1, true, "`fire` was given to `cafe`"),
      (.clear, "cafe", nil, "sale", 1, true, "`clear` was given to `cafe`"),
      (.fire, "cafe", nil, "none", 0, false, "`cafe` has no trigger `none`"),
      (.fire, "cafe", nil, "file", 0, false, "the trigger `file` of `cafe` is not one that is fired from outside"),
    ]
    for row in table {
      let asked = Asked()
      var order = SiteOrder(example.order("7", row.verb))
      (order.playlist, order.screen) = (row.playlist, row.screen)
      if row.verb == .play { order.item = row.thing } else { order.trigger = row.thing }
      let answer = await order.obey(control(asked), playlists: ["cafe", "bar"])
      #expect(answer == .init(isObeyed: row.isObeyed, detail: row.words))
      #expect(asked.orders.withLock(\.count) == row.asked)
    }
  }
}
