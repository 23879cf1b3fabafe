import CastTransport

/// What the device's proof is worth, and who waits for one that comes after the connection was opened.
struct LateProof: Sendable {
  /// `nil`: none was asked, or it is not there yet.
  private(set) var report: DeviceAuthReport?
  private var waiting: [Int] = []

  mutating func wait(token: Int) { waiting.append(token) }

  /// Whether `token` waited; it no longer does.
  mutating func remove(token: Int) -> Bool {
    guard let index = waiting.firstIndex(of: token) else { return false }
    waiting.remove(at: index)
    return true
  }

  mutating func note(_ report: DeviceAuthReport?) { self.report = report }

  /// Removes and returns those who wait.
  mutating func takeWaiting() -> [Int] {
    defer { waiting = [] }
    return waiting
  }
}
