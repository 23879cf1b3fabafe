import CastProtocol

/// What each step makes of what is known.
extension StaticDeviceState {
  /// Goes through the steps of a list in order; `visit` sees each with what is known before it.
  mutating func follow(_ steps: [Plan.Step], _ timeouts: Plan.Timeouts, visit: (Plan.Step, StaticDeviceState) -> Void) {
    for step in steps { follow(step, timeouts, visit: visit) }
  }

  private mutating func follow(
    _ step: Plan.Step, _ timeouts: Plan.Timeouts, visit: (Plan.Step, StaticDeviceState) -> Void
  ) {
    if step.skip != nil { return }
    visit(step, self)
    let before = self
    if step.isAction {
      lastAction = step
      factsBefore = facts
    }
    defer { isFresh = step.isAction ? step.condition == nil : isFresh && step.keepsFresh }
    switch step.action {
    case .group(let group):
      if step.retry.retries { forget() }
      let begin = self
      follow(group.steps, timeouts, visit: visit)
      if !group.finally.isEmpty {
        // `finally` also runs after a failure, where nothing is certain; what it does counts for the steps behind it.
        var cleanup = begin
        cleanup.forget()
        cleanup.follow(group.finally, timeouts, visit: visit)
        follow(group.finally, timeouts) { _, _ in }
      }
      if step.ifFails != .stop { forget() }
    case .choose(let branches):
      for branch in branches {
        var copy = self
        copy.follow(branch.steps, timeouts, visit: visit)
      }
      forget()
    case .repeat(let loop):
      forget()
      follow(loop.steps, timeouts, visit: visit)
      if step.ifFails != .stop { forget() }
    case .forEach(let loop):
      forget()
      follow(loop.steps, timeouts, visit: visit)
      forget()
    case .parallel(let parallel):
      for branch in parallel.branches {
        var copy = self
        copy.forget()
        copy.follow(branch.steps, timeouts, visit: visit)
      }
      forget()
    default:  // `apply` knows every action that holds no steps.
      apply(step, timeouts)
      if step.ifFails != .stop { mayHaveFailed(step, since: before) }
    }
    guard step.condition != nil else { return }
    // Perhaps it was not run at all.
    if step.isAction || step.isFlow {
      forget()
    } else {
      earliest = min(earliest, before.earliest)
    }
  }

  /// The step may have stopped halfway, or done nothing.
  private mutating func mayHaveFailed(_ step: Plan.Step, since before: StaticDeviceState) {
    guard step.isAction else { return }
    if case .load = step.action { return forget() }
    if case .stop = step.action { return forget() }
    furthest = max(furthest, before.furthest + before.fastest * step.bound.seconds)
    fastest = max(fastest, before.fastest)
    earliest = min(earliest, before.earliest)
    isPaused = false
    neverPaused = false
    facts = facts.filter { before.facts[$0.key]?.value == $0.value.value }
  }

  private mutating func apply(_ step: Plan.Step, _ timeouts: Plan.Timeouts) {
    switch step.action {
    case .wait(.literal(let seconds)):
      pass(.clamped(seconds: max(0, seconds)))
      written += .clamped(seconds: max(0, seconds))
      facts["player"] = isPaused ? facts["player"] : nil
    case .wait(.saved): furthest = isPaused ? furthest : .infinity
    case .expect(let action):
      let advances = action.condition.leaves.compactMap { $0.matcher.advanceSpan }.max() ?? 0
      pass(max(action.within, .clamped(seconds: advances) + timeouts.reply) + (action.holdFor ?? .zero))
      keepPlayer()
    case .always(let action), .never(let action):
      pass(action.during + timeouts.reply)
      written += action.during
      keepPlayer()
    case .expectSequence(let action):
      pass(action.within)
      keepPlayer()
    case .waitUntil:
      pass(step.timeout)
      keepPlayer()
    case .mark, .log, .fail, .set, .save: break
    case .discover(let action): pass((action.listenFor ?? timeouts.discover) + timeouts.discover)
    case .volume, .textStyle, .refresh, .skipAd:
      pass(step.bound)
      if step.retry.before == .relaunch { forgetMedia() }
    case .mute(let isMuted):
      pass(step.bound)
      facts["volume.muted"] = Fact(value: .bool(isMuted), span: step.span)
    case .load(let action): load(action, step)
    case .seek(let action): seek(action, step)
    case .rate(let action): setRate(action, step)
    case .tracks(let names): setTracks(names, step)
    case .pause:
      pass(step.bound)
      isPaused = true
      neverPaused = false
      facts["player"] = Fact(value: "paused", span: step.span)
    case .play:
      isPaused = false
      pass(step.bound)
      facts["player"] = Fact(value: "playing", span: step.span)
    case .connect, .disconnect, .launch, .stopApp, .stop: forgetMedia()
    case .queue, .queueInsert, .queueRemove, .queueJump, .queueUpdate, .queueReorder, .transfer, .send, .probe,
      .expectMessage, .expectTogether, .group, .choose, .repeat, .forEach, .parallel, .exec:
      forget()
    }
    if step.isAction, step.retry.retries, step.retry.before != .nothing {
      if case .load = step.action { return }
      forget()
    }
  }

