import CastProtocol
import Testing

@testable import ScenarioLanguage

/// `triggers`, `notify`, `power` and `ids` of a playlist.
@Suite struct PlaylistOutsideTests {
  static func source(_ body: String) -> String {
    """
    playlist: P
    timezone: Europe/Paris
    devices: [TV]
    media:
      a: { url: https://e.com/a.jpg, ids: { campaign: C-7 } }
    dayparts: { _day: { hours: 08:00-20:00 } }
    program: [{ play: [{ media: a, ids: { slot: 4 } }] }]
    \(body)
    """
  }

  @Test("Triggers are in the plan with all they say, in their order")
  func triggers() throws {
    let plan = try PlaylistPlanTests.plan(
      Self.source(
        """
        triggers:
          evacuate: { webhook: true }
          fire: { file: /run/alarm }
          storm: { cap: "https://alerts.example/feed.xml", severity: [minor, extreme], every: 2m }
          flood: { cap: "http://alerts.example/feed.xml" }
        interrupts:
          - { on: evacuate, play: [a], until: cleared, at_most: 1h, cut: immediately, then: next }
          - { on: fire, play: [a], max_delay: 5s }
          - { on: storm, play: [a], during: _day }
          - { on: flood, play: [a] }
        """))
    #expect(plan.triggers.map(\.name) == ["evacuate", "fire", "storm", "flood"])
    #expect(
      plan.triggers.map(\.source) == [
        .webhook, .file("/run/alarm"),
        .alerts(
          .init(url: "https://alerts.example/feed.xml", severities: [.minor, .extreme], every: .seconds(120))),
        .alerts(.init(url: "http://alerts.example/feed.xml", severities: [.extreme, .severe], every: .seconds(60))),
      ])
    #expect(
      plan.interrupts.map(\.trigger) == [
        .init(name: "evacuate", untilCleared: true, atMost: .seconds(3_600)),
        .init(name: "fire", untilCleared: false, atMost: nil), .init(name: "storm", untilCleared: false, atMost: nil),
        .init(name: "flood", untilCleared: false, atMost: nil),
      ])
    #expect(plan.interrupts[0].recurrence == nil && plan.interrupts[0].cut == .immediately)
    #expect(plan.interrupts[1].maxDelay == .seconds(5) && plan.interrupts[2].during.name == "_day")
    let lines = PlaylistListing(plan).lines
    #expect(lines.contains("  on evacuate: a 10s, cuts immediately, until it is cleared, at most for 1h, then next"))
    #expect(lines.contains("  fire: while /run/alarm exists"))
    #expect(plan.json["interrupts"]?.array?[0]["atMost"]?.number == 3_600)
    #expect(plan.json["triggers"]?["storm"]?["severity"]?.array?[1].string == "extreme")
  }

  @Test("Notifications and power are in the plan")
  func notifications() throws {
    let plan = try PlaylistPlanTests.plan(
      Self.source(
        """
        quiet: { hours: 22:00-07:00 }
        notify:
          - { when: dark, for: 5m, during: _day, again: 12h, webhook: "https://hooks.example/x?key=1" }
          - { when: [invalid, ledger_gap, certificate_ends], command: [mail, office] }
        power: { on: [tv, "on"], off: [tv, "off"], verify: standby }
        """))
    let (first, second) = (plan.notify[0], plan.notify[1])
    #expect(first.occasions == [.dark] && first.lasting == .seconds(300) && first.again == .seconds(43_200))
    #expect(first.during.name == "_day" && first.channel == .webhook("https://hooks.example/x?key=1"))
    #expect(
      second.occasions == [.invalid, .ledgerGap, .certificateEnds] && second.channel == .command(["mail", "office"]))
    let power = try #require(plan.power)
    #expect((power.on, power.off, power.verifiesStandby) == (["tv", "on"], ["tv", "off"], true))
    let lines = PlaylistListing(plan).lines
    #expect(lines.contains("  dark for 5m during _day (08:00-20:00), again every 12h, by a webhook"))
    #expect(!lines.contains { $0.contains("key=1") }, "an address may hold a key")
  }

  @Test("Ids of other systems belong to a media and to its use")
  func ids() throws {
    let plan = try PlaylistPlanTests.plan(Self.source("fallback: a"))
    #expect(plan.program[0].items[0].ids == ["campaign": "C-7", "slot": "4"])
    #expect(plan.fallback[0].ids == ["campaign": "C-7"])
    #expect(plan.json["program"]?.array?[0]["play"]?.array?[0]["ids"]?["slot"]?.string == "4")
  }

  static let faults: [Example] = [
    Example("triggers: { t: { webhook: true } }", ["N402 t"]),
    Example("triggers: { _t: { webhook: true } }", []),
    Example("triggers: { t: { webhook: false } }\ninterrupts: [{ on: t, play: [a] }]", ["P612 false"]),
    Example("triggers: { fire: { file: /x } }\ninterrupts: [{ on: fier, play: [a] }]", ["N406 fier"]),
    Example("interrupts: [{ on: fire, play: [a] }]", ["N406 fire"]),
    Example("triggers: { _t: { cap: hooks } }", ["T215 hooks"]),
    Example("triggers: { _t: { cap: \"ftp://e.com/feed\" } }", ["T215 \"ftp://e.com/feed\""]),
    Example("triggers: { _t: { cap: \"https://e.com/feed\", every: 1s } }", ["T213 1s"]),
    Example("triggers: { _t: { file: /x, every: 1m } }", ["K107 every"]),
    Example("triggers: { _t: { file: /x, webhook: true } }", ["K107 webhook"]),
    Example("triggers: { _t: { every: 1m } }", ["K105 _t", "K107 every"]),
    Example("interrupts: [{ every: 30m, until: cleared, play: [a] }]", ["K107 until"]),
    Example(
      "triggers: { t: { file: /x } }\ninterrupts: [{ on: t, every: 30m, play: [a] }]", ["K107 every"]),
    Example(
      "triggers: { t: { file: /x } }\ninterrupts: [{ on: t, at_most: 200ms, play: [a] }]", ["T213 200ms"]),
    Example("notify: [{ when: dark, webhook: \"https://localhost:1/x\" }]", []),
    Example("notify: [{ when: power, command: [mail] }]", []),
    Example("ledger: { sign: true, rotate: never }", ["P601 true"]),
    Example("ledger: { sign: true, rotate: monthly }", []),
    Example("ledger: { sign: false, rotate: never }", []),
    Example("notify: [{ when: dim, webhook: \"https://e.com/x\" }]", ["T205 dim"]),
    Example("notify: [{ when: dark, command: [] }]", ["P612 command"]),
    Example("notify: [{ when: dark }]", ["K105 when"]),
    Example("notify: [{ when: dark, again: 2s, command: [mail] }]", ["T213 2s"]),
    Example("quiet: { hours: 22:00-07:00 }\npower: { on: [] }", ["P612 on"]),
    Example("power: { on: [tv] }", ["K107 power"]),
    Example("quiet: { hours: 22:00-07:00 }\npower: { verify: standby }", ["K105 power"]),
  ]

  @Test("What is wrong outside is told at its place", arguments: faults)
  func judge(_ example: Example) {
    let source = SourceFile(Self.source(example.text))
    let outcome = PlanCompiler.compile(source, inputs: Golden.inputs)
    let text = SourceText(source)
    let told = outcome.diagnostics.filter { $0.severity != .note }.map {
      "\($0.code) \(text.text(at: $0.primary.span) ?? "")"
    }
    #expect(told.sorted() == example.expected.sorted(), "\(example.text)")
  }
}
