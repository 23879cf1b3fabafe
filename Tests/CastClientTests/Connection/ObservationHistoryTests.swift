import CastProtocol
import Testing

@testable import CastClient

@Suite struct ObservationHistoryTests {
  private func history(limit: Int, count: Int) -> ObservationHistory {
    var history = ObservationHistory(limit: limit)
    for _ in 0..<count {
      history.append {
        Observation(number: $0, at: .zero, source: .push, scope: .media, snapshot: DeviceSnapshot())
      }
    }
    return history
  }

  /// limit, how many were added, after which number, what is left.
  static let cases: [(Int, Int, Int, [Int])] = [
    (4, 0, 0, []), (4, 3, 0, [1, 2, 3]), (4, 3, 2, [3]), (4, 3, 3, []), (4, 3, 99, []), (4, 3, -7, [1, 2, 3]),
    (4, 4, 0, [1, 2, 3, 4]), (4, 5, 0, [2, 3, 4, 5]), (4, 11, 0, [8, 9, 10, 11]), (4, 11, 9, [10, 11]),
    (4, 11, Int.min, [8, 9, 10, 11]), (1, 3, 0, [3]), (0, 3, 0, [3]), (-1, 3, 0, [3]),
  ]
  @Test("The newest observations are kept, numbered without holes", arguments: cases)
  func ring(limit: Int, count: Int, after: Int, expected: [Int]) {
    let history = history(limit: limit, count: count)
    #expect(history.observations(after: after).map(\.number) == expected)
    #expect(history.lastNumber == count)
  }

  @Test("Messages of apps take a megabyte at most; what is forgotten first is what the oldest said")
  func messages() {
    for limit in [3, 40, 400] {
      var history = ObservationHistory(limit: limit)
      for index in 1...100 {
        history.append { number in
          Observation(
            number: number, at: .zero, source: .push, scope: .message, snapshot: DeviceSnapshot(),
            message: .int(index))
        }
        history.noteMessage(bytes: 60_000)
      }
      let kept = history.observations(after: 0)
      let said = kept.compactMap(\.message?.int)
      #expect(said == Array((100 - min(limit, 17) + 1)...100), "\(limit): \(said)")
      #expect(kept.map(\.number) == Array((100 - min(limit, 100) + 1)...100))
    }
  }
}
