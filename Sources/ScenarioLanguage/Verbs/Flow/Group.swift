import CastProtocol

/// `group`: several steps as one, which may be tried again as a whole.
enum Group: StepVerb {
  static let spec = VerbSpec(
    .group, .flow, .container,
    .keys([
      KeySpec("steps", .steps, required: true, "The steps in it, in order, one at a time."),
      KeySpec("finally", .steps, default: "[]", "Always, after them."),
    ]),
    "Several steps as one, which may be tried again as a whole.",
    done: "its steps are done",
    example: """
      - group:
          steps: [{ load: film }, { expect: { player: playing } }]
          finally: [stop]
        name: The film starts
        retry: { attempts: 2, errors: [expectation, transient] }
      """
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    compiler.group(step, id: id)
  }
}

extension StepCompiler {
  fileprivate mutating func group(_ step: StepFields, id: String) -> Compiled {
    var action = Plan.GroupAction(steps: nested(step.body.list("steps"), prefix: "\(id).", in: step))
    action.finally = nested(step.body.list("finally"), prefix: "\(id).finally", in: step)
    return Compiled(action: .group(action), timeout: Self.sum(action.steps + action.finally))
  }
}

extension Plan {
  package struct GroupAction: Codable, Hashable, Sendable {
    package var steps: [Step]
    /// Runs whatever became of the steps; all of them run.
    package var finally: [Step] = []

    package init(steps: [Step]) { self.steps = steps }
  }
}

extension Plan.GroupAction: FlowAction {
  var arguments: JSONObject {
    var object: JSONObject = ["steps": .array(steps.map(\.json))]
    if !finally.isEmpty { object["finally"] = .array(finally.map(\.json)) }
    return object
  }
  var asAction: Plan.Action { .group(self) }
  var needsRole: Bool { false }

  var nested: [Plan.NestedSteps] {
    get { [.init(steps), .init(finally, title: "finally")] }
    set { (steps, finally) = (newValue[0].steps, newValue[1].steps) }
  }
}
