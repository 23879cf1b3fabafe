import CastProtocol

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

extension RetryPolicy {
  /// The waits between the tries, without jitter, in order; one fewer than tries.
  package var waits: [Duration] { waits(first: .max) }

  private func waits(first limit: Int) -> [Duration] {
    var waits: [Duration] = []
    var next = min(wait, maxWait)
    for _ in 0..<min(max(attempts, 1) - 1, limit) {
      waits.append(next)
      next = min(.seconds(min(next.seconds * factor, maxWait.seconds)), maxWait)
    }
    return waits
  }

  /// When each try begins if every try failed at once: `0s, 1s, 3s, 7s`.
  ///
  /// - Parameter limit: Only so many of the first ones are wanted.
  package func tryTimes(first limit: Int = .max) -> [Duration] {
    var times: [Duration] = [.zero]
    for wait in waits(first: max(limit, 1) - 1) { times.append((times.last ?? .zero) + wait) }
    return times
  }

  /// Up to this many waits are added one by one, which is exact; more would take too long for many steps.
  private static let countedWaits = 100

  /// All waits together, without jitter, in seconds.
  private var waiting: Double {
    guard attempts > Self.countedWaits else { return waits.reduce(Duration.zero, +).seconds }
    let longest = maxWait.seconds
    var next = min(wait, maxWait).seconds
    var sum = 0.0
    for index in 1..<attempts {
      // From here on all are alike.
      if next >= longest || next == 0 || factor == 1 { return sum + next * Double(attempts - index) }
      sum += next
      next = min(next * factor, longest)
    }
    return sum
  }

  /// The longest that all tries and waits can take, jitter included.
  ///
  /// - Parameter timeout: Of one try.
  package func bound(timeout: Duration) -> Duration {
    if let within { return within }
    let total = timeout.seconds * Double(max(attempts, 1)) + waiting * (1 + jitter)
    // Ten thousand tries of a year each are still far inside Duration's range.
    return .seconds(total)
  }

  /// Whether a second try can happen.
  package var retries: Bool { attempts > 1 }
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
