import CastProtocol
import ScenarioLanguage
import Testing

@testable import Workspace

@Suite struct CalendarCopiesTests {
  private static let url = "https://calendar.example/holidays.ics"
  private static let calendar =
    "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20261225\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"

  @Test("A copy is had by the address that it was stored for, and by no other")
  func copies() throws {
    let folder = try TemporaryFolder()
    let copies = CalendarCopies(.living(in: folder), of: "shop.yaml")
    #expect(copies.read(Self.url) == nil && copies.time(Self.url) == nil)
    try copies.store(Array(Self.calendar.utf8), for: Self.url)
    #expect(copies.read(Self.url)?.bytes == Array(Self.calendar.utf8) && copies.time(Self.url) != nil)
    #expect(copies.read("https://calendar.example/holidays_ics") == nil)
    let path = try #require(copies.path(of: Self.url))
    let marks = FileMarks(of: [path])
    try copies.store(Array(Self.calendar.utf8), for: Self.url)
    #expect(FileMarks(of: [path]) == marks, "the same again is no edit")
    try copies.store(Array(Self.calendar.utf8) + [0x0A], for: Self.url)
    #expect(FileMarks(of: [path]) != marks)
  }

  @Test("Of an address with a secret each playlist has a copy of its own: the value may be another there")
  func secret() throws {
    let surroundings = Surroundings.living(in: try TemporaryFolder())
    func path(of url: String, for document: String) -> String? {
      CalendarCopies(surroundings, of: document).path(of: url)
    }
    let url = "https://calendar.example/\(SecretPlaceholder.text(for: "key")).ics"
    #expect(path(of: url, for: "a.yaml") == path(of: url, for: "a.yaml"))
    #expect(path(of: url, for: "a.yaml") != path(of: url, for: "b.yaml"))
    #expect(path(of: Self.url, for: "a.yaml") == path(of: Self.url, for: "b.yaml"))
  }

  static let bodies: [(text: String, isCalendar: Bool)] = [
    (calendar, true), ("\u{FEFF}begin:vcalendar\nend:vcalendar", true), (calendar + "\r\n  \n", true), ("", false),
    ("<html>BEGIN:VCALENDAR</html>", false), (String(calendar.dropLast(20)), false), ("END:VCALENDAR", false),
  ]

  @Test("What is cut off, or a page, is no calendar", arguments: bodies)
  func judge(text: String, isCalendar: Bool) {
    #expect(CalendarCopies.isCalendar(Array(text.utf8)) == isCalendar)
  }

  @Test("A playlist reads the copy, and looks at it for changes before it is there")
  func loading() throws {
    let folder = try TemporaryFolder()
    let surroundings = Surroundings.living(in: folder)
    let file = try folder.write(
      "shop.yaml",
      """
      playlist: Shop
      timezone: UTC
      device: TV
      calendars: { holidays: { ics: "\(Self.url)" } }
      program: [{ during: { calendar: holidays }, play: [https://e.com/a.jpg] }]
      fallback: https://e.com/b.jpg

      """)
    let loader = DocumentLoader(file, inputs: GivenInputs(), in: surroundings)
    let before = try loader.loadPlaylist()
    let path = try #require(CalendarCopies(surroundings, of: file).path(of: Self.url))
    #expect(before.files.contains(path))
    #expect(before.diagnostics.contains { $0.severity == .note && $0.message.contains("not fetched yet") })
    try CalendarCopies(surroundings, of: file).store(Array(Self.calendar.utf8), for: Self.url)
    let after = try loader.loadPlaylist()
    #expect(
      after.plan.program[0].during.condition.calendar?.days.count == 1
        && !after.diagnostics.contains { $0.code == .n413 })
    #expect(after.plan.calendarFeeds == [.init(url: Self.url, every: .seconds(21_600))])
  }
}

@Suite struct SlideFolderTests {
  @Test("The pictures of a folder are found beside the playlist, and one that is added is noticed")
  func folder() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "shop.yaml",
      "playlist: Shop\ntimezone: UTC\ndevice: TV\nprogram: [{ play: [\"file:others/\", \"file:slides/\"] }]\n")
    try folder.write("slides/b.png", "")
    try folder.write("others/c.png", "")
    let loader = DocumentLoader(file, inputs: GivenInputs(), in: .living(in: folder))
    let before = try loader.loadPlaylist()
    #expect(
      before.plan.program[0].items.map(\.media.contentID) == ["file:others/c.png", "file:slides/b.png"])
    #expect(before.files.contains(folder.path("slides/")) && before.files.contains(folder.path("others/")))
    #expect(!before.diagnostics.contains { $0.code == .n409 }, "\(before.diagnostics)")
    let marks = FileMarks(of: before.files)
    try folder.write("slides/a.png", "")
    #expect(FileMarks(of: before.files) != marks)
    #expect(
      try loader.loadPlaylist().plan.program[0].items.map(\.media.contentID).dropFirst() == [
        "file:slides/a.png", "file:slides/b.png",
      ])
  }
}

@Suite struct ScreenMemoryStoreTests {
  @Test("Screens and playlists whose names differ only in signs have memories of their own")
  func names() throws {
    let folder = try TemporaryFolder()
    let surroundings = Surroundings.living(in: folder)
    let names = ["a.b", "a b", "a_b", "a/b", "..", ".", "ä"]
    for playlist in names {
      for screen in names {
        ScreenMemoryStore(playlist: playlist, surroundings).remember(screen, .string(playlist + screen))
      }
    }
    for playlist in names {
      for screen in names {
        #expect(ScreenMemoryStore(playlist: playlist, surroundings).recall(screen) == .string(playlist + screen))
      }
    }
  }
}
