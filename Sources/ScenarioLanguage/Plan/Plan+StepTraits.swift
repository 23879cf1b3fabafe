/// What follows from a step's action and from what stands next to it.
extension Plan.Step {
  /// The longest the whole step can take: `retry.within`, else tries × timeout + waits.
  package var bound: Duration { retry.bound(timeout: timeout) }

  /// Whether the step acts on the device, so that `since` and look-back may begin at it.
  package var isAction: Bool { action.unpacked.verb.spec.kind == .action }

  /// Whether a resumed run cannot do it again as if nothing had been: it changes a device, or starts a program.
  package var leavesTraces: Bool { !action.unpacked.verb.resumeRules.isEmpty }

  /// Whether it may change which app or media are ours.
  package var changesApp: Bool { action.unpacked.verb.changesApp }

  /// What a resumed run does with it if it was under way.
  package var resumeRule: Plan.OnResume { onResume ?? action.unpacked.verb.resumeRules.first ?? .replay }

  /// Whether the step judges rather than acts.
  package var isJudgement: Bool { action.unpacked.verb.spec.kind == .expectation }

  /// Whether the step means a device, so that with several roles it must say which.
  package var needsRole: Bool { condition != nil || !save.isEmpty || action.unpacked.action.needsRole }
}
