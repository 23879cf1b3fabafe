import CastProtocol

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

extension Plan.Step {
  /// The longest the whole step can take: `retry.within`, else tries × timeout + waits.
  package var bound: Duration { retry.bound(timeout: timeout) }

  /// Whether the step acts on the device, so that `since` and look-back may begin at it.
  package var isAction: Bool { action.told.verb.spec.kind == .action }

  /// Whether a resumed run cannot do it again as if nothing had been: it changes a device, or starts a program.
  package var leavesTraces: Bool { !action.told.verb.resumeRules.isEmpty }

  /// What a resumed run does with it if it was under way.
  package var resumeRule: Plan.OnResume {
    onResume ?? action.told.verb.resumeRules.first ?? .replay
  }

  /// Whether the step judges rather than acts.
  package var isJudgement: Bool { action.told.verb.spec.kind == .expectation }

  /// Whether the step means a device, so that with several roles it must say which.
  package var needsRole: Bool { condition != nil || !save.isEmpty || action.told.action.needsRole }
}
