import CastProtocol
package import ScenarioLanguage

/// What the language has and a run cannot do yet: found before anything is connected, never skipped over.
extension Plan {
  /// One problem for each use, in the order of the document; empty when all of the plan can be run.
  package var refusals: [Diagnostic] {
    var refused: [(name: String, span: SourceSpan)] = []
    for (word, selector) in asked { refused.append((word, selector.span)) }
    for step in allSteps where !step.canBeRun { refused.append((step.verb, step.span)) }
    return refused.map(Self.refusal).sorted { left, right in
      (left.primary.span.line, left.primary.span.column) < (right.primary.span.line, right.primary.span.column)
    }
  }

  /// What the inventory asks of the devices that this plan is about, and a run cannot see to yet.
  private var asked: [(word: String, selector: Plan.DeviceSelector)] {
    let own = roles.isEmpty ? devices?.selectors ?? [device] : roles.map(\.device)
    let selectors = own.flatMap { [$0] + $0.tagged }
    return selectors.flatMap { selector -> [(word: String, selector: Plan.DeviceSelector)] in
      let requirements = selector.requirements
      return requirements.features.isEmpty ? [] : [("expect", selector)]
    }
  }

  private static func refusal(of name: String, at span: SourceSpan) -> Diagnostic {
    Diagnostic(
      .error, "K110", "`\(name)` cannot be run yet", at: .init(span),
      footers: [.help("`showcaller check` and `plan` understand it")])
  }
}

extension Plan.Step {
  /// Whether the runner knows the verb; every new case must say so here.
  package var canBeRun: Bool {
    switch action {
    case .connect, .discover, .disconnect, .launch, .stopApp, .volume, .mute, .load, .play, .pause, .stop, .seek, .rate,
      .tracks, .textStyle, .skipAd, .refresh, .wait, .waitUntil, .mark, .log, .fail, .expect, .always, .never,
      .expectSequence, .send, .expectMessage, .queue, .queueInsert, .queueRemove, .queueJump,
      .queueUpdate, .queueReorder, .transfer, .expectTogether, .exec, .set, .save, .group, .choose, .repeat, .forEach,
      .parallel:
      true
    case .probe:
      false
    }
  }
}
