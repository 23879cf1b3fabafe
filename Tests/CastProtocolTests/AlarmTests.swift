import CastProtocol
import Synchronization
import Testing

/// A timer that rings when the test says so.
private final class HandTimer: Sendable {
  struct Wait { var delay: Duration, ring: @Sendable () -> Void, isCalledOff = false }
  let waits = Mutex<[Wait]>([])

  var timer: Alarm.Timer {
    { [self] delay, ring in
      let index = waits.withLock { waits in
        waits.append(Wait(delay: delay, ring: ring))
        return waits.count - 1
      }
      return { [self] in waits.withLock { $0[index].isCalledOff = true } }
    }
  }

  var calledOff: [Bool] { waits.withLock { $0.map(\.isCalledOff) } }
  func ring(_ index: Int) { waits.withLock { $0[index].ring }() }
}

@Suite(.timeLimit(.minutes(1))) struct AlarmTests {
  @Test("A timer sleeps once for a deadline that moves later, and is called off for one that moves earlier")
  func byTimer() {
    let clock = TimeSource(ContinuousClock())
    let hand = HandTimer()
    let rung = Mutex<[Int]>([])
    var alarm = Alarm()
    func arm(for deadline: Duration) {
      alarm.arm(for: deadline, on: clock, timer: hand.timer) { number in rung.withLock { $0.append(number) } }
    }
    arm(for: .seconds(3600))
    #expect(!alarm.isTooLate(for: .seconds(3600)) && alarm.isTooLate(for: .seconds(60)))
    arm(for: .seconds(7200))
    #expect(hand.calledOff == [false])
    arm(for: .seconds(60))
    #expect(hand.calledOff == [true, false])
    let delay = hand.waits.withLock { $0[1].delay }
    #expect(delay <= .seconds(60) && delay > .seconds(50))

    // The first rang as it was called off.
    hand.ring(0)
    hand.ring(1)
    let numbers = rung.withLock { $0 }
    #expect(numbers.map { alarm.fired($0) } == [false, true])
    #expect(alarm.isTooLate(for: .seconds(86_400)))
    arm(for: .seconds(1))
    alarm.cancel()
    #expect(hand.calledOff == [true, false, true])
  }

  @Test("A timer is not asked for a clock that is not the wall's, and one that cannot is replaced by a task")
  func byTask() async {
    struct Fast: Clock {
      typealias Instant = ContinuousClock.Instant
      var now: Instant { ContinuousClock().now }
      var minimumResolution: Duration { ContinuousClock().minimumResolution }
      func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
    }
    let hand = HandTimer()
    let cases: [(TimeSource, Alarm.Timer)] = [
      (TimeSource(Fast()), hand.timer), (TimeSource(ContinuousClock()), { _, _ in nil }),
    ]
    for (clock, timer) in cases {
      let (rings, continuation) = AsyncStream.makeStream(of: Int.self)
      var alarm = Alarm()
      alarm.arm(for: clock.now + .milliseconds(5), on: clock, timer: timer) { continuation.yield($0) }
      var iterator = rings.makeAsyncIterator()
      let number = await iterator.next()
      let isPresent = alarm.fired(number ?? 0)
      #expect(isPresent && hand.waits.withLock { $0.isEmpty })
    }
  }
}
