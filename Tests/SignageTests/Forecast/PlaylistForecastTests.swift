import CastProtocol
import ScenarioLanguage
import Signage
import Simulation
import Testing

@Suite struct PlaylistForecastTests {
  private static let playlists: [(String, String)] = [
    ("a list", "program: [{ during: any_time, play: [a, x, { media: b, for: 20s, times: 2 }] }]"),
    (
      "shuffle and weights",
      "program: [{ during: any_time, order: shuffle, play: [{ media: a, weight: 3 }, b, c, x] }]"
    ),
    (
      "interrupts that cut, and go on with what they cut",
      """
      program: [{ during: any_time, play: [x, y] }]
      interrupts: [{ every: 5m, play: [c], cut: immediately, then: resume }]
      """
    ),
    (
      "interrupts that cut and begin again, or wait",
      """
      program: [{ during: any_time, play: [x, a] }]
      interrupts:
        - { every: 10m, play: [c], cut: immediately, then: restart }
        - { every: 6m, play: [d, e] }
      """
    ),
    (
      "windows, some of which do not wait for an item, and quiet hours",
      """
      program:
        - { during: { hours: "12:03-12:08" }, switch: immediately, play: [{ media: a, for: 7m }] }
        - { during: { hours: "12:10-12:14" }, play: [x, b] }
        - { during: any_time, play: [{ media: c, for: 30s }] }
      quiet: { hours: "12:20-12:25" }
      """
    ),
    (
      "a rule that is through, and nothing after it",
      "program: [{ during: { hours: \"12:00-12:10\" }, repeat: false, play: [a, x, b] }]"
    ),
  ]

  @Test(
    "The forecast has the items that virtual receivers show, in their order and at their times", arguments: playlists)
  func asPlayed(_ name: String, _ lines: String) throws {
    let serving = try Serving(lines, for: .seconds(1_800))
    let program = try Serving.program(lines)
    let start = Double(try Playlists.moment("2026-11-23 12:00", program))
    var forecast: [LedgerRecord.Play] = []
    PlaylistForecast(program).run(from: start, to: start + 1_800) { record in
      if case .play(let play) = record.kind { forecast.append(play) }
    }
    let played = serving.plays
    // What is loaded takes a moment, so that a few items less are shown in half an hour.
    #expect(forecast.count >= played.count && forecast.count <= played.count + played.count / 20 + 2)
    // The last is cut by the end.
    for (shown, told) in zip(played, forecast).dropLast() {
      #expect(shown.item == told.item && shown.rule == told.rule, "\(shown.item) at \(shown.start - start)")
      #expect(abs(shown.start - told.start) < 20, "\(shown.item): \(shown.start - start), \(told.start - start)")
      if shown.item != told.item { break }
    }
  }

  @Test(
    "A week of a forecast adds up to the clock, also where clocks change",
    arguments: [("2026-10-19 00:00", 169), ("2026-03-23 00:00", 167), ("2026-06-01 00:00", 168)])
  func addsUp(from: String, hours: Int) throws {
    let program = try Playlists.program(
      """
      program:
        - { during: { hours: "22:00-03:00" }, play: [a, { media: b, for: 45m }] }
        - { during: { days: mon-fri }, order: weighted, play: [{ media: c, weight: 2 }, d] }
      interrupts: [{ every: 30m, play: [e], cut: immediately }]
      quiet: { hours: "02:30-06:00" }
      """)
    let start = try Playlists.moment(from, program)
    let end = start + hours * 3_600
    #expect(program.zone.wallTime(at: end) - program.zone.wallTime(at: start) == 7 * 86_400)
    var time = Double(start)
    var sum = LedgerSum(by: .item)
    try PlaylistForecast(program).run(from: Double(start), to: Double(end)) { record in
      try sum.add(record, in: program.zone)
      switch record.kind {
      case .play(let play): #expect(play.start == time && play.end > play.start, "\(play)")
      case .gap(let gap): #expect(gap.start == time && gap.end > gap.start, "\(gap)")
      case .skip: Issue.record("nothing is passed over in a forecast")
      }
      time = record.end ?? time
    }
    #expect(time == Double(end))
    let clock = try #require(sum.json["screens"]?.array?.first?["clock"]?.number)
    #expect(clock == Double(hours * 3_600))
  }

  @Test("An item that ends by itself and says no length counts as a minute, and is named")
  func unknownLength() throws {
    let plan = try Playlists.plan(
      """
      playlist: Shop
      timezone: UTC
      device: TV
      media: { long: { url: https://e.com/long.mp4, duration: 10m }, short: { url: https://e.com/short.mp4 } }
      program: [{ during: any_time, play: [long, short] }]
      """)
    let forecast = PlaylistForecast(Program(plan, in: .utc))
    #expect(forecast.itemsOfUnknownLength == ["short"])
    var ends: [Double] = []
    forecast.run(from: 0, to: 1_320) { record in ends.append(record.end ?? -1) }
    #expect(ends == [600, 660, 1_260, 1_320])
  }

  @Test("Each screen has a forecast of its own, under the name that `serve` gives it")
  func screens() throws {
    let program = try Serving.program(
      """
      devices: [Left, Right]
      program: [{ during: any_time, order: shuffle, play: [a, b, c, d, e, f] }]
      """)
    let forecast = PlaylistForecast(program, seed: 4)
    var items: [String: [String]] = [:]
    forecast.run(from: 0, to: 600) { record in
      if case .play(let play) = record.kind { items[record.screen, default: []].append(play.item) }
    }
    #expect(Set(items.keys) == ["left", "right"] && items["left"] != items["right"])
    #expect(items["left"]?.count == 60)
  }
}

extension LedgerRecord {
  /// When what it is about ended.
  fileprivate var end: Double? {
    switch kind {
    case .play(let play): play.end
    case .gap(let gap): gap.end
    case .skip: nil
    }
  }
}
