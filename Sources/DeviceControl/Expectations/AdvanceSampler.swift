import CastProtocol
import RunReporting
package import ScenarioLanguage

/// Compares positions the receiver reported, never reckoned ones, for `advances`
/// (docs/language/conditions.md "How they are judged").
package struct AdvanceSampler: Sendable {
  private struct Sample: Sendable {
    var at: Duration
    var position: Double
  }

  /// The longest `over` asked for.
  package let over: Duration
  private let start: Duration
  /// Reported positions from the window's start on; the oldest go once a comparison has failed.
  private var samples: [Sample] = []
  private var lastAsked: Duration?

  /// `nil` when the condition asks for no `advances`.
  package init?(for condition: Condition, start: Duration) {
    let spans = condition.leaves.compactMap { $0.matcher.advanceSpan }
    guard let longest = spans.max() else { return nil }
    over = .clamped(seconds: longest)
    self.start = start
  }

  /// Takes the position if it was reported with this very status; returns whether it was.
  package mutating func sample(_ view: StatusView) -> Bool {
    guard view.snapshot.mediaTimeReceivedAt == view.at, let position = view.media?.currentTime else { return false }
    samples.append(Sample(at: view.at, position: position))
    if samples.count > 4096 { samples.removeFirst(2048) }
    return true
  }

  /// When the far end of the comparison must be asked for; `nil` while an answer is under way.
  package var due: Duration? {
    guard let first = samples.first else { return nil }
    let last = samples.last?.at ?? first.at
    let wanted = first.at + over
    if last >= wanted { return lastAsked.map { $0 + over } ?? wanted }
    return lastAsked.map { $0 >= wanted } ?? false ? nil : wanted
  }

  package func wantsSample(at now: Duration) -> Bool { due.map { now >= $0 } ?? false }

  package mutating func asked() { lastAsked = due }

  /// Whether the position grew as fast as `atLeast` seconds in `over` seconds up to the newest report, measured over at
  /// least `over`.
  package func hasAdvanced(atLeast: Double, over: Double) -> Bool {
    guard let newest = samples.last, over > 0 else { return false }
    return samples.contains { earlier in
      let span = (newest.at - earlier.at).seconds
      return span >= over - 1e-6 && newest.position - earlier.position >= atLeast * span / over - 1e-6
    }
  }
}
