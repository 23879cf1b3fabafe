import ScenarioLanguage

extension Verb {
  /// Whether a step of this verb passes only by what it says that it judged.
  var judges: Bool {
    switch self {
    case .expect, .always, .never, .expectSequence, .expectTogether, .expectMessage: true
    case .discover, .connect, .disconnect, .launch, .stopApp, .volume, .mute, .load, .queue, .queueInsert, .queueRemove,
      .queueJump, .queueUpdate, .queueReorder, .transfer, .play, .pause, .stop, .seek, .rate, .tracks, .textStyle,
      .skipAd, .send, .refresh, .probe, .wait, .waitUntil, .mark, .fail, .set, .save, .log, .group, .use, .choose,
      .repeat, .forEach, .parallel, .exec:
      false
    }
  }

  /// Whether a step of this verb asks a silent device once when its time is over (docs/language/conditions.md).
  var asksSilentDevices: Bool {
    // Messages are no answers: nobody can be asked for one.
    judges && self != .expectMessage
  }
}
