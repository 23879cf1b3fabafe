package import CastProtocol

/// The verbs of steps, in the order of docs/language/steps.md "Steps". A new one needs its case here, its action in
/// ``Plan/Action`` below, and its file beside this one; the compiler names what is forgotten.
package enum Verb: String, CaseIterable, Hashable, Sendable {
  case discover, connect, disconnect, launch
  case stopApp = "stop_app"
  case volume, mute
  case load, queue
  case queueInsert = "queue_insert"
  case queueRemove = "queue_remove"
  case queueJump = "queue_jump"
  case queueUpdate = "queue_update"
  case queueReorder = "queue_reorder"
  case transfer, play, pause, stop, seek, rate, tracks
  case textStyle = "text_style"
  case skipAd = "skip_ad"
  case send, refresh, probe
  case wait
  case waitUntil = "wait_until"
  case mark
  case expect, always, never
  case expectSequence = "expect_sequence"
  case expectTogether = "expect_together"
  case expectMessage = "expect_message"
  case fail, set, save, log, group, use, choose, `repeat`
  case forEach = "for_each"
  case parallel, exec

  /// The type that says all about the verb.
  var definition: any StepVerb.Type {
    switch self {
    case .discover: Discover.self
    case .connect: Connect.self
    case .disconnect: Disconnect.self
    case .launch: Launch.self
    case .stopApp: StopApp.self
    case .volume: Volume.self
    case .mute: Mute.self
    case .load: Load.self
    case .queue: Queue.self
    case .queueInsert: QueueInsert.self
    case .queueRemove: QueueRemove.self
    case .queueJump: QueueJump.self
    case .queueUpdate: QueueUpdate.self
    case .queueReorder: QueueReorder.self
    case .transfer: Transfer.self
    case .play: Play.self
    case .pause: Pause.self
    case .stop: Stop.self
    case .seek: Seek.self
    case .rate: Rate.self
    case .tracks: Tracks.self
    case .textStyle: TextStyle.self
    case .skipAd: SkipAd.self
    case .send: Send.self
    case .refresh: Refresh.self
    case .probe: Probe.self
    case .wait: Wait.self
    case .waitUntil: WaitUntil.self
    case .mark: Mark.self
    case .expect: Expect.self
    case .always: AlwaysExpectation.self
    case .never: NeverExpectation.self
    case .expectSequence: ExpectSequence.self
    case .expectTogether: ExpectTogether.self
    case .expectMessage: ExpectMessage.self
    case .fail: Fail.self
    case .set: SetVariables.self
    case .save: Save.self
    case .log: Log.self
    case .group: Group.self
    case .use: Use.self
    case .choose: Choose.self
    case .repeat: Repeat.self
    case .forEach: ForEach.self
    case .parallel: Parallel.self
    case .exec: Exec.self
    }
  }

  var spec: VerbSpec { definition.spec }
}

extension Plan {
  /// What a step does. Adding a case makes the compiler name every switch that must learn it.
  ///
  /// Indirect, because a load takes a kilobyte and so would every other step.
  package indirect enum Action: Codable, Hashable, Sendable {
    case discover(DiscoverAction)
    /// `host` replaces the device's address, `authentication` what the device's entry of the inventory asks.
    case connect(host: HostAndPort?, authentication: DeviceRequirements.Authentication?)
    case disconnect(abrupt: Bool)
    case launch(LaunchAction)
    case stopApp
    case volume(VolumeAction)
    case mute(Bool)
    case load(LoadAction)
    case play, pause, stop
    case seek(SeekAction)
    case rate(RateAction)
    /// Track ids or languages as written; resolved against the media that plays.
    case tracks([String])
    case textStyle(TextTrackStyle)
    case skipAd(force: Bool)
    case refresh(RefreshTarget)
    case wait(Amount)
    case waitUntil(Condition)
    case mark(Template)
    case log(Template)
    case fail(Template)
    case expect(ExpectAction)
    case always(WindowAction)
    case never(WindowAction)
    case expectSequence(SequenceAction)
    case queue(QueueAction)
    case queueInsert(QueueInsertAction)
    case queueRemove([QueueItemReference])
    case queueJump(QueueJump)
    case queueUpdate(QueueUpdateAction)
    case queueReorder(QueueReorderAction)
    case transfer(TransferAction)
    case send(SendAction)
    case probe(ProbeAction)
    case expectMessage(MessageAction)
    case expectTogether(TogetherAction)
    /// Assigns declared variables, in the document's order.
    case set([Assignment])
    /// Keeps what the step's `save` names, and does no more.
    case save
    /// `group`, and what `use` and a `for_each` over a known list unroll to.
    case group(GroupAction)
    case choose([Branch])
    case `repeat`(RepeatAction)
    /// Over a list that only the run knows.
    case forEach(ForEachAction)
    case parallel(ParallelAction)
    case exec(ExecAction)
  }
}

