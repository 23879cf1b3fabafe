import Testing

@testable import RunReporting

/// Durations as blocks.
@Suite struct SparklineTests {
  @Test(
    "A block is as high as its share of the greatest value or of the limit; × did not pass",
    arguments: [
      ([1, 2, 3, 4], nil, "▂▄▆█"), ([1, 2, 3, 4], 8, "▁▂▃▄"), ([nil, 4], nil, "×█"), ([0, 0], nil, "▁▁"),
      ([9], 3, "█"), ([-1, .infinity], 2, "▁×"), ([], nil, ""),
    ] as [([Double?], Double?, String)])
  func blocks(values: [Double?], top: Double?, text: String) {
    #expect(Sparkline(values.map(Sparkline.Cell.init), top: top).text(width: 10) == text)
  }

  @Test("A run that does not tell the number is blank: it did not fail")
  func untold() {
    #expect(Sparkline([.untold, .number(4), .failed, .untold, .number(2)]).text(width: 10) == " █× ▄")
  }

  @Test("Where there is no room the newest are shown, as high as they are among themselves")
  func narrow() {
    #expect(Sparkline([.number(100), .number(1), .number(2)]).text(width: 2) == "▄█")
    #expect(Sparkline([.number(1), .number(2)]).text(width: 0) == "█")
  }
}
