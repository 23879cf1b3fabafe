package import CastProtocol

/// What the verbs of flow hold (docs/language/steps.md "Flow"): steps within steps.
extension Plan {
  package struct GroupAction: Codable, Hashable, Sendable {
    package var steps: [Step]
    /// Runs whatever became of the steps; all of them run.
    package var finally: [Step] = []

    package init(steps: [Step]) { self.steps = steps }
  }

  /// One entry of `choose`.
  package struct Branch: Codable, Hashable, Sendable {
    /// `nil`: `otherwise`.
    package var condition: Condition?
    package var steps: [Step]
    package var span: SourceSpan

    package init(condition: Condition?, steps: [Step], span: SourceSpan) {
      self.condition = condition
      self.steps = steps
      self.span = span
    }
  }

  package struct RepeatAction: Codable, Hashable, Sendable {
    package enum Bound: Codable, Hashable, Sendable {
      case times(Int)
      /// Judged after each pass; `atMost` passes without it are a failure.
      case until(Condition, atMost: Int)
    }
    package var bound: Bound
    package var steps: [Step]

    package init(bound: Bound, steps: [Step]) {
      self.bound = bound
      self.steps = steps
    }
  }

  package struct ForEachAction: Codable, Hashable, Sendable {
    /// The saved value whose entries `item` and `index` go through.
    package var list: String
    package var steps: [Step]

    package init(list: String, steps: [Step]) {
      self.list = list
      self.steps = steps
    }
  }

  package struct ParallelAction: Codable, Hashable, Sendable {
    package struct Branch: Codable, Hashable, Sendable {
      package var name: String
      package var role: RoleTarget?
      package var steps: [Step]

      package init(name: String, steps: [Step]) {
        self.name = name
        self.steps = steps
      }
    }
    package var branches: [Branch]
    /// Whether the first failure ends the other branches.
    package var failFast = true

    package init(branches: [Branch]) { self.branches = branches }
  }

  /// `set`: a value for a declared variable.
  package struct Assignment: Codable, Hashable, Sendable {
    package enum Value: Codable, Hashable, Sendable {
      case literal(JSONValue)
      case text(Template)
    }
    package var name: String
    package var value: Value

    package init(name: String, value: Value) {
      self.name = name
      self.value = value
    }
  }

  package struct ExecAction: Codable, Hashable, Sendable {
    package enum Input: String, Codable, Hashable, Sendable { case json, none }
    package enum Output: String, Codable, Hashable, Sendable { case json, text, none }
    /// The program and its arguments; no shell.
    package var command: [Template]
    package var stdin = Input.json
    package var output = Output.json

    package init(command: [Template]) { self.command = command }
  }
}
