import NIOCore
import NIOPosix

/// Runs tasks on the thread that moves the bytes.
///
/// A task that waits for a reply is then resumed where the reply was read and sends the next request from there: a
/// round trip without a change of threads. For work that never blocks.
package final class EventLoopTaskExecutor: TaskExecutor, Sendable {
  private let eventLoop: any EventLoop

  init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    eventLoop.execute { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}

extension TransportEventLoops {
  /// An executor on one of the threads. It must not be used after ``shutDown()``.
  package var taskExecutor: EventLoopTaskExecutor { EventLoopTaskExecutor(group.next()) }
}
