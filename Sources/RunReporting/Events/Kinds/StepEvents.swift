package import CastProtocol
package import ScenarioLanguage

extension EventKind {
  /// `step.started`: a step's first try begins.
  package struct StepStarted: EventPayload {
    package var verb = ""
    package var name = ""
    package var section = StepSection.steps
    /// The step that holds it.
    package var parent: String?
    /// The pass of the loop that holds it, from 1.
    package var pass: Int?
    /// Where it begins.
    package var place: SourcePlace?
    /// Document seconds since the run began; `nil` where only the scenario's deadline counts.
    package var deadline: Double?

    package init() {}

    package mutating func code(_ members: inout EventMembers) {
      members.always("verb", &verb)
      members.always("name", &name)
      members.unless(.steps, "section", &section)
      members.optional("parent", &parent)
      members.optional("pass", &pass)
      members.place(&place)
      members.optional("deadline", &deadline)
    }
  }

  /// `step.finished`: what a step came to. One that never began says here which it is.
  package struct StepFinished: EventPayload {
    package var result = StepResult.error
    package var reason: String?
    package var verb: String?
    package var name: String?
    package var section = StepSection.steps
    package var parent: String?
    package var pass: Int?
    package var place: SourcePlace?
    /// How many tries it had; `nil` where it never began.
    package var attempts: Int?
    /// Seconds.
    package var duration: Double?
    /// What `save` kept, by name.
    package var saved: JSONObject?
    /// It failed, and that does not count (`if_fails: ignore`).
    package var isIgnored = false
    /// What ended it, where it did not fail by itself.
    package var stoppedBy: Stopper?
    /// What a resumed run did with it; `nil` where it began and ended in this run.
    package var resumed: Resumption?

    /// What a resumed run does with a step of the run that it goes on with.
    package enum Resumption: String, EventValue {
      /// It was done before, and nothing was sent.
      case taken
      /// It was under way, and the device had it.
      case adopted
      /// It was under way, and was done again.
      case replayed
      /// It was under way, and was not done again.
      case skipped
    }

    /// What may end a step from outside.
    package enum Stopper: String, EventValue { case monitor }

    package init() {}

    package mutating func code(_ members: inout EventMembers) {
      members.always("result", &result)
      members.optional("reason", &reason)
      members.optional("verb", &verb)
      members.optional("name", &name)
      members.unless(.steps, "section", &section)
      members.optional("parent", &parent)
      members.optional("pass", &pass)
      members.place(&place)
      members.optional("attempts", &attempts)
      members.optional("duration", &duration)
      members.optional("saved", &saved)
      members.unless(false, "ignored", &isIgnored)
      members.optional("stoppedBy", &stoppedBy)
      members.optional("resumed", &resumed)
    }
  }

  /// `attempt.failed`: a try of a step failed for another reason than an expectation.
  package struct AttemptFailed: EventPayload {
    /// From 1.
    package var attempt = 1
    package var error = Failure()
    /// Seconds until the next try; `nil` where there is none.
    package var nextTryIn: Double?

    package init() {}

    package init(attempt: Int, error: Failure, nextTryIn: Double? = nil) {
      (self.attempt, self.error, self.nextTryIn) = (attempt, error, nextTryIn)
    }

    package mutating func code(_ members: inout EventMembers) {
      members.always("attempt", &attempt)
      members.always("error", &error)
      members.optional("nextTryIn", &nextTryIn)
    }
  }

  /// `mark` and `log`: what a step says.
  package struct Note: EventPayload {
    package var text = ""

    package init() {}
    package init(_ text: String) { self.text = text }

    package mutating func code(_ members: inout EventMembers) { members.always("text", &text) }
  }

  /// Why something failed.
  package struct Failure: EventPayload {
    /// `nil` where a stored event has a class that this tool does not know.
    package var errorClass: ErrorClass?
    /// A lowercase fragment.
    package var message = ""
    /// What the device said.
    package var wire: JSONValue?
    package var help: String?

    package init() {}

    package init(_ failure: StepFailure) {
      (errorClass, message) = (failure.errorClass, failure.message)
      (wire, help) = (failure.wire, failure.help)
    }

    package mutating func code(_ members: inout EventMembers) {
      members.optional("class", &errorClass)
      members.always("message", &message)
      members.optional("wire", &wire)
      members.optional("help", &help)
    }

    /// The class in a word; `error` where it is not known.
    package var className: String { errorClass?.rawValue ?? "error" }
  }
}
