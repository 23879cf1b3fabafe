import CastProtocol
import ScenarioLanguage
import Signage
import Testing

@Suite struct IncidentBookTests {
  private static let start = 1_795_600_800.0  // 2026-11-25 10:00 UTC

  private static func book(_ notify: String) throws -> IncidentBook {
    let plan = try Playlists.program("program: [{ play: [a] }]\nfallback: [b, c, d, e, f]\nnotify: [\(notify)]").plan
    return IncidentBook(plan.notify, in: .utc)
  }

  /// `0 begun lobby`, at seconds after the start.
  private static func told(
    _ book: inout IncidentBook, at seconds: [Double], counts: (Incident) -> Bool = { _ in true }
  ) -> [[String]] {
    seconds.map { second in
      book.due(at: start + second, counts: counts).map {
        "\($0.notification) \($0.state.rawValue) \($0.incident.subject)"
      }
    }
  }

  @Test("An incident is told once it has lasted, once, and once when it is over")
  func once() throws {
    var book = try Self.book("{ when: dark, for: 5m, command: [mail] }")
    book.begin(Incident(.dark, "lobby"), "no answer", at: Self.start)
    book.begin(Incident(.dark, "lobby"), "still none", at: Self.start + 60)
    #expect(Self.told(&book, at: [0, 299, 300, 301, 4_000]) == [[], [], ["0 begun lobby"], [], []])
    book.end(Incident(.dark, "lobby"), at: Self.start + 4_100)
    #expect(Self.told(&book, at: [4_101, 4_102]) == [["0 over lobby"], []])
  }

  @Test("Each occasion is told in words, when it begins and when it is over")
  func everyOccasion() throws {
    let plan = try Playlists.program(
      "program: [{ play: [a] }]\nfallback: [b, c, d, e, f]\n"
        + "notify: [{ when: [dark, invalid, ledger_gap, certificate_ends, power], command: [mail] }]"
    ).plan
    var book = IncidentBook(plan.notify, in: .utc)
    let occasions: [PlaylistPlan.Notification.Occasion] = [.dark, .invalid, .ledgerGap, .certificateEnds, .power]
    for occasion in occasions { book.begin(Incident(occasion, "lobby"), "why", at: Self.start) }
    let begun = Set(book.due(at: Self.start).map(\.text))
    #expect(
      begun == [
        "lobby is dark: why", "lobby has errors: why", "the proof of play of lobby has a gap: why",
        "see to the certificate of lobby: why", "the screens of lobby could not be switched: why",
      ])
    for occasion in occasions { book.end(Incident(occasion, "lobby"), at: Self.start + 120) }
    let over = Set(book.due(at: Self.start + 120).map(\.text))
    #expect(
      over == [
        "lobby shows its program again (after 2 min)", "lobby can be read again (after 2 min)",
        "the proof of play of lobby is written again (after 2 min)", "the certificate of lobby was renewed",
        "the screens of lobby are switched as they should be (after 2 min)",
      ])
  }

  @Test("What was over before anybody was told is told to nobody")
  func short() throws {
    var book = try Self.book("{ when: dark, for: 5m, command: [mail] }")
    book.begin(Incident(.dark, "lobby"), "no answer", at: Self.start)
    book.end(Incident(.dark, "lobby"), at: Self.start + 100)
    #expect(Self.told(&book, at: [101, 500]) == [[], []])
    #expect(book.incidents.isEmpty)
  }

  @Test("With `again` it is told while it lasts, at its distance")
  func again() throws {
    var book = try Self.book("{ when: dark, again: 1h, command: [mail] }")
    book.begin(Incident(.dark, "lobby"), "", at: Self.start)
    #expect(
      Self.told(&book, at: [0, 3_599, 3_600, 3_601, 7_200]) == [
        ["0 begun lobby"], [], ["0 goes_on lobby"], [], ["0 goes_on lobby"],
      ])
  }

  @Test("Each channel hears of its occasions, at its times, of each screen")
  func channels() throws {
    var book = try Self.book(
      "{ when: [dark, invalid], command: [mail] }, { when: dark, during: { hours: 10:10-11:00 }, command: [sms] }")
    book.begin(Incident(.dark, "lobby"), "", at: Self.start)
    book.begin(Incident(.dark, "bar"), "", at: Self.start)
    book.begin(Incident(.invalid, "cafe.yaml"), "line 4", at: Self.start)
    book.begin(Incident(.ledgerGap, "cafe"), "disk full", at: Self.start)
    #expect(
      Self.told(&book, at: [0, 600]) == [
        ["0 begun bar", "0 begun lobby", "0 begun cafe.yaml"], ["1 begun bar", "1 begun lobby"],
      ])
  }

  @Test("A screen that rests is not dark, and is told of when it should show something")
  func resting() throws {
    var book = try Self.book("{ when: dark, command: [mail] }")
    book.begin(Incident(.dark, "lobby"), "", at: Self.start)
    #expect(Self.told(&book, at: [0, 60]) { _ in false } == [[], []])
    #expect(Self.told(&book, at: [120]) == [["0 begun lobby"]])
  }

  @Test("What was lost in quiet hours lasts from their end on")
  func overnight() throws {
    var book = try Self.book("{ when: dark, for: 5m, command: [mail] }")
    book.begin(Incident(.dark, "lobby"), "no answer", at: Self.start)
    #expect(Self.told(&book, at: [0, 21_599]) { _ in false } == [[], []])
    #expect(Self.told(&book, at: [21_600, 21_899]) == [[], []], "the television may still be starting")
    let message = try #require(book.due(at: Self.start + 21_900).first)
    #expect(message.text == "lobby is dark for 5 min: no answer")
    // The next night ends the count; who was told is told that it is over.
    #expect(Self.told(&book, at: [22_000]) { _ in false } == [[]])
    book.end(Incident(.dark, "lobby"), at: Self.start + 22_100)
    #expect(Self.told(&book, at: [22_101]) == [["0 over lobby"]])
  }

  @Test("A message says what is wrong where, since when, for people and for programs")
  func words() throws {
    var book = try Self.book("{ when: dark, command: [mail] }")
    book.begin(Incident(.dark, "lobby"), "nobody answers", at: Self.start)
    let message = try #require(book.due(at: Self.start + 600).first)
    #expect(message.text == "lobby is dark for 10 min: nobody answers")
    let json = message.json(playlist: "cafe", in: .utc)
    #expect(
      json["occasion"]?.string == "dark" && json["state"]?.string == "begun" && json["subject"]?.string == "lobby")
    #expect(json["since"]?.string == "2026-11-25T10:00:00+00:00" && json["t"]?.string == "2026-11-25T10:10:00+00:00")
  }
}
