import ScenarioLanguage

extension Plan.Step {
  /// Whether it judges what a device shows, and nothing else.
  var judgesStatuses: Bool {
    switch action {
    case .expect, .always, .never, .waitUntil, .expectSequence: true
    default: false
    }
  }
}

/// Which steps of an edited document are those of the document that was run.
struct StepMatching {
  /// The step of the edited document by the id that it had in the run.
  private(set) var edited: [String: Plan.Step] = [:]
  /// Steps of the edited document that were not run, each with the id in the run of the step that comes before it.
  private(set) var new: [(step: Plan.Step, after: String?)] = []

  /// What makes two steps the same one: the id that the document gives it, else what it does.
  private struct Key: Hashable {
    var verb: String
    var ownID: String?

    init(_ step: Plan.Step) {
      // An expectation may become one of another kind.
      verb = step.judgesStatuses ? "" : step.verb
      // Ids that are made of the place in the document change with it.
      let isGiven = step.id.wholeMatch(of: /s[0-9]+(\.[0-9]+)*/) == nil
      ownID = isGiven ? step.id : nil
    }
  }

  /// - Parameters:
  ///   - run: The steps that were run, with those inside others, in the document's order.
  ///   - edited: Those of the edited document.
  init(_ run: [Plan.Step], _ edited: [Plan.Step]) {
    let (old, now) = (run.map(Key.init), edited.map(Key.init))
    // The longest sequence of steps that both have, in order: `lengths[i][j]` is that of what follows `i` and `j`.
    var lengths = [[Int]](repeating: [Int](repeating: 0, count: now.count + 1), count: old.count + 1)
    for i in old.indices.reversed() {
      for j in now.indices.reversed() {
        lengths[i][j] =
          old[i] == now[j] ? lengths[i + 1][j + 1] + 1 : max(lengths[i + 1][j], lengths[i][j + 1])
      }
    }
    var (i, j) = (0, 0)
    var last: String?
    while j < now.count {
      if i < old.count, old[i] == now[j] {
        self.edited[run[i].id] = edited[j]
        last = run[i].id
        (i, j) = (i + 1, j + 1)
      } else if i < old.count, lengths[i + 1][j] >= lengths[i][j + 1] {
        i += 1
      } else {
        new.append((edited[j], last))
        j += 1
      }
    }
  }
}
