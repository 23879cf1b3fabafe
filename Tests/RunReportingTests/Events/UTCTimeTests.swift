import CastProtocol
import Testing

@testable import RunReporting

/// Moments as `t` of events writes them.
@Suite struct UTCTimeTests {
  @Test(
    "What no calendar has is no time: months, days and hours that are not there, other zones, other forms",
    arguments: [
      "2026-02-29T00:00:00.000Z", "2026-02-31T00:00:00.000Z", "2026-04-31T00:00:00.000Z",
      "2100-02-29T00:00:00.000Z",
      "2026-00-01T00:00:00.000Z", "2026-13-01T00:00:00.000Z", "2026-01-00T00:00:00.000Z",
      "2026-01-32T00:00:00.000Z",
      "2026-01-01T24:00:00.000Z", "2026-01-01T00:60:00.000Z", "2026-01-01T00:00:60.000Z",
      "2026-01-01T00:00:00Z",
      "2026-01-01T00:00:00.000", "2026-01-01T00:00:00.000z", "2026-01-01 00:00:00.000Z",
      "2026-01-01T00:00:00,000Z",
      "2026-01-01T00:00:00.000+0", "+026-01-01T00:00:00.000Z", "2026-1 -01T00:00:00.000Z",
      "٢٠٢٦-01-01T00:00:00.0",
      "", "Z", "2026-01-01T00:00:00.0000Z", "0000-01-01T00:00:00.000Z",
    ])
  func refused(text: String) { #expect(UTCTime(parsing: text) == nil) }

  @Test(
    "The first and the last moment of the calendar, leap days and ends of years",
    arguments: [
      ("0001-01-01T00:00:00.000Z", -62_135_596_800_000),
      ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
      ("1969-12-31T00:00:00.000Z", -86_400_000), ("1970-01-01T00:00:00.000Z", 0),
      ("2000-02-29T12:00:00.000Z", 951_825_600_000),
      ("2024-12-31T23:59:59.999Z", 1_735_689_599_999),
      ("1900-03-01T00:00:00.000Z", -2_203_891_200_000),
    ])
  func known(text: String, milliseconds: Int) {
    #expect(UTCTime(parsing: text)?.milliseconds == milliseconds)
    #expect(UTCTime(milliseconds: milliseconds).text == text)
    #expect(UTCTime(unixSeconds: Double(milliseconds) / 1000).milliseconds == milliseconds)
  }

  @Test(
    "Every moment is written and read back, and later ones sort behind",
    arguments: [1, 2, 3] as [UInt64])
  func property(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var last: UTCTime?
    let moments = (0..<2000).map { _ in
      random.next(below: 315_537_897_600_000) - 62_135_596_800_000
    }
    for milliseconds in moments.sorted() {
      let time = UTCTime(milliseconds: milliseconds)
      #expect(UTCTime(parsing: time.text) == time, "\(milliseconds)")
      #expect(UTCTime(unixSeconds: time.unixSeconds) == time, "\(milliseconds)")
      #expect(time.text.utf8.count == 24 && time.text.hasSuffix("T\(time.timeOfDay)Z"))
      if let last { #expect(last.text <= time.text) }
      last = time
    }
  }

  @Test("Days follow each other without a hole over 400 years")
  func days() {
    var expected = (year: 1900, month: 1, day: 1)
    for day in 0..<146_097 {
      let text = UTCTime(milliseconds: -2_208_988_800_000 + day * 86_400_000).text
      func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
      let wanted = "\(expected.year)-\(two(expected.month))-\(two(expected.day))T00:00:00.000Z"
      guard text == wanted else { return #expect(text == wanted) }
      let isLeap = expected.year % 4 == 0 && (expected.year % 100 != 0 || expected.year % 400 == 0)
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      expected.day += 1
      if expected.day > lengths[expected.month - 1] {
        (expected.month, expected.day) = (expected.month + 1, 1)
      }
      if expected.month > 12 { (expected.year, expected.month) = (expected.year + 1, 1) }
    }
  }

  @Test(
    "What is outside of the calendar is 1970, not a trap",
    arguments: [-62_135_596_801.0, 253_402_300_800.0, .infinity, -.infinity, .nan, 1e18, -1e18])
  func outside(seconds: Double) { #expect(UTCTime(unixSeconds: seconds).milliseconds == 0) }
}
