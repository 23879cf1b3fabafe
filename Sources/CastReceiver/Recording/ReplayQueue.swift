/// What a replay is still to send, by time.
struct ReplayQueue: Sendable {
  struct Entry: Hashable, Sendable {
    var due: Duration
    let output: ReplayScript.Output
    let sender: ReceiverStateMachine.Sender?
    /// The request that is answered.
    let requestID: Int?
  }

  private var entries: [Entry] = []
  /// Those before it were taken.
  private var head = 0

  var count: Int { entries.count - head }
  var nextDeadline: Duration? { count == 0 ? nil : entries[head].due }

  /// Adds entries; those that are due together go out in the order in which they were added.
  mutating func add(_ new: [Entry]) {
    if new.isEmpty { return }
    let new = new.enumerated().sorted { ($0.element.due, $0.offset) < ($1.element.due, $1.offset) }.map(\.element)
    var merged: [Entry] = []
    merged.reserveCapacity(count + new.count)
    var next = new.startIndex
    for entry in entries[head...] {
      while next < new.endIndex, new[next].due < entry.due {
        merged.append(new[next])
        next += 1
      }
      merged.append(entry)
    }
    merged += new[next...]
    (entries, head) = (merged, 0)
  }

  /// Lets all that waits be due at `now`.
  mutating func hurry(to now: Duration) {
    for index in entries.indices.dropFirst(head) { entries[index].due = min(entries[index].due, now) }
  }

  /// The next one that is due by `now`.
  mutating func take(by now: Duration) -> Entry? {
    guard count > 0, entries[head].due <= now else { return nil }
    defer {
      head += 1
      if head == entries.count { (entries, head) = ([], 0) }
    }
    return entries[head]
  }
}
