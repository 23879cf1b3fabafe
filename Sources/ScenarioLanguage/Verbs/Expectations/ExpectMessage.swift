import CastProtocol

/// `expect_message`: a message of the app must come.
enum ExpectMessage: StepVerb {
  static let spec = VerbSpec(
    .expectMessage, .assert, .expectation,
    .keys([
      KeySpec("namespace", .urn, required: true, "Of the message."),
      KeySpec("message", .matchers, required: true, "What it must say."),
    ]),
    modifiers: Plan.MessageAction.modifiers,
    "A message of the app must come.",
    done: "a message of the app matched",
    example: """
      - launch: acme
      - expect_message:
          namespace: urn:x-cast:com.example.player
          message: { type: READY }
        within: 20s
      """
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    compiler.message(step)
  }
}

extension StepCompiler {
  fileprivate mutating func message(_ step: StepFields) -> Compiled? {
    let body = step.body
    let values = JudgingValues(step, in: &self)
    guard let namespace = body.text("namespace"), let node = body.node("message"),
      let pattern = messagePattern(node)
    else { return nil }
    let action = Plan.MessageAction(namespace: namespace, pattern: pattern, within: values.within).with(values)
    let type = node.pairs?.first { $0.key.text == "type" }?.value.text
    return Compiled(
      action: .expectMessage(action), timeout: action.within, argument: ScalarText.shown(type ?? namespace))
  }
}

extension Plan {
  /// What the members of a message must be; all of them must hold.
  package struct MessagePattern: Codable, Hashable, Sendable {
    /// Its paths are names of members from the outside in; numbers count a list's elements from 0.
    package var condition: Condition

    package init(_ condition: Condition) { self.condition = condition }
  }

  package struct MessageAction: Codable, Hashable, Sendable {
    package var namespace: String
    package var pattern: MessagePattern
    package var within: Duration
    /// As of ``SequenceAction``.
    package var since: String?
    package var because: String?
  }
}

extension Plan.MessageAction: LocalAction, JudgingAction {
  static let judging: [Judging<Self>] = [.within(\.within), .since(\.since), .because(\.because)]

  var arguments: JSONObject { arguments(["namespace": .string(namespace), "message": pattern.json()]) }
  var detail: String? { "\(namespace): \(pattern.text()) within \(within.spelled)" }
  var needsRole: Bool { true }
}
