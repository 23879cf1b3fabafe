import FleetMessages
import Testing

@testable import FleetControl

/// How a document reaches sites in waves, and goes back.
@Suite struct RolloutTests {
  /// A roll-out of edition 10 to four sites, one at a time first, then all.
  private struct Lab {
    var rollout: Rollout
    let sites: [SiteName]
    var effects: [Rollout.Effect] = []
    var now = Duration.zero

    init(
      _ names: [String] = ["a", "b", "c", "d"], absent: Set<String> = [], watch: Duration = .seconds(300),
      pulse: SitePulse = SitePulse(isOnline: true), _ change: (inout Rollout.Plan) -> Void = { _ in }
    ) throws {
      sites = try names.map { try Fleet.site($0) }
      let presence = Dictionary(uniqueKeysWithValues: sites.map { ($0, !absent.contains($0.text)) })
      var plan = Rollout.Plan(RolloutWaves(presence, canary: .count(1), size: .percent(100)), edition: 10)
      plan.watch = watch
      change(&plan)
      let pulses = presence.mapValues { $0 ? pulse : SitePulse(isOnline: false) }
      rollout = Rollout(plan, pulses: pulses)
      effects = rollout.start(at: now)
    }

    mutating func receive(_ input: Rollout.Input) { effects += rollout.receive(input, at: now) }

    mutating func pass(_ seconds: Int) {
      now += .seconds(seconds)
      effects += rollout.advance(to: now)
    }

    mutating func report(_ index: Int, _ edition: Int = 10, _ state: DocumentReport.State = .on, why: String? = nil) {
      receive(.report(sites[index], Fleet.report(sites[index], edition: edition, state, why: why)))
    }

    var puts: [SiteName] { effects.compactMap { if case .put(let site) = $0 { site } else { nil } } }
    var putBacks: [SiteName] { effects.compactMap { if case .putBack(let site) = $0 { site } else { nil } } }
    var end: RolloutEnd? { effects.lazy.compactMap { if case .end(let end) = $0 { end } else { nil } }.first }
    var failure: RolloutFailure? { if case .stopped(let failure, _)? = end { failure } else { nil } }
    var standing: RolloutStanding? {
      switch end {
      case .stopped(_, let standing), .interrupted(let standing), .connectionLost(let standing): standing
      case .done, nil: nil
      }
    }
  }

  @Test("A good document goes to the canary, is watched, and then to the others")
  func good() throws {
    var lab = try Lab()
    #expect(lab.puts == [lab.sites[0]])
    lab.pass(5)
    lab.report(0)
    #expect(lab.effects.last == .tell(.watching(.seconds(300))))
    lab.pass(299)
    #expect(lab.puts.count == 1)
    lab.pass(1)
    #expect(lab.puts == lab.sites)
    for index in 1...3 { lab.report(index) }
    #expect(lab.effects.last == .tell(.watching(.seconds(60))))
    lab.pass(60)
    #expect(lab.end == .done(sites: 4, absent: []) && lab.putBacks.isEmpty)
  }

  @Test("Without a time to watch the next wave follows at once")
  func unwatched() throws {
    var lab = try Lab(watch: .zero)
    for index in 0...3 { lab.report(index) }
    #expect(lab.end == .done(sites: 4, absent: []))
  }

  @Test("A canary that refuses it stops it; it gets back what it had, and no other was given anything")
  func refused() throws {
    var lab = try Lab()
    lab.report(0, 10, .refused, why: "cafe.yaml:3: there is no such item")
    #expect(lab.putBacks == [lab.sites[0]] && lab.end == nil)
    lab.report(0, 11)
    #expect(lab.failure == RolloutFailure(lab.sites[0], .refused("cafe.yaml:3: there is no such item")))
    #expect(lab.puts.count == 1 && lab.standing?.back == [lab.sites[0]])
    #expect(lab.standing?.without == Array(lab.sites.dropFirst()))
  }

  @Test("A canary that goes dark three minutes later stops it")
  func dark() throws {
    var lab = try Lab()
    lab.report(0)
    lab.pass(180)
    lab.receive(.pulse(lab.sites[0], SitePulse(isOnline: true, dark: 1)))
    lab.pass(19)
    #expect(lab.putBacks.isEmpty)
    lab.pass(1)
    #expect(lab.putBacks == [lab.sites[0]])
    lab.report(0, 11)
    #expect(lab.failure == RolloutFailure(lab.sites[0], .dark(1, before: 0)))
  }

  @Test("A screen may be dark for a moment, as one that begins is; no wave is good while one is")
  func darkForAMoment() throws {
    var lab = try Lab(watch: .zero)
    lab.receive(.pulse(lab.sites[0], SitePulse(isOnline: true, dark: 1)))
    lab.report(0)
    lab.pass(19)
    #expect(lab.puts == [lab.sites[0]] && lab.putBacks.isEmpty)
    lab.receive(.pulse(lab.sites[0], SitePulse(isOnline: true, dark: 0)))
    #expect(lab.puts == lab.sites)
    lab.pass(19)
    #expect(lab.putBacks.isEmpty)
  }

