import CDNSSD
import Glibc
import Synchronization

/// A thread for an operation of the mDNS libraries, whose calls block, and the way to wake and to stop it.
final class ServiceThread: Sendable {
  private static let stopSignal: UInt8 = 0
  private static let wakeSignal: UInt8 = 1

  /// Written to: what wakes the thread is read, what stops it leaves the read end readable for good.
  private let readEnd: Int32
  private let writeEnd: Int32
  private let isStopped = Atomic(false)

  /// Starts `body` on a thread of its own, with a ``Poller`` that belongs to it.
  static func start(_ body: @escaping @Sendable (Poller) -> Void) throws(TransportError) -> ServiceThread {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw TransportError(.setupFailed, "cannot start discovery: \(String(cString: strerror(errno)).lowercased())")
    }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    let thread = ServiceThread(readEnd: ends[0], writeEnd: ends[1])
    let start = Unmanaged.passRetained(Start { body(Poller(thread)) })
    var id = pthread_t()
    let status = pthread_create(
      &id, nil,
      { context in
        guard let context else { return nil }
        // Signals are for the threads that wait for them, not for this one nor for those the library makes from it.
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, nil)
        Unmanaged<Start>.fromOpaque(context).takeRetainedValue().body()
        return nil
      }, start.toOpaque())
    guard status == 0 else {
      start.release()
      throw TransportError(.setupFailed, "cannot start discovery: \(String(cString: strerror(status)).lowercased())")
    }
    pthread_detach(id)
    return thread
  }

  private final class Start {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
  }

  private init(readEnd: Int32, writeEnd: Int32) {
    self.readEnd = readEnd
    self.writeEnd = writeEnd
  }

  deinit {
    Glibc.close(readEnd)
    Glibc.close(writeEnd)
  }

  /// Asks the thread to end. From any thread, any number of times; returns at once.
  func stop() {
    isStopped.store(true, ordering: .releasing)
    signal(Self.stopSignal)
  }

  /// Has the thread look again at what it is to do. From any thread.
  func wake() { signal(Self.wakeSignal) }

  private func signal(_ signal: UInt8) {
    var byte = signal
    _ = write(writeEnd, &byte, 1)  // whoever reads a full pipe is awake
  }

  /// Waits for operations. Belongs to its thread.
  struct Poller {
    private let thread: ServiceThread

    fileprivate init(_ thread: ServiceThread) { self.thread = thread }

    /// A clock that only moves forward, from an arbitrary start.
    var now: Duration {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Becomes readable when the thread is woken or stopped.
    var wakeEnd: Int32 { thread.readEnd }

    /// Takes in what woke the thread.
    /// - Returns: False once the thread shall end.
    func goesOn() -> Bool {
      var bytes = [UInt8](repeating: 0, count: 64)
      while read(thread.readEnd, &bytes, bytes.count) > 0 {}
      return !thread.isStopped.load(ordering: .acquiring)
    }

    /// Waits until `deadline`, or until woken.
    /// - Returns: False once the thread shall end.
    func wait(until deadline: Duration) -> Bool {
      _ = wait(for: [], until: deadline)
      return goesOn()
    }

    /// Waits until one of `references` has replies, and delivers them, until `deadline`, or until stopped.
    /// - Parameter deadline: `nil` to wait for as long as it takes.
    /// - Returns: Whether to go on; false once the thread shall end.
    func wait(for references: [ServiceReference], until deadline: Duration?) -> Bool {
      var entries = [pollfd(fd: thread.readEnd, events: Int16(POLLIN), revents: 0)]
      for reference in references {
        entries.append(pollfd(fd: reference.fileDescriptor, events: Int16(POLLIN), revents: 0))
      }
      var timeout: Int32 = -1
      if let deadline {
        let left = max(.zero, min(.seconds(3600), deadline - now))
        // Rounded up, or the last millisecond would be spent spinning.
        timeout = Int32(
          clamping: left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000 + 1)
        if left == .zero { timeout = 0 }
      }
      let count = poll(&entries, nfds_t(entries.count), timeout)
      guard count > 0 else { return count == 0 || errno == EINTR }
      if entries[0].revents != 0 { return false }
      for (entry, reference) in zip(entries.dropFirst(), references) where entry.revents != 0 { reference.process() }
      return true
    }
  }
}