extension Plan.Action {
  /// The verb of the action, and the value that says what it is. Of steps that were unrolled the verb is `group`.
  var unpacked: (verb: Verb, action: any PlanAction) {
    switch self {
    case .discover(let action): (.discover, action)
    case .connect(let host, let authentication): (.connect, Connect(host: host, authentication: authentication))
    case .disconnect(let isAbrupt): (.disconnect, Disconnect(isAbrupt: isAbrupt))
    case .launch(let action): (.launch, action)
    case .stopApp: (.stopApp, StopApp())
    case .volume(let action): (.volume, action)
    case .mute(let isMuted): (.mute, Mute(isMuted: isMuted))
    case .load(let action): (.load, action)
    case .play: (.play, Play())
    case .pause: (.pause, Pause())
    case .stop: (.stop, Stop())
    case .seek(let action): (.seek, action)
    case .rate(let action): (.rate, action)
    case .tracks(let active): (.tracks, Tracks(active: active))
    case .textStyle(let style): (.textStyle, TextStyle(style: style))
    case .skipAd(let isForced): (.skipAd, SkipAd(isForced: isForced))
    case .refresh(let target): (.refresh, target)
    case .wait(let length): (.wait, Wait(length: length))
    case .waitUntil(let condition): (.waitUntil, WaitUntil(condition: condition))
    case .mark(let text): (.mark, Mark(text: text))
    case .log(let text): (.log, Log(text: text))
    case .fail(let text): (.fail, Fail(text: text))
    case .expect(let action): (.expect, action)
    case .always(let window): (.always, AlwaysExpectation(window: window))
    case .never(let window): (.never, NeverExpectation(window: window))
    case .expectSequence(let action): (.expectSequence, action)
    case .queue(let action): (.queue, action)
    case .queueInsert(let action): (.queueInsert, action)
    case .queueRemove(let items): (.queueRemove, QueueRemove(items: items))
    case .queueJump(let jump): (.queueJump, jump)
    case .queueUpdate(let action): (.queueUpdate, action)
    case .queueReorder(let action): (.queueReorder, action)
    case .transfer(let action): (.transfer, action)
    case .send(let action): (.send, action)
    case .probe(let action): (.probe, action)
    case .expectMessage(let action): (.expectMessage, action)
    case .expectTogether(let action): (.expectTogether, action)
    case .set(let assignments): (.set, SetVariables(assignments: assignments))
    case .save: (.save, Save())
    case .group(let action): (.group, action)
    case .choose(let branches): (.choose, Choose(branches: branches))
    case .repeat(let action): (.repeat, action)
    case .forEach(let action): (.forEach, action)
    case .parallel(let action): (.parallel, action)
    case .exec(let action): (.exec, action)
    }
  }

  /// The action with other steps inside it; itself where it holds none.
  ///
  /// - Parameter change: Of the lists, in the document's order.
  func changingNested(_ change: (inout [Plan.NestedSteps]) -> Void) -> Plan.Action {
    unpacked.action.changingNested(change) ?? self
  }

  /// The verb's arguments, defaults filled in, under the names of the long form.
  package var arguments: JSONObject { unpacked.action.arguments }
}
