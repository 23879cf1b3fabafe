import ScenarioLanguage
import Synchronization
import Testing
import WebClient

@testable import Preflight

/// A server that counts what it is asked for.
final class CountingWeb: WebFetching {
  private let web: ScriptedWeb
  private let asked = Mutex<[String]>([])

  init(_ answers: [String: WebResponse]) { web = ScriptedWeb(answers: answers) }

  var requests: [String] { asked.withLock { $0.sorted() } }

  func send(_ request: WebRequest, trustsAll: Bool, within limit: Duration) async throws(WebError) -> WebResponse {
    asked.withLock { $0.append("\(request.url)") }
    return try await web.send(request, trustsAll: trustsAll, within: limit)
  }
}

/// What is found at the addresses of documents, told where they are written.
@Suite struct DocumentProbeTests {
  /// 2026-11-24 12:00 UTC.
  private static let now = 1_795_521_600.0
  private static let day = 86_400.0
  private static let film = "https://cdn.example.com/film.mp4"
  private static let still = "https://cdn.example.com/menu.gif"

  private static func span(_ line: Int) -> SourceSpan {
    SourceSpan(file: "a.yaml", line: line, column: 5, endLine: line, endColumn: 9)
  }

  private static func answer(_ status: Int, endsAfter days: Double = 300) -> WebResponse {
    WebResponse(
      status: status, headers: [.init("Content-Type", "image/gif")], body: Array("GIF89a".utf8) + [10, 0, 10, 0],
      certificate: .init(validFrom: 0, validTo: now + days * day, names: []))
  }

  private static func probe(
    _ web: some WebFetching, left: Duration = .seconds(60)
  ) -> DocumentProbe {
    let rules = ProbeRules(playsAt: now)
    return DocumentProbe(Prober(web, rules) { left }, rules)
  }

