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

  @Test(
    "Messages of a few bytes, or of none, are no more in number than the history keeps, and count as what they take",
    arguments: [(limit: 4, bytes: 0), (16, 1), (4096, 2), (8192, 0)])
  func tinyMessages(limit: Int, bytes: Int) {
    var history = ObservationHistory(limit: limit)
    for index in 1...20_000 {
      history.append { number in
        Observation(
          number: number, at: .zero, source: .push, scope: .message, snapshot: DeviceSnapshot(),
          message: .int(index))
      }
      history.noteMessage(bytes: bytes)
      if history.notedMessages > 2 * min(limit, 4096) + 65 { break }
    }
    #expect(history.lastNumber == 20_000, "grew to \(history.notedMessages) of \(limit)")
    let said = history.observations(after: 0).compactMap(\.message?.int)
    #expect(said == Array((20_000 - min(limit, 4096) + 1)...20_000))
  }

  @Test("Statuses between messages push them out of the ring, and out of the account")
  func mixed() {
    var history = ObservationHistory(limit: 8)
    for round in 1...1000 {
      history.append {
        Observation(
          number: $0, at: .zero, source: .push, scope: .message, snapshot: DeviceSnapshot(), message: .int(round))
      }
      history.noteMessage(bytes: 10)
      for _ in 0..<9 {
        history.append { Observation(number: $0, at: .zero, source: .push, scope: .media, snapshot: DeviceSnapshot()) }
      }
      #expect(history.notedMessages <= 130)
    }
    #expect(history.observations(after: 0).allSatisfy { $0.scope == .media })
  }

  /// limit, age in seconds, the times of what is added, the numbers that are left.
  static let aged: [(Int, Int, [Int], [Int])] = [
    (16, 5, [0, 1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6]), (16, 5, [0, 1, 2, 3, 4, 5, 6], [2, 3, 4, 5, 6, 7]),
    (16, 5, [0, 0, 0, 9], [4]), (16, 5, [0, 3, 60, 61], [3, 4]), (3, 5, [0, 1, 2, 3, 4, 8], [4, 5, 6]),
    (3, 5, [0, 1, 2, 3, 4, 8, 9, 10, 11], [7, 8, 9]), (3, 5, [0, 1, 2, 3, 60], [5]), (1, 5, [0, 9, 10], [3]),
    (16, 0, [0, 0, 1, 1], [3, 4]),
  ]
  @Test(
    "What is older than the newest by more than its age is forgotten, also in a ring that went round", arguments: aged)
  func age(limit: Int, age: Int, times: [Int], expected: [Int]) {
    var history = ObservationHistory(limit: limit, age: .seconds(age))
    for time in times {
      history.append {
        Observation(number: $0, at: .seconds(time), source: .push, scope: .media, snapshot: DeviceSnapshot())
      }
      history.noteMessage(bytes: ObservationHistory.messageByteLimit / 4)
    }
    #expect(history.observations(after: 0).map(\.number) == expected)
    #expect(history.observations(after: times.count - 1).map(\.number) == [times.count])
  }

  @Test("Only who asks for more than the usual few keeps them for good")
  func configuration() throws {
    for (limit, kept) in [(16, 1), (17, 3)] {
      var configuration = ClientConfiguration()
      configuration.historyLimit = limit
      try onStage(configuration: configuration) { stage in
        try await stage.wait(.seconds(6))
        stage.peer.status(nil)
        try await stage.wait(.milliseconds(1))
        #expect(await stage.connection.observations(after: 0).count == kept)
      }
    }
  }

  @Test("An observation is small: what many have in common is held once")
  func size() {
    #expect(MemoryLayout<Observation>.size <= 512 && MemoryLayout<MediaStatus>.size <= 1024)
  }
}
