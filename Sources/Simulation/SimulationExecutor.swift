import CastProtocol
import Glibc
import Synchronization

/// Runs every task of a simulation on the calling thread, one job at a time, and moves the clock when all wait.
///
/// With a seed, runnable jobs are picked in a seeded order; without one, first come first served. Either way the same
/// program gives the same schedule. docs/design.md 3 says what must hold for the code that runs in it.
package final class SimulationExecutor: TaskExecutor, Sendable {
  private struct State {
    var ready: [UnownedJob] = []
    var head = 0
    var sleepers = SleeperHeap()
    var waiting: [UInt64: CheckedContinuation<Void, any Error>] = [:]
    var now: Duration = .zero
    var lastID: UInt64 = 0
    var generator: SeededGenerator?
    var escapes: [String] = []
  }

  /// What is still under way when the work is done, such as a closed connection's last bytes, may take this long.
  package static let settlingTime = Duration.seconds(1)
  /// So many jobs without the clock moving are a loop that never waits.
  private static let livelockLimit = 1_000_000

  private let state: Mutex<State>
  private let driver = Atomic<UInt>(0)

  package init(seed: UInt64? = nil) {
    state = Mutex(State(generator: seed.map { SeededGenerator(seed: $0) }))
  }

  /// The virtual time since the beginning.
  package var now: Duration { state.withLock { $0.now } }
  package var clock: VirtualClock { VirtualClock(self) }

  /// Runs `body` and everything it starts until all is done, on this thread, without waiting for real time.
  /// - Parameters:
  ///   - limit: Virtual time after which the simulation is given up.
  ///   - settling: How long what is still under way may take when `body` is done.
  /// - Throws: What `body` throws, or a ``SimulationError``.
  package func run<T: Sendable>(
    limit: Duration = .seconds(400 * 86400), settling: Duration = settlingTime,
    _ body: @escaping @Sendable (VirtualClock) async throws -> T
  ) throws -> T {
    driver.store(UInt(pthread_self()), ordering: .relaxed)
    defer { driver.store(0, ordering: .relaxed) }
    let result = ResultBox<T>()
    let clock = clock
    let root = Task(executorPreference: self) {
      do { result.store(.success(try await body(clock))) } catch { result.store(.failure(error)) }
    }
    do {
      return try drive(until: result, limit: limit, settling: settling)
    } catch {
      root.cancel()
      unwind()
      throw error
    }
  }

  private func drive<T: Sendable>(until result: ResultBox<T>, limit: Duration, settling: Duration) throws -> T {
    var settledAt: Duration?
    while true {
      var jobs = 0
      while let job = nextJob() {
        job.runSynchronously(on: asUnownedTaskExecutor())
        jobs += 1
        if jobs > Self.livelockLimit { throw SimulationError.livelock(at: now) }
      }
      let (escapes, waiting) = state.withLock { ($0.escapes, $0.waiting.count) }
      if !escapes.isEmpty { throw SimulationError.escaped(escapes) }
      if let outcome = result.load() {
        if waiting == 0 { return try outcome.get() }
        let end = settledAt ?? now + settling
        settledAt = end
        guard let next = nextDeadline, next <= end else { throw SimulationError.leaked(sleepers: waiting) }
      }
      if !advance() { throw SimulationError.deadlock(at: now) }
      if now > limit { throw SimulationError.overdue(at: now) }
    }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isAtHome = isOnDriver
    state.withLock { state in
      state.ready.append(job)
      if !isAtHome { state.escapes.append("a job was enqueued by a foreign thread") }
    }
  }

  private var isOnDriver: Bool { driver.load(ordering: .relaxed) == UInt(pthread_self()) }

  private func nextJob() -> UnownedJob? {
    state.withLock { state in
      guard state.head < state.ready.count else { return nil }
      if let pick = state.generator?.next(below: state.ready.count - state.head) {
        state.ready.swapAt(state.head, state.head + pick)
      }
      let job = state.ready[state.head]
      state.head += 1
      if state.head == state.ready.count {
        state.ready.removeAll(keepingCapacity: true)
        state.head = 0
      }
      return job
    }
  }

  /// Moves time to the earliest sleeper and wakes it alone; ties go by order of registration.
  private func advance() -> Bool {
    let sleeper: CheckedContinuation<Void, any Error>? = state.withLock { state in
      while let first = state.sleepers.removeFirst() {
        if let continuation = state.waiting.removeValue(forKey: first.id) {
          state.now = max(state.now, first.deadline)
          return continuation
        }
      }
      return nil
    }
    sleeper?.resume()
    return sleeper != nil
  }

  private var nextDeadline: Duration? {
    state.withLock { state in
      while let first = state.sleepers.first, state.waiting[first.id] == nil { _ = state.sleepers.removeFirst() }
      return state.sleepers.first?.deadline
    }
  }

  /// Tasks cannot be killed: cancels and drains what is left so that its memory is freed.
  private func unwind() {
    for _ in 0..<100_000 {
      if let job = nextJob() {
        job.runSynchronously(on: asUnownedTaskExecutor())
      } else if let id = state.withLock({ $0.waiting.keys.min() }) {
        wake(id, throwing: CancellationError())
      } else {
        return
      }
    }
  }

  // MARK: for the clock

  func newSleeper() -> UInt64 {
    let isInside = isOnDriver && withUnsafeCurrentTask { $0?.unownedTaskExecutor == asUnownedTaskExecutor() }
    return state.withLock { state in
      if !isInside { state.escapes.append("a sleep on the virtual clock outside the simulation") }
      state.lastID += 1
      return state.lastID
    }
  }

  func suspend(_ id: UInt64, until deadline: Duration, _ continuation: CheckedContinuation<Void, any Error>) {
    state.withLock { state in
      state.waiting[id] = continuation
      state.sleepers.insert(Sleeper(deadline: deadline, id: id))
    }
    if Task.isCancelled { wake(id, throwing: CancellationError()) }
  }

  func wake(_ id: UInt64, throwing error: any Error) {
    state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(throwing: error)
  }
}

/// Where the body of a simulation leaves its result.
private final class ResultBox<T: Sendable>: Sendable {
  private let value = Mutex<Result<T, any Error>?>(nil)
  func store(_ result: Result<T, any Error>) { value.withLock { $0 = result } }
  func load() -> Result<T, any Error>? { value.withLock { $0 } }
}
