package import CastProtocol
package import ScenarioLanguage

extension JournalEntry {
  /// What a step came to, and all that a later process needs to go on behind it.
  package struct Done: EventPayload {
    package var key = JournalKey()
    package var step = ""
    /// The name of its device.
    package var device: String?
    /// The fields of its `step.finished`, with those that tell which step it is.
    package var told = JSONObject()
    package var result = StepResult.error
    package var isIgnored = false
    /// Whether what follows in its list is not run.
    package var endsList = false
    /// Whether something stopped it from outside.
    package var isStopped = false
    package var failure: Failure?
    /// Variables that it gave a value.
    package var set = JSONObject()
    /// Variables that it left without one.
    package var unset: [String] = []
    /// The names of saved values that hold secrets: the values themselves are in no file.
    package var unkept: [String] = []
    /// What the last program wrote.
    package var reply: JSONValue?
    /// What is ours on each device, by its place among those of the scenario, where the step changed it.
    package var own = JSONObject()
    /// Whether a device took part that the document does not name.
    package var hasJoined = false
    /// Whether it decided how a device is connected, or whether it is: that ends with the process.
    package var changesConnection = false

    package init() {}

    package mutating func code(_ members: inout EventMembers) {
      members.always("key", &key)
      members.always("step", &step)
      members.optional("device", &device)
      members.always("told", &told)
      members.always("result", &result)
      members.unless(false, "ignored", &isIgnored)
      members.unless(false, "ends", &endsList)
      members.unless(false, "stopped", &isStopped)
      members.optional("failure", &failure)
      members.unless([:], "set", &set)
      members.unless([], "unset", &unset)
      members.unless([], "unkept", &unkept)
      members.optional("reply", &reply)
      members.unless([:], "own", &own)
      members.unless(false, "joined", &hasJoined)
      members.unless(false, "connection", &changesConnection)
    }
  }

  /// A failure of a step, as a journal keeps it.
  package struct Failure: EventPayload {
    package var errorClass = ErrorClass.interrupted
    package var message = ""
    package var help: String?
    package var step: String?
    package var failsWithoutStopping = false

    package init() {}

    package init(_ failure: StepFailure) {
      (errorClass, message, help) = (failure.errorClass, failure.message, failure.help)
      (step, failsWithoutStopping) = (failure.step, failure.failsWithoutStopping)
    }

    package var failure: StepFailure {
      var failure = StepFailure(errorClass, message, help: help)
      (failure.step, failure.failsWithoutStopping) = (step, failsWithoutStopping)
      return failure
    }

    package mutating func code(_ members: inout EventMembers) {
      members.always("class", &errorClass)
      members.always("message", &message)
      members.optional("help", &help)
      members.optional("step", &step)
      members.unless(false, "soft", &failsWithoutStopping)
    }
  }
}