  @Test("What was wrong before is no reason to stop; one alert for another is")
  func before() throws {
    let old = SiteFacts.Place(playlist: "p", name: "old"), new = SiteFacts.Place(playlist: "p", name: "new")
    var lab = try Lab(pulse: SitePulse(isOnline: true, dark: 1, alerts: [old]))
    lab.report(0)
    lab.receive(.pulse(lab.sites[0], SitePulse(isOnline: true, dark: 1, alerts: [])))
    lab.pass(10)
    #expect(lab.putBacks.isEmpty)
    lab.receive(.pulse(lab.sites[0], SitePulse(isOnline: true, dark: 0, alerts: [new])))
    #expect(lab.putBacks == [lab.sites[0]])
    lab.pass(120)
    #expect(lab.failure == RolloutFailure(lab.sites[0], .alert(new)) && lab.standing?.unsure == [lab.sites[0]])
  }

  @Test("An earlier wave is watched to the end: all that got it go back")
  func earlierWave() throws {
    var lab = try Lab()
    lab.report(0)
    lab.pass(300)
    for index in 1...2 { lab.report(index) }
    lab.receive(.pulse(lab.sites[0], SitePulse(isOnline: true, dark: 2)))
    lab.pass(20)
    #expect(lab.putBacks == lab.sites)
    for index in 0...3 { lab.report(index, 11) }
    #expect(lab.standing?.back == lab.sites)
  }

  @Test("A site may be away for a minute, and no wave is good while one is")
  func offline() throws {
    var lab = try Lab()
    lab.report(0)
    lab.pass(290)
    lab.receive(.pulse(lab.sites[0], SitePulse(isOnline: false)))
    lab.pass(59)
    #expect(lab.puts.count == 1 && lab.putBacks.isEmpty)
    lab.receive(.pulse(lab.sites[0], SitePulse(isOnline: true)))
    #expect(lab.puts.count == 4)
    lab.receive(.pulse(lab.sites[1], SitePulse(isOnline: false)))
    lab.pass(60)
    #expect(lab.putBacks == lab.sites)
    lab.pass(120)
    #expect(lab.failure == RolloutFailure(lab.sites[1], .offline(.seconds(60))))
  }

  @Test("A site that does not answer is told again, and stops it after two minutes")
  func silent() throws {
    var lab = try Lab()
    for _ in 0..<5 { lab.pass(20) }
    #expect(lab.puts.count == 6 && Set(lab.puts) == [lab.sites[0]])
    lab.pass(20)
    lab.pass(120)
    #expect(lab.failure == RolloutFailure(lab.sites[0], .noAnswer(.seconds(120))))
  }

  @Test("Reports that come twice, late, or of earlier editions change nothing")
  func lateReports() throws {
    var lab = try Lab()
    lab.report(0, 9)
    lab.report(0, 9, .refused)
    #expect(lab.effects.count == 2)
    for _ in 0..<3 { lab.report(0) }
    lab.report(0, 9, .refused)
    #expect(lab.effects.filter { $0 == .tell(.hasIt(lab.sites[0])) }.count == 1 && lab.putBacks.isEmpty)
    lab.pass(300)
    lab.report(0)
    lab.report(1, 10, .refused)
    let told = lab.effects.count
    lab.report(2)
    lab.report(1, 10, .refused)
    #expect(lab.effects.count == told)
  }

  @Test("What sites say that nobody asked counts for nothing")
  func strangers() throws {
    var lab = try Lab()
    let stranger = try Fleet.site("z")
    lab.receive(.report(stranger, Fleet.report(stranger, edition: 10, .refused)))
    lab.receive(.pulse(stranger, SitePulse(isOnline: false, dark: 5)))
    // One whose wave has not come, either.
    lab.report(3, 10, .refused)
    lab.report(3)
    lab.receive(.pulse(lab.sites[3], SitePulse(isOnline: true, dark: 1)))
    #expect(lab.effects.count == 2)
    lab.report(0)
    lab.pass(300)
    // It counts as it was when it got the document.
    #expect(lab.puts == lab.sites && lab.putBacks.isEmpty)
    lab.report(3)
    #expect(lab.effects.filter { $0 == .tell(.hasIt(lab.sites[3])) }.count == 1)
  }

  @Test("Without a connection no time passes; after it what nobody confirmed is sent again")
  func reconnect() throws {
    var lab = try Lab()
    lab.pass(10)
    lab.receive(.disconnected)
    lab.receive(.disconnected)
    lab.pass(500)
    lab.receive(.connected)
    #expect(lab.puts == [lab.sites[0], lab.sites[0]] && lab.end == nil)
    lab.report(0)
    lab.pass(100)
    lab.receive(.disconnected)
    lab.pass(400)
    lab.receive(.connected)
    lab.pass(199)
    #expect(lab.puts.count == 2)
    lab.pass(1)
    #expect(Set(lab.puts) == Set(lab.sites))
  }

