import Dispatch
import Glibc
import DeviceControl
import RunReporting
import ScenarioRunner
import Synchronization

/// Text on its way to a file descriptor, written by a thread of its own: a reader that does not read holds up only
/// this thread, never whoever tells something.
final class OutputQueue: Sendable {
  private struct State {
    var waiting: [String] = []
    /// The size of all text that waits or is being written.
    var bytes = 0
    var lines = 0
    var isWriting = false
    var failure: Int32?
    /// Lines that ``tell(_:)`` had no room for and has not owned up to yet.
    var dropped = 0
  }

  private let output: StandardStream
  private let byteLimit: Int
  private let state = Mutex(State())
  private let thread = DispatchQueue(label: "showcaller.output")
  /// Empty while nothing waits and nothing is being written.
  private let work = DispatchGroup()

  init(_ output: StandardStream, byteLimit: Int) {
    self.output = output
    self.byteLimit = byteLimit
  }

  /// Takes `text` to be written, in the order of the calls; takes nothing and answers false when too much waits already.
  /// What comes after a failed write goes nowhere.
  /// - Parameter isVerdict: Takes it in any case; there are few, and they are short.
  func offer(_ text: String, isVerdict: Bool = false) -> Bool {
    state.withLock { take(text, hasRoom: isVerdict, &$0) }
  }

  /// Takes `text` as ``offer(_:)`` does, or drops it; a line before the next text that is taken says how many were dropped.
  func tell(_ text: String) {
    state.withLock { state in
      let note = state.dropped > 0 ? SlowReader.note(lines: state.dropped) + "\n" : ""
      if take(note + text, &state) { state.dropped = 0 } else { state.dropped += text.lineCount }
    }
  }

  private func take(_ text: String, hasRoom: Bool = false, _ state: inout State) -> Bool {
    guard state.failure == nil else { return true }
    let size = text.utf8.count
    // One long text, such as a whole report, may be larger than what may wait.
    guard hasRoom || state.bytes == 0 || state.bytes + size <= byteLimit else { return false }
    state.waiting.append(text)
    state.bytes += size
    state.lines += text.lineCount
    if !state.isWriting {
      state.isWriting = true
      work.enter()
      thread.async { self.writeWaiting() }
    }
    return true
  }

  private func writeWaiting() {
    while true {
      let texts = state.withLock { state in
        defer { state.waiting = [] }
        if state.waiting.isEmpty { state.isWriting = false }
        return state.waiting
      }
      if texts.isEmpty { return work.leave() }
      // Each in a write of its own: a pipe takes a short line whole or not at all.
      for text in texts {
        let failure = output.writeNow(text)
        state.withLock { state in
          state.bytes -= text.utf8.count
          state.lines -= text.lineCount
          state.failure = state.failure ?? failure
        }
        if failure != nil { break }
      }
      state.withLock { state in
        if state.failure != nil { (state.waiting, state.bytes, state.lines) = ([], 0, 0) }
      }
    }
  }

  /// Waits until everything is written, at most until `deadline`.
  /// - Returns: How many lines are not.
  func drain(until deadline: DispatchTime) -> Int {
    if work.wait(timeout: deadline) == .success { return 0 }
    return state.withLock { $0.lines }
  }

  /// The error number of the first write that failed.
  var failure: Int32? { state.withLock { $0.failure } }
}

/// Standard error of a command that has to do with devices: whoever does not read it must not hold them up.
enum StandardError {
  private static let isQueued = Atomic(false)
  private static let queued = OutputQueue(
    .error, byteLimit: isatty(STDERR_FILENO) == 1 ? 16 << 10 : 1 << 20)

  /// From now on what is written to standard error is written by a thread of its own.
  static func queue() { isQueued.store(true, ordering: .releasing) }

  /// Takes `text` where there is a queue.
  static func tell(_ text: String) -> Bool {
    guard isQueued.load(ordering: .acquiring) else { return false }
    queued.tell(text)
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

extension String {
  /// How many lines it ends.
  var lineCount: Int { utf8.count { $0 == UInt8(ascii: "\n") } }
}
