import FleetJobs
import FleetMessages
import Testing

/// Which jobs an agent takes and keeps (docs/fleet.md "Labs").
@Suite struct JobAgentTests {
  private let options: JobAgent.Options

  init() throws {
    options = JobAgent.Options(name: try #require(SiteName("m")))
  }

  private static let tv = LabDevice(name: "TV", id: "ab", model: "Chromecast Ultra", firmware: "1.0")

  private func agent(
    _ devices: [LabDevice] = [tv], _ change: (inout JobAgent.Options) -> Void = { _ in }
  ) -> JobAgent {
    var options = options
    change(&options)
    var agent = JobAgent(options, devices: devices)
    _ = agent.connected(at: .zero, unixTime: 1000)
    return agent
  }

  private static func offer(_ id: String = "j1", _ attempt: Int = 1, kind: String = "any") -> JobOffer {
    JobMessageTests.offer(id, attempt: attempt, kind: kind)
  }

  private static func lease(_ attempt: Int = 1, by agent: String = "m") -> JobLease {
    JobLease(agent: agent, attempt: attempt, device: "TV", until: 1030)
  }

  private static func result(_ exit: Int) -> JobOutcome {
    .ended(JobResult(.init(agent: "m", device: "TV", attempt: 1, exit: exit, seconds: 1)))
  }

  private static func kinds(_ effects: [JobAgent.Effect]) -> [String] {
    effects.compactMap { effect in
      switch effect {
      case .subscribe(let kind): "+\(kind)"
      case .unsubscribe(let kind): "-\(kind)"
      default: nil
      }
    }
  }

  @Test("It listens for the kinds of its free devices, and for none while they are busy")
  func listens() {
    var agent = JobAgent(options, devices: [Self.tv])
    #expect(
      Self.kinds(agent.connected(at: .zero, unixTime: 1000)) == ["+Chromecast%20Ultra", "+any"])
    let taken = agent.take(Self.offer(), at: .zero, unixTime: 1000)
    #expect(
      taken.prefix(3) == [
        .watch(job: "j1"), .lease(job: "j1", Self.lease()), .start(Self.offer(), on: Self.tv),
      ])
    #expect(Self.kinds(taken) == ["-Chromecast%20Ultra", "-any"])
    let ended = agent.ended("j1", Self.result(0), at: .seconds(5))
    #expect(Self.kinds(ended) == ["+Chromecast%20Ultra", "+any"])
    #expect(agent.delivered("j1") == [.removeLease(job: "j1")])
  }

  @Test("A lease is told again every 10 s while the run lasts")
  func renewal() {
    var agent = agent()
    _ = agent.take(Self.offer(), at: .zero, unixTime: 1000)
    #expect(agent.next == .seconds(10))
    #expect(agent.advance(to: .seconds(9), unixTime: 1009) == [])
    #expect(agent.advance(to: .seconds(10), unixTime: 1000) == [.lease(job: "j1", Self.lease())])
    #expect(agent.next == .seconds(20))
  }

  @Test("An offer that comes twice is one job; one with a later number, while it is here, is the same job")
  func duplicates() {
    var agent = agent([Self.tv, LabDevice(name: "Other")])
    _ = agent.take(Self.offer(), at: .zero, unixTime: 1000)
    #expect(agent.take(Self.offer(), at: .zero, unixTime: 1000) == [.lease(job: "j1", Self.lease())])
    #expect(agent.take(Self.offer("j1", 3), at: .zero, unixTime: 1000) == [.lease(job: "j1", Self.lease(3))])
    #expect(agent.take(Self.offer("j1", 2), at: .zero, unixTime: 1000) == [])
    let ended = agent.ended("j1", Self.result(0), at: .seconds(1))
    guard case .result("j1", let result)? = ended.first else {
      Issue.record("no result: \(ended)")
      return
    }
    #expect(result.summary.attempt == 3)
    // The broker brings it once more, after the end.
    #expect(agent.take(Self.offer("j1", 3), at: .seconds(1), unixTime: 1001) == [])
  }

  @Test("What does not fit is declined for good, with the reason; what has no free device, for now")
  func declines() {
    func why(_ agent: JobAgent, _ change: (inout JobOffer) -> Void, unixTime: Double = 1000) -> String? {
      var (agent, offer) = (agent, Self.offer())
      change(&offer)
      guard case .answer(_, let answer)? = agent.take(offer, at: .zero, unixTime: unixTime).first else { return nil }
      return "\(answer.kind.rawValue): \(answer.why)"
    }
    #expect(why(agent()) { $0.wish.model = "Nest" } == "unfit: TV: it is no Nest")
    #expect(why(agent()) { $0.wish.name = "Kitchen" } == "unfit: TV: it is not called Kitchen")
    #expect(why(agent()) { $0.kind = "virtual" } == "unfit: TV: it is no virtual")
    #expect(why(agent()) { $0.speed = 2 } == "unfit: TV: only virtual devices have a speed")
    #expect(why(agent()) { $0.startsPrograms = true }?.hasPrefix("unfit: the scenario starts programs") == true)
    #expect(why(agent([Self.tv], { $0.allowsPrograms = true })) { $0.startsPrograms = true } == nil)
    #expect(why(agent(), { _ in }, unixTime: 900)?.contains("one of the two clocks is wrong") == true)
    #expect(why(agent(), { _ in }, unixTime: 1200)?.contains("too late by the clock") == true)
    #expect(why(agent([])) { _ in } == "unfit: it has no device")
    var full = agent()
    _ = full.take(Self.offer("other"), at: .zero, unixTime: 1000)
    #expect(why(full) { _ in } == "busy: no device of this kind is free")
  }

  @Test("A virtual device takes no job that is meant for a device on the network")
  func virtual() {
    var agent = agent([LabDevice(name: "v", model: "Chromecast", isVirtual: true)])
    for kind in ["any", "Chromecast"] {
      guard case .answer(_, let answer)? = agent.take(Self.offer("j", kind: kind), at: .zero, unixTime: 1000).first
      else {
        Issue.record("it took a \(kind)")
        continue
      }
      #expect(answer.kind == .unfit)
    }
    #expect(agent.take(Self.offer("j", kind: "virtual"), at: .zero, unixTime: 1000).count > 2)
  }

  @Test(
    "It stops for a lease that outranks its own, and says nothing of that run",
    arguments: [(2, "z", true), (1, "a", true), (1, "z", false), (0, "a", false), (1, "m", false), (9, "m", false)])
  func outranked(_ attempt: Int, _ other: String, _ stops: Bool) {
    var agent = agent()
    _ = agent.take(Self.offer(), at: .zero, unixTime: 1000)
    let effects = agent.see(Self.lease(attempt, by: other), of: "j1")
    #expect(effects.contains(.stop(job: "j1")) == stops)
    guard stops else { return }
    #expect(agent.advance(to: .seconds(10), unixTime: 1010) == [])
    let ended = agent.ended("j1", Self.result(0), at: .seconds(11))
    #expect(!ended.contains { if case .result = $0 { true } else { false } })
    // The lease is the other's now.
    #expect(!ended.contains(.removeLease(job: "j1")))
  }

  @Test("A cancelled run is stopped; an older cancelling than the attempt counts for nothing")
  func cancelled() {
    var agent = agent()
    _ = agent.take(Self.offer("j1", 4), at: .zero, unixTime: 1000)
    #expect(agent.see(JobCancel(id: "j1", attempt: 3)) == [])
    #expect(agent.see(JobCancel(id: "other", attempt: 9)) == [])
    #expect(agent.see(JobCancel(id: "j1", attempt: 4)).first == .stop(job: "j1"))
    let ended = agent.ended("j1", .stopped("interrupted"), at: .seconds(1))
    #expect(Self.kinds(ended).count == 2)
    #expect(!ended.contains { if case .answer = $0 { true } else { false } })
  }

  @Test("After a broker that forgot all, leases and results that it does not have are told again")
  func brokerRestart() {
    var agent = agent([Self.tv, LabDevice(name: "Other")])
    _ = agent.take(Self.offer(), at: .zero, unixTime: 1000)
    _ = agent.take(Self.offer("j2"), at: .zero, unixTime: 1000)
    agent.disconnected()
    let ended = agent.ended("j2", Self.result(1), at: .seconds(1))
    #expect(Self.kinds(ended) == [])
    let effects = agent.connected(at: .seconds(2), unixTime: 1000)
    #expect(effects.contains(.watch(job: "j1")) && effects.contains(.lease(job: "j1", Self.lease())))
    #expect(effects.contains { if case .result("j2", _) = $0 { true } else { false } })
    _ = agent.delivered("j2")
    let again = agent.connected(at: .seconds(3), unixTime: 1000)
    #expect(!again.contains { if case .result = $0 { true } else { false } })
  }

  @Test("A run without its device is given back, and the device is aside for a while")
  func noDevice() {
    var agent = agent()
    _ = agent.take(Self.offer(), at: .zero, unixTime: 1000)
    let ended = agent.ended("j1", .noDevice("not found"), at: .seconds(3))
    #expect(
      ended.prefix(2) == [
        .answer(job: "j1", JobAnswer(agent: "m", attempt: 1, kind: .returned, why: "not found")),
        .removeLease(job: "j1"),
      ])
    #expect(ended.contains(.tell(.aside(device: "TV", why: "not found"))))
    #expect(agent.report.devices.first?.state == .aside)
    #expect(agent.report.devices(for: "any").all == 0)
    #expect(agent.next == .seconds(303))
    #expect(Self.kinds(agent.advance(to: .seconds(303), unixTime: 1303)).count == 2)
  }

  @Test("With a health scenario a device is looked at first, after an error, and again where it was aside")
  func health() {
    var agent = JobAgent(
      {
        var with = $0
        with.checksHealth = true
        return with
      }(options), devices: [Self.tv])
    #expect(Self.kinds(agent.connected(at: .zero, unixTime: 1000)) == [])
    #expect(agent.advance(to: .zero, unixTime: 1000).first == .check(Self.tv))
    #expect(agent.advance(to: .seconds(1), unixTime: 1000) == [])
    let other = agent.found("2.0", was: "1.0", on: "TV")
    #expect(other.first == .tell(.firmware(device: "TV", was: "1.0", is: "2.0")))
    #expect(agent.found("2.0", was: "2.0", on: "TV") == [])
    #expect(agent.report.devices.first?.firmware == "2.0")
    #expect(agent.checked("TV", "no sound", at: .seconds(2)).first == .tell(.aside(device: "TV", why: "no sound")))
    #expect(agent.report.devices.first?.why == "no sound")
    #expect(
      agent.advance(to: .seconds(302), unixTime: 1302).first.map { if case .check = $0 { true } else { false } } == true
    )
    #expect(Self.kinds(agent.checked("TV", nil, at: .seconds(303))).count == 2)
    _ = agent.take(Self.offer(), at: .seconds(310), unixTime: 1000)
    #expect(
      agent.ended("j1", Self.result(5), at: .seconds(311)).contains { if case .check = $0 { true } else { false } })
  }

  @Test("An expectation that fails is the scenario's business: the device is free again", arguments: [0, 1, 3, 7])
  func verdicts(_ exit: Int) {
    var agent = agent([Self.tv]) { $0.checksHealth = true }
    _ = agent.advance(to: .zero, unixTime: 1000)
    _ = agent.checked("TV", nil, at: .zero)
    _ = agent.take(Self.offer(), at: .zero, unixTime: 1000)
    _ = agent.ended("j1", Self.result(exit), at: .seconds(1))
    #expect(agent.report.devices.first?.state == .free)
  }

  @Test(
    "An agent that ends gives its jobs back, or with --drain brings them to their ends; it takes none",
    arguments: [true, false])
  func ending(_ drains: Bool) {
    var agent = agent([Self.tv, LabDevice(name: "Other")])
    _ = agent.take(Self.offer(), at: .zero, unixTime: 1000)
    let effects = agent.end(drains: drains)
    #expect(effects.contains(.stop(job: "j1")) == !drains)
    #expect(!effects.contains(.finished))
    #expect(Self.kinds(effects) == ["-any"])
    guard case .answer(_, let answer)? = agent.take(Self.offer("j2"), at: .zero, unixTime: 1000).first else {
      Issue.record("it took another")
      return
    }
    #expect(answer.kind == .busy)
    if drains {
      #expect(!agent.ended("j1", Self.result(0), at: .seconds(1)).contains(.finished))
      #expect(agent.delivered("j1").contains(.finished))
    } else {
      let ended = agent.ended("j1", .stopped("interrupted"), at: .seconds(1))
      #expect(
        ended.first
          == .answer(job: "j1", JobAnswer(agent: "m", attempt: 1, kind: .returned, why: "the agent ends")))
      #expect(ended.contains(.finished))
    }
  }

  @Test("An agent that runs for years remembers a bounded number of jobs")
  func memory() {
    var agent = agent()
    for number in 0..<12_000 {
      _ = agent.take(Self.offer("j\(number)"), at: .zero, unixTime: 1000)
      _ = agent.ended("j\(number)", Self.result(0), at: .zero)
      _ = agent.delivered("j\(number)")
    }
    #expect(agent.take(Self.offer("j11999"), at: .zero, unixTime: 1000) == [])
    #expect(agent.take(Self.offer("j1"), at: .zero, unixTime: 1000).count > 2)
  }
}
