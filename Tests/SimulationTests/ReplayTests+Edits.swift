import CastProtocol
import RunReporting
import ScenarioLanguage
import Testing

@testable import ScenarioRunner

/// Edited documents, judged on what a run of the document before recorded.
extension ReplayTests {
  private static let head = """
    scenario: Edited
    device: Living Room TV
    media: { film: { url: https://cdn.example.com/film.mp4, duration: 5m } }

    """

  /// A run of these steps.
  private static let steps = """
      - load: film
      - expect: { player: playing }
      - wait: 10s
      - { expect: { position: { about: 20s, tolerance: 2s } }, within: 1s, if_fails: continue }
      - seek: 1m
      - { always: { player: playing }, during: 5s }
      - pause
      - expect: { player: paused }

    """

  struct Edit: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var from: String
    var to: String
    /// What is judged otherwise.
    var changes: [String]
    var more = ""
  }

  static let edits: [Edit] = [
    Edit(
      testDescription: "a wider tolerance passes", from: "tolerance: 2s", to: "tolerance: 15s",
      changes: ["s4 failed→passed"]),
    Edit(
      testDescription: "a position that is reckoned between two statuses", from: "about: 20s, tolerance: 2s",
      to: "min: 10.2s, max: 10.9s", changes: ["s4 failed→passed"]),
    Edit(
      testDescription: "another expectation fails", from: "expect: { player: paused }",
      to: "expect: { player: playing }",
      changes: ["s8 passed→undecided(\"the run ended\")"]),
    Edit(
      testDescription: "one that looks once fails at once", from: "expect: { player: paused }",
      to: "{ expect: { player: playing }, within: 0s }",
      changes: [#"s8 passed→failed("player: expected playing, observed paused")"#]),
    Edit(
      testDescription: "a longer limit than the recording is about", from: "within: 1s", to: "within: 1m",
      changes: [#"s4 failed→undecided("the run went on with s5")"#]),
    Edit(
      testDescription: "a longer window than the recording is about", from: "during: 5s", to: "during: 20s",
      changes: [#"s6 passed→undecided("the run went on with s7")"#]),
    Edit(
      testDescription: "a step that was added is judged where it stands", from: "  - wait: 10s\n",
      to: "  - { expect: { position: { below: 1s } }, within: 0s }\n  - wait: 10s\n", changes: ["s3 new→passed"]),
    Edit(
      testDescription: "a step that was taken away shifts no other", from: "  - expect: { player: playing }\n", to: "",
      changes: []),
    Edit(
      testDescription: "what changed since the last action", from: "expect: { player: paused }",
      to: "{ expect: { player: { changed: true } }, within: 0s }", changes: []),
    Edit(
      testDescription: "what did not change since the last action", from: "expect: { player: paused }",
      to: "{ expect: { title: { changed: true } }, within: 0s }",
      changes: [#"s8 passed→failed("title: expected changed, observed film")"#]),
    Edit(
      testDescription: "a sequence looks back", from: "expect: { player: paused }",
      to: "{ expect_sequence: [{ player: playing }, { player: paused }], within: 1s, since: s5 }", changes: []),
    Edit(
      testDescription: "a field that events do not tell", from: "expect: { player: paused }",
      to: "expect: { tracks: { exists: true } }", changes: [#"s8 passed→undecided("events do not tell `tracks`")"#]),
    Edit(
      testDescription: "a new rule that was kept", from: "", to: "", changes: ["Plays on new→passed"],
      more: "watch: [{ name: Plays on, never: { player: idle, idle_reason: error } }]\n"),
    Edit(
      testDescription: "a new rule that would have told", from: "", to: "",
      changes: [#"No pause new→failed("at +16.0s: player paused")"#],
      more: "watch: [{ name: No pause, never: { player: paused } }]\n"),
    Edit(
      testDescription: "a new rule with a time", from: "", to: "",
      changes: [#"Plays new→failed("at +0.0s: player playing")"#],
      more: "watch: [{ name: Plays, never: { player: playing }, for: 8s }]\n"),
  ]

  @Test("An edited document is judged on what the run recorded", arguments: edits)
  func edit(edit: Edit) throws {
    let run = try Self.document(Self.head + "steps:\n" + Self.steps)
    let events = try Self.events(of: run)
    let text = edit.from.isEmpty ? Self.steps : Self.steps.replacing(edit.from, with: edit.to)
    #expect(edit.from.isEmpty || text != Self.steps)
    let document = try Self.document(Self.head + edit.more + "steps:\n" + text)
    #expect(Self.changes(events, of: run, with: document) == edit.changes)
  }

  @Test("Saved values are those of the run, passes of a loop are told apart, and rows that are gone are told")
  func values() throws {
    let text =
      Self.head + """
        matrix: { n: [1, 2] }
        steps:
          - load: film
          - { save: { before: position } }
          - wait: 3s
          - repeat: { times: 2, steps: [{ expect: { position: { above: "${before}" } }, within: 0s }] }
        """
    let run = try Self.document(text)
    let events = try Self.events(of: run)
    let judged = RunReplay(events, of: run, with: run).judged()
    #expect(judged.map(\.now) == [.passed, .passed, .passed, .passed] && judged.map(\.pass) == [1, 2, 1, 2])
    #expect(judged.map { $0.row["n"] } == [1, 1, 2, 2])
    let one = try #require(run.withRows(fitting: ["n=2"]))
    let replay = RunReplay(events, of: run, with: one)
    #expect(replay.judged().map(\.now) == [.undecided("the document does not have this row"), .passed, .passed])
  }

  // MARK: never better than live

  /// A document that is run, an edited one, and what its replay says of what is changed.
  struct Trap: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var run: String
    var edited: String
    var faults: [String] = []
    /// How many of the run's events are left, counted from its end; 0: all.
    var cut = 0
  }

  private static let twoFilms = """
    scenario: Traps
    device: Living Room TV
    media:
      a: { url: https://cdn.example.com/a.mp4, duration: 10m, metadata: { title: AA } }
      b: { url: https://cdn.example.com/b.mp4, duration: 10m, metadata: { title: BB } }

    """
  private static let branches = """
      - load: a
      - parallel:
          - { name: x, steps: [{ never: { player: idle }, during: 10s }] }
          - { name: y, steps: [{ wait: 2s }, { volume: 30% }, { wait: 2s }, pause, { wait: 1s }, play] }
    """
  private static let loads =
    "  - load: a\n  - { expect: { title: AA }, within: 1s }\n  - load: b\n  - { expect: { title: BB }, within: 1s }\n"
  private static let loop =
    "  - load: a\n  - repeat: { times: 3, steps: [{ wait: 1s }, { expect: { player: playing } }] }\n"

  static let traps: [Trap] = [
    Trap(
      testDescription: "a rule, and an action that was added behind all others",
      run:
        "watch: [{ name: quiet, never: { volume: { level: { min: 90% } } } }]\nsteps: [{ expect: { connection: open } }]\n",
      edited: "watch: [{ name: quiet, never: { volume: { level: { min: 90% } } } }]\n"
        + "steps: [{ expect: { connection: open } }, { volume: 95% }]\n"),
    Trap(
      testDescription: "a rule that is broken after a connection was lost",
      run: """
        watch: [{ name: quiet, never: { volume: { level: { min: 90% } } }, if_fails: continue }]
        steps:
          - load: a
          - wait: 20s
          - { volume: 50%, retry: { attempts: 5, before: reconnect } }
          - volume: 95%
          - { expect: { player: playing }, within: 1s }
        """, edited: "", faults: ["{ at: playing, after: 5s, times: 1, drop: connection, for: 2s }"]),
    Trap(
      testDescription: "a rule about a variable that a step sets",
      run: """
        vars: { limit: { type: percent, default: 90% } }
        watch: [{ name: quiet, never: { volume: { level: { above: "${limit}" } } }, if_fails: continue }]
        steps: [{ volume: 20% }, { set: { limit: 10% } }, { volume: 50% }, { expect: { connection: open } }]
        """, edited: ""),
    Trap(
      testDescription: "what another branch does meanwhile is seen",
      run: "steps:\n" + branches, edited: "steps:\n" + branches.replacing("player: idle", with: "player: paused")),
    Trap(
      testDescription: "an expectation behind `choose`",
      run:
        "steps:\n  - load: a\n  - choose: [{ if: { player: idle }, steps: [pause] }]\n  - expect: { player: playing }\n",
      edited: "steps:\n  - load: a\n  - choose: [{ if: { player: idle }, steps: [pause] }]\n"
        + "  - { expect: { player: paused }, within: 1s }\n  - expect: { player: playing }\n"),
    Trap(
      testDescription: "an expectation before all others",
      run: "steps:\n" + loads, edited: "steps:\n  - { expect: { title: AA }, within: 0s }\n" + loads),
    Trap(
      testDescription: "an expectation behind a loop is judged once",
      run: "steps:\n" + loop, edited: "steps:\n" + loop + "  - { expect: { position: { below: 2s } }, within: 0s }\n"),
    Trap(
      testDescription: "of two that were added the second begins when the first has passed",
      run: "steps:\n  - load: a\n  - wait: 10s\n  - expect: { player: playing }\n",
      edited: "steps:\n  - load: a\n  - wait_until: { position: { min: 5s } }\n"
        + "  - { expect: { position: { below: 3s } }, within: 0s }\n  - wait: 10s\n  - expect: { player: playing }\n"),
    Trap(
      testDescription: "an expectation behind a wait that was added",
      run: "steps:\n  - load: a\n  - expect: { player: playing }\n  - wait: 10s\n",
      edited: "steps:\n  - load: a\n  - expect: { player: playing }\n  - wait: 5s\n"
        + "  - { expect: { position: { below: 3s } }, within: 0s }\n  - wait: 10s\n"),
    Trap(
      testDescription: "an expectation in a group that was added",
      run: "steps:\n  - load: a\n  - wait: 10s\n  - expect: { player: playing }\n",
      edited: "steps:\n  - load: a\n  - wait: 10s\n"
        + "  - group: { steps: [{ log: here }, { expect: { position: { below: 3s } }, within: 0s }] }\n  - expect: { player: playing }\n"
    ),
    Trap(
      testDescription: "other media than were loaded", run: "steps:\n" + loads,
      edited: "steps:\n"
        + loads.replacing("load: a", with: "load: X").replacing("load: b", with: "load: a").replacing(
          "load: X", with: "load: b")),
    Trap(
      testDescription: "an expectation that the run did not come to",
      run:
        "steps:\n  - load: a\n  - { expect: { player: paused }, within: 1s }\n  - { expect: { title: BB }, within: 0s }\n",
      edited:
        "steps:\n  - load: a\n  - { expect: { player: playing }, within: 1s }\n  - { expect: { title: BB }, within: 0s }\n"
    ),
    Trap(
      testDescription: "a run that was killed before the rest was done",
      run: "watch: [{ name: no pause, never: { player: paused }, if_fails: continue }]\n"
        + "steps: [{ load: a }, pause, { wait: 1m }, { expect: { player: paused } }]\n",
      edited: "", cut: 4),
  ]

  @Test("A replay does not pass what would fail on the device", arguments: traps)
  func honest(trap: Trap) throws {
    let run = try Self.document(Self.twoFilms + trap.run)
    let edited = trap.edited.isEmpty ? run : try Self.document(Self.twoFilms + trap.edited)
    let live = try Self.events(of: edited, faults: trap.faults)
    let exit = live.compactMap { if case .runFinished(let finished) = $0.kind { finished.exit } else { nil } }.last
    #expect(exit != 0, "the edited document fails live")
    let recorded = try Self.events(of: run, faults: trap.faults)
    let judged = RunReplay(Array(recorded.dropLast(trap.cut)), of: run, with: edited).judged()
    let report = ReplayReport(judged, of: "R", with: "a.yaml", names: [:])
    #expect(report.exit != .passed, "\(report.lines.joined(separator: "\n"))")
  }

  @Test("An expectation that was put between two others does not take their names and times")
  func inserted() throws {
    func text(_ more: String) -> String {
      Self.twoFilms + "steps:\n  - load: a\n  - { name: A, expect: { position: { min: 5s } } }\n" + more
        + "  - { name: B, expect: { player: playing } }\n  - wait: 3s\n"
    }
    let run = try Self.document(text(""))
    let edited = try Self.document(text("  - { name: C, expect: { position: { below: 1s } }, within: 0s }\n"))
    let judged = RunReplay(try Self.events(of: run), of: run, with: edited).judged()
    #expect(judged.map(\.name) == ["A", "C", "B"] && judged.map(\.before) == [true, nil, true])
    #expect(judged.map(\.now).first == .passed && judged.last?.now == .passed)
    guard case .failed? = judged.dropFirst().first?.now else { return #expect(Bool(false), "\(judged)") }
  }

  @Test("Each role is judged on its own device, also where the edited document names another")
  func roles() throws {
    func text(_ steps: String) -> String {
      """
      scenario: Roles
      roles: { left: Bar left, right: Bar right }
      media:
        a: { url: https://cdn.example.com/a.mp4, duration: 10m, metadata: { title: AA } }
        b: { url: https://cdn.example.com/b.mp4, duration: 10m, metadata: { title: BB } }
      steps:
        - { load: a, role: left }
        - { load: b, role: right }

      """ + steps
    }
    let run = try Self.document(text("  - { expect: { title: AA }, within: 0s, role: left }\n"))
    let events = try Self.events(of: run)
    func judged(_ steps: String) throws -> [String] {
      RunReplay(events, of: run, with: try Self.document(text(steps))).judged().map { judged in
        "\(judged.device ?? "-") \(judged.now == .passed)"
      }
    }
    #expect(try judged("  - { expect: { title: AA }, within: 0s, role: left }\n") == ["bar-left true"])
    #expect(try judged("  - { expect: { title: AA }, within: 0s, role: right }\n") == ["bar-right false"])
    #expect(
      try judged(
        "  - { expect: { title: AA }, within: 0s, role: left }\n  - { expect: { title: BB }, within: 0s, role: all }\n")
        == ["bar-left true", "bar-left false", "bar-right true"])
  }

  @Test("A failure that is ignored fails no replay")
  func ignored() throws {
    let run = try Self.document(
      Self.twoFilms + "steps: [{ load: a }, { expect: { player: paused }, within: 1s, if_fails: ignore }]\n")
    let judged = RunReplay(try Self.events(of: run), of: run, with: run).judged()
    let report = ReplayReport(judged, of: "R", with: "a.yaml", names: [:])
    #expect(report.exit == .passed && report.lines.last?.contains("0 passed, 0 failed, 1 ignored; 0 changed") == true)
  }

  @Test("Each of two thousand expectations is judged, also where all were edited", .timeLimit(.minutes(1)))
  func large() throws {
    let steps = (1...2000).map { "  - { name: \"n\($0)\", expect: { player: playing } }\n" }.joined()
    let run = try Self.document(Self.twoFilms + "timeout: 1h\nsteps:\n  - load: a\n" + steps)
    let events = try Self.events(of: run)
    #expect(RunReplay(events, of: run, with: run).judged().allSatisfy { $0.now == .passed })
    let edited = try Self.document(
      Self.twoFilms + "timeout: 1h\nsteps:\n  - load: a\n"
        + steps.replacing("player: playing", with: "player: { not: paused }"))
    #expect(RunReplay(events, of: run, with: edited).judged().count == 2000)
  }

  @Test("Repeats are told apart, and what a killed run was at is neither new nor changed")
  func reports() throws {
    let run = try Self.document(Self.twoFilms + "steps: [{ load: a }, { expect: { player: paused } }]\n")
    let single = try Self.events(of: run)
    let repeated = single.map { event in
      var event = event
      if case .scenarioStarted(var started) = event.kind {
        (started.repeatNumber, started.repeats) = (2, 3)
        event.kind = .scenarioStarted(started)
      }
      return event
    }
    let one = RunReplay(repeated, of: run, with: run).judged()
    let two = ReplayReport(one + RunReplay(single, of: run, with: run).judged(), of: "R", with: "a.yaml", names: [:])
    #expect(two.lines.first == "a [living-room-tv] repeat 2/3", "\(two.lines)")
    #expect(two.json["judged"]?.array?.first?["repeat"] == 2)
    let place = try #require(single.firstIndex { $0.type == .stepStarted && $0.step == "s2" })
    let killed = RunReplay(Array(single[...place]), of: run, with: run).judged()
    let report = ReplayReport(killed, of: "R", with: "a.yaml", names: [:])
    #expect(killed.map(\.now) == [.undecided("the run ended")] && !killed[0].isChanged)
    #expect(report.lines.first == " s2     not done -> undecided expect player", "\(report.lines)")
  }
}
