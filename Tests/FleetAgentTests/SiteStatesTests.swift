import FleetMessages
import RunReporting
import ScenarioLanguage
import Signage
import Testing

@testable import FleetAgent

/// What a site tells of its screens and of itself.
@Suite struct SiteStatesTests {
  private let example: SiteExample

  init() throws { example = try SiteExample() }

  private func look(_ states: inout SiteStates, _ view: SiteView) -> SiteStates.Told {
    states.look(view, editions: ["cafe": 4], refusals: Refusals(), ledgers: [])
  }

  private func states() -> SiteStates { SiteStates(site: example.site, started: SiteExample.time) }

  @Test("A site where nothing happens tells the same for a day, whatever the time is")
  func silent() throws {
    var states = states()
    let first = look(&states, try SiteExample.usualView())
    #expect(first.retained.count == 3 && first.news.isEmpty)
    for hour in 1...24 {
      let told = look(&states, try SiteExample.usualView(at: Double(hour) * 3_600))
      #expect(told.retained == first.retained && told.news.isEmpty)
    }
  }

  @Test("A reckoned time that wavers by a second is the same, and one that moves is not")
  func wavering() throws {
    let program = try SiteExample.program()
    let showing = try SiteExample.showing(program)
    let screen = SiteExample.screen("tv", [.showing(showing)])
    func report(next: Double, at offset: Double, after former: ScreenReport?) -> ScreenReport {
      var sight = ScreenSight()
      (sight.showing, sight.since, sight.volume) = (showing, SiteExample.time - 5, 0.800000011920929)
      sight.next = .init(showing, at: SiteExample.time + next)
      return ScreenReport(
        of: screen, sight, in: program.plan, site: example.site, at: SiteExample.time + offset, after: former)
    }
    let first = report(next: 60, at: 0, after: nil)
    #expect(first.nextAt == Int(SiteExample.time) + 60 && first.volume == 0.8 && first.title == "The menu")
    #expect(first.picture == "https://e.com/menu.jpg" && first.state == "playing")
    for (next, offset) in [(60.9, 1.0), (59.2, 30), (61.5, 59), (60, 60), (62, 62)] {
      #expect(report(next: next, at: offset, after: first) == first)
    }
    #expect(report(next: 90, at: 10, after: first).nextAt == Int(SiteExample.time) + 90)
    // What may follow at every moment has no time.
    #expect(report(next: 500, at: 500, after: nil).nextAt == nil)
  }

  @Test("What happened on a screen between two looks")
  func news() throws {
    let showing = try SiteExample.showing(try SiteExample.program())
    let taker = LedgerRecord.Taker(app: "233637DE", name: "YouTube")
    let other = LedgerRecord.Taker(app: "CC32E753", name: "Spotify")
    let shown: [ScreenEvent] = [.connected, .showing(showing)]
    let table: [([ScreenEvent], [ScreenEvent], Bool, [ScreenNews.Kind])] = [
      ([], [.showing(showing)], true, []),
      ([.yielded(taker)], [], true, [.takeover]),
      ([.yielded(taker)], [.yielded(other)], true, [.takeover]),
      ([.yielded(taker)], [.yielded(taker)], true, []),
      ([.yielded(taker)], [.returned, .showing(showing)], true, [.returned]),
      ([], [.lost("no answer")], true, [.dark]),
      ([], [.lost("no answer")], false, []),
      ([.lost("no answer")], [.lost("still no answer")], true, []),
      ([.lost("no answer")], [.back(after: .seconds(1)), .showing(showing)], true, [.recovered]),
      ([], [.stuck(showing, nil)], true, [.stuck]),
      ([], [.lost("x"), .showing(showing)], true, []),
    ]
    for (index, (before, after, isExpected, kinds)) in table.enumerated() {
      let former = SiteExample.screen("tv", shown + before)
      var screen = former
      for event in after { screen.take(event, at: SiteExample.time) }
      // Where nothing comes after it, it is what happens between the looks.
      let isBefore = after.isEmpty
      let news = ScreenNews.between(
        isBefore ? SiteExample.screen("tv", shown) : former, and: screen, isExpected: isExpected,
        at: SiteExample.time)
      #expect(news.map(\.kind) == kinds, "row \(index)")
    }
    // A screen that was never shown anything is not dark yet.
    let unknown = ScreenState("tv", at: 0)
    #expect(ScreenNews.between(unknown, and: unknown, isExpected: true, at: 0).isEmpty)
  }

  @Test("A screen that is looked for for the first time begins, and is dark only when that was in vain")
  func beginning() throws {
    let program = try SiteExample.program("cafe")
    let reports = [[], [ScreenEvent.lost("no answer")]].map { events in
      ScreenReport(
        of: SiteExample.screen("tv", events), nil, in: program.plan, site: example.site, at: 0, after: nil)
    }
    let (begun, dark) = (reports[0], reports[1])
    #expect(!begun.isDark && begun.phase == "starting" && dark.isDark && dark.phase == "dark")
  }

  @Test("Screens of one name in two playlists are told apart by their playlists, both of them")
  func names() throws {
    var playlists: [SiteView.Playlist] = []
    for id in ["cafe", "bar"] {
      let screens = ["tv", id == "cafe" ? "Küche" : "bar.tv"].map { SiteExample.screen($0, []) }
      playlists.append(.init(program: try SiteExample.program(id), screens: screens, fired: [:]))
    }
    let names = ScreenNames(SiteExample.view(playlists))
    func level(_ playlist: String, _ screen: String) -> String? {
      names.level(of: .init(playlist: playlist, screen: screen))
    }
    #expect(level("cafe", "tv") == "cafe.tv" && level("cafe", "Küche") == "K%C3%BCche")
    // A screen that is called as another one would be has its name.
    #expect(level("bar", "bar.tv") == "bar.tv" && level("bar", "tv") == "bar.tv_")
    #expect(names.screen(at: "cafe.tv") == .init(playlist: "cafe", screen: "tv") && names.screen(at: "tv") == nil)
  }

  @Test("Health says how the site is, which edition is on and when its program changes")
  func health() throws {
    let program = try SiteExample.program("cafe", "quiet: { hours: 22:00-06:00 }")
    let dark = SiteExample.screen("tv", [.lost("no answer")])
    var states = states()
    let told = look(&states, SiteExample.view([.init(program: program, screens: [dark], fired: [:])]))
    let topic = FleetTopic.health(example.site).text
    let message = try #require(told.retained.first { $0.topic == topic })
    let health = try #require(SiteHealth(payload: message.payload))
    #expect(health.status == .dark && health.screens == 1 && health.dark == 1 && health.version == "9.9.9")
    let change = Int(SiteExample.time) + 12 * 3_600
    #expect(health.playlists == [.init(id: "cafe", title: "Café", edition: 4, nextChange: change)])
    #expect(states.nextDue == Double(change))
  }

  @Test("Only the newest thousand files of a ledger are told")
  func ledgers() throws {
    var states = states()
    let marks = (0..<1_200).map { LedgerMark(playlist: "cafe", file: "\($0).jsonl", lines: $0, hash: "aa") }
    let told = states.look(
      try SiteExample.usualView(), editions: [:], refusals: Refusals(), ledgers: marks)
    let files = told.retained.compactMap { LedgerReport(payload: $0.payload)?.file }
    #expect(files.count == SiteStates.mostLedgers && files.last == "1199.jsonl")
  }
}
