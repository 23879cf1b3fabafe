package import CastProtocol
package import ScenarioLanguage

/// One record of a run's journal (docs/runs.md "The journal"): what a run that dies leaves for the one that goes on.
package struct JournalEntry: Hashable, Sendable {
  /// Unix seconds.
  package var wallTime: Double
  /// Document seconds that the run has gone on for, with all its earlier parts.
  package var elapsed: Double
  package var kind: Kind

  package init(wallTime: Double, elapsed: Double, _ kind: Kind) {
    (self.wallTime, self.elapsed, self.kind) = (wallTime, elapsed, kind)
  }

  /// What happened. Scenarios, steps and their conditions are known by keys that are the same in every part of a run.
  package enum Kind: Hashable, Sendable {
    case begin(Begin)
    case scenario(Scenario)
    case start(Start)
    case choice(Choice)
    case intent(Intent)
    case done(Done)
    case broken(Broken)
    case streak(Streak)
    case cleanup(Cleanup)
    case scenarioEnd(ScenarioEnd)
    case end(End)
    case resumed(Resumed)

    /// What stands in `k`.
    package enum Word: String, CaseIterable, Sendable {
      case begin, scenario, start, choice, intent, done, broken, streak, cleanup
      case scenarioEnd = "scenario-end"
      case end, resumed
    }

    package var word: Word { parts.word }
    package var fields: JSONObject { parts.payload.fields }

    private var parts: (word: Word, payload: any EventPayload) {
      switch self {
      case .begin(let payload): (.begin, payload)
      case .scenario(let payload): (.scenario, payload)
      case .start(let payload): (.start, payload)
      case .choice(let payload): (.choice, payload)
      case .intent(let payload): (.intent, payload)
      case .done(let payload): (.done, payload)
      case .broken(let payload): (.broken, payload)
      case .streak(let payload): (.streak, payload)
      case .cleanup(let payload): (.cleanup, payload)
      case .scenarioEnd(let payload): (.scenarioEnd, payload)
      case .end(let payload): (.end, payload)
      case .resumed(let payload): (.resumed, payload)
      }
    }

    package init(_ word: Word, fields: JSONObject) {
      switch word {
      case .begin: self = .begin(Begin(fields: fields))
      case .scenario: self = .scenario(Scenario(fields: fields))
      case .start: self = .start(Start(fields: fields))
      case .choice: self = .choice(Choice(fields: fields))
      case .intent: self = .intent(Intent(fields: fields))
      case .done: self = .done(Done(fields: fields))
      case .broken: self = .broken(Broken(fields: fields))
      case .streak: self = .streak(Streak(fields: fields))
      case .cleanup: self = .cleanup(Cleanup(fields: fields))
      case .scenarioEnd: self = .scenarioEnd(ScenarioEnd(fields: fields))
      case .end: self = .end(End(fields: fields))
      case .resumed: self = .resumed(Resumed(fields: fields))
      }
    }
  }

  /// The first record: what is run.
  package struct Begin: EventPayload {
    /// Of another form nothing is read.
    package static let version = 1

    package var version: Int? = Self.version
    package var file = ""
    /// SHA-256 of the full path of that file, in hexadecimal digits: the path itself is nobody else's to know.
    package var place: String?
    /// Of all files that it was read from, in hexadecimal digits.
    package var sha256 = ""
    package var rows = 0
    /// How often each row is run; `nil`: once.
    package var repeats: Int?
    /// The repeats of each row that are run; `nil`: all.
    package var chosen: [[Int]]?
    /// How many rows are run at the same time.
    package var jobs = 1
    /// The run that this one goes on with.
    package var resumes: String?

    package init() {}
    package mutating func code(_ members: inout EventMembers) {
      members.optional("v", &version)
      members.always("file", &file)
      members.optional("place", &place)
      members.always("sha256", &sha256)
      members.always("rows", &rows)
      members.optional("repeats", &repeats)
      members.optional("chosen", &chosen)
      members.unless(1, "jobs", &jobs)
      members.optional("resumes", &resumes)
    }
  }

  /// A try of a scenario begins.
  package struct Scenario: EventPayload {
    package var key = JournalKey()

    package init() {}
    package init(key: JournalKey) { self.key = key }
    package mutating func code(_ members: inout EventMembers) { members.always("key", &key) }
  }

  /// A step that holds others begins: its condition held.
  package struct Start: EventPayload {
    package var key = JournalKey()

    package init() {}
    package init(key: JournalKey) { self.key = key }
    package mutating func code(_ members: inout EventMembers) { members.always("key", &key) }
  }

  /// Which branch of `choose` was taken, or whether `until` held after a pass.
  package struct Choice: EventPayload {
    package var key = JournalKey()
    package var value = 0

    package init() {}
    package init(key: JournalKey, value: Int) { (self.key, self.value) = (key, value) }
    package mutating func code(_ members: inout EventMembers) {
      members.always("key", &key)
      members.always("value", &value)
    }
  }

  /// A step is about to change a device; on the disk before the first byte of it is sent.
  package struct Intent: EventPayload {
    package var key = JournalKey()
    /// From 1.
    package var attempt = 1
    /// The place of its device among those of the scenario.
    package var device: Int?
    /// Under which name a device tells again what it was sent.
    package var play: String?
    /// Whether it may change which app or media are ours.
    package var changesApp = false
    /// What ran on the device before; of a step that loads.
    package var before: RunningMedia?

    package init() {}
    package mutating func code(_ members: inout EventMembers) {
      members.always("key", &key)
      members.unless(1, "attempt", &attempt)
      members.optional("device", &device)
      members.optional("play", &play)
      members.unless(false, "changesApp", &changesApp)
      members.optional("before", &before)
    }
  }

  /// A rule of `watch` was broken.
  package struct Broken: EventPayload {
    package var key = JournalKey()
    package var name = ""

    package init() {}
    package init(key: JournalKey, name: String) { (self.key, self.name) = (key, name) }
    package mutating func code(_ members: inout EventMembers) {
      members.always("key", &key)
      members.always("name", &name)
    }
  }

  /// A rule of `watch` with `for` begins to be broken on a device, or holds again.
  package struct Streak: EventPayload {
    package var key = JournalKey()
    package var name = ""
    /// The place of the device among those of the scenario.
    package var device = 0
    /// Whether it is over.
    package var isOver = false
    /// For how long it was broken already in an earlier part of the run, in document seconds.
    package var before = 0.0

    package init() {}
    package mutating func code(_ members: inout EventMembers) {
      members.always("key", &key)
      members.always("name", &name)
      members.unless(0, "device", &device)
      members.unless(false, "over", &isOver)
      members.unless(0, "before", &before)
    }
  }

  /// The steps of a scenario are over, and it is cleaned up.
  package struct Cleanup: EventPayload {
    /// What ended the steps, where it was none of them.
    package enum Cause: String, EventValue { case interrupted, terminated, deadline, monitor, failure }

    package var key = JournalKey()
    package var cause: Cause?
    /// Of ``Cause/failure`` and ``Cause/monitor``.
    package var failure: Failure?

    package init() {}
    package mutating func code(_ members: inout EventMembers) {
      members.always("key", &key)
      members.optional("cause", &cause)
      members.optional("failure", &failure)
    }
  }

  /// A try of a scenario is over.
  package struct ScenarioEnd: EventPayload {
    package var key = JournalKey()
    package var device: String?
    /// The fields of its events.
    package var started = JSONObject()
    package var finished = JSONObject()
    package var result = RunVerdict.error
    /// The exit codes that count.
    package var exits: [Int] = []
    package var errorClass: ErrorClass?

    package init() {}
    package mutating func code(_ members: inout EventMembers) {
      members.always("key", &key)
      members.optional("device", &device)
      members.always("started", &started)
      members.always("finished", &finished)
      members.always("result", &result)
      members.always("exits", &exits)
      members.optional("class", &errorClass)
    }
  }

  /// The run is over.
  package struct End: EventPayload {
    package var result = RunVerdict.error
    /// One that cannot be read is no success.
    package var exit = Int(RunExit.reportNotWritten.rawValue)

    package init() {}
    package init(result: RunVerdict, exit: Int) { (self.result, self.exit) = (result, exit) }
    package mutating func code(_ members: inout EventMembers) {
      members.always("result", &result)
      members.always("exit", &exit)
    }
  }

  /// Another run goes on with this one.
  package struct Resumed: EventPayload {
    package var by = ""
    /// The folder of runs that it is in, where that is another one.
    package var runs: String?

    package init() {}
    package init(by: String, in runs: String? = nil) { (self.by, self.runs) = (by, runs) }
    package mutating func code(_ members: inout EventMembers) {
      members.always("by", &by)
      members.optional("in", &runs)
    }
  }
}
