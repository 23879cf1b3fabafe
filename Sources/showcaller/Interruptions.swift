import Dispatch
import Glibc
import DeviceControl
import ReceiverPages
import RunReporting
import ScenarioRunner
import Synchronization
import Workspace

/// Ctrl-C, SIGTERM and SIGHUP as values: the first ends the running step, a second Ctrl-C or SIGTERM skips the cleanup,
/// a third ends the process at once.
enum Interruptions {
  /// Takes the signals of this process from now on; call it once. Who prints that it is ready must do so before.
  ///
  /// They are caught until the process ends: what still has to be written at the end must not be cut off, and a third still
  /// ends it.
  /// - Parameter hangUp: What SIGHUP does instead of ending the process.
  static func begin(hangUp: (@Sendable () -> Void)? = nil) async -> InterruptionLine {
    let line = InterruptionLine()
    await SignalWatch.begin(hangUp: hangUp) { line.send($0) }
    return line
  }
}

/// The signals that ask this process to end.
///
/// They are taken by a queue of their own, not by a task: a third must end the process even where nothing else runs
/// any more.
enum SignalWatch {
  private struct State {
    /// They end when nobody holds them.
    var sources: [DispatchSource] = []
    var first: Runner.Interruption?
    var count = 0
  }

  private static let queue = DispatchQueue(label: "showcaller.signals")
  private static let state = Mutex(State())

  /// What this process was asked first; `nil`: nothing yet.
  static var first: Runner.Interruption? { state.withLock { $0.first } }

  /// Hands every such signal to `handler` from now on.
  /// - Parameter hangUp: What SIGHUP does instead.
  static func begin(
    hangUp: (@Sendable () -> Void)? = nil, _ handler: @escaping @Sendable (Runner.Interruption) -> Void
  ) async {
    let registered = DispatchGroup()
    for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) {
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      registered.enter()
      source.setRegistrationHandler { registered.leave() }
      source.setEventHandler {
        if number == SIGHUP, let hangUp { return hangUp() }
        if let interruption = count(number) { handler(interruption) }
      }
      if let source = source as? DispatchSource { state.withLock { $0.sources.append(source) } }
      source.resume()
    }
    await withCheckedContinuation { continuation in registered.notify(queue: queue) { continuation.resume() } }
  }

  /// What a signal asks for; `nil` for nothing new.
  private static func count(_ number: Int32) -> Runner.Interruption? {
    state.withLock { state in
      // A terminal that is gone may send several, and nobody sits at it who could mean more than the first.
      if number == SIGHUP, state.first != nil { return nil }
      let interruption: Runner.Interruption = number == SIGINT ? .interrupt : .terminate
      let first = state.first ?? interruption
      state.first = first
      state.count += 1
      // Whatever holds us up, somebody has asked often enough.
      if state.count > 2 {
        ChildProgram.killAll()
        PageHost.killAll()
        _exit(first.exit.rawValue)
      }
      return interruption
    }
  }

  /// `nohup` has SIGHUP ignored, and then it stays so.
  private static func isIgnored(_ number: Int32) -> Bool {
    guard number == SIGHUP else { return false }
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0, let handler = action.__sigaction_handler.sa_handler else {
      return false
    }
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
