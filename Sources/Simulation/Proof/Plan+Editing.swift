import ScenarioLanguage

extension Plan {
  /// Changes the step of this id, wherever it stands.
  mutating func edit(step id: String, _ change: (inout Step) -> Void) {
    editAll { step in if step.id == id { change(&step) } }
  }

  /// Changes every step of setup and steps, those inside others too.
  mutating func editAll(_ change: (inout Step) -> Void) {
    setup.editAll(change)
    steps.editAll(change)
  }

  /// How deep steps nest, 1 for a flat list.
  var nesting: Int {
    var deepest = 0
    var stack = (setup + steps + onFailure + finally).map { (step: $0, depth: 1) }
    while let (step, depth) = stack.popLast() {
      deepest = max(deepest, depth)
      for list in step.nestedLists { stack += list.map { ($0, depth + 1) } }
    }
    return deepest
  }

  /// How many steps a run may begin, loops counted; at most `limit`.
  func length(upTo limit: Int) -> Int {
    var total = 0
    var stack = (setup + steps).map { (step: $0, times: 1) }
    while let (step, times) = stack.popLast() {
      total += times
      if total >= limit { return limit }
      var inner = times
      if case .repeat(let loop) = step.action {
        let passes =
          switch loop.bound {
          case .times(let count), .until(_, let count): count
          }
        inner = min(limit, times.multipliedReportingOverflow(by: max(1, passes)).partialValue)
      }
      for list in step.nestedLists { stack += list.map { ($0, inner) } }
    }
    return total
  }
}

extension [Plan.Step] {
  fileprivate mutating func editAll(_ change: (inout Plan.Step) -> Void) {
    for index in indices {
      change(&self[index])
      switch self[index].action {
      case .group(var group):
        group.steps.editAll(change)
        group.finally.editAll(change)
        self[index].action = .group(group)
      case .choose(var branches):
        for position in branches.indices { branches[position].steps.editAll(change) }
        self[index].action = .choose(branches)
      case .repeat(var loop):
        loop.steps.editAll(change)
        self[index].action = .repeat(loop)
      case .forEach(var loop):
        loop.steps.editAll(change)
        self[index].action = .forEach(loop)
      case .parallel(var parallel):
        for position in parallel.branches.indices { parallel.branches[position].steps.editAll(change) }
        self[index].action = .parallel(parallel)
      default: continue
      }
    }
  }
}

extension Plan.Step {
  /// How long an expectation waits for its condition.
  var within: Duration? {
    get {
      switch action {
      case .expect(let action): action.within
      case .expectSequence(let action): action.within
      default: nil
      }
    }
    set {
      guard let newValue else { return }
      switch action {
      case .expect(var expect):
        expect.within = newValue
        action = .expect(expect)
      case .expectSequence(var sequence):
        sequence.within = newValue
        action = .expectSequence(sequence)
      default: return
      }
    }
  }

  /// The length of a window.
  var during: Duration? {
    get {
      switch action {
      case .always(let action), .never(let action): action.during
      default: nil
      }
    }
    set {
      guard let newValue else { return }
      switch action {
      case .always(var window):
        window.during = newValue
        action = .always(window)
      case .never(var window):
        window.during = newValue
        action = .never(window)
      default: return
      }
    }
  }
}
