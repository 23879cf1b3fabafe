package import CastProtocol

extension EventKind {
  /// `scenario.started`: one try of a scenario, with one row, on its device or devices.
  package struct ScenarioStarted: EventPayload {
    /// The values of the matrix, by name.
    package var row = JSONObject()
    package var attempt = 1
    /// Which repeat of the row it is, from 1, and of how many, where rows are run several times (`--repeat`).
    package var repeatNumber: Int?
    package var repeats: Int?
    /// How `--device` names the device, where the document runs on each of several.
    package var choice: String?
    /// How many devices the row is for, this one included, where there are several.
    package var devices: Int?
    /// The device of each role, where it has several.
    package var roles: JSONObject?

    package init() {}

    package mutating func code(_ members: inout EventMembers) {
      members.always("row", &row)
      members.always("attempt", &attempt)
      members.optional("repeat", &repeatNumber)
      members.optional("repeats", &repeats)
      members.optional("choice", &choice)
      members.optional("devices", &devices)
      members.optional("roles", &roles)
    }
  }

  /// `scenario.finished`: what the try came to.
  package struct ScenarioFinished: EventPayload {
    package var result = RunVerdict.error
    package var counts = StepCounts()
    /// Seconds.
    package var duration = 0.0
    /// The id of the first step that failed.
    package var firstFailure: String?
    /// What `finally` came to, where it did not pass.
    package var cleanup: StepResult?
    /// What failed apart from the steps.
    package var error: Failure?
    /// How near the rules of `watch` that held came to being broken.
    package var rules: [RuleMargins] = []

    package init() {}

    package mutating func code(_ members: inout EventMembers) {
      members.always("result", &result)
      counts.code(&members)
      members.always("duration", &duration)
      members.optional("firstFailure", &firstFailure)
      members.optional("cleanup", &cleanup)
      members.optional("error", &error)
      members.unless([], "rules", &rules)
    }
  }

  /// How many of a scenario's own steps came to what.
  package struct StepCounts: EventPayload {
    package var passed = 0
    package var flaky = 0
    package var failed = 0
    package var errors = 0
    package var skipped = 0
    package var notRun = 0
    /// Those that failed with `if_fails: ignore`; they are in no other count.
    package var ignored = 0

    package init() {}

    package mutating func code(_ members: inout EventMembers) {
      members.always("passed", &passed)
      members.always("flaky", &flaky)
      members.always("failed", &failed)
      members.always("errors", &errors)
      members.always("skipped", &skipped)
      members.always("notRun", &notRun)
      members.unless(0, "ignored", &ignored)
    }
  }

  /// `finally.started`: the cleanup begins.
  package struct FinallyStarted: EventPayload {
    package var steps = 0

    package init() {}
    package init(steps: Int) { self.steps = steps }

    package mutating func code(_ members: inout EventMembers) { members.always("steps", &steps) }
  }

  /// `finally.finished`: the cleanup is over.
  package struct FinallyFinished: EventPayload {
    /// `passed` or `failed`.
    package var result = StepResult.failed
    package var steps = 0

    package init() {}
    package init(result: StepResult, steps: Int) { (self.result, self.steps) = (result, steps) }

    package mutating func code(_ members: inout EventMembers) {
      members.always("result", &result)
      members.always("steps", &steps)
    }
  }
}
