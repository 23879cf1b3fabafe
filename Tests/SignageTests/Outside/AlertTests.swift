import CastProtocol
import ScenarioLanguage
import Testing

@testable import Signage

@Suite struct AlertTests {
  /// 2026-11-24T10:00:00Z.
  private static let ten = 1_795_514_400.0

  /// An alert of the weather service, with parts replaced.
  private static func alert(_ changes: [(String, String)] = [], id: String = "1", info: String = "") -> String {
    var text = """
      <alert xmlns="urn:oasis:names:tc:emergency:cap:1.2">
        <identifier>\(id)</identifier><sender>w@weather.example</sender><sent>2026-11-24T10:00:00+00:00</sent>
        <status>Actual</status><msgType>Alert</msgType><scope>Public</scope>
        <info><language>en</language><category>Met</category><event>Storm</event><urgency>Immediate</urgency>
          <severity>Severe</severity><certainty>Observed</certainty>
          <effective>2026-11-24T10:10:00+00:00</effective><expires>2026-11-24T12:00:00+01:00</expires>
          <headline>Storm until noon</headline></info>\(info)
      </alert>
      """
    for (old, new) in changes { text = text.replacing(old, with: new) }
    return text
  }

  private static func book(_ text: String) throws -> AlertBook {
    var book = AlertBook()
    book.take(try AlertFeedPage(Array(text.utf8)).messages)
    return book
  }

  static let moments: [(minute: Int, isInForce: Bool)] = [
    (9, false), (10, true), (59, true), (60, false),
  ]

  @Test("An alert counts from when it is in effect until it expires", arguments: moments)
  func times(minute: Int, isInForce: Bool) throws {
    let alert = try Self.book(Self.alert()).alert([.extreme, .severe], at: Self.ten + Double(minute) * 60)
    #expect(alert?.headline == (isInForce ? "Storm until noon" : nil))
  }

  static let changes: [(change: (String, String), severities: [PlaylistPlan.AlertFeed.Severity], counts: Bool)] = [
    (("", ""), [.severe], true), (("", ""), [.extreme], false),
    ((">Severe<", ">Minor<"), [.minor], true), ((">Severe<", ">Whatever<"), [.unknown], true),
    ((">Actual<", ">Exercise<"), [.severe], false), ((">Actual<", ">Test<"), [.severe], false),
    ((">Alert<", ">Update<"), [.severe], true), ((">Alert<", ">Cancel<"), [.severe], false),
    ((">Alert<", ">Ack<"), [.severe], false),
  ]

  @Test("Only what really asks people to do something counts, and is severe enough", arguments: changes)
  func kinds(change: (String, String), severities: [PlaylistPlan.AlertFeed.Severity], counts: Bool) throws {
    let book = try Self.book(Self.alert(change.0.isEmpty ? [] : [change]))
    #expect((book.alert(severities, at: Self.ten + 1_800) != nil) == counts)
  }

  @Test("An alert that does not say when it expires counts for a day")
  func noExpiry() throws {
    let book = try Self.book(Self.alert([("<expires>2026-11-24T12:00:00+01:00</expires>", "")]))
    #expect(book.alert([.severe], at: Self.ten + 86_399) != nil)
    #expect(book.alert([.severe], at: Self.ten + 86_400) == nil)
  }

  @Test("A message that is replaced or taken back does not count, and an exercise takes nothing back")
  func references() throws {
    let reference = "<references>w@weather.example,1,2026-11-24T10:00:00+00:00</references>"
    func both(_ second: String) throws -> AlertMessage.Info? {
      try Self.book("<list>\(Self.alert())\(second)</list>").alert([.severe], at: Self.ten + 1_800)
    }
    let cancel = Self.alert([(">Alert<", ">Cancel<"), ("<scope>", reference + "<scope>")], id: "2")
    #expect(try both(cancel) == nil)
    let milder = Self.alert(
      [(">Alert<", ">Update<"), (">Severe<", ">Minor<"), ("<scope>", reference + "<scope>")], id: "2")
    #expect(try both(milder) == nil)
    let exercise = Self.alert(
      [(">Alert<", ">Cancel<"), (">Actual<", ">Exercise<"), ("<scope>", reference + "<scope>")], id: "2")
    #expect(try both(exercise) != nil)
  }

  @Test("Any of several infos counts, and what the feed has no more is over")
  func infos() throws {
    let info = "<info><event>Flood</event><severity>Extreme</severity></info>"
    var book = try Self.book(Self.alert(info: info))
    #expect(book.alert([.extreme], at: Self.ten)?.headline == "Flood")
    book.take([])
    #expect(book.alert([.extreme], at: Self.ten) == nil)
  }

  @Test("Feeds have alerts in their entries, the elements of alerts, or links to them")
  func feeds() throws {
    let atom = """
      <feed xmlns="http://www.w3.org/2005/Atom" xmlns:cap="urn:oasis:names:tc:emergency:cap:1.2">
        <entry><id>a</id><content type="text/xml">\(Self.alert())</content></entry>
        <entry><id>urn:b</id><title>Snow</title><cap:status>Actual</cap:status><cap:msgType>Alert</cap:msgType>
          <cap:severity>Moderate</cap:severity><cap:expires>2026-11-24T11:00:00Z</cap:expires></entry>
        <entry><id>c</id><link rel="alternate" href="c.html"/><link type="application/cap+xml" href="c.cap"/></entry>
      </feed>
      """
    let page = try AlertFeedPage(Array(atom.utf8))
    #expect(page.messages.map(\.key) == ["w@weather.example,1", ",urn:b"] && page.links == ["c.cap"])
    #expect(page.messages.last?.counts([.moderate], at: Self.ten)?.headline == "Snow")
    let rss =
      "<rss><channel><item><guid>d</guid><link>https://e.com/d.xml</link></item><item><guid>e</guid>"
      + "<severity>Minor</severity></item></channel></rss>"
    let second = try AlertFeedPage(Array(rss.utf8))
    #expect(second.links == ["https://e.com/d.xml"] && second.messages.map(\.key) == [",e"])
  }

  @Test("A feed without end is read to its limits")
  func limits() throws {
    let entries = (0..<700).map { "<entry><id>\($0)</id><severity>Minor</severity></entry>" }.joined()
    let links = (0..<90).map { "<entry><link href='\($0)'/></entry>" }.joined()
    let page = try AlertFeedPage(Array("<feed>\(entries)\(links)</feed>".utf8))
    #expect(page.messages.count == AlertFeedPage.mostMessages && page.links.count == AlertFeedPage.mostLinks)
    #expect(throws: XMLError.self) { try AlertFeedPage(Array("<html><p>Not found<br></html>".utf8)) }
  }
}
