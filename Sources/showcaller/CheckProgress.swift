/// A line on the terminal while a long check runs; it is gone before anything else is written.
struct CheckProgress {
  private let total: Int
  private let started = ContinuousClock.now
  private var shown = ContinuousClock.now
  private var isVisible = false

  init(total: Int) { self.total = total }

  /// Shows how far the check is, at most ten times a second and not in its first half second.
  mutating func show(_ done: Int) { show("checked \(done) of \(total) ") }

  /// Shows any line, as often.
  mutating func show(_ line: String) {
    let now = ContinuousClock.now
    guard Terminal.errorIsTTY, now - started > .milliseconds(500), now - shown > .milliseconds(100) else { return }
    shown = now
    isVisible = true
    StandardStream.error.write("\r\(line)\u{1B}[K")
  }

  mutating func clear() {
    if isVisible { StandardStream.error.write("\r\u{1B}[K") }
    isVisible = false
  }
}
