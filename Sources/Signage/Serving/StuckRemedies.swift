import ScenarioLanguage

/// What is done, one after the other, with an item that is stuck.
struct StuckRemedies: Sendable {
  private var left: [PlaylistPlan.Watchdog.Remedy]

  /// The first remedy of the watchdog as often as it says, then the others in their order.
  init(_ watchdog: PlaylistPlan.Watchdog) {
    let all: [PlaylistPlan.Watchdog.Remedy] = [.reload, .relaunch, .reconnect]
    let order = all.drop { $0 != watchdog.then }
    let tries = min(max(1, watchdog.retry.attempts), Self.most)
    left = order.flatMap { Array(repeating: $0, count: tries) }
  }

  /// More than these help nobody in front of the screen.
  private static let most = 10

  /// What to do now; `nil`: nothing helps.
  mutating func next() -> PlaylistPlan.Watchdog.Remedy? { left.isEmpty ? nil : left.removeFirst() }
}
