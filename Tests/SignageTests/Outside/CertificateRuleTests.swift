import ScenarioLanguage
import Testing

@testable import Signage

@Suite struct CertificateRuleTests {
  /// 2026-11-24T12:00:00Z.
  private static let noon = 1_795_521_600.0

  static let ends: [(days: Double, problem: String?, complaint: String?)] = [
    (90, nil, nil), (14, nil, nil), (13.5, nil, "it ends on Tue 8 December 2026 00:00"),
    (0, nil, "it ended on Tue 24 November 2026 12:00"), (-1, "expired", "it ended on Mon 23 November 2026 12:00"),
    (90, "self-signed certificate", "it is not trusted: self-signed certificate"),
    (-.infinity, nil, "it ended on Thu 1 January 1970 00:00"), (.infinity, nil, nil),
  ]

  @Test("A certificate is told when it is not trusted, has ended, or ends within 14 days", arguments: ends)
  func ending(days: Double, problem: String?, complaint: String?) {
    let told = CertificateRule.complaint(
      validTo: Self.noon + days * 86_400, problem: problem, at: Self.noon, in: .utc)
    #expect(told == complaint)
  }

  @Test("What receivers fetch is every address of the items, once")
  func addresses() throws {
    let plan = try Playlists.plan(
      """
      playlist: P
      timezone: UTC
      device: TV
      media:
        film:
          url: https://e.com/film.mp4
          tracks: [{ id: en, url: https://e.com/en.vtt, language: en }]
      program: [{ during: any_time, play: [film, "https://f.com/a.jpg", film] }]
      interrupts: [{ every: 1h, play: [{ media: "http://g.com/b.jpg", for: 5s }] }]
      fallback: https://f.com/a.jpg

      """)
    #expect(
      plan.webAddresses == [
        "https://e.com/film.mp4", "https://e.com/en.vtt", "https://f.com/a.jpg", "http://g.com/b.jpg",
      ])
  }
}
