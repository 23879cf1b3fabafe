package import CastProtocol
package import ScenarioLanguage

/// Which webhook triggers of a playlist were fired when it was served last: an alarm goes on over a restart. What files and
/// feeds fire is looked at anew.
///
/// A value without I/O; times are Unix times.
package struct TriggerMemory: Hashable, Sendable {
  /// Since when each is fired.
  package private(set) var fired: [String: Double]

  /// - Parameter fired: All that are fired.
  package init(_ fired: [String: Double], of plan: PlaylistPlan) {
    self.fired = fired.filter { Self.isWebhook($0.key, of: plan) }
  }

  /// What a stored one says, without what is over by now.
  package init(_ stored: JSONValue?, of plan: PlaylistPlan, at time: Double) {
    fired = [:]
    for entry in stored?["fired"]?.array ?? [] {
      guard let name = entry["trigger"]?.string, let since = entry["since"]?.number, since.isFinite,
        Self.isWebhook(name, of: plan), !Self.isOver(name, since: min(since, time), of: plan, at: time)
      else { continue }
      // A clock that was set back does not make it something of tomorrow.
      fired[name] = min(since, time)
    }
  }

  package var json: JSONValue {
    [
      "v": 1,
      "fired": .array(
        fired.sorted { $0.key < $1.key }.map { ["trigger": .string($0.key), "since": JSONValue($0.value)] }),
    ]
  }

  private static func isWebhook(_ name: String, of plan: PlaylistPlan) -> Bool {
    plan.triggers.contains { $0.name == name && $0.source == .webhook }
  }

  /// Whether nothing would be shown because of it any more.
  private static func isOver(_ name: String, since: Double, of plan: PlaylistPlan, at time: Double) -> Bool {
    let interrupts = plan.interrupts.filter { $0.trigger?.name == name }
    return !interrupts.isEmpty
      && interrupts.allSatisfy { interrupt in
        guard let use = interrupt.trigger else { return true }
        let limit = use.untilCleared ? use.atMost : interrupt.maxDelay
        return limit.map { time - since >= $0.seconds } ?? false
      }
  }
}
