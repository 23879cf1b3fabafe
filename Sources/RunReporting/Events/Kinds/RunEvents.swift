extension EventKind {
  /// `run.started`: what is run, by what, and how to do it again.
  package struct RunStarted: EventPayload {
    /// The run's id.
    package var run = ""
    /// The program and its version.
    package var tool = ""
    /// The version of the documents' language.
    package var language = 0
    /// `nil` where it does not fit a JSON integer.
    package var seed: Int?
    /// The computer's name.
    package var host: String?
    /// The command line without the program.
    package var arguments: [String] = []
    /// A subcommand and its options that run it again.
    package var rerun: [String]?
    /// How many times as fast as the wall's clock, where that was asked for.
    package var speed: Double?
    package var documents: [Document] = []
    /// The run that this one goes on with.
    package var resumes: String?

    package init() {}

    package mutating func code(_ members: inout EventMembers) {
      members.always("run", &run)
      members.always("tool", &tool)
      members.always("language", &language)
      members.anyInteger("seed", &seed)
      members.optional("host", &host)
      members.always("argv", &arguments)
      members.optional("rerun", &rerun)
      members.exact("speed", &speed)
      members.always("docs", &documents)
      members.optional("resumes", &resumes)
    }

    /// One document of a run.
    package struct Document: EventPayload {
      package var id = ""
      package var kind = "scenario"
      package var file = ""
      /// Of the file's bytes, in hexadecimal digits.
      package var sha256: String?
      package var tags: [String] = []

      package init() {}

      package mutating func code(_ members: inout EventMembers) {
        members.always("doc", &id)
        members.always("kind", &kind)
        members.always("file", &file)
        members.optional("sha256", &sha256)
        members.always("tags", &tags)
      }
    }
  }

  /// `run.finished`: the last event.
  package struct RunFinished: EventPayload {
    package var run = ""
    package var result = RunVerdict.error
    /// The exit code that the run chose.
    package var exit = 0
    /// How many events the stream has, this one included.
    package var events = 0
    package var scenarios = VerdictCounts()

    package init() {}

    package mutating func code(_ members: inout EventMembers) {
      members.always("run", &run)
      members.always("result", &result)
      members.always("exit", &exit)
      members.always("events", &events)
      members.always("scenarios", &scenarios)
    }
  }

  /// How many scenarios came to what.
  package struct VerdictCounts: EventPayload {
    package var passed = 0
    package var flaky = 0
    package var failed = 0
    package var error = 0
    package var skipped = 0

    package init() {}

    /// Counts the verdicts of scenarios that were run.
    package init(_ verdicts: [RunVerdict]) {
      for verdict in verdicts { add(verdict) }
    }

    /// Counts one more.
    package mutating func add(_ verdict: RunVerdict) {
      switch verdict {
      case .passed: passed += 1
      case .flaky: flaky += 1
      case .failed: failed += 1
      case .error: error += 1
      }
    }

    package mutating func code(_ members: inout EventMembers) {
      members.always("passed", &passed)
      members.always("flaky", &flaky)
      members.always("failed", &failed)
      members.always("error", &error)
      members.always("skipped", &skipped)
    }
  }

  /// `plan`: what is about to be run.
  package struct PlanSummary: EventPayload {
    /// The document's own steps, those of `setup` included.
    package var steps = 0
    /// Seconds for `setup` and `steps`.
    package var deadline = 0.0
    /// Seconds for `on_failure` and `finally`.
    package var finallyDeadline = 0.0

    package init() {}

    package init(steps: Int, deadline: Double, finallyDeadline: Double) {
      (self.steps, self.deadline, self.finallyDeadline) = (steps, deadline, finallyDeadline)
    }

    package mutating func code(_ members: inout EventMembers) {
      members.always("steps", &steps)
      members.always("deadline", &deadline)
      members.always("finallyDeadline", &finallyDeadline)
    }
  }
}
