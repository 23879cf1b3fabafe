/// A clock as a value: what time it is, how to wait, and where tasks that wait should run.
///
/// Machines never read it; the actors around them do and pass the time in. A time is a `Duration` since the
/// source was made, monotonic, in the source's own seconds (which may run faster than the wall's).
package struct TimeSource: Sendable {
  private let readNow: @Sendable () -> Duration
  private let waitUntil: @Sendable (Duration) async throws -> Void
  /// Where unstructured tasks must run; `nil` is the default pool. A simulation passes its own.
  package let executor: (any TaskExecutor)?
  /// Whether its seconds are those of everybody, so that any timer may count them.
  package let isRealTime: Bool

  /// Makes a source that starts at zero now and follows `clock`.
  package init<C: Clock>(_ clock: C, executor: (any TaskExecutor)? = nil) where C.Duration == Duration {
    let start = clock.now
    readNow = { start.duration(to: clock.now) }
    waitUntil = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    self.executor = executor
    isRealTime = clock is ContinuousClock
  }

  /// The time since the source was made.
  package var now: Duration { readNow() }

  /// Waits until `time`; returns at once when it has passed.
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  package func sleep(until time: Duration) async throws { try await waitUntil(time) }

  /// Waits for `duration`.
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  package func sleep(for duration: Duration) async throws { try await waitUntil(now + duration) }

  /// Starts an unstructured task where this source's tasks belong.
  ///
  /// The only way to start one below the I/O edge: a plain `Task {}` escapes a simulation.
  /// - Parameter preferred: Where the task runs best, unless this source says where it must.
  @discardableResult
  package func spawn(
    on preferred: (any TaskExecutor)? = nil, _ body: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never> {
    // A preference for nothing costs a kilobyte a task.
    guard let executor = executor ?? preferred else { return Task(priority: nil) { await body() } }
    return Task(executorPreference: executor) { await body() }
  }

  /// Does `body` where it does best, unless this source says where it must: what it waits for wakes it there.
  package func prefer<T: Sendable, Failure: Error>(
    _ preferred: (any TaskExecutor)?, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws(Failure) -> T
  ) async throws(Failure) -> T {
    guard executor == nil, let preferred else { return try await body() }
    return try await withTaskExecutorPreference(preferred, isolation: isolation, operation: body)
  }

  /// Does `body` away from the threads that move bytes: what computes for long or waits for the disk would hold up
  /// other connections there.
  package func aside<T: Sendable>(_ body: @escaping @Sendable () async -> T) async -> T {
    guard executor == nil else { return await body() }
    // A task of its own: nothing else is sure to leave the thread that it is called on.
    let task = Task(priority: nil) { await body() }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }
}

/// The two clocks of a run.
package struct TimeSources: Sendable {
  /// Document time: waits, windows, step timeouts, media positions. Runs N times as fast under `--speed Nx`.
  package let show: TimeSource
  /// Real time: limits that guard the network (connect, TLS, reply, heartbeat, unfinished frame).
  package let network: TimeSource
  /// Whether both are the same clock: who waits for both needs one alarm only.
  package let areOne: Bool

  /// Makes a pair; with one argument both are the same clock.
  package init(show: TimeSource, network: TimeSource? = nil) {
    self.show = show
    self.network = network ?? show
    areOne = network == nil
  }
}

extension Duration {
  /// This duration as seconds; exact to about a nanosecond for runs of years.
  package var seconds: Double {
    let (whole, fraction) = components
    return Double(whole) + Double(fraction) * 1e-18
  }

  /// A duration from seconds that may come from a device: not a number becomes zero, the rest is clamped to ±100 years.
  package static func clamped(seconds: Double) -> Duration {
    guard seconds.isFinite else { return .zero }
    return .milliseconds(max(-3_155_760_000, min(3_155_760_000, seconds)) * 1000)
  }
}
