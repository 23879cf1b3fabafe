import CastProtocol
import Testing

@testable import ScenarioLanguage

@Suite struct RetryPolicyTests {
  static func policy(_ attempts: Int, factor: Double = 2, maxWait: Duration = .seconds(30)) -> RetryPolicy {
    var policy = RetryPolicy()
    policy.attempts = attempts
    policy.factor = factor
    policy.maxWait = maxWait
    return policy
  }

  @Test("Tries begin after waits that grow by the factor up to the longest wait")
  func tryTimes() {
    #expect(Self.policy(4).tryTimes() == [.zero, .seconds(1), .seconds(3), .seconds(7)])
    #expect(Self.policy(4, maxWait: .seconds(2)).tryTimes() == [.zero, .seconds(1), .seconds(3), .seconds(5)])
    #expect(Self.policy(3, factor: 1).tryTimes() == [.zero, .seconds(1), .seconds(2)])
    #expect(Self.policy(1).tryTimes() == [.zero])
    #expect(Self.policy(10_000).tryTimes().count == 10_000)
  }

  @Test("A step is bounded by its tries and waits, or by what within says")
  func bound() {
    #expect(Self.policy(3).bound(timeout: .seconds(15)) == .seconds(48))
    var policy = Self.policy(3)
    policy.within = .seconds(20)
    #expect(policy.bound(timeout: .seconds(15)) == .seconds(20))
    policy = Self.policy(3)
    policy.jitter = 0.5
    #expect(policy.bound(timeout: .seconds(15)) == .milliseconds(49_500))
  }

  @Test("Only as many of the first tries are reckoned as are asked for")
  func firstTries() {
    #expect(Self.policy(10_000).tryTimes(first: 4) == [.zero, .seconds(1), .seconds(3), .seconds(7)])
    #expect(Self.policy(2).tryTimes(first: 4) == [.zero, .seconds(1)])
    #expect(Self.policy(5).tryTimes(first: 0) == [.zero])
  }

  @Test(
    "The bound of many tries is the sum of their waits, however they grow",
    arguments: [
      (101, 2.0, Duration.seconds(30)), (10_000, 2.0, .seconds(30)), (10_000, 1.0, .seconds(30)),
      (500, 1.001, .seconds(3_600)),
      (200, 100.0, .milliseconds(500)), (5_000, 1.5, .zero),
    ])
  func manyTries(attempts: Int, factor: Double, maxWait: Duration) {
    let policy = Self.policy(attempts, factor: factor, maxWait: maxWait)
    let sum = policy.waits.reduce(Duration.zero, +) + .seconds(15) * attempts
    #expect(policy.waits.count == attempts - 1)
    #expect(abs(policy.bound(timeout: .seconds(15)).seconds - sum.seconds) < 1e-3)
  }
}
