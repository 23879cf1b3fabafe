/// Keeps a screen from asking its device for one thing after the other without a pause, whatever the device answers.
package struct Pace: Sendable {
  /// Decisions that follow each other faster than this are hurried.
  private static let shortest = Duration.milliseconds(50)
  /// After this many hurried decisions in a row the device accepts everything and shows nothing.
  private static let most = 3

  private var last: Duration?
  private var hurried = 0

  package init() {}

  /// A decision is due.
  /// - Returns: How long to wait before it; `nil`: not at all.
  package mutating func wait(at time: Duration) -> Duration? {
    defer { last = time }
    guard let last, time - last < Self.shortest else {
      hurried = 0
      return nil
    }
    hurried += 1
    return hurried > Self.most ? .seconds(1) : nil
  }
}
