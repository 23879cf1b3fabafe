extension Plan {
  /// The lists of steps of a scenario by their keys, in the order in which they run.
  enum Section: String, CaseIterable {
    case setup, steps
    case onFailure = "on_failure"
    case finally

    /// What the ids of its steps begin with.
    var idPrefix: String {
      switch self {
      case .setup: "setup"
      case .steps: "s"
      case .onFailure: "failure"
      case .finally: "finally"
      }
    }

    /// Whether `finally_timeout` bounds it, and not `timeout`.
    var isCleanup: Bool {
      switch self {
      case .setup, .steps: false
      case .onFailure, .finally: true
      }
    }

    fileprivate var member: WritableKeyPath<Plan, [Step]> {
      switch self {
      case .setup: \.setup
      case .steps: \.steps
      case .onFailure: \.onFailure
      case .finally: \.finally
      }
    }
  }

  subscript(section: Section) -> [Step] {
    get { self[keyPath: section.member] }
    set { self[keyPath: section.member] = newValue }
  }

  /// The steps of its own lists, without those inside them.
  var ownSteps: [Step] { Section.allCases.flatMap { self[$0] } }
}
