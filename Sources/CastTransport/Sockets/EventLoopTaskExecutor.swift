import NIOCore
import NIOPosix
import Synchronization

/// Runs tasks on the thread that moves the bytes.
///
/// A task that waits for a reply is then resumed where the reply was read and sends the next request from there: a
/// round trip without a change of threads. For work that never blocks.
package final class EventLoopTaskExecutor: TaskExecutor, Sendable {
  private struct State {
    var jobs: [UnownedJob] = []
    /// Whether the loop runs jobs, or will.
    var isDraining = false
  }

  /// How many jobs may follow each other before the loop looks after its sockets again.
  private static let mostInARow = 64

  private let eventLoop: any EventLoop
  private let state = Mutex(State())

  init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isFirst = state.withLock { state in
      state.jobs.append(job)
      defer { state.isDraining = true }
      return !state.isDraining
    }
    // What a job enqueues follows it at once: a tick of the loop for each would ask the kernel for news each time.
    if isFirst { eventLoop.execute { [self] in drain() } }
  }

  private func drain() {
    let executor = asUnownedTaskExecutor()
    var count = 0
    while count < Self.mostInARow {
      let jobs = state.withLock { state in
        defer { state.jobs = [] }
        if state.jobs.isEmpty { state.isDraining = false }
        return state.jobs
      }
      if jobs.isEmpty { return }
      for job in jobs { job.runSynchronously(on: executor) }
      count += jobs.count
    }
    eventLoop.execute { [self] in drain() }
  }
}

extension TransportEventLoops {
  /// An executor on one of the threads. It must not be used after ``shutDown()``.
  package var taskExecutor: EventLoopTaskExecutor { EventLoopTaskExecutor(group.next()) }
}
