import FleetMessages
import ScenarioLanguage
import Signage
import Testing

@testable import FleetAgent

/// What is told of that is wrong, and that it is over.
@Suite struct AlertBookTests {
  private let example: SiteExample
  private let program: Program

  init() throws {
    example = try SiteExample()
    program = try SiteExample.program("cafe", "quiet: { hours: 10:01-10:10 }")
  }

  private func view(_ incidents: [(Incident, Double)], at offset: Double, detail: String = "no answer") -> SiteView {
    var playlist = SiteView.Playlist(program: program, screens: [], fired: [:])
    playlist.incidents = incidents.map { .init($0.0, since: SiteExample.time + $0.1, detail: detail) }
    return SiteExample.view([playlist], at: offset)
  }

  private func reports(_ messages: [BrokerMessage]) -> [AlertReport] {
    messages.compactMap { AlertReport(payload: $0.payload) }
  }

  @Test("What lasts for 30 s is told once, with what is wrong now, and when it is over that is said once")
  func told() {
    var book = AlertBook(site: example.site)
    let power = [(Incident(.power, "cafe"), 0.0)]
    book.look(view(power, at: 29))
    #expect(book.open.isEmpty && book.nextDue == SiteExample.time + 30)
    book.look(view(power, at: 30))
    let open = book.open
    #expect(open.count == 1 && open.allSatisfy(\.isRetained) && book.nextDue == nil)
    #expect(reports(open).map(\.state) == [.open] && reports(open).map(\.since) == [Int(SiteExample.time)])
    book.look(view(power, at: 300))
    #expect(book.open == open)
    book.look(view(power, at: 301, detail: "other"))
    #expect(reports(book.open).map(\.detail) == ["other"] && book.open.map(\.topic) == open.map(\.topic))
    book.look(view([], at: 310))
    let ended = book.takeEnded()
    #expect(reports(ended).map(\.state) == [.over] && ended.map(\.topic) == open.map(\.topic))
    #expect(ended.allSatisfy { !$0.isRetained } && book.open.isEmpty && book.takeEnded().isEmpty)
  }

  @Test("What is over before 30 s have passed nobody hears of")
  func brief() {
    var book = AlertBook(site: example.site)
    book.look(view([(Incident(.dark, "tv"), 0)], at: 0))
    book.look(view([], at: 29))
    #expect(book.open.isEmpty && book.takeEnded().isEmpty)
  }

  @Test("A dark screen is none in quiet hours: it is over when they begin, and counts anew when they end")
  func quiet() {
    var book = AlertBook(site: example.site)
    let incidents = [(Incident(.dark, "tv"), 0.0), (Incident(.ledgerGap, "cafe"), 0.0)]
    book.look(view(incidents, at: 40))
    #expect(book.open.count == 2)
    book.look(view(incidents, at: 60))
    #expect(reports(book.open).map(\.occasion) == ["ledger_gap"] && reports(book.takeEnded()).map(\.subject) == ["tv"])
    book.look(view(incidents, at: 600))
    book.look(view(incidents, at: 629))
    #expect(book.open.count == 1)
    book.look(view(incidents, at: 630))
    #expect(reports(book.open).first { $0.occasion == "dark" }?.since == Int(SiteExample.time) + 600)
  }

  @Test("Two things that are wrong have two topics, and more than 500 are not told apart")
  func many() {
    var book = AlertBook(site: example.site)
    book.look(view((0..<700).map { (Incident(.ledgerGap, "a/\($0)"), -60.0) }, at: 0))
    #expect(Set(book.open.map(\.topic)).count == AlertBook.most)
    #expect(book.open.allSatisfy { FleetTopic($0.topic) != nil })
  }
}
