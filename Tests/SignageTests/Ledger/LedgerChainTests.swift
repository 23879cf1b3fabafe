import CastProtocol
import CastTransport
import ScenarioLanguage
import Testing

@testable import Signage

@Suite struct LedgerChainTests {
  private static let zeros = String(repeating: "0", count: 64)
  private static let start = Ledgers.midnight + 25_210.212
  private static let youTube = LedgerRecord.Taker(app: "233637DE", name: "YouTube")

  private static let kinds: [(record: LedgerRecord, members: String)] = [
    (
      LedgerRecord(
        screen: "window-tv",
        .play(
          .init(
            item: "croissant", content: "https://cdn.example.com/croissant.jpg", rule: "program[1] breakfast",
            start: start, end: start + 20.008, planned: 20, shown: 20.008, endReason: .duration,
            evidence: .init(session: 14, playingAt: start, statuses: 2)))),
      #""type":"play","screen":"window-tv","item":"croissant","content":"https://cdn.example.com/croissant.jpg","#
        + #""rule":"program[1] breakfast","start":"2026-11-23T07:00:10.212+01:00","end":"2026-11-23T07:00:30.220+01:00","#
        + #""planned":20,"shown":20.008,"end_reason":"duration","#
        + #""evidence":{"session":14,"playing_at":"2026-11-23T07:00:10.212+01:00","statuses":2}"#
    ),
    (
      LedgerRecord(
        screen: "bar",
        .play(
          .init(
            item: "x", content: "u", rule: "fallback", start: start, end: start + 1.0004, shown: 0.99961,
            endReason: .takenOver, by: youTube,
            evidence: .init(statuses: 6, stalled: 0.1, adopted: true, unseen: [.panel, .overlay]),
            ids: ["campaign": "C-7", "n": [1, 2.5]], skew: -0.0301))),
      #""type":"play","screen":"bar","item":"x","content":"u","rule":"fallback","#
        + #""start":"2026-11-23T07:00:10.212+01:00","end":"2026-11-23T07:00:11.212+01:00","shown":1,"#
        + #""end_reason":"taken_over","by":{"app":"233637DE","name":"YouTube"},"#
        + #""evidence":{"statuses":6,"stalled":0.1,"adopted":true,"unseen":["panel","overlay"]},"ids":{"campaign":"C-7","n":[1,2.5]},"skew":-0.03"#
    ),
    (
      LedgerRecord(screen: "bar", .gap(.init(start: start, end: start + 60, reason: .yielded, by: youTube))),
      #""type":"gap","screen":"bar","start":"2026-11-23T07:00:10.212+01:00","end":"2026-11-23T07:01:10.212+01:00","#
        + #""reason":"yielded","by":{"app":"233637DE","name":"YouTube"}"#
    ),
    (
      LedgerRecord(
        screen: "bar",
        .skip(
          .init(
            at: start, item: "wifi", reason: "load_failed", error: .init(code: 103, name: "MEDIA_NETWORK"),
            shownInstead: "logo"))),
      #""type":"skip","screen":"bar","at":"2026-11-23T07:00:10.212+01:00","item":"wifi","reason":"load_failed","#
        + #""error":{"code":103,"name":"MEDIA_NETWORK"},"shown_instead":"logo""#
    ),
  ]

  @Test("Each kind of record is one line, byte for byte", arguments: kinds.indices)
  func lines(index: Int) throws {
    let (record, members) = Self.kinds[index]
    let line = try Ledgers.lines([record])[0]
    let content = #"{"v":1,"n":1,"prev":"\#(Self.zeros)",\#(members)}"#
    let hash = try #require(Digest.sha256(Array(content.utf8)))
    #expect(line == content.dropLast() + #","hash":"\#(hash)"}"# + "\n")
  }

  @Test("A line that is read is the record again", arguments: kinds.indices)
  func records(index: Int) throws {
    let read = Ledgers.read([Array(try Ledgers.lines([Self.kinds[index].record])[0].utf8)])
    #expect(read.problems == [] && read.lines.count == 1)
    // What was rounded stays as it is.
    let record = try #require(read.lines.first?.record)
    #expect(try Ledgers.lines([record]) == Ledgers.lines([Self.kinds[index].record]))
  }

