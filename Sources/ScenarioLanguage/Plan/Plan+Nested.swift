/// Walking steps within steps.
extension Plan {
  /// Every step of the plan with those inside it, in the document's order: setup, steps, on_failure, finally.
  package var allSteps: [Step] { ownSteps.flattened }

  /// The plan with `change` made to each step of its own lists: setup, steps, on_failure, finally.
  ///
  /// What stands inside a step is left to `change`, which may go on with ``Step/mapNested(_:)``.
  package func mapSteps(_ change: (Step) -> Step) -> Plan {
    var plan = self
    for section in Section.allCases { plan[section] = plan[section].map(change) }
    return plan
  }

  /// The plan with `change` made to every step, also inside others; each is changed before what it then holds.
  package func mapAllSteps(_ change: (Step) -> Step) -> Plan { mapSteps { $0.mapAll(change) } }
}

extension Plan.Action {
  /// The lists of steps that a step of this action holds, in the document's order: a group's steps and its `finally`,
  /// the branches of `choose` and `parallel`, the body of a loop.
  package var nestedLists: [[Plan.Step]] { unpacked.action.heldSteps.map(\.steps) }

  /// The steps inside a step, in the document's order.
  package var steps: [Plan.Step] { nestedLists.flatMap { $0 } }
}

extension Plan.Step {
  /// The lists of steps that this one holds, in the document's order.
  package var nestedLists: [[Plan.Step]] { action.nestedLists }

  /// The step with `change` made to each step directly inside it; one that holds none is as it was.
  package func mapNested(_ change: (Plan.Step) -> Plan.Step) -> Plan.Step {
    var step = self
    step.action = action.changingNested { lists in
      for index in lists.indices { lists[index].steps = lists[index].steps.map(change) }
    }
    return step
  }

  fileprivate func mapAll(_ change: (Plan.Step) -> Plan.Step) -> Plan.Step {
    change(self).mapNested { $0.mapAll(change) }
  }

  /// Whether the step is made of others.
  package var isFlow: Bool { action.unpacked.verb.spec.holdsSteps }
}

extension [Plan.Step] {
  /// The steps with those inside them, each before what it holds.
  package var flattened: [Plan.Step] {
    guard contains(where: \.isFlow) else { return self }
    var result: [Plan.Step] = []
    walk(from: ()) { step, _ in result.append(step) }
    return result
  }

  /// Visits the steps with those inside them in the document's order, each before what it holds.
  ///
  /// - Parameters:
  ///   - context: What `visit` is told of the steps of this list.
  ///   - visit: Answers what it is to be told of the steps inside the one it is given; `nil` ends the walk.
  package func walk<Context>(from context: Context, _ visit: (Plan.Step, Context) -> Context?) {
    // A stack of its own: documents decide how deep steps nest.
    var stack = reversed().map { (step: $0, context: context) }
    while let (step, context) = stack.popLast() {
      guard let inner = visit(step, context) else { return }
      for list in step.nestedLists.reversed() { stack += list.reversed().map { ($0, inner) } }
    }
  }
}
