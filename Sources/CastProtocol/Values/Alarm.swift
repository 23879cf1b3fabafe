/// Calls back at or before the next deadline on one clock, by one timer or one sleeping task at a time.
///
/// Deadlines mostly move later: the alarm then rings early once and is armed again, so that a request costs no timer.
package struct Alarm: Sendable {
  /// One sleep lasts no longer: a deadline may be so far off that no clock can count to it.
  private static let longestSleep = Duration.seconds(86_400)

  /// Calls `ring` after `delay` of real time and returns what calls that off; `nil` where it cannot.
  ///
  /// The timer of a thread that moves bytes needs neither a task nor a change of threads.
  package typealias Timer =
    @Sendable (
      _ delay: Duration, _ ring: @escaping @Sendable () -> Void
    ) -> (@Sendable () -> Void)?

  private enum Sleep: Sendable {
    case timer(callOff: @Sendable () -> Void)
    case task(Task<Void, Never>)

    func callOff() {
      switch self {
      case .timer(let callOff): callOff()
      case .task(let task): task.cancel()
      }
    }
  }

  private var armedFor: Duration?
  private var sleep: Sleep?
  /// Tells the present sleep from one that was called off as it rang.
  private var generation = 0

  package init() {}

  /// Whether it would ring too late for `deadline`: most calls need not make what ``arm(for:on:timer:executor:ring:)`` takes.
  package func isTooLate(for deadline: Duration) -> Bool { armedFor.map { $0 > deadline } ?? true }

  /// Makes sure `ring` is called no later than `deadline`.
  /// - Parameters:
  ///   - timer: What rings best, where the clock's time is real.
  ///   - executor: Where a task rings best.
  ///   - ring: Gets the number to hand to ``fired(_:)``.
  package mutating func arm(
    for deadline: Duration, on clock: TimeSource, timer: Timer? = nil, executor: (any TaskExecutor)? = nil,
    ring: @escaping @Sendable (Int) -> Void
  ) {
    guard isTooLate(for: deadline) else { return }
    let now = clock.now
    let wakeTime = min(deadline, now + Self.longestSleep)
    sleep?.callOff()
    armedFor = wakeTime
    generation += 1
    let generation = generation
    if clock.isRealTime, let callOff = timer?(wakeTime - now, { ring(generation) }) {
      sleep = .timer(callOff: callOff)
      return
    }
    sleep = .task(
      clock.spawn(on: executor) {
        do { try await clock.sleep(until: wakeTime) } catch { return }
        ring(generation)
      })
  }

  /// Notes that it rang; false when that was a cancelled one.
  package mutating func fired(_ number: Int) -> Bool {
    guard number == generation, armedFor != nil else { return false }
    armedFor = nil
    sleep = nil
    return true
  }

  package mutating func cancel() {
    sleep?.callOff()
    sleep = nil
    armedFor = nil
  }
}
