import Testing

@testable import ScenarioLanguage

@Suite struct TimeZoneRulesTests {
  /// Unix time and offset, from another implementation (Python's zoneinfo).
  static let offsets: [(zone: String, unix: Int, offset: Int)] = [
    ("Europe/Paris", 1_774_745_999, 3_600), ("Europe/Paris", 1_774_746_000, 7_200),
    ("Europe/Paris", 1_792_889_999, 7_200), ("Europe/Paris", 1_792_890_000, 3_600),
    ("Asia/Kathmandu", 1_792_890_000, 20_700), ("Australia/Lord_Howe", 1_792_890_000, 39_600),
    ("Australia/Lord_Howe", 1_780_000_000, 37_800), ("America/Sao_Paulo", 1_792_890_000, -10_800),
    ("Africa/Casablanca", 1_772_000_000, 0), ("Africa/Casablanca", 1_792_890_000, 3_600),
    ("Europe/Dublin", 1_785_000_000, 3_600), ("Europe/Dublin", 1_795_000_000, 0),
    ("Europe/Paris", 2_864_000_000, 7_200), ("Europe/Paris", -3_000_000_000, 561), ("UTC", 0, 0),
  ]

  @Test("The offset of a moment is the zone's own, in its table, before it and behind it", arguments: offsets)
  func offset(zone: String, unix: Int, offset: Int) throws {
    #expect(try #require(ZoneFiles.rules(zone)).offset(at: unix) == offset)
  }

  @Test("A rule of a computer has the clocks of the zone that has the same rule")
  func posix() throws {
    let paris = try #require(ZoneFiles.rules("Europe/Paris"))
    let rule = try #require(TimeZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3"))
    let years = 1_767_225_600..<1_893_456_000
    #expect(rule.changes(in: years) == paris.changes(in: years) && rule.changes(in: years).count == 8)
    for time in stride(from: years.lowerBound, to: years.upperBound, by: 90_001) {
      #expect(rule.offset(at: time) == paris.offset(at: time))
    }
    for text in ["", "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-25", "../CET-1", "CET-1\0"] {
      #expect(TimeZoneRules(posix: text) == nil, "\(text)")
    }
  }

  @Test("A stretch has the changes from its start until just before its end", arguments: [1_990, 2_026, 2_060])
  func stretch(year: Int) throws {
    let paris = try #require(ZoneFiles.rules("Europe/Paris"))
    let start = CivilDate(year: year, month: 1, day: 1).at(second: 0)
    let changes = paris.changes(in: start..<start + 366 * 86_400)
    try #require(changes.count == 2)
    #expect(paris.changes(in: changes[0].at..<changes[1].at) == [changes[0]])
    #expect(paris.changes(in: changes[0].at + 1..<changes[1].at + 1) == [changes[1]])
  }

  @Test("A reading of the clock is one moment, two, or none")
  func moments() throws {
    let paris = try #require(ZoneFiles.rules("Europe/Paris"))
    func wall(_ year: Int, _ month: Int, _ day: Int, _ second: Int) -> WallTime {
      CivilDate(year: year, month: month, day: day).at(second: second)
    }
    #expect(paris.moments(of: wall(2026, 3, 29, 7_199)) == .once(1_774_745_999))
    let jump = TimeZoneRules.Change(at: 1_774_746_000, before: 3_600, after: 7_200)
    #expect(paris.moments(of: wall(2026, 3, 29, 7_200)) == .never(jump))
    #expect(paris.moments(of: wall(2026, 3, 29, 10_799)) == .never(jump))
    #expect(paris.moments(of: wall(2026, 3, 29, 10_800)) == .once(1_774_746_000))
    #expect(paris.moments(of: wall(2026, 10, 25, 7_200)) == .twice(1_792_886_400, 1_792_890_000))
    #expect(paris.moments(of: wall(2026, 10, 25, 10_800)) == .once(1_792_893_600))
    #expect(jump.skipped.count == 3_600)
    #expect(jump.repeated.isEmpty)
  }

