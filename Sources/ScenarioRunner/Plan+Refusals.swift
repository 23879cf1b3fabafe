import CastProtocol
package import ScenarioLanguage

/// What the language has and a run cannot do yet: found before anything is connected, never skipped over.
extension Plan {
  /// One problem for each use, in the order of the document; empty when all of the plan can be run.
  package var refusals: [Diagnostic] {
    var refused: [(name: String, span: SourceSpan)] = []
    if !roles.isEmpty { refused.append(("roles", keys["roles"] ?? device.span)) }
    if devices != nil { refused.append(("devices", keys["devices"] ?? device.span)) }
    if retry.retries { refused.append(("retry", keys["retry"] ?? device.span)) }
    for (word, selector) in asked { refused.append((word, selector.span)) }
    for step in allSteps where !step.canBeRun { refused.append((step.verb, step.span)) }
    return refused.map(Self.refusal).sorted { left, right in
      (left.primary.span.line, left.primary.span.column) < (right.primary.span.line, right.primary.span.column)
    }
  }

  /// What the inventory asks of the devices that this plan is about, and a run cannot see to yet.
  private var asked: [(word: String, selector: Plan.DeviceSelector)] {
    let selectors = ([device] + roles.map(\.device)).flatMap { [$0] + $0.tagged }
    return selectors.flatMap { selector -> [(word: String, selector: Plan.DeviceSelector)] in
      let requirements = selector.requirements
      var words: [String] = []
      if requirements.authentication == .require { words.append("auth: require") }
      if requirements.allowsLegacyTLS { words.append("tls: legacy") }
      if !requirements.features.isEmpty { words.append("expect") }
      return words.map { ($0, selector) }
    }
  }

  /// Several rows of a matrix, of which no single one was chosen.
  package var matrixRefusal: Diagnostic {
    let chosen = row.map { "--row \($0.name)=\($0.value.string ?? $0.value.serialized())" }.joined(separator: " ")
    return Diagnostic(
      .error, "K110", "the rows of a matrix cannot be run together yet", at: .init(keys["matrix"] ?? device.span),
      footers: [.help("run one at a time: `\(chosen)`")])
  }

  private static func refusal(of name: String, at span: SourceSpan) -> Diagnostic {
    Diagnostic(
      .error, "K110", "`\(name)` cannot be run yet", at: .init(span),
      footers: [.help("`showcaller check` and `plan` understand it")])
  }

  /// Whether a run would start programs of this computer.
  package var startsPrograms: Bool {
    allSteps.contains { if case .exec = $0.action { true } else { false } }
  }
}

extension Plan.Step {
  /// Whether the runner knows the verb; every new case must say so here.
  package var canBeRun: Bool {
    switch action {
    // Reporting what a check of the certificate says is for later, and so nothing may depend on it.
    case .connect(_, let authentication): authentication != .require
    case .discover, .disconnect, .launch, .stopApp, .volume, .mute, .load, .play, .pause, .stop, .seek, .rate,
      .tracks, .textStyle, .skipAd, .refresh, .wait, .waitUntil, .mark, .log, .fail, .expect, .always, .never,
      .expectSequence, .set, .save, .group, .choose, .repeat, .forEach:
      true
    case .queue, .queueInsert, .queueRemove, .queueJump, .queueUpdate, .queueReorder, .transfer, .send, .probe,
      .expectMessage, .expectTogether, .parallel, .exec:
      false
    }
  }
}
