import CastProtocol
import CastReceiver
import FaultSearching
import RunReporting
import ScenarioLanguage
import Signage
import Simulation
import Testing

/// Each checker finds what it is for in a trace that is wrong in one thing, and nothing in the same trace without that.
@Suite struct CheckerTests {
  // MARK: runs

  /// A run of one step that judges; `change` makes it wrong.
  private static func run(_ change: (inout [Event]) -> Void = { _ in }) -> Trace {
    func event(_ elapsed: Double, _ kind: EventKind, step: String? = nil) -> Event {
      Event(number: 0, wallTime: elapsed, elapsed: elapsed, document: "d", device: "tv", step: step, kind: kind)
    }
    var started = EventKind.StepStarted()
    (started.verb, started.deadline) = ("expect", 12)
    var finished = EventKind.StepFinished()
    (finished.result, finished.attempts) = (.passed, 1)
    var passed = EventKind.Expectation()
    passed.got = ["player": "playing"]
    var over = EventKind.ScenarioFinished()
    over.result = .passed
    var events = [
      event(0, .runStarted(.init())), event(0, .plan(.init(steps: 1, deadline: 30, finallyDeadline: 10))),
      event(1, .scenarioStarted(.init())), event(2, .stepStarted(started), step: "s1"),
      event(3, .expectPassed(passed), step: "s1"), event(3, .stepFinished(finished), step: "s1"),
      event(4, .scenarioFinished(over)), event(4, .runFinished(.init())),
    ]
    change(&events)
    for index in events.indices where events[index].number == 0 { events[index].number = index + 1 }
    if case .runFinished(var end)? = events.last?.kind {
      (end.events, end.result) = (events.count, .passed)
      events[events.count - 1].kind = .runFinished(end)
    }
    var trace = Trace()
    trace.events = events
    trace.exit = 0
    trace.ledgers["tv"] = ledger(("playing", 2.5))
    return trace
  }

  private static func ledger(_ told: (player: String, time: Double)...) -> ReceiverLedger {
    ledger(told.map { .player($0.player, at: $0.time) })
  }

  /// What a status tells.
  private enum Word {
    case player(String, session: Int = 1, at: Double)
    /// The session of the app that runs, whose id is always the same.
    case app(String, at: Double)
  }

  private static func ledger(_ words: [Word]) -> ReceiverLedger {
    var ledger = ReceiverLedger()
    func add(_ type: String, _ namespace: Namespace, _ status: JSONValue, at time: Double) {
      let json: JSONValue = ["type": .string(type), "requestId": 0, "status": status]
      let message = CastMessage(source: .receiver, destination: .everyone, namespace: namespace, json: json)
      ledger.add(.sent(message, on: ConnectionID(rawValue: 1)), at: time)
    }
    for word in words {
      switch word {
      case .player(let player, let session, let time):
        add(
          "MEDIA_STATUS", .media, [["mediaSessionId": .int(session), "playerState": .string(player.uppercased())]],
          at: time)
      case .app(let session, let time):
        add(
          "RECEIVER_STATUS", .receiver, ["applications": [["appId": "CC1AD845", "sessionId": .string(session)]]],
          at: time)
      }
    }
    return ledger
  }

  @Test("A run as it should be is found fault with by none") func well() {
    #expect(Checkers.finding(in: Self.run()) == nil)
    #expect(Checkers.finding(in: Self.serving()) == nil)
  }

  @Test(
    "A hang is found: a simulation that stands, a scenario or a step behind its deadline, a run that does not end",
    arguments: [
      { $0.error = .deadlock(at: .seconds(1)) }, { $0.error = .livelock(at: .seconds(1)) },
      { $0.error = .overdue(at: .seconds(1)) },
      {
        $0 = Self.run {
          $0[6].elapsed = 42; $0[7].elapsed = 42
        }
      },
      { $0 = Self.run { for index in 5...7 { $0[index].elapsed = 18 } } },
      { $0 = Self.run { $0.removeLast() } },
    ] as [@Sendable (inout Trace) -> Void])
  func hang(change: @Sendable (inout Trace) -> Void) { expect("hang", HangChecker(), change) }

  @Test(
    "A leak is found: tasks that wait, work outside, objects that stay",
    arguments: [
      { $0.error = .leaked(sleepers: 1) }, { $0.error = .escaped(["a sleep"]) }, { $0.survivors = ["CastConnection"] },
    ] as [@Sendable (inout Trace) -> Void])
  func leak(change: @Sendable (inout Trace) -> Void) { expect("leak", LeakChecker(), change) }

