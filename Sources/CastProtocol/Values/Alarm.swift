/// Calls back at or before the next deadline on one clock, with one sleeping task at a time.
///
/// Deadlines mostly move later: the alarm then rings early once and is armed again, so that a request costs no task.
package struct Alarm: Sendable {
  /// One sleep lasts no longer: a deadline may be so far off that no clock can count to it.
  private static let longestSleep = Duration.seconds(86_400)

  private var armedFor: Duration?
  private var task: Task<Void, Never>?
  /// Tells the present task from one that was cancelled as it rang.
  private var generation = 0

  package init() {}

  /// Makes sure `ring` is called no later than `deadline`.
  /// - Parameters:
  ///   - executor: Where it rings best.
  ///   - ring: Gets the number to hand to ``fired(_:)``.
  package mutating func arm(
    for deadline: Duration, on clock: TimeSource, executor: (any TaskExecutor)? = nil,
    ring: @escaping @Sendable (Int) -> Void
  ) {
    if let armedFor, armedFor <= deadline { return }
    let wakeTime = min(deadline, clock.now + Self.longestSleep)
    task?.cancel()
    armedFor = wakeTime
    generation += 1
    task = clock.spawn(on: executor) { [generation] in
      do { try await clock.sleep(until: wakeTime) } catch { return }
      ring(generation)
    }
  }

  /// Notes that it rang; false when that was a cancelled one.
  package mutating func fired(_ number: Int) -> Bool {
    guard number == generation, armedFor != nil else { return false }
    armedFor = nil
    task = nil
    return true
  }

  package mutating func cancel() {
    task?.cancel()
    task = nil
    armedFor = nil
  }
}
