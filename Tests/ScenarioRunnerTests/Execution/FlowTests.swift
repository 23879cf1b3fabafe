import CastProtocol
import ScenarioLanguage
import TestSupport
import Testing

@testable import DeviceControl
@testable import RunReporting
@testable import ScenarioRunner

/// Steps within steps: what is run, in which order, and what becomes of the run.
@Suite struct FlowTests {
  /// A scenario of these steps, each a line of YAML, with a film of 5 minutes that is loaded first as `s1`.
  static func plan(_ lines: [String], more: String = "") throws -> Plan {
    try Play.plan(
      """
      scenario: Flow
      device: Living Room TV
      media: { film: { url: https://cdn.example.com/film.mp4, duration: 5m } }
      \(more)
      steps:
        - load: film
        - expect: { player: playing }
      """ + lines.map { "\n  - \($0)" }.joined())
  }

  /// The steps of these lines, without the first two, under ids of their own.
  static func steps(_ prefix: String, _ lines: String...) throws -> [Plan.Step] {
    try plan(lines).steps.dropFirst(2).enumerated().map { index, step in
      var step = step
      step.id = "\(prefix).\(index + 1)"
      return step
    }
  }

  static func step(_ id: String, _ verb: String, _ action: Plan.Action) throws -> Plan.Step {
    let span = try #require(try plan([]).steps.first).span
    return Plan.Step(id: id, name: verb, verb: verb, action: action, timeout: .zero, span: span)
  }

  static func group(_ id: String, _ steps: [Plan.Step], finally: [Plan.Step] = []) throws -> Plan.Step {
    var group = Plan.GroupAction(steps: steps)
    group.finally = finally
    return try step(id, "group", .group(group))
  }

  static func condition(_ text: String) throws -> Condition {
    guard case .waitUntil(let condition)? = try plan(["wait_until: \(text)"]).steps.last?.action else {
      throw Play.Broken(description: text)
    }
    return condition
  }

  static func play(_ extra: [Plan.Step], more: String = "", edit: (inout Plan) -> Void = { _ in }) throws -> Play {
    var plan = try plan([], more: more)
    plan.steps += extra
    edit(&plan)
    return try Play(plan)
  }

  private func logs(_ play: Play) -> [String] { play.events(.log).compactMap { $0.fields["text"]?.string } }