  @Test(
    "Events out of order are found: holes, time that goes backwards, ends without a begin, and what is left open",
    arguments: [
      { $0 = Self.run { $0[3].number = 9 } }, { $0 = Self.run { $0[4].elapsed = 1 } },
      { $0 = Self.run { $0[4].wallTime = 1 } },
      { $0 = Self.run { $0.remove(at: 3) } }, { $0 = Self.run { $0.remove(at: 5) } },
      { $0 = Self.run { $0.insert($0[3], at: 4) } }, { $0 = Self.run { $0.swapAt(5, 6) } },
      { $0 = Self.run { $0.removeFirst() } },
      {
        $0 = Self.run { events in
          var back = events[3]
          back.kind = .deviceBack(.init(after: 1))
          events.insert(back, at: 4)
        }
      },
      {
        $0 = Self.run { events in
          if case .stepStarted(var started) = events[3].kind {
            started.parent = "s0"
            events[3].kind = .stepStarted(started)
          }
        }
      },
    ] as [@Sendable (inout Trace) -> Void])
  func order(change: @Sendable (inout Trace) -> Void) { expect("order", OrderChecker(), change) }

  @Test(
    "A verdict that the events contradict is found: a step or a monitor that failed, nothing judged, another exit code",
    arguments: [
      {
        $0 = Self.run { events in
          if case .stepFinished(var finished) = events[5].kind {
            finished.result = .failed
            events[5].kind = .stepFinished(finished)
          }
        }
      },
      {
        $0 = Self.run { events in
          var broken = events[4]
          broken.kind = .monitorFailed(.init())
          events.insert(broken, at: 4)
        }
      },
      { $0 = Self.run { $0.remove(at: 4) } }, { $0.exit = 1 },
      {
        $0 = Self.run {
          Self.begin("expect_message", in: &$0); $0.remove(at: 4)
        }
      },
      { $0 = Self.run { Self.begin("expect_miracle", in: &$0) } },
    ] as [@Sendable (inout Trace) -> Void])
  func verdict(change: @Sendable (inout Trace) -> Void) { expect("verdict", VerdictChecker(), change) }

  /// Another verb for the step of a run.
  private static func begin(_ verb: String, in events: inout [Event]) {
    guard case .stepStarted(var started) = events[3].kind else { return }
    started.verb = verb
    events[3].kind = .stepStarted(started)
  }

  @Test("Only a step that asks a silent device once may end that much later") func asking() {
    for (verb, isLate) in [("expect", false), ("expect_message", true), ("wait", true)] {
      let trace = Self.run { events in
        Self.begin(verb, in: &events)
        for index in 4...7 { events[index].elapsed = 16 }
      }
      #expect(HangChecker().problems(in: trace).isEmpty != isLate, "\(verb)")
    }
  }

  @Test("Every field of conditions is one that the ledger keeps, or one that it says nothing of") func fields() {
    // What is estimated, what follows from other fields, what a sender knows by itself, and what is not searched yet.
    let others: Set<String> = [
      "position", "position_reported", "duration", "rate", "content_url", "content_type", "stream", "metadata",
      "metadata.*", "tracks", "active_tracks", "text_style", "text_style.color", "text_style.background",
      "text_style.edge_color", "text_style.window_color", "text_style.size", "text_style.font", "text_style.family",
      "text_style.style", "text_style.edge", "text_style.window", "text_style.window_radius", "break", "break.time",
      "break.clip_time", "break.skippable", "break.skippable_at", "breaks", "commands", "repeat", "queue",
      "queue.current", "queue.items", "queue.count", "live_range", "live_range.start", "live_range.end",
      "live_range.moving", "live_range.done", "video", "video.width", "video.height", "video.hdr", "stream_volume",
      "stream_volume.level", "stream_volume.muted", "error", "error.code", "error.name", "app", "app.name", "app.text",
      "app.idle", "app.namespaces", "volume", "volume.level", "volume.control", "active_input", "standby", "connection",
      "custom", "custom.*", "raw", "raw.media", "raw.media.*", "raw.receiver", "raw.receiver.*",
    ]
    let all = Set(StatusField.all.map(\.path.text))
    #expect(all == others.union(LedgerField.allCases.map(\.rawValue)))
  }

  @Test(
    "A pass without evidence is found: the receiver never said so, said so later, or said otherwise before",
    arguments: [
      { $0.ledgers["tv"] = ReceiverLedger() }, { $0.ledgers["tv"] = Self.ledger(("playing", 3.5)) },
      { $0.ledgers["tv"] = Self.ledger(("playing", 0.5), ("paused", 1)) },
    ] as [@Sendable (inout Trace) -> Void])
  func evidence(change: @Sendable (inout Trace) -> Void) {
    // The ledger is empty, and is there.
    expect("false pass", EvidenceChecker(), change)
  }

