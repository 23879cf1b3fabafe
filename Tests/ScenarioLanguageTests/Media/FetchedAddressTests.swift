import Testing

@testable import ScenarioLanguage

/// Where documents send receivers, and where they say so.
@Suite struct FetchedAddressTests {
  private static func addresses(_ text: String) throws -> [FetchedAddress] {
    let outcome = PlanCompiler.compile(SourceFile(name: "a.yaml", bytes: Array(text.utf8)))
    try #require(!outcome.diagnostics.contains { $0.severity == .error })
    return outcome.addresses
  }

  private static let film = """
    scenario: Film
    device: TV
    media:
      film:
        url: https://cdn.example.com/film.mp4
        duration: 10m
        metadata: { images: ["https://cdn.example.com/poster.jpg"] }
        tracks: [{ id: en, url: "https://cdn.example.com/en.vtt", language: en }]
        clips:
          car: { url: "https://ads.example.com/car.mp4", poster: "https://ads.example.com/car.jpg", duration: 15s }
          bike: { vast: "https://ads.example.com/bike.xml" }
        breaks: [{ id: mid, at: 2m, clips: [car, bike] }]
      unused: https://cdn.example.com/unused.mp4
    """

  @Test("Every address of a media is known with its role, its type and its place")
  func media() throws {
    let text = Self.film.replacing("  unused: https://cdn.example.com/unused.mp4", with: "") + "\nsteps: [load: film]\n"
    let found = try Self.addresses(text)
    let expected: [(String, FetchedAddress.Role, String?, Int, Int)] = [
      ("https://cdn.example.com/film.mp4", .media, "video/mp4", 5, 10),
      ("https://cdn.example.com/poster.jpg", .image, nil, 7, 26),
      ("https://cdn.example.com/en.vtt", .track, "text/vtt", 8, 29),
      ("https://ads.example.com/car.mp4", .media, "video/mp4", 10, 19),
      ("https://ads.example.com/car.jpg", .image, nil, 10, 62),
      ("https://ads.example.com/bike.xml", .ad, nil, 11, 21),
    ]
    #expect(found.count == expected.count)
    for (address, (url, role, type, line, column)) in zip(found, expected) {
      #expect(address.url == url && address.role == role && address.type == type)
      #expect(address.span.line == line && address.span.column == column, "\(url): \(address.span.column)")
    }
  }

  @Test("What no step uses, files of this computer, and what only an app understands are not fetched")
  func others() throws {
    let found = try Self.addresses(
      """
      scenario: Film
      device: TV
      media:
        _spare: { url: "https://cdn.example.com/spare.mp4" }
        own: { content_id: film-7, type: video/mp4 }
      steps:
        - load: file:film.mp4
        - load: own
        - load: https://cdn.example.com/a.mp4
        - queue: ["https://cdn.example.com/b.mp4", "https://cdn.example.com/b.mp4"]
      """)
    #expect(
      found.map(\.url) == [
        "https://cdn.example.com/a.mp4", "https://cdn.example.com/b.mp4", "https://cdn.example.com/b.mp4",
      ])
  }

  @Test("A media that many steps load counts once; each row of a matrix brings its own")
  func loops() throws {
    let found = try Self.addresses(
      """
      scenario: Film
      device: TV
      matrix: { lang: [de, fr] }
      media: { film: { url: "https://cdn.example.com/${matrix.lang}.mp4" } }
      steps:
        - repeat: { times: 3, steps: [{ load: film }] }
        - load: film
      """)
    #expect(found.map(\.url) == ["https://cdn.example.com/de.mp4", "https://cdn.example.com/fr.mp4"])
  }

  @Test("Items of a playlist know when they may be on, where that is on certain dates only")
  func playlist() throws {
    let found = try Self.addresses(
      """
      playlist: Shop
      device: TV
      timezone: UTC
      media: { menu: { url: "https://cdn.example.com/menu.jpg" } }
      dayparts: { feast: { dates: 12-20..12-26, hours: 18:00-22:00 } }
      fallback: https://cdn.example.com/logo.png
      program:
        - during: feast
          play: [menu, { media: menu, valid: 2026-12-25 }]
        - play:
            - menu
            - { media: menu, valid: 2026-12-01..2026-12-24 }
            - { media: "https://cdn.example.com/party.jpg", valid: 12-31 }
      interrupts:
        - { at: ["12:00"], during: { dates: 2027-05-01 }, play: ["https://cdn.example.com/may.jpg"] }
      """)
    let start = CivilDate(year: 2026, month: 12, day: 1).at(second: 0)
    let shown = found.map { address in
      let first = address.plays.map { plays in
        plays.first(in: start..<(start + 400 * 86_400)).map {
          "\(CivilDate(at: $0).iso) \(CivilDate.clock(at: $0))"
        }
          ?? "never"
      }
      return "\(address.url.split(separator: "/").last ?? "") \(first ?? "-")"
    }
    #expect(
      shown == [
        "logo.png -", "menu.jpg 2026-12-20 18:00", "menu.jpg 2026-12-25 18:00", "menu.jpg -",
        "menu.jpg 2026-12-01 00:00",
        "party.jpg 2026-12-31 00:00", "may.jpg 2027-05-01 00:00",
      ], "\(shown)")
  }

  @Test("A document with errors sends nobody anywhere")
  func invalid() {
    let text = "scenario: A\ndevice: TV\nsteps:\n  - load: https://e.com/a.mp4\n  - laod: x\n"
    let outcome = PlanCompiler.compile(SourceFile(name: "a.yaml", bytes: Array(text.utf8)))
    #expect(outcome.addresses.isEmpty)
  }
}