  @Test("Each address is fetched once, whatever many documents and places name it, and its places are told together")
  func once() async {
    let web = CountingWeb([Self.still: Self.answer(404)])
    var probe = Self.probe(web)
    let addresses = [3, 7, 9].map { FetchedAddress(Self.still, type: "image/gif", at: Self.span($0)) }
    let found = await probe.diagnostics(for: addresses)
    #expect(await probe.diagnostics(for: Array(addresses.prefix(1))).count == 1)
    #expect(web.requests == [Self.still])
    #expect(found.count == 1 && found[0].code == .a802 && found[0].severity == .error)
    #expect(found[0].primary.span == Self.span(3) && found[0].message == "the server answers 404")
    #expect(
      found[0].footers == [.help("look at the address, or put the file there"), .note("also in lines 7, 9")])
  }

  @Test("What is found behind a redirect says where")
  func elsewhere() async {
    let web = ScriptedWeb(answers: [
      Self.film: WebResponse(status: 302, headers: [.init("Location", "/b")]),
      "https://cdn.example.com/b": WebResponse(status: 500),
    ])
    var probe = Self.probe(web)
    let found = await probe.diagnostics(for: [FetchedAddress(Self.film, at: Self.span(1))])
    #expect(found.map(\.code) == [.a802] && found[0].footers.contains(.note("found at https://cdn.example.com/b")))
  }

  private static func dates(_ text: String) throws -> DateRange {
    DateRange(try TimeScalar.dates(text))
  }
  private static func until(_ day: CivilDate) -> PlayTimes {
    PlayTimes(valid: try? dates("2026-01-01..\(day.iso)"))
  }

  /// Days that a certificate lasts, the item's last day, and what is told.
  static let certificates: [(days: Double, lastDay: CivilDate?, told: [String])] = [
    (300, nil, []), (10, nil, ["warning"]), (-1, nil, ["error"]),
    (30, CivilDate(year: 2026, month: 12, day: 20), []), (30, CivilDate(year: 2026, month: 12, day: 26), ["warning"]),
    (200, CivilDate(year: 2027, month: 12, day: 26), ["note"]),
    (3, CivilDate(year: 2026, month: 11, day: 25), ["warning"]),
    (-1, CivilDate(year: 2026, month: 12, day: 26), ["error"]),
  ]

  @Test("A certificate has to last until the last day of the item", arguments: certificates.indices)
  func lastDay(index: Int) async {
    let (days, lastDay, told) = Self.certificates[index]
    var probe = Self.probe(ScriptedWeb(answers: [Self.still: Self.answer(206, endsAfter: days)]))
    let found = await probe.diagnostics(for: [
      FetchedAddress(Self.still, at: Self.span(1), plays: lastDay.map(Self.until))
    ])
    #expect(found.map(\.severity.rawValue) == told && found.allSatisfy { $0.code == .a805 }, "\(found)")
  }

  private static func rule(_ change: (inout TimeCondition) throws -> Void) rethrows -> TimeCondition {
    var condition = TimeCondition()
    try change(&condition)
    return condition
  }

  /// What a certificate that ends on 24 December 2026 at noon means for an item.
  static let schedules: [(name: String, plays: [PlayTimes?], told: String?)] = {
    func days(_ text: String) -> [DateRange] { (try? dates(text)).map { [$0] } ?? [] }
    let christmas = rule { $0.dates = days("12-20..12-26") }
    let evening = rule {
      $0.dates = days("2026-12-20..2026-12-24")
      $0.hours = ["09:00-11:00", "18:00-22:00"].compactMap { try? TimeScalar.hours($0) }
    }
    let morning = rule {
      $0.dates = days("2026-12-20..2026-12-24")
      $0.hours = ["09:00-11:00"].compactMap { try? TimeScalar.hours($0) }
    }
    let summer = rule { $0.dates = days("2027-06-01..2027-06-30") }
    let never = rule { $0.dates = days("2028-06-01..2028-06-30") }
    let west = TimeZoneRules(posix: "WST8") ?? .utc
    return [
      ("a rule of every year", [PlayTimes(during: christmas)], "2026-12-24 at 12:00"),
      ("over before noon", [PlayTimes(during: morning)], nil),
      ("again in the evening", [PlayTimes(during: evening)], "2026-12-24 at 18:00"),
      ("in the morning, further west", [PlayTimes(during: morning, zone: west)], "2026-12-24 at 09:00"),
      ("next summer", [PlayTimes(during: summer)], "2027-06-01 at 00:00"),
      (
        "in a rule of summer, valid in spring",
        [PlayTimes(valid: days("2027-03-01..2027-05-31").first, during: summer)], nil
      ),
      (
        "of two rules the first", [PlayTimes(during: summer), PlayTimes(during: christmas)], "2026-12-24 at 12:00"
      ),
      ("also at any time", [PlayTimes(during: summer), nil], nil),
      ("too far ahead", [PlayTimes(during: never)], nil),
    ]
  }()

  @Test(
    "A certificate has to last until each hour for which a rule schedules the item",
    arguments: schedules.indices)
  func schedule(index: Int) async {
    let (name, plays, told) = Self.schedules[index]
    var probe = Self.probe(ScriptedWeb(answers: [Self.still: Self.answer(206, endsAfter: 30)]))
    let found = await probe.diagnostics(
      for: plays.map { FetchedAddress(Self.still, at: Self.span(1), plays: $0) })
    let words =
      "the certificate of cdn.example.com ends on 2026-12-24, and this is shown on \(told ?? "") still"
    #expect(found.map(\.message) == (told == nil ? [] : [words]), "\(name)")
  }

  @Test("What is over is not fetched; the day of its last hour it still is")
  func over() async {
    let web = CountingWeb([:])
    var probe = Self.probe(web)
    let days = [22, 23, 24].map { CivilDate(year: 2026, month: 11, day: $0) }
    let addresses = days.map { FetchedAddress("https://e.com/\($0.day)", at: Self.span($0.day), plays: Self.until($0)) }
    _ = await probe.diagnostics(for: addresses)
    #expect(web.requests == ["https://e.com/23", "https://e.com/24"])
  }

  @Test("What could not be looked at is told, and is no error: a secret, no time, too many")
  func skipped() async {
    let web = CountingWeb([:])
    let secret = FetchedAddress("https://e.com/\(SecretPlaceholder.text(for: "key"))", at: Self.span(1))
    var probe = Self.probe(web)
    #expect(await probe.diagnostics(for: [secret]).map { "\($0.severity) \($0.code)" } == ["note A815"])
    var late = Self.probe(web, left: .zero)
    let film = FetchedAddress(Self.film, at: Self.span(1))
    #expect(await late.diagnostics(for: [film]).map { "\($0.severity) \($0.code)" } == ["warning A815"])
    #expect(web.requests == [])
    var many = Self.probe(web)
    let all = (0...Prober.mostSubjects).map { FetchedAddress("https://e.com/\($0)", at: Self.span($0 + 1)) }
    let told = await many.diagnostics(for: all)
    #expect(told.count { $0.code == .a801 } == Prober.mostSubjects && told.last?.code == .a815)
  }

  @Test("Progress is told for each address")
  func progress() async {
    var told: [String] = []
    var probe = Self.probe(ScriptedWeb())
    let all = (1...6).map { FetchedAddress("https://e.com/\($0)", at: Self.span($0)) }
    _ = await probe.diagnostics(for: all) { told.append("\($0)/\($1)") }
    #expect(told == ["1/6", "2/6", "3/6", "4/6", "5/6", "6/6"])
  }

  @Test("Every finding has a code of its own kind, with a page", arguments: ProbeFinding.Code.allCases)
  func pages(code: ProbeFinding.Code) {
    #expect(code.diagnosticCode.family == .addresses)
  }
}
