import CastProtocol
import TestSupport
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
        history.chargeMessageBudget(bytes: 60_000)
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
      history.chargeMessageBudget(bytes: bytes)
      if history.chargedMessages > 2 * min(limit, 4096) + 65 { break }
    }
    #expect(history.lastNumber == 20_000, "grew to \(history.chargedMessages) of \(limit)")
    let room = ObservationHistory.messageByteLimit / ObservationHistory.footprint(ofMessage: bytes)
    let said = history.observations(after: 0).compactMap(\.message?.int)
    #expect(said == Array((20_000 - min(limit, room) + 1)...20_000))
  }

  @Test("Statuses between messages push them out of the ring, and out of the account")
  func mixed() {
    var history = ObservationHistory(limit: 8)
    for round in 1...1000 {
      history.append {
        Observation(
          number: $0, at: .zero, source: .push, scope: .message, snapshot: DeviceSnapshot(), message: .int(round))
      }
      history.chargeMessageBudget(bytes: 10)
      for _ in 0..<9 {
        history.append { Observation(number: $0, at: .zero, source: .push, scope: .media, snapshot: DeviceSnapshot()) }
      }
      #expect(history.chargedMessages <= 130)
    }
    #expect(history.observations(after: 0).allSatisfy { $0.scope == .media })
  }

  /// limit, how many were added, what is forgotten, what is left, how many come then, what is left in the end.
  static let forgotten: [(Int, Int, Int, [Int], Int, [Int])] = [
    (8, 5, 0, [1, 2, 3, 4, 5], 2, [1, 2, 3, 4, 5, 6, 7]), (8, 5, 3, [4, 5], 1, [4, 5, 6]),
    (8, 5, 5, [5], 2, [5, 6, 7]),
    (8, 5, 99, [5], 1, [5, 6]), (8, 5, -1, [1, 2, 3, 4, 5], 0, [1, 2, 3, 4, 5]), (8, 0, 4, [], 1, [1]),
    (4, 9, 7, [8, 9], 3, [9, 10, 11, 12]), (4, 9, 2, [6, 7, 8, 9], 1, [7, 8, 9, 10]),
  ]
  @Test("What is forgotten is gone, all but the newest; numbers go on without holes", arguments: forgotten)
  func forget(limit: Int, count: Int, through: Int, left: [Int], more: Int, end: [Int]) {
    var history = history(limit: limit, count: count)
    history.forget(through: through)
    #expect(history.observations(after: 0).map(\.number) == left && history.count == left.count)
    for _ in 0..<more {
      history.append {
        Observation(number: $0, at: .zero, source: .push, scope: .media, snapshot: DeviceSnapshot())
      }
    }
    #expect(history.observations(after: 0).map(\.number) == end)
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
      history.chargeMessageBudget(bytes: ObservationHistory.messageByteLimit / 16)
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
        try await stage.wait(.seconds(3))
        stage.peer.status(nil)
        try await stage.wait(.milliseconds(1))
        #expect(await stage.connection.observations(after: 0).count == kept)
      }
    }
  }

  @Test("Of a device that says nothing new the older ones are let go, too, where they are not kept for good")
  func quiet() throws {
    for (limit, kept) in [(16, 1), (17, 2)] {
      var configuration = ClientConfiguration()
      configuration.historyLimit = limit
      try onStage(configuration: configuration) { stage in
        #expect(await stage.connection.observations(after: 0).count == 2)
        // The heartbeat wakes the connection.
        try await stage.wait(.seconds(6))
        let left = await stage.connection.observations(after: 0)
        #expect(left.count == kept && left.last?.number == 2)
      }
    }
  }

  @Test("An observation is small: what many have in common is held once")
  func size() {
    #expect(MemoryLayout<Observation>.size <= 512 && MemoryLayout<MediaStatus>.size <= 1024)
  }

  @Test("Long statuses take eight megabytes at most: the oldest go, numbers stay without holes, and short ones fill up")
  func longStatuses() {
    for (limit, bytes) in [(4096, 60_000), (16, 60_000), (4096, 1_000_000), (1, 1 << 24), (4096, 1 << 24)] {
      var history = ObservationHistory(limit: limit)
      func add(_ number: Int, _ bytes: Int) {
        for _ in 0..<number {
          history.append(bytes: bytes) {
            Observation(number: $0, at: .zero, source: .push, scope: .media, snapshot: DeviceSnapshot())
          }
        }
      }
      add(1000, bytes)
      let room = max(1, min(limit, 1000, ObservationHistory.byteLimit / ObservationHistory.footprint(ofMessage: bytes)))
      #expect(history.count == room)
      #expect(history.observations(after: 0).map(\.number) == Array((1000 - room + 1)...1000), "\(limit) \(bytes)")
      add(6000, 100)
      let later = min(limit, 6000)
      #expect(history.observations(after: 0).map(\.number) == Array((7000 - later + 1)...7000), "\(limit) \(bytes)")
      add(3, bytes)
      #expect(
        history.lastNumber == 7003 && history.observations(after: 7001).map(\.number) == [7002, 7003].suffix(room))
    }
  }

  @Test("Lengths that come as they like never break the order: every view ends with the newest, without holes")
  func mixedLengths() {
    var state: UInt64 = 4711
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for limit in [1, 2, 7, 300] {
      var history = ObservationHistory(limit: limit)
      for number in 1...3000 {
        let bytes = [0, 300, 65_536, 3 << 20, 9 << 20][next(5)]
        let isMessage = next(3) == 0
        history.append(bytes: bytes) {
          Observation(
            number: $0, at: .zero, source: .push, scope: isMessage ? .message : .media, snapshot: DeviceSnapshot(),
            message: .int($0))
        }
        if isMessage { history.chargeMessageBudget(bytes: bytes) }
        let seen = history.observations(after: 0)
        let numbers = seen.map(\.number)
        let isWhole = numbers == Array((number - history.count + 1)...number) && history.count <= limit
        // What a message said may be forgotten, never mixed up.
        let isOwn = seen.allSatisfy { $0.message == .int($0.number) || $0.message == nil && $0.scope == .message }
        guard isWhole, isOwn else {
          Issue.record("limit \(limit), number \(number): \(numbers)")
          return
        }
      }
    }
  }
}
