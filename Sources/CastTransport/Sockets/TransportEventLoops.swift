import Glibc
import NIOCore
package import NIOPosix
import Synchronization

/// The threads that move bytes. A handful serves any number of connections.
package final class TransportEventLoops: Sendable {
  /// What everything uses that is not told otherwise. Lives as long as the process, which it never keeps alive.
  package static let shared = TransportEventLoops(threads: sharedThreads.withLock { $0 })
  /// How many threads ``shared`` has: two serve a thousand screens.
  private static let sharedThreads = Mutex(2)

  /// Gives ``shared`` another number of threads, at least one; without effect once it has been used.
  package static func share(threads: Int) { sharedThreads.withLock { $0 = threads } }

  package let group: MultiThreadedEventLoopGroup

  /// Starts `threads` threads (at least one). Call ``shutDown()`` before letting go of it.
  package init(threads: Int) {
    // A peer that went away is an error of the write, not a reason to die.
    signal(SIGPIPE, SIG_IGN)
    group = MultiThreadedEventLoopGroup(numberOfThreads: max(1, threads))
  }

  /// Closes every connection that is left, and ends the threads. Not for ``shared``.
  package func shutDown() async {
    try? await group.shutdownGracefully()
  }
}

extension TimeAmount {
  /// A limit for a network operation: not negative, at most a day.
  init(limit: Duration) {
    let clamped = max(.zero, min(.seconds(86_400), limit))
    self = .nanoseconds(clamped.components.seconds * 1_000_000_000 + clamped.components.attoseconds / 1_000_000_000)
  }
}