  @Test("What comes late or is lost on the way may be missing: the value counts until it can be known to be over")
  func lost() {
    var trace = Self.run()
    trace.ledgers["tv"] = Self.ledger(("playing", 0.5), ("paused", 1))
    trace.script = FaultScript(seed: 1, [.delay(0...1500)])
    #expect(EvidenceChecker().problems(in: trace) == [])
    trace.script = FaultScript(seed: 1, [.cut(at: 900)])
    #expect(EvidenceChecker().problems(in: trace) == [])
  }

  @Test("A request that is done and never came, and an answer that nobody sent, are found") func requests() {
    var request = EventKind.RequestFinished()
    (request.id, request.name, request.outcome) = (7, "PLAY", .completed)
    var reply = EventKind.WireMessage()
    (reply.id, reply.message) = (7, ["type": "MEDIA_STATUS"])
    for kind in [EventKind.requestFinished(request), .reply(reply)] {
      expect("request", RequestChecker()) { trace in
        trace = Self.run { $0.insert(Event(number: 0, wallTime: 3, elapsed: 3, device: "tv", kind: kind), at: 5) }
      }
    }
  }

  // MARK: serving

  /// Two minutes of a screen with one play; `change` makes it wrong.
  private static func serving(_ change: (inout [LedgerRecord]) -> Void = { _ in }) -> Trace {
    var play = LedgerRecord.Play(
      item: "a", content: "https://e.com/a.jpg", rule: "program[0]", start: 1010, end: 1100, shown: 90,
      endReason: .duration)
    play.evidence = .init(session: 1, playingAt: 1010)
    var records = [
      LedgerRecord(screen: "tv", .gap(.init(start: 1000, end: 1010, reason: .loading))),
      LedgerRecord(screen: "tv", .play(play)),
      LedgerRecord(screen: "tv", .gap(.init(start: 1100, end: 1120, reason: .nothing))),
    ]
    change(&records)
    var trace = Trace()
    trace.records = records
    trace.served = (1000, 120)
    trace.ledgers["tv"] = ledger(("playing", 10), ("playing", 50))
    return trace
  }

  @Test(
    "A ledger that does not add up is found: holes, moments in two entries, an end that is missing",
    arguments: [
      { $0 = Self.serving { $0.remove(at: 1) } }, { $0 = Self.serving { $0.insert($0[1], at: 2) } },
      { $0 = Self.serving { $0.removeLast() } },
    ] as [@Sendable (inout Trace) -> Void])
  func clock(change: @Sendable (inout Trace) -> Void) { expect("ledger", LedgerClockChecker(), change) }

  @Test(
    "An entry with no play, and a play with no entry, are found",
    arguments: [
      { $0.ledgers["tv"] = ReceiverLedger() }, { $0.ledgers["tv"] = Self.ledger(("playing", 12)) },
      { $0.ledgers["tv"] = Self.ledger(("playing", 10), ("playing", 115)) },
      // Another app had the screen half a second later.
      { $0.ledgers["tv"] = Self.ledger(Self.overBy(112.5)) },
      // A session that no entry has.
      { $0.ledgers["tv"] = Self.ledger([.player("playing", at: 10), .player("playing", session: 2, at: 112)]) },
    ] as [@Sendable (inout Trace) -> Void])
  func plays(change: @Sendable (inout Trace) -> Void) {
    expect("play", PlayChecker()) { trace in
      trace = Self.serving()
      change(&trace)
    }
  }

  /// A play beside that of ``serving(_:)`` that begins at 112 s and is over when the app has another session.
  private static func overBy(_ end: Double) -> [Word] {
    [
      .app("s-1", at: 9), .player("playing", at: 10), .player("idle", at: 100), .app("s-1", at: 111),
      .player("playing", at: 112), .app("s-1", at: 112), .app("s-2", at: end),
    ]
  }

  @Test("A play that is over before anybody could be told of it needs no entry; its number may be that of another")
  func over() {
    var trace = Self.serving()
    trace.ledgers["tv"] = Self.ledger(Self.overBy(112))
    #expect(PlayChecker().problems(in: trace) == [])
  }

  private func expect(_ name: String, _ checker: some Checker, _ change: (inout Trace) -> Void) {
    var trace = Self.run()
    change(&trace)
    #expect(checker.name == name)
    #expect(!checker.problems(in: trace).isEmpty)
  }
}
