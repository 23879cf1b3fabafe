extension Plan {
  /// Changes the step of this id, wherever it stands.
  package mutating func edit(step id: String, _ change: (inout Step) -> Void) {
    self = mapAllSteps { step in
      guard step.id == id else { return step }
      var step = step
      change(&step)
      return step
    }
  }

  /// How deep steps nest, 1 for a flat list.
  package var nesting: Int {
    var deepest = 0
    ownSteps.walk(from: 1) { _, depth in
      deepest = max(deepest, depth)
      return depth + 1
    }
    return deepest
  }

  /// How many steps a run may begin, loops counted; at most `limit`.
  package func length(upTo limit: Int) -> Int {
    var total = 0
    (setup + steps).walk(from: 1) { step, times in
      total += times
      if total >= limit { return nil }
      guard case .repeat(let loop) = step.action else { return times }
      let passes =
        switch loop.bound {
        case .times(let count), .until(_, let count): count
        }
      return min(limit, times.multipliedReportingOverflow(by: max(1, passes)).partialValue)
    }
    return min(total, limit)
  }
}

extension Plan.Step {
  /// How long an expectation waits for its condition.
  package var within: Duration? {
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
  package var during: Duration? {
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
