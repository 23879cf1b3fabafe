import CastProtocol
import ScenarioLanguage
import Testing

@testable import DeviceControl
@testable import RunReporting
@testable import ScenarioRunner

@Suite struct SmallPartsTests {
  @Test(
    "Of several exit codes the first of the list counts",
    arguments: [([], 0), ([1, 5], 5), ([6, 1], 6), ([7, 1], 1), ([5, 4, 130], 130), ([130, 8], 8), ([75, 7], 7)]
      as [([Int32], Int32)])
  func exits(codes: [Int32], chosen: Int32) throws {
    var exits = ExitCodes()
    for code in codes { exits.insert(try #require(RunExit(rawValue: code))) }
    #expect(exits.chosen.rawValue == chosen)
  }

  @Test("Jitter makes waits shorter and longer alike, a seed repeats it, and each device has its own")
  func jitter() {
    var policy = RetryPolicy()
    policy.attempts = 2
    policy.wait = .seconds(10)
    policy.jitter = 0.2
    func wait(_ seed: UInt64) -> Double {
      var waits = RetryWaits(seed: seed)
      return waits.wait(before: 2, by: policy).seconds
    }
    let all = (0..<400).map { wait(UInt64($0)) }
    #expect(all.allSatisfy { $0 >= 8 && $0 <= 12 })
    #expect(all.contains { $0 < 8.2 } && all.contains { $0 > 11.8 })
    let mean = all.reduce(0, +) / Double(all.count)
    #expect(abs(mean - 10) < 0.2, "\(mean)")
    #expect(wait(7) == wait(7) && wait(7) != wait(8))
    let seeds = ["a", "b", "Kitchen"].map { UInt64(7).mixed(with: $0) }
    #expect(Set(seeds).count == 3 && UInt64(7).mixed(with: "") == 7)
  }

  @Test(
    "A name stands for its value, or begins with the name of one and goes on into it",
    arguments: [
      ("n", "1"), ("kit.n", "2"), ("m.a.b", "3"), ("kit.m.a", "4"), ("m", #"{"a":{"b":3}}"#), ("n.a", nil),
      ("m.b", nil), ("kit", nil), ("kit.k", nil), ("m.a.b.c", nil), ("", nil), (".", nil), ("m.", nil),
      ("x.y.z", "5"),
    ] as [(String, String?)])
  func values(name: String, value: String?) {
    let saved: [String: JSONValue] = [
      "n": 1, "kit.n": 2, "m": ["a": ["b": 3]], "kit.m": ["a": 4], "x": ["y": ["z": 6]], "x.y.z": 5,
    ]
    #expect(ConditionJudge.value(of: name, in: saved)?.serialized() == value)
  }

  @Test(
    "Each error class has its exit code, and before the first status all but busy are 4",
    arguments: [
      ("not_found", 4), ("unreachable", 4), ("tls", 4), ("auth", 4), ("busy", 75), ("timeout", 6), ("expectation", 1),
      ("load_failed", 5), ("connection_lost", 5), ("protocol", 5), ("taken_over", 5),
    ] as [(String, Int32)])
  func classes(name: String, code: Int32) throws {
    var after = ExitCodes()
    let errorClass = try #require(ErrorClass(rawValue: name))
    after.insert(errorClass: errorClass, isConnected: true)
    #expect(after.chosen.rawValue == code)
    var before = ExitCodes()
    before.insert(errorClass: errorClass, isConnected: false)
    #expect(before.chosen.rawValue == (name == "busy" ? 75 : 4))
  }

  @Test("Waits grow by the factor up to the cap, and jitter stays within its share and repeats with the seed")
  func waits() {
    var policy = RetryPolicy()
    policy.attempts = 5
    policy.maxWait = .seconds(3)
    var waits = RetryWaits(seed: 1)
    #expect((2...5).map { waits.wait(before: $0, by: policy) } == [.seconds(1), .seconds(2), .seconds(3), .seconds(3)])
    policy.jitter = 0.2
    var (first, second) = (RetryWaits(seed: 7), RetryWaits(seed: 7))
    for _ in 0..<100 {
      let wait = first.wait(before: 3, by: policy)
      #expect(wait >= .milliseconds(1600) && wait <= .milliseconds(2400))
      #expect(wait == second.wait(before: 3, by: policy))
    }
  }

  @Test("Diagnostic codes of classes follow the list of the page on runs") func codes() {
    #expect(StepFailure(.unreachable, "").code == .r711)
    #expect(StepFailure(.connectionLost, "").code == .r712)
    #expect(StepFailure(.notFound, "").code == .r701)
    #expect(StepFailure(.expectation, "").code == .r728)
  }
}