  @Test(
    "Every moment of two years comes back from what clocks show then",
    arguments: [
      "Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Europe/Dublin", "Asia/Kathmandu",
    ])
  func roundTrip(zone: String) throws {
    let rules = try #require(ZoneFiles.rules(zone))
    for unix in stride(from: 1_767_225_600, to: 1_767_225_600 + 2 * 366 * 86_400, by: 9_000) {
      switch rules.moments(of: rules.wallTime(at: unix)) {
      case .once(let moment): #expect(moment == unix)
      case .twice(let first, let second): #expect(first == unix || second == unix)
      case .never: Issue.record("\(unix) is shown by no clock")
      }
    }
  }

  static let rules: [(text: String, year: Int, changes: [(Int, Int)])] = [
    ("CET-1CEST,M3.5.0,M10.5.0/3", 2027, [(1_806_195_600, 7_200), (1_824_944_400, 3_600)]),
    ("EST5EDT,M3.2.0,M11.1.0", 2027, [(1_805_007_600, -14_400), (1_825_567_200, -18_000)]),
    ("IST-1GMT0,M10.5.0,M3.5.0/1", 2027, [(1_806_195_600, 3_600), (1_824_944_400, 0)]),
    ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 2027, [(1_806_764_400, 37_800), (1_822_491_000, 39_600)]),
    ("<+0545>-5:45", 2027, []), ("AAA3BBB,J60/0,J61/0", 2028, [(1_835_492_400, -7_200), (1_835_575_200, -10_800)]),
  ]

  @Test("The rule behind the table gives the changes of any year", arguments: rules)
  func footer(text: String, year: Int, changes: [(Int, Int)]) throws {
    let zone = try #require(PosixTimeZone(Array(text.utf8)[...]))
    let found = zone.changes(in: year)
    #expect(found.map(\.at) == changes.map(\.0))
    #expect(found.map(\.offset) == changes.map(\.1))
  }

  @Test(
    "What is no rule is refused",
    arguments: [
      "", "C-1", "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.1.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0",
      "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,M3.5.0,M10.5.0x", "<CET-1", "CET-999", "CET-1:60", "CET-1CEST,J0,J5",
      "CET-1CEST,366,5", "CET-1CEST,M3.5.0/168,M10.5.0",
    ])
  func noRule(text: String) { #expect(PosixTimeZone(Array(text.utf8)[...]) == nil) }

  @Test("What is no zone file is refused")
  func noZone() throws {
    let paris = try #require(ZoneFiles.read("Europe/Paris"))
    #expect(TimeZoneRules(tzif: []) == nil)
    #expect(TimeZoneRules(tzif: Array("TZif2".utf8)) == nil)
    #expect(TimeZoneRules(tzif: Array(paris.dropFirst())) == nil)
    #expect(TimeZoneRules(tzif: Array(paris.prefix(paris.count / 2))) == nil)
    #expect(TimeZoneRules(tzif: [UInt8](repeating: 0, count: TimeZoneRules.byteLimit + 1)) == nil)
  }

  @Test("A damaged zone file is refused or read, but never waited for", arguments: 0..<20)
  func damaged(seed: Int) throws {
    let names = ["Europe/Paris", "Africa/Casablanca", "UTC", "America/New_York"]
    let whole = try #require(ZoneFiles.read(names[seed % names.count]))
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
    func next(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    for _ in 0..<100 {
      var bytes = whole
      for _ in 0...next(4) {
        switch next(3) {
        case 0: bytes[next(min(bytes.count, 120))] = UInt8(next(256))
        case 1: bytes[next(bytes.count)] ^= 1 << UInt8(next(8))
        default: bytes.removeLast(min(next(bytes.count - 1), 400))
        }
        if bytes.count < 2 { break }
      }
      guard let rules = TimeZoneRules(tzif: bytes) else { continue }
      for unix in [-4_000_000_000, 0, 1_774_745_999, 4_000_000_000] {
        #expect(abs(rules.offset(at: unix)) <= 168 * 3_600)
        _ = rules.moments(of: unix)
        _ = rules.changes(in: unix..<unix + 86_400 * 400)
      }
    }
  }
}
