/// How often and when an action is tried again (docs/language/scenario.md "Retry").
package struct RetryPolicy: Codable, Hashable, Sendable {
  /// Tries in total, at least 1.
  package var attempts = 1
  /// Before try 2.
  package var wait: Duration = .seconds(1)
  /// Each wait is the last one times this.
  package var factor = 2.0
  package var maxWait: Duration = .seconds(30)
  /// 0 to 1: how far a wait may be off either way.
  package var jitter = 0.0
  /// All tries and waits together; `nil`: as long as they take.
  package var within: Duration?
  /// Error classes worth another try, `transient` already spelled out.
  package var errors: Set<ErrorClass> = RetryPolicy.transient
  package var before = Reset.nothing

  /// What to reset between tries.
  package enum Reset: String, Codable, Hashable, Sendable { case nothing, reconnect, relaunch }

  package static let transient: Set<ErrorClass> = [.unreachable, .connectionLost, .timeout, .launchCancelled, .busy]

  package init() {}
}
