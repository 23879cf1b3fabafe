import Dispatch
import Glibc
import DeviceControl
import RunReporting
import ScenarioRunner
import Synchronization
import Workspace

/// Standard error of a command that has to do with devices: whoever does not read it must not hold them up.
enum StandardError {
  private static let isQueued = Atomic(false)
  private static let queued = TextQueue(byteLimit: isatty(STDERR_FILENO) == 1 ? 16 << 10 : 1 << 20) {
    text throws(FileError) in
    if let failure = StandardStream.error.writeNow(text) { throw failure }
  }

  /// From now on what is written to standard error is written by a thread of its own.
  static func queue() { isQueued.store(true, ordering: .releasing) }

  /// Takes `text` where there is a queue.
  static func tell(_ text: String) -> Bool {
    guard isQueued.load(ordering: .acquiring) else { return false }
    queued.tell(text, noting: SlowReader.note(lines:))
    return true
  }

  /// Takes `text`, or answers false: its reader is behind.
  static func offer(_ text: String, isVerdict: Bool) -> Bool { queued.offer(text, isVerdict: isVerdict) }

  /// Waits for what was told, before the process ends.
  static func settle() {
    if isQueued.load(ordering: .acquiring) { _ = queued.drain(until: LastWait.deadline) }
  }
}

/// How long a command waits at its end for those who read what it says.
enum LastWait {
  /// Five seconds from the first question on, for all of them together.
  static let deadline = DispatchTime.now() + .seconds(5)
}
