import DeviceControl
import Testing

@Suite("How long a lost device is left alone before it is connected again") struct ReturnPaceTests {
  /// The pauses after connections that lasted so long, in seconds.
  private static func pauses(after lengths: [Double], _ pace: inout ReturnPace) -> [Int] {
    var time = Duration.zero
    return lengths.map { length in
      pace.connected(at: time)
      time += .seconds(length)
      let pause = pace.wait(afterLossAt: time)
      time += pause ?? .zero
      return Int(pause?.components.seconds ?? 0)
    }
  }

  @Test(
    "Connections that last less than 2 s are made again after 0, 1, 2, 4 ... 30 s; a longer one begins anew",
    arguments: [0, 0.2, 1, 1.99])
  func broken(length: Double) {
    var pace = ReturnPace()
    #expect(
      Self.pauses(after: Array(repeating: length, count: 9), &pace) == [0, 1, 2, 4, 8, 16, 30, 30, 30])
    #expect(Self.pauses(after: [2, length, length], &pace) == [0, 0, 1])
  }

  @Test(
    "A link that breaks every few seconds is made again at once each time", arguments: [2, 2.5, 4, 6, 9, 11, 3_600])
  func flaky(length: Double) {
    var pace = ReturnPace()
    #expect(Self.pauses(after: Array(repeating: length, count: 9), &pace).allSatisfy { $0 == 0 })
  }

  @Test("A connection ends when it is lost, not when that is found out, which may be before it is known to be there")
  func lostBefore() {
    var pace = ReturnPace()
    for (number, pause) in [nil, 1, 2].enumerated() {
      pace.connected(at: .seconds(number * 100 + 1))
      #expect(pace.wait(afterLossAt: .seconds(number * 100)) == pause.map { .seconds($0) })
    }
  }

  @Test("A loss that follows no connection neither pauses nor makes the pauses short again")
  func withoutConnection() {
    var pace = ReturnPace()
    #expect(pace.wait(afterLossAt: .seconds(1)) == nil)
    #expect(Self.pauses(after: [0.1, 0.1, 0.1, 0.1], &pace) == [0, 1, 2, 4])
    #expect(pace.wait(afterLossAt: .seconds(500)) == nil)
    #expect(Self.pauses(after: [0.1, 0.1], &pace) == [8, 16])
  }
}
