#if Fleet
  import Glibc

  enum LoopThread {
    private final class Start {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Starts `body` on a thread of its own.
    /// - Returns: False where the system gives no thread.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
      let start = Unmanaged.passRetained(Start(body))
      var id = pthread_t()
      let status = pthread_create(
        &id, nil,
        { context in
          guard let context else { return nil }
          // Signals are for the threads that wait for them. A broken connection is told by the call that finds it, not
          // by SIGPIPE.
          var all = sigset_t()
          sigfillset(&all)
          pthread_sigmask(SIG_SETMASK, &all, nil)
          Unmanaged<Start>.fromOpaque(context).takeRetainedValue().body()
          return nil
        }, start.toOpaque())
      guard status == 0 else {
        start.release()
        return false
      }
      pthread_detach(id)
      return true
    }

    /// A clock that only moves forward, from an arbitrary start.
    static var now: Duration {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
  }
#endif
