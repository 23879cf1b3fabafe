import CastProtocol

/// `repeat`: repeats steps.
enum Repeat: StepVerb {
  static let spec = VerbSpec(
    .`repeat`, .flow, .flow,
    .keys(
      [
        KeySpec("times", .int(1...10_000), "How many times the steps run, 1 to 10000."),
        KeySpec("until", .condition, "Until this is true."),
        KeySpec("at_most", .int(1...10_000), "Bound of `until`.").needing("until"),
        KeySpec("steps", .steps, required: true, "What to repeat."),
      ], exclusive: [["times", "until"]], needsOneOf: [["times", "until"]]),
    "Repeats steps.",
    done: "the steps ran `times` often, or `until` is true",
    example: """
      - load: film
      - repeat:
          times: 3
          steps: [{ seek: start }, { expect: { position: { advances: { at_least: 4s, over: 5s } } } }]
      """
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    compiler.repetition(step, id: id)
  }
}

extension StepCompiler {
  fileprivate mutating func repetition(_ step: StepFields, id: String) -> Compiled? {
    let body = step.body
    let times = body.int("times")
    let start = clock.passed
    let before = clock.latest
    clock.latest = nil
    let steps = nested(body.list("steps"), prefix: "\(id).", in: step)
    clock.repeatPass(times: times ?? 1, since: start, before: before)
    let once = Self.sum(steps)
    if let times {
      if let key = body.keySpan("at_most"), !body.has("until") {
        problems.report(
          .error, .k107, "`at_most` is the bound of `until`", at: .init(key, "`times` says it all"),
          related: body.keySpan("times").map { [.init($0)] } ?? [])
      }
      return Compiled(
        action: .repeat(Plan.RepeatAction(bound: .times(times), steps: steps)), timeout: Self.clamped(once, times),
        argument: times == 1 ? "once" : "\(times) times")
    }
    guard let until = body.node("until") else { return nil }
    // Judged after each pass: it may read what the steps save.
    let condition = condition(until)
    guard body.has("at_most") else {
      let shown = fieldReader.text?.text(at: until.span) ?? "{ player: idle }"
      problems.report(
        .error, .p604, "this loop has no upper bound", at: .init(step.verbSpan, "add `at_most`"),
        footers: [.help("to wait for a state, `wait_until: \(ScalarText.shown(shown))` needs no loop")])
      return nil
    }
    guard let condition, let atMost = body.int("at_most") else { return nil }
    return Compiled(
      action: .repeat(Plan.RepeatAction(bound: .until(condition, atMost: atMost), steps: steps)),
      timeout: Self.clamped(once, atMost), argument: "until \(condition.topFields.joined(separator: ", "))")
  }
}

extension Plan {
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
}

extension Plan.RepeatAction: FlowAction {
  var arguments: JSONObject {
    var object = JSONObject()
    switch bound {
    case .times(let times): object["times"] = .int(times)
    case .until(let condition, let atMost):
      object["until"] = condition.json()
      object["atMost"] = .int(atMost)
    }
    object["steps"] = .array(steps.map(\.json))
    return object
  }
  var detail: String? {
    guard case .until(let condition, let atMost) = bound else { return nil }
    return "until \(condition.text()), at most \(atMost) times"
  }
  var asAction: Plan.Action { .repeat(self) }
  var needsRole: Bool { if case .until = bound { true } else { false } }

  var nested: [Plan.NestedSteps] {
    get { [.init(steps)] }
    set { steps = newValue[0].steps }
  }
}
