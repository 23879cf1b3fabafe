/// The one task that waits for deadlines on one clock.
///
/// A deadline that moves later leaves the task alone: it wakes too early once, finds nothing due and waits again. So a
/// busy connection, whose ping deadline moves with each message, costs no task.
struct ReceiverTimer {
  /// Told apart from tasks that were replaced and have not noticed yet.
  private(set) var generation = 0
  var task: Task<Void, Never>?
  private var armed: Duration?

  /// Whether a new task must be made for `deadline`; one that waits for too long, or for nothing, is cancelled.
  mutating func needsTask(for deadline: Duration?) -> Bool {
    guard let deadline else {
      cancel()
      return false
    }
    if let armed, armed <= deadline { return false }
    cancel()
    armed = deadline
    return true
  }

  /// What the task of `generation` waits for; `nil` when it shall end.
  func deadline(of generation: Int) -> Duration? { generation == self.generation ? armed : nil }

  /// Whether the task of `generation` is still the one; its deadline is then used up.
  mutating func fired(_ generation: Int) -> Bool { generation == self.generation && armed != nil }

  /// Lets the task that has just fired wait for `deadline`, or end.
  mutating func rearm(_ deadline: Duration?) {
    armed = deadline
    if deadline == nil { cancel() }
  }

  mutating func cancel() {
    generation += 1
    armed = nil
    task?.cancel()
    task = nil
  }
}
