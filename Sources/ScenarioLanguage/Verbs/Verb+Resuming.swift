extension Verb {
  /// What `run --resume` may do with a step of the verb that was under way when its run died: the first, unless the step
  /// says otherwise. Empty where doing it again is as if nothing had been: it changes no device and starts no program.
  package var resumeRules: [Plan.OnResume] {
    switch self {
    // A device shows again what it was given to play.
    case .load, .queue: [.adopt, .replay, .skip]
    case .launch, .stopApp, .volume, .mute, .play, .pause, .stop, .seek, .rate, .tracks, .textStyle, .skipAd,
      .queueInsert, .queueRemove, .queueJump, .queueUpdate, .queueReorder, .send, .transfer, .exec:
      [.replay, .skip]
    case .connect, .disconnect, .refresh, .discover, .probe, .wait, .waitUntil, .expect, .always, .never,
      .expectSequence, .expectMessage, .expectTogether, .mark, .log, .fail, .set, .save, .group, .use, .choose,
      .repeat, .forEach, .parallel:
      []
    }
  }

  /// Whether a step of the verb may change which app or media are ours on a device.
  package var changesApp: Bool {
    switch self {
    case .load, .queue, .launch, .stopApp, .transfer: true
    case .connect, .disconnect, .volume, .mute, .play, .pause, .stop, .seek, .rate, .tracks, .textStyle, .skipAd,
      .refresh, .discover, .queueInsert, .queueRemove, .queueJump, .queueUpdate, .queueReorder, .send, .exec, .probe,
      .wait, .waitUntil, .expect, .always, .never, .expectSequence, .expectMessage, .expectTogether, .mark, .log, .fail,
      .set, .save, .group, .use, .choose, .repeat, .forEach, .parallel:
      false
    }
  }

  /// The verbs whose steps are adopted, for people: `load` and `queue`.
  static let adopted = allCases.filter { $0.resumeRules.contains(.adopt) }.map { "`\($0.rawValue)`" }
    .joined(separator: " and ")
}
