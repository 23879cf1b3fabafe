/// Walking steps within steps.
extension Plan {
  /// Every step of the plan with those inside it, in the document's order: setup, steps, on_failure, finally.
  package var allSteps: [Step] { (setup + steps + onFailure + finally).flattened }
}

extension Plan.Step {
  /// The lists of steps that this one holds, in the document's order: a group's steps and its `finally`, the branches
  /// of `choose` and `parallel`, the body of a loop.
  package var nestedLists: [[Plan.Step]] {
    switch action {
    case .group(let group): [group.steps, group.finally]
    case .choose(let branches): branches.map(\.steps)
    case .repeat(let loop): [loop.steps]
    case .forEach(let loop): [loop.steps]
    case .parallel(let parallel): parallel.branches.map(\.steps)
    default: []
    }
  }

  /// Whether the step is made of others.
  package var isFlow: Bool {
    switch action {
    case .group, .choose, .repeat, .forEach, .parallel: true
    default: false
    }
  }
}

extension [Plan.Step] {
  /// The steps with those inside them, each before what it holds.
  package var flattened: [Plan.Step] {
    guard contains(where: \.isFlow) else { return self }
    var result: [Plan.Step] = []
    // A stack of its own: documents decide how deep steps nest.
    var stack = Array(reversed())
    while let step = stack.popLast() {
      result.append(step)
      for list in step.nestedLists.reversed() { stack += list.reversed() }
    }
    return result
  }
}
