import CastProtocol
import Testing

@testable import ScenarioLanguage

@Suite struct PlaylistPlanTests {
  static func plan(_ yaml: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> PlaylistPlan {
    let outcome = PlanCompiler.compile(SourceFile(yaml), inputs: Golden.inputs)
    guard case .playlist(let plan)? = outcome.document else {
      Issue.record(
        "\(DiagnosticRenderer(sources: outcome.sources).render(outcome.diagnostics))", sourceLocation: sourceLocation)
      throw Compiling.NoPlan()
    }
    return plan
  }

  static let everything = """
    playlist: Bar
    id: bar
    tags: [lobby]
    timezone: Europe/Paris
    devices: { match: { name_like: "Bar*" }, at_least: 2, at_most: 4 }
    app: signage
    volume: 20%
    apps: { signage: A1B2C3D4, radio: B1B2C3D4 }
    media:
      promo: { url: https://cdn.example.com/promo.mp4 }
      menu: { url: https://cdn.example.com/menu.png }
      news: { url: https://cdn.example.com/news.m3u8, stream: live }
      logo: { url: https://cdn.example.com/logo.png }
    calendars: { holidays: [2026-12-25, 01-01] }
    dayparts:
      happy: { days: thu-sat, hours: 17:00-19:00, not: { calendar: holidays } }
    program:
      - during: happy
        order: weighted
        repeat: false
        switch: immediately
        play:
          - { media: promo, for: 20s, times: 2, weight: 3, valid: 2026-06-01..2026-08-31, volume: 10% }
          - menu
      - play: [{ media: news, for: 5m, volume: keep }, { media: menu, for: 1m }]
    interrupts:
      - { at: ["18:00", "12:00"], play: [menu], cut: immediately, max_delay: 2m, then: next }
      - { every: 45m, during: happy, play: [promo] }
    fallback: [logo, menu]
    quiet: { hours: [01:00-07:00], days: mon-fri, screen: blank, mute: true }
    takeover: { policy: yield, resume_after: 5m, ignore_apps: [radio, 5C3F0A3C] }
    keep_awake: never
    watchdog: { stalled_after: 1m, buffering_over: 10s, then: relaunch, retry: { attempts: 4, wait: 2s } }
    on_error: skip
    ledger: { file: plays.jsonl, rotate: weekly, sign: true }
    """

  @Test("Every key of a playlist is in its plan")
  func everything() throws {
    let plan = try Self.plan(Self.everything)
    #expect((plan.id, plan.title, plan.tags) == ("bar", "Bar", ["lobby"]))
    #expect((plan.timeZone, plan.appID, plan.volume) == ("Europe/Paris", "A1B2C3D4", 0.2))
    #expect(plan.devices.selectors.map(\.nameLike) == ["Bar*"])
    #expect((plan.devices.atLeast, plan.devices.atMost) == (2, 4))

    let happy = plan.program[0]
    #expect((happy.order, happy.repeats, happy.switches) == (.weighted, false, .immediately))
    #expect(happy.during.name == "happy")
    #expect(happy.during.condition.exceptions.first?.calendar?.days.count == 2)
    let promo = happy.items[0]
    #expect((promo.id, promo.length, promo.times, promo.weight) == ("promo", .seconds(20), 2, 3))
    #expect(promo.valid?.text == "2026-06-01..2026-08-31")
    #expect(promo.volume == .level(0.1))
    #expect((happy.items[1].length, happy.items[1].volume) == (.seconds(10), nil))
    #expect(plan.program[1].during == .anyTime)
    #expect((plan.program[1].items[0].length, plan.program[1].items[0].volume) == (.seconds(300), .keep))

    #expect(plan.interrupts[0].recurrence == .at([43_200, 64_800], days: Set(0...6)))
    #expect((plan.interrupts[0].cut, plan.interrupts[0].maxDelay) == (.immediately, .seconds(120)))
    #expect(plan.interrupts[0].then == .next)
    #expect(plan.interrupts[1].recurrence == .every(2_700, days: Set(0...6)))
    #expect((plan.interrupts[1].cut, plan.interrupts[1].then) == (.afterItem, .resume))
    #expect(plan.interrupts[1].items[0].length == nil)

    #expect(plan.fallback.map(\.id) == ["logo", "menu"])
    #expect((plan.quiet?.screen, plan.quiet?.mutes) == (.blank, true))
    #expect(plan.quiet?.condition.days == Set(0...4))
    #expect(plan.takeover.resumeAfter == .seconds(300))
    #expect(plan.takeover.ignoredApps == ["B1B2C3D4", "5C3F0A3C"])
    #expect(plan.keepAwake == nil)
    #expect((plan.watchdog.stalledAfter, plan.watchdog.bufferingOver) == (.seconds(60), .seconds(10)))
    #expect((plan.watchdog.then, plan.watchdog.retry.attempts) == (.relaunch, 4))
    #expect(plan.onError == .skip)
    #expect((plan.ledger.file, plan.ledger.rotation, plan.ledger.signs) == ("plays.jsonl", .weekly, true))
  }

  @Test("A short playlist has the defaults of the language")
  func defaults() throws {
    let plan = try Self.plan(
      "playlist: Short\ntimezone: UTC\ndevices: [TV]\nprogram: [{ play: [https://cdn.example.com/a.mp4] }]\n")
    #expect((plan.id, plan.appID, plan.volume) == ("lobby", "CC1AD845", nil))
    #expect((plan.keepAwake, plan.onError, plan.fallback) == (.seconds(300), .fallback, []))
    #expect((plan.takeover.policy, plan.takeover.resumeAfter) == (.yield, .seconds(600)))
    #expect((plan.watchdog.stalledAfter, plan.watchdog.then) == (.seconds(30), .reload))
    #expect((plan.program[0].order, plan.program[0].repeats) == (.listed, true))
    #expect((plan.program[0].switches, plan.program[0].items[0].length) == (.afterItem, nil))
    #expect(plan.program[0].items[0].media.contentID == "https://cdn.example.com/a.mp4")
    #expect(plan.quiet == nil)
  }

  @Test("The plan as JSON has every part, in the language's own spellings")
  func json() throws {
    let json = try Self.plan(Self.everything).json
    #expect(json["kind"] == "playlist")
    #expect(json["volume"] == 0.2)
    let rule = try #require(json["program"]?.array?.first)
    #expect(rule["daypart"] == "happy")
    #expect(
      rule["during"] == [
        "days": ["thu", "fri", "sat"], "hours": ["17:00-19:00"],
        "not": ["calendar": ["name": "holidays", "dates": ["2026-12-25", "01-01"]]],
      ])
    let item = try #require(rule["play"]?.array?.first)
    #expect((item["for"], item["valid"]) == (20, "2026-06-01..2026-08-31"))
    #expect(item["media"]?["contentType"] == "video/mp4")
    let interrupt = try #require(json["interrupts"]?.array?.first)
    #expect((interrupt["at"], interrupt["maxDelay"], interrupt["then"]) == (["12:00", "18:00"], 120, "next"))
    #expect(json["quiet"]?["screen"] == "blank")
    #expect(json["keepAwake"] == "never")
    #expect(json["watchdog"]?["retry"]?["attempts"] == 4)
    #expect(json["ledger"] == ["rotate": "weekly", "sign": true, "file": "plays.jsonl"])
    #expect(json["takeover"] == ["policy": "yield", "resumeAfter": 300, "ignoreApps": ["B1B2C3D4", "5C3F0A3C"]])
  }

  @Test("The listing says what is on when, in the order in which it wins")
  func listing() throws {
    let lines = PlaylistListing(try Self.plan(Self.everything)).lines
    #expect(
      lines == [
        "bar · Bar", "  device name like Bar*", "  Europe/Paris, app A1B2C3D4, volume 20%", "quiet",
        "  mon, tue, wed, thu, fri 01:00-07:00: screen blank, muted", "interrupts",
        "  at 12:00, 18:00: menu 10s, cuts immediately, at most 2m late, then next",
        "  every 45m during happy (thu, fri, sat 17:00-19:00 not (calendar holidays)): promo, cuts after_item, then resume",
        "program",
        "  happy (thu, fri, sat 17:00-19:00 not (calendar holidays)): promo 20s ×2 weight 3 (2026-06-01..2026-08-31), "
          + "menu 10s, weighted, once, ends immediately", "  any_time: news 5m, menu 1m", "fallback",
        "  logo 10s, menu 10s", "  another sender: yield, back after 5m",
      ])
  }
}
