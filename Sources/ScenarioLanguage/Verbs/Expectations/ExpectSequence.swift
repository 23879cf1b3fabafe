import CastProtocol

/// `expect_sequence`: must come true in this order.
enum ExpectSequence: StepVerb {
  static let spec = VerbSpec(
    .expectSequence, .assert, .expectation, .value(.list(.condition, of: "conditions")),
    modifiers: Plan.SequenceAction.modifiers,
    "Must come true in this order.",
    done: "every entry came true, in this order, each with a status of its own",
    example: """
      - load: film
      - expect_sequence:
          - { player: playing, break: none }
          - { break: { id: mid } }
        within: 3m
      """, fewest: 1)

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    compiler.sequence(step)
  }
}

extension StepCompiler {
  fileprivate mutating func sequence(_ step: StepFields) -> Compiled? {
    guard let value = step.value, let nodes = value.items else { return nil }
    guard !nodes.isEmpty else {
      problems.report(.error, .k105, "`expect_sequence` needs a list of conditions", at: .init(value.span))
      return nil
    }
    let read = nodes.allOrNil { condition($0) }
    let values = JudgingValues(step, in: &self)
    guard let conditions = read else { return nil }
    let action = Plan.SequenceAction(
      entries: conditions.map { Plan.SequenceAction.Entry($0) }, within: values.within
    ).with(values)
    let fields = Condition.all(conditions).topFields.joined(separator: ", ")
    return Compiled(action: .expectSequence(action), timeout: action.within, argument: fields)
  }
}

extension Plan {
  package struct SequenceAction: Codable, Hashable, Sendable {
    package struct Entry: Codable, Hashable, Sendable {
      package var condition: Condition
      package init(_ condition: Condition) { self.condition = condition }
    }
    package var entries: [Entry]
    package var within: Duration
    /// The step whose start the look-back begins at; `nil`: the last action step.
    package var since: String?
    /// No other status may lie between.
    package var forbidsGaps = false
    package var because: String?

    package init(entries: [Entry], within: Duration) {
      self.entries = entries
      self.within = within
    }
  }
}

extension Plan.SequenceAction: LocalAction, JudgingAction {
  static let judging: [Judging<Self>] = [
    .within(\.within), .since(\.since), .gaps(\.forbidsGaps), .because(\.because),
  ]

  var arguments: JSONObject { arguments(["sequence": .array(entries.map { $0.condition.json() })]) }
  var detail: String? {
    "\(entries.map { $0.condition.text() }.joined(separator: " → ")) within \(within.spelled)"
  }
  var needsRole: Bool { true }
}