  @Test("Every reason is written and read")
  func reasons() throws {
    let plays = LedgerRecord.EndReason.allCases.map { reason -> LedgerRecord in
      var play = LedgerRecord.Play(
        item: "a", content: "b", rule: "c", start: 1, end: 2, shown: 1, endReason: reason)
      play.skew = 0
      return LedgerRecord(screen: "s", .play(play))
    }
    let gaps = LedgerRecord.GapReason.allCases.map { Ledgers.gap($0, 0, 1) }
    let read = Ledgers.read([Array(try Ledgers.lines(plays + gaps).joined().utf8)])
    #expect(read.problems == [] && read.lines.map(\.record) == plays + gaps)
  }

  @Test("Lines are numbered, and each names the hash of the one before; a chain goes on where it was left")
  func chain() throws {
    let all = try Ledgers.lines(6)
    var chain = LedgerChain(in: try Playlists.rules("Europe/Paris"))
    for line in all {
      let json = try JSONValue(parsing: line)
      #expect(json["n"]?.int == chain.last.number + 1 && json["prev"]?.string == chain.last.hash)
      let bytes = Array(line.utf8.dropLast())
      let link = try #require(LedgerLine.link(of: bytes))
      #expect(link.hash == json["hash"]?.string)
      chain = LedgerChain(after: link, in: try Playlists.rules("Europe/Paris"))
    }
    #expect(chain.last.number == 6)
  }

  @Test("Times of every kind stay what they are: halves, the night when clocks change, old offsets, no numbers at all")
  func times() throws {
    let paris = try Playlists.rules("Europe/Paris")
    let cases: [(Double, String)] = [
      (1_792_890_000, "2026-10-25T02:00:00.000+01:00"), (1_792_889_999.9994, "2026-10-25T02:59:59.999+02:00"),
      (-0.5, "1970-01-01T00:59:59.500+01:00"), (-3_000_000_000, "1874-12-07T18:49:00.000+00:09"),
      (.nan, "1970-01-01T01:00:00.000+01:00"),
    ]
    for (time, text) in cases {
      #expect(LedgerTime.text(time, in: paris) == text)
      #expect(LedgerTime.read(text)?.milliseconds == LedgerTime.milliseconds(time))
    }
    for time in [Double.infinity, -.infinity, 1e300] {
      #expect(LedgerTime.read(LedgerTime.text(time, in: .utc))?.milliseconds == LedgerTime.milliseconds(time))
    }
    #expect(LedgerTime.utc(1_500) == "1970-01-01T00:00:01.500Z")
  }

  @Test(
    "What is no time is not read",
    arguments: [
      "", "2026-11-23T07:00:10.212", "2026-02-30T07:00:10.212+01:00", "2026-11-23T24:00:10.212+01:00",
      "2026-11-23 07:00:10.212+01:00", "2026-11-23T07:00:10,212+01:00", "2026-11-23T07:00:1é.12+01:00",
      "0000-11-23T07:00:10.212+01:00", "2026-11-23T07:00:10.212+99:00",
    ])
  func noTime(text: String) { #expect(LedgerTime.read(text) == nil) }

  @Test("A picture in an address does not make a line long, and an end is never before its beginning")
  func limits() throws {
    var play = LedgerRecord.Play(
      item: "a", content: "data:" + String(repeating: "é", count: 5_000_000), rule: "r", start: 100, end: 90,
      shown: .infinity, endReason: .duration)
    play.planned = -1
    let line = try Ledgers.lines([LedgerRecord(screen: "s", .play(play))])[0]
    #expect(line.utf8.count < 5_000 && line.contains("é…\""))
    let read = Ledgers.read([Array(line.utf8)])
    guard case .play(let found)? = read.lines.first?.record?.kind else { return #expect(Bool(false), "\(line)") }
    #expect(found.start == 100 && found.end == 100 && read.problems == [])
  }
}
