package import Dispatch
import Synchronization

/// Text on its way to a reader, written by a thread of its own: a reader that does not read holds up only this thread,
/// never whoever tells something.
package final class TextQueue: Sendable {
  private struct State {
    var waiting: [String] = []
    /// The size of all text that waits or is being written.
    var bytes = 0
    var lines = 0
    var isWriting = false
    var failure: FileError?
    /// Lines that ``tell(_:noting:)`` had no room for and has not owned up to yet.
    var dropped = 0
  }

  private let write: @Sendable (String) throws(FileError) -> Void
  private let byteLimit: Int
  private let state = Mutex(State())
  private let thread = DispatchQueue(label: "showcaller.output")
  /// Empty while nothing waits and nothing is being written.
  private let work = DispatchGroup()

  /// A queue in which so many bytes may wait.
  /// - Parameter write: Writes all of a text before it returns, on a thread of the queue.
  package init(byteLimit: Int, write: @escaping @Sendable (String) throws(FileError) -> Void) {
    self.byteLimit = byteLimit
    self.write = write
  }

  /// Takes `text` to be written, in the order of the calls; takes nothing and answers false when too much waits already.
  /// What comes after a failed write goes nowhere.
  /// - Parameter isVerdict: Takes it in any case; there are few, and they are short.
  package func offer(_ text: String, isVerdict: Bool = false) -> Bool {
    let (isTaken, isFirst) = state.withLock { state in
      let wasWriting = state.isWriting
      let isTaken = take(text, hasRoom: isVerdict, &state)
      return (isTaken, state.isWriting && !wasWriting)
    }
    if isFirst { startWriting() }
    return isTaken
  }

  /// Outside the lock: the thread that is woken asks for it at once, and would burn its processor until it is free.
  private func startWriting() { thread.async { self.writeWaiting() } }

  /// Takes `text` as ``offer(_:isVerdict:)`` does, or drops it; a line before the next text that is taken says how many
  /// were dropped.
  /// - Parameter note: That line without its end, for a number of lines.
  package func tell(_ text: String, noting note: (Int) -> String) {
    let isFirst = state.withLock { state in
      let wasWriting = state.isWriting
      let note = state.dropped > 0 ? note(state.dropped) + "\n" : ""
      if take(note + text, &state) { state.dropped = 0 } else { state.dropped += text.lineCount }
      return state.isWriting && !wasWriting
    }
    if isFirst { startWriting() }
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
        let failure = failure(writing: text)
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

  private func failure(writing text: String) -> FileError? {
    do throws(FileError) {
      try write(text)
      return nil
    } catch {
      return error
    }
  }

  /// Waits until everything is written, at most until `deadline`.
  /// - Returns: How many lines are not.
  package func drain(until deadline: DispatchTime) -> Int {
    if work.wait(timeout: deadline) == .success { return 0 }
    return state.withLock { $0.lines }
  }

  /// Why the first write that failed did.
  package var failure: FileError? { state.withLock { $0.failure } }
}

extension String {
  /// How many lines it ends.
  var lineCount: Int { utf8.count { $0 == UInt8(ascii: "\n") } }
}