  @Test("A broker that does not come back ends it, and what is where is told")
  func lost() throws {
    var lab = try Lab()
    lab.report(0)
    lab.receive(.disconnected)
    lab.pass(599)
    #expect(lab.end == nil)
    lab.pass(1)
    #expect(lab.standing?.have == [lab.sites[0]] && lab.standing?.without.count == 3)
    #expect(lab.rollout.isEnded)
  }

  @Test("Ctrl-C begins no further wave, puts nothing back, and tells what is where")
  func interrupted() throws {
    var lab = try Lab()
    lab.report(0)
    lab.pass(300)
    lab.report(1)
    lab.receive(.stop)
    lab.receive(.stop)
    var standing = RolloutStanding()
    (standing.have, standing.unsure) = (Array(lab.sites.prefix(2)), Array(lab.sites.suffix(2)))
    #expect(lab.end == .interrupted(standing) && lab.putBacks.isEmpty)
    lab.pass(1_000)
    lab.report(2, 10, .refused)
    #expect(lab.effects.last == .end(.interrupted(standing)))
  }

  @Test("Where somebody else gave a site a later edition, it ends and puts nothing back")
  func superseded() throws {
    var lab = try Lab()
    lab.report(0)
    lab.report(0, 11)
    #expect(lab.putBacks.isEmpty && lab.failure == RolloutFailure(lab.sites[0], .superseded(11)))
    #expect(lab.standing?.have == [lab.sites[0]])
  }

  @Test("A site that refuses to go back is not waited for")
  func refusesToGoBack() throws {
    var lab = try Lab()
    lab.report(0, 10, .refused, why: "no space left")
    #expect(lab.end == nil)
    lab.report(0, 11, .refused, why: "no space left")
    #expect(lab.failure?.reason == .refused("no space left") && lab.standing?.unsure == [lab.sites[0]])
  }

  @Test("With --no-rollback it stays where it is")
  func leaves() throws {
    var lab = try Lab { $0.putsBack = false }
    lab.report(0, 10, .refused)
    #expect(lab.putBacks.isEmpty && lab.failure?.site == lab.sites[0])
  }

  @Test("Sites that are not there get it last, and are not waited for")
  func absent() throws {
    var lab = try Lab(absent: ["a", "c"], watch: .zero)
    #expect(lab.puts == [lab.sites[1]])
    lab.report(1)
    lab.report(3)
    #expect(lab.puts == [1, 3, 0, 2].map { lab.sites[$0] })
    #expect(lab.end == .done(sites: 2, absent: [lab.sites[0], lab.sites[2]]))
  }

  @Test("What is taken off is confirmed as removed, and put back as shown")
  func removal() throws {
    var lab = try Lab(watch: .zero) { $0.wanted = .removed }
    lab.report(0, 10, .removed)
    #expect(lab.effects.contains(.tell(.tookItOff(lab.sites[0]))))
    #expect(lab.puts == lab.sites)
    lab.report(1, 10, .on)
    lab.report(0, 11, .on)
    lab.report(1, 11, .removed)
    #expect(lab.end == nil)
    for index in 1...3 { lab.report(index, 11, .on) }
    #expect(lab.standing?.back == lab.sites)
  }

  static let waves: [(RolloutWaves.Canary, RolloutWaves.Size, [Int])] = [
    (.count(1), .percent(25), [1, 3, 3, 3]), (.count(2), .count(100), [2, 8]), (.count(.max), .percent(25), [10]),
    (.count(1), .percent(1), Array(repeating: 1, count: 10)), (.count(0), .percent(100), [10]),
  ]

  @Test("Waves have the sizes that were asked for", arguments: waves)
  func sizes(canary: RolloutWaves.Canary, size: RolloutWaves.Size, expected: [Int]) throws {
    let sites = try (0..<10).map { try Fleet.site("s\($0)") }
    let waves = RolloutWaves(
      Dictionary(uniqueKeysWithValues: sites.map { ($0, true) }), canary: canary, size: size)
    #expect(waves.waves.map(\.count) == expected && Set(waves.waves.joined()) == Set(sites))
  }

  @Test("A canary can be named")
  func namedCanary() throws {
    let sites = try ["a", "lab-1", "lab-2", "z"].map { try Fleet.site($0) }
    let waves = RolloutWaves(
      Dictionary(uniqueKeysWithValues: sites.map { ($0, true) }), canary: .sites(try #require(SiteGlob("lab-*"))),
      size: .percent(100))
    #expect(waves.lines == ["wave 1 (canary): 2 sites: lab-1, lab-2", "wave 2: 2 sites: a, z"])
  }
}
