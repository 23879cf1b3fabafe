import CastProtocol
import FleetMessages
import ScenarioLanguage
import Testing

@testable import FleetControl

/// Tables that people read at 80 columns.
@Suite struct FleetTextTests {
  /// A thousand sites, of which some are in trouble.
  private static func thousand() throws -> FleetView {
    var view = FleetView()
    for number in 0..<1_000 {
      let site = try Fleet.site("filiale-mit-langem-namen-nummer-\(number)-sued")
      view.receive(Fleet.availability(site, number < 3 ? "offline" : "online"))
      view.receive(Fleet.health(site))
      if number == 500 || number == 501 {
        for screen in 0..<(number == 500 ? 2 : 3) {
          view.receive(
            Fleet.screen(
              site, "Theke 東京\u{1B}[2J \(screen)", isDark: true, why: "the device does not answer since this morning"))
        }
      }
    }
    return view
  }

  @Test("A thousand sites are read at 80 columns: what is wrong first, a sum, and how to see the rest")
  func sites() throws {
    let rows = try Self.thousand().rows(nil)
    let list = SiteList(rows, at: 1_030)
    let lines = list.lines(width: 80, most: 50)
    #expect(lines.count == 50)
    #expect(lines.allSatisfy { DisplayWidth.of($0.unicodeScalars) <= 80 }, "\(lines)")
    #expect(!lines.joined().unicodeScalars.contains("\u{1B}"))
    #expect(lines.last == "1000 sites: 3 offline, 2 dark, 5 screens dark of 4000")
    #expect(lines.dropLast().last == "... and 953 more without a problem: --all lists them")
    #expect(lines[1...3].allSatisfy { $0.contains(" offline ") } && lines[4...5].allSatisfy { $0.contains(" dark ") })
    #expect(lines[6].contains(" ok ") && lines[6].contains(" 30s"))
    // Names are cut in the middle, and stay apart.
    #expect(Set(lines[1...46].map { $0.prefix { $0 != " " } }).count == 46, "\(lines)")
    #expect(list.lines(width: 80, most: nil).count == 1_002)
    #expect(list.json["sites"]?.array?.count == 1_000 && list.json["summary"]?["dark_screens"] == 5)
  }

  @Test("What is wrong is listed also where there is no room for it")
  func problems() throws {
    var view = FleetView()
    for number in 0..<100 { view.receive(Fleet.availability(try Fleet.site("s\(number)"), "offline")) }
    #expect(SiteList(view.rows(nil), at: 0).lines(width: 80, most: 20).count == 102)
  }

  @Test("Screens, alerts: dark ones first, the oldest first, at 80 columns")
  func screens() throws {
    let site = try Fleet.site("a")
    let view = Fleet.view([
      Fleet.availability(site), Fleet.health(site), Fleet.screen(site, "Bar", title: "Speisekarte"),
      Fleet.screen(site, "Tür", isDark: true, why: "no device"), Fleet.alert(site, "cdn.example.com"),
    ])
    let lines = ScreenList(view, nil, at: 1_000).lines(width: 80, most: nil)
    #expect(
      lines.map { $0.split(separator: " ").joined(separator: " ") } == [
        "SITE SCREEN IS FOR SHOWS NEXT", "a Tür dark 1min no device -", "a Bar playing 1min Speisekarte -",
        "1 site: 1 dark, 1 screen dark of 4",
      ])
    let alerts = AlertList(view, nil, at: 1_000).lines(width: 80)
    #expect(alerts.last?.contains("cdn.example.com") == true && alerts.allSatisfy { $0.utf8.count <= 80 })
    #expect(AlertList(FleetView(), nil, at: 0).lines(width: 80) == ["nothing is wrong"])
  }

  @Test("Globs choose sites", arguments: [("a*", 2), ("*", 3), ("a1", 1), ("?1", 2), ("x*", 0)])
  func globs(text: String, count: Int) throws {
    let view = Fleet.view(try ["a1", "a2", "b1"].map { Fleet.availability(try Fleet.site($0)) })
    let glob = try #require(SiteGlob(text))
    #expect(view.rows(glob).count == count)
  }

  @Test(
    "A text that is cut takes no more cells than it may",
    arguments: [
      ("abcdefghij", 5, FleetTable.Column.Cut.middle, "ab…ij"), ("abcdefghij", 4, .end, "abc…"),
      ("東京東京", 5, .end, "東京…"), ("東京東京", 4, .end, "東…"), ("abc", 3, .middle, "abc"), ("abc", 0, .none, "abc"),
    ])
  func cut(text: String, width: Int, cut: FleetTable.Column.Cut, expected: String) {
    #expect(FleetTable.fitted(text, to: width, cut) == expected)
  }
}