  /// While time passes a playing film may begin to buffer; a paused one stays.
  private mutating func keepPlayer() {
    if !isPaused { facts["player"] = nil }
  }

  private mutating func load(_ action: Plan.LoadAction, _ step: Plan.Step) {
    forgetMedia()
    loadStep = step
    let request = action.request
    furthest = request.currentTime ?? 0
    earliest = furthest
    fastest = request.playbackRate ?? 1
    isPaused = !request.autoplay
    neverPaused = request.autoplay
    hasSought = false
    facts["rate"] = Fact(value: JSONValue(fastest), span: step.span)
    if action.until == .playing { facts["player"] = Fact(value: "playing", span: step.span) }
    if action.until == .paused { facts["player"] = Fact(value: "paused", span: step.span) }
    if let ids = request.activeTrackIDs, !ids.isEmpty {
      let names = ids.compactMap { action.trackNames[$0] }
      if names.count == ids.count {
        facts["active_tracks"] = Fact(value: .array(names.map(JSONValue.string)), span: step.span)
      }
    }
  }

  private mutating func seek(_ action: Plan.SeekAction, _ step: Plan.Step) {
    let tolerance = action.tolerance.seconds
    hasSought = true
    facts["player"] = nil
    switch action.then {
    case .keep: break
    case .play: isPaused = false
    case .pause:
      isPaused = false
      neverPaused = false
    }
    switch action.target {
    case .to(.literal(let seconds)): (furthest, earliest) = (seconds + tolerance, max(0, seconds - tolerance))
    case .to(.saved): (furthest, earliest) = (.infinity, 0)
    case .toStart: (furthest, earliest) = (tolerance, 0)
    case .toEnd: (furthest, earliest) = (.infinity, 0)
    case .by(let offset):
      pass(step.bound)
      furthest += offset + tolerance
      earliest = max(0, earliest + offset - tolerance)
    }
    furthest = max(0, furthest)
  }

  private mutating func setRate(_ action: Plan.RateAction, _ step: Plan.Step) {
    let old = facts["rate"]?.value.number
    let new: Double? =
      switch action {
      case .to(.literal(let rate)): rate
      case .to(.saved): nil
      case .by(let factor): old.map { $0 * factor }
      }
    fastest = max(fastest, new ?? 2)
    pass(step.bound)
    facts["rate"] = new.map { Fact(value: JSONValue($0), span: step.span) }
    fastest = new ?? 2
  }

  private mutating func setTracks(_ names: [String], _ step: Plan.Step) {
    pass(step.bound)
    let known = Set((load?.trackNames ?? [:]).values)
    // A language may stand for any track.
    facts["active_tracks"] =
      names.allSatisfy(known.contains)
      ? Fact(value: .array(names.map(JSONValue.string)), span: step.span) : nil
  }
}

extension Plan.Step {
  /// Whether the state before the last action is still the latest one after this step; false where that is unknown.
  fileprivate var keepsFresh: Bool {
    switch action {
    case .expect, .mark, .log, .set, .save: true
    default: false
    }
  }
}
