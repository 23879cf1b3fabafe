import CastProtocol

/// How long a device takes, each time somewhere within these bounds.
package struct ReceiverLatency: Hashable, Sendable {
  /// Before any message goes out.
  package var answer: ClosedRange<Duration>
  /// From LAUNCH until the app is there.
  package var launch: ClosedRange<Duration>
  /// From LOADING until the content plays, or turns out not to.
  package var load: ClosedRange<Duration>

  /// Everything at once.
  package static let none = ReceiverLatency(answer: .zero ... .zero, launch: .zero ... .zero, load: .zero ... .zero)

  /// About as long as devices take: senders meet races with less.
  package static let device = ReceiverLatency(
    answer: .milliseconds(5) ... .milliseconds(20), launch: .milliseconds(600) ... .milliseconds(1200),
    load: .milliseconds(200) ... .milliseconds(600))
}

extension ClosedRange<Duration> {
  /// A time within these bounds, to the microsecond; nothing is drawn where they are the same.
  func drawn(using random: inout SeededGenerator) -> Duration {
    if lowerBound == upperBound { return lowerBound }
    let span = (upperBound - lowerBound) / .microseconds(1)
    guard span >= 1, let steps = Int(exactly: span.rounded(.down)) else { return lowerBound }
    return lowerBound + .microseconds(Int.random(in: 0...steps, using: &random))
  }
}