  @Test("A group runs its steps in order, then its finally; its events name what they stand in")
  func group() throws {
    let play = try Self.play([
      Self.group("s3", Self.steps("s3", "log: a", "log: b"), finally: Self.steps("s3.f", "log: c"))
    ])
    #expect(play.outcome.exitCode == 0)
    #expect(logs(play) == ["a", "b", "c"])
    #expect(
      play.results == ["s1 passed", "s2 passed", "s3.1 passed", "s3.2 passed", "s3.f.1 passed", "s3 passed"])
    #expect(play.events(.stepStarted, step: "s3.1").first?.fields["parent"] == "s3")
    #expect(play.events(.stepFinished, step: "s3.f.1").first?.fields["parent"] == "s3")
    #expect(play.events(.stepFinished, step: "s3").first?.fields["parent"] == nil)
    #expect(play.events(.scenarioFinished).first?.fields["passed"] == 3)
  }

  @Test("A failure inside a group skips the rest of it, not its finally, and fails the group and the run")
  func groupFails() throws {
    let play = try Self.play(
      [
        Self.group(
          "s3", Self.steps("s3", "fail: no", "log: b"), finally: Self.steps("s3.f", "log: c", "fail: x", "log: d")),
        Self.steps("s4", "log: never")[0],
      ])
    #expect(logs(play) == ["c", "d"])
    #expect(
      play.results.suffix(7) == [
        "s3.1 failed", "s3.2 not_run", "s3.f.1 passed", "s3.f.2 failed", "s3.f.3 passed", "s3 failed", "s4.1 not_run",
      ])
    #expect(play.outcome.exitCode == 1)
    #expect(play.events(.scenarioFinished).first?.fields["firstFailure"] == "s3.1")
    #expect(play.events(.stepFinished, step: "s3").first?.fields["reason"] == "s3.1: no")
  }

  @Test("A group that only fails to clean up fails")
  func groupCleanupFails() throws {
    let play = try Self.play([Self.group("s3", Self.steps("s3", "log: a"), finally: Self.steps("s3.f", "fail: x"))])
    #expect(play.outcome.exitCode == 1)
    #expect(play.results.last == "s3 failed")
  }

  @Test("A group is tried again as a whole, expectations included where its policy says so")
  func groupRetry() throws {
    var step = try Self.group("s3", Self.steps("s3", "log: try", "expect: { position: { min: 5s } }\n    within: 2s"))
    step.retry.attempts = 3
    step.retry.errors = [.expectation]
    let play = try Self.play([step])
    #expect(play.outcome == Runner.Outcome(result: .flaky, exitCode: 0))
    #expect(logs(play).count == 2)
    #expect(play.results.last == "s3 flaky")
    #expect(play.events(.attemptFailed, step: "s3").first?.fields["error"]?["class"] == "expectation")
    step.retry.errors = RetryPolicy.transient
    #expect(try Self.play([step]).outcome.exitCode == 1)
  }

  @Test("A soft failure inside a group fails the group, and the run goes on; an ignored one changes nothing")
  func softFailures() throws {
    for (word, exit, result) in [("continue", 1, "failed"), ("ignore", 0, "passed")] as [(String, Int32, String)] {
      let play = try Self.play([
        Self.group("s3", Self.steps("s3", "fail: soft\n    if_fails: \(word)", "log: b")),
        Self.steps("s4", "log: c")[0],
      ])
      #expect(logs(play) == ["b", "c"], "\(word)")
      #expect(play.outcome.exitCode == exit, "\(word)")
      #expect(play.events(.stepFinished, step: "s3").first?.fields["result"] == .string(result), "\(word)")
    }
  }

  @Test("A group with a time of its own ends when that is over")
  func groupTimeout() throws {
    var step = try Self.group("s3", Self.steps("s3", "wait: 1m", "log: never"), finally: Self.steps("s3.f", "log: c"))
    step.timeout = .seconds(5)
    step.hasTimeout = true
    let play = try Self.play([step])
    #expect(play.outcome.exitCode == 6)
    #expect(logs(play) == ["c"])
    let finished = try #require(play.events(.stepFinished, step: "s3").first)
    #expect(finished.fields["duration"]?.number == 5)
  }

  @Test("choose runs the first branch that holds, and no other; without one it passes")
  func choose() throws {
    let span = try #require(try Self.plan([]).steps.first).span
    func branch(_ condition: String?, _ text: String) throws -> Plan.Branch {
      Plan.Branch(
        condition: try condition.map { try Self.condition($0) }, steps: try Self.steps("s3.\(text)", "log: \(text)"),
        span: span)
    }
    func chosen(_ branches: Plan.Branch...) throws -> [String] {
      let play = try Self.play([Self.step("s3", "choose", .choose(branches))])
      #expect(play.outcome.exitCode == 0)
      return logs(play)
    }
    let (paused, playing, short) = (
      try branch("{ player: paused }", "a"), try branch("{ player: playing }", "b"),
      try branch("{ duration: { max: 6m } }", "c")
    )
    #expect(try chosen(paused, playing, short, branch(nil, "d")) == ["b"])
    #expect(try chosen(paused, branch(nil, "d")) == ["d"])
    #expect(try chosen(paused) == [])
  }

  @Test("repeat runs its steps so many times, each pass numbered")
  func repeatTimes() throws {
    let play = try Self.play([
      Self.step("s3", "repeat", .repeat(.init(bound: .times(3), steps: Self.steps("s3", "wait: 1s", "log: a"))))
    ])
    #expect(logs(play).count == 3)
    #expect(play.events(.stepFinished, step: "s3.1").map { $0.fields["pass"] } == [1, 2, 3])
    #expect(play.events(.stepStarted, step: "s3.2").map { $0.fields["pass"] } == [1, 2, 3])
  }

  @Test("repeat until ends when its condition holds after a pass, and fails when it never does")
  func repeatUntil() throws {
    func play(_ until: String, atMost: Int) throws -> Play {
      try Self.play([
        Self.step(
          "s3", "repeat",
          .repeat(
            .init(bound: .until(Self.condition(until), atMost: atMost), steps: Self.steps("s3", "wait: 4s", "log: a"))))
      ])
    }
    let good = try play("{ position: { min: 10s } }", atMost: 5)
    #expect(good.outcome.exitCode == 0)
    #expect(logs(good).count == 3)
    let bad = try play("{ player: idle }", atMost: 2)
    #expect(bad.outcome.exitCode == 1)
    #expect(logs(bad).count == 2)
    #expect(
      bad.events(.stepFinished, step: "s3").first?.fields["reason"]
        == "`until` did not hold after 2 passes: player: expected idle, observed playing")
  }

  @Test("A failure in a pass tells the steps left once and ends the loop")
  func repeatFails() throws {
    let play = try Self.play([
      Self.step("s3", "repeat", .repeat(.init(bound: .times(5), steps: Self.steps("s3", "fail: no", "log: a"))))
    ])
    #expect(play.results.suffix(3) == ["s3.1 failed", "s3.2 not_run", "s3 failed"])
    #expect(play.outcome.exitCode == 1)
  }

  @Test("for_each goes through a saved list with its item, members of it and a number")
  func forEach() throws {
    let steps = try Self.steps("s3", "log: x")
    var step = try #require(steps.first)
    step.action = .log(
      .init([.value("index"), .text(" "), .value("item"), .text(" "), .value("item.id")]))
    let play = try Self.play([
      Self.step("s2a", "set", .set([.init(name: "list", value: .literal(["a", ["id": "b"]]))])),
      Self.step("s3", "for_each", .forEach(.init(list: "list", steps: [step]))),
      Self.step("s4", "log", .log(.init([.value("item")]))),
    ])
    #expect(logs(play).map { String($0.prefix(4)) } == ["1 a ", "2 {\"", ""])
    #expect(logs(play)[1].hasSuffix(" b"))
    let none = try Self.play([Self.step("s3", "for_each", .forEach(.init(list: "list", steps: [step])))])
    #expect(none.outcome.exitCode == 5)
  }

  @Test("if skips a step with what was observed; what cannot be judged is an error")
  func ifs() throws {
    func play(_ text: String, first: Bool = false) throws -> Play {
      var step = try #require(try Self.steps("s3", "log: ran").first)
      step.condition = try Self.condition(text)
      if !first { return try Self.play([step]) }
      return try Self.play([]) { $0.steps.insert(step, at: 0) }
    }
    #expect(logs(try play("{ player: playing }")) == ["ran"])
    let skipped = try play("{ player: idle, rate: 2 }")
    let finished = try #require(skipped.events(.stepFinished, step: "s3.1").first)
    #expect(finished.fields["result"] == "skipped")
    #expect(
      finished.fields["reason"] == "player: expected idle, observed playing, rate: expected 2, observed 1")
    #expect(finished.fields["line"] != nil && finished.fields["verb"] == "log")
    #expect(skipped.outcome.exitCode == 0)
    #expect(skipped.events(.scenarioFinished).first?.fields["skipped"] == 1)
    #expect(skipped.events(.stepStarted, step: "s3.1").isEmpty)

    for text in ["{ title: Sintel }", "{ position: { min: 1s } }", "{ any: [{ player: paused }, { rate: 1 }] }"] {
      let unknown = try play(text, first: true)
      #expect(unknown.outcome.exitCode == 5, "\(text)")
      #expect(unknown.errorClass(of: "s3.1") == "invalid_state", "\(text)")
    }
    // Certain whatever the title may be; and nothing loaded is no break.
    #expect(try play("{ player: paused, title: Sintel }", first: true).outcome.exitCode == 0)
    #expect(logs(try play("{ break: none, player: idle }", first: true)) == ["ran"])
    #expect(logs(try play("{ title: { exists: false } }", first: true)) == ["ran"])
  }

  @Test("A step with skip is told with its reason, and neither run nor judged")
  func skip() throws {
    var step = try Self.group("s3", Self.steps("s3", "fail: no"))
    step.skip = "broken until Friday"
    let play = try Self.play([step])
    #expect(play.outcome.exitCode == 0)
    #expect(play.results.last == "s3 skipped")
    #expect(play.events(.stepFinished, step: "s3").first?.fields["reason"] == "broken until Friday")
  }

  @Test("set gives names values, literal, copied and put together")
  func set() throws {
    let play = try Self.play([
      Self.step("s3", "set", .set([.init(name: "n", value: .literal(3))])),
      Self.step("s4", "set", .set([.init(name: "m", value: .text(.init([.value("n")])))])),
      Self.step("s5", "set", .set([.init(name: "t", value: .text(.init([.text("n is "), .value("m")])))])),
      Self.step("s6", "log", .log(.init([.value("t")]))),
      Self.step("s7", "wait", .wait(.saved("m"))),
    ])
    #expect(logs(play) == ["n is 3"])
    #expect(play.events(.stepFinished, step: "s7").first?.fields["duration"]?.number == 3)
  }

  @Test("Ctrl-C and the scenario's deadline end loops; a group's finally runs all the same")
  func stopped() throws {
    let steps = try Self.steps("s3.1", "wait: 1s")
    let loop = try Self.step("s3.1", "repeat", .repeat(.init(bound: .times(10_000), steps: steps)))
    let group = try Self.group("s3", [loop], finally: Self.steps("s3.f", "wait: 2s", "log: cleaned"))
    let late = try Self.play([group]) { $0.timeout = .seconds(20) }
    #expect(late.outcome.exitCode == 6)
    #expect(logs(late) == ["cleaned"])
    #expect(late.events(.stepFinished, step: "s3").first?.fields["result"] == "error")
    #expect(late.events(.stepFinished, step: "s3.1.1").count < 25)

    var plan = try Self.plan([])
    plan.steps.append(group)
    let (stream, continuation) = AsyncStream<Runner.Interruption>.makeStream()
    let interrupted = try Play(
      plan, interruptions: stream,
      onEvent: { if $0.type == .stepStarted, $0.step == "s3.1.1", $0.elapsed > 5 { continuation.yield(.interrupt) } })
    #expect(interrupted.outcome.exitCode == 130)
    #expect(logs(interrupted) == ["cleaned"], "\(interrupted.results)")
    #expect(interrupted.events(.stepFinished, step: "s3").first?.fields["result"] == "error")
    #expect((interrupted.events.last?.elapsed ?? 99) < 12)
  }

  @Test(
    "Ten thousand passes that take no time are run, told and bounded by the scenario's deadline",
    .timeLimit(.minutes(2)))
  func instantaneous() throws {
    func loop(_ id: String, _ steps: [Plan.Step]) throws -> Plan.Step {
      try Self.step(id, "repeat", .repeat(.init(bound: .times(10_000), steps: steps)))
    }
    let play = try Self.play([loop("s3", Self.steps("s3", "log: a"))])
    #expect(play.outcome.exitCode == 0)
    #expect(logs(play).count == 10_000)
    let endless = try Self.play([loop("s3", [loop("s3.1", Self.steps("s3.1", "mark: a"))])]) {
      $0.timeout = .seconds(12)
    }
    #expect(endless.outcome.exitCode == 6)
    #expect(endless.events(.mark).count < 13_000)
  }

  @Test("Steps that are not run are told once each, those inside others too")
  func notRun() throws {
    let inner = try Self.steps("s4", "log: a", "log: b")
    let play = try Self.play([
      Self.steps("s3", "fail: no")[0], Self.step("s4", "repeat", .repeat(.init(bound: .times(9), steps: inner))),
    ])
    #expect(play.results.suffix(3) == ["s4 not_run", "s4.1 not_run", "s4.2 not_run"])
    #expect(play.events(.stepFinished, step: "s4.1").first?.fields["parent"] == "s4")
    #expect(play.events(.scenarioFinished).first?.fields["notRun"] == 1)
  }

  @Test("JUnit has one test case for a group, with what failed inside it")
  func junit() throws {
    let play = try Self.play([
      Self.group("s3", Self.steps("s3", "log: a", "expect: { player: paused }\n    within: 1s"))
    ])
    let text = ReportText.junit(play.events)
    #expect(text.contains("tests=\"3\" failures=\"1\""), "\(text)")
    #expect(
      text.contains("message=\"s3.2: player: expected paused, observed playing\" type=\"expect.player\""), "\(text)")
    #expect(!text.contains("name=\"s3.1"))
  }

  @Test("session.leave and takeover: ignore are kept to")
  func session() throws {
    func requests(_ edit: (inout Plan) -> Void) throws -> [String] {
      var plan = try Self.plan(["volume: 20%"])
      edit(&plan)
      let play = try Play(plan, configure: { $0.includesWire = true })
      #expect(play.outcome.exitCode == 0)
      return play.events(.request).compactMap { $0.fields["msg"]?["type"]?.string }
    }
    #expect(try requests { _ in }.suffix(3).filter { $0 != "CLOSE" } == ["SET_VOLUME", "STOP"])
    let kept = try requests { $0.session.leave = .keep }
    #expect(!kept.contains("STOP") && kept.count { $0 == "SET_VOLUME" } == 1, "\(kept)")
    let stopped = try requests { $0.session.leave = .stop }
    #expect(stopped.contains("STOP") && stopped.count { $0 == "SET_VOLUME" } == 1, "\(stopped)")
    var plan = try Self.plan([])
    plan.session.join = .mustExist
    #expect(try Play(plan).outcome.exitCode == 5)
    plan = try Self.plan(["wait: 10s", "log: still here"])
    plan.takeover = .ignore
    let peer = FaultyDevice(.mediaTakenOver(after: .seconds(3)))
    let play = try Play(plan, accept: { peer.serve($0, $1) })
    #expect(logs(play) == ["still here"], "\(play.results)")
  }
}
