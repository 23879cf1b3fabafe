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
  package enum Reset: String, Codable, Hashable, Sendable, CaseIterable { case nothing, reconnect, relaunch }

  package static let transient: Set<ErrorClass> = [.unreachable, .connectionLost, .timeout, .launchCancelled, .busy]

  package init() {}
}

/// A policy that takes 8 bytes where it is the usual one: a plan may have 100 000 steps, and few say how they are
/// repeated. It is written as the policy itself.
@propertyWrapper
package struct OwnRetryPolicy: Codable, Hashable, Sendable {
  private static let usual = RetryPolicy()
  /// None, or one that is not the usual one.
  private var own: [RetryPolicy]

  package init(wrappedValue: RetryPolicy) { own = wrappedValue == Self.usual ? [] : [wrappedValue] }

  package var wrappedValue: RetryPolicy {
    get { own.first ?? Self.usual }
    set { self = Self(wrappedValue: newValue) }
  }

  package init(from decoder: any Decoder) throws { self.init(wrappedValue: try RetryPolicy(from: decoder)) }

  package func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}
