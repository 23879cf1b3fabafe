import CastClient
package import CastProtocol
package import RunReporting
package import ScenarioLanguage

/// All that a device can be asked to do: a step of a scenario, a command, a key or an item of a playlist is one of
/// these.
package enum DeviceAction: Sendable {
  /// `host` replaces the device's address, `authentication` what the device's entry of the inventory asks.
  case connect(host: HostAndPort?, authentication: Plan.DeviceRequirements.Authentication?)
  case disconnect(abrupt: Bool)
  case launch(Plan.LaunchAction)
  /// - Parameter mayBeGone: Whether it also succeeds where no app runs.
  case stopApp(mayBeGone: Bool)
  /// Percent, and how long the way there takes.
  case volume(level: Double, ramp: Duration)
  /// By percent points, up or down from what it is.
  case changeVolume(by: Double, ramp: Duration)
  case mute(Bool)
  case toggleMute
  case load(Plan.LoadAction)
  case play, pause, stop
  /// Plays what is paused, and pauses what plays.
  case togglePlayback
  case seek(Seek)
  case rate(SetRate.Target)
  /// Track ids or languages as written; resolved against the media that plays.
  case tracks([String])
  case textStyle(TextTrackStyle)
  case skipAd(force: Bool)
  case refresh(Plan.RefreshTarget)
  case queueLoad(Plan.QueueAction)
  case queueInsert(items: [Plan.QueueItem], before: QueueItemName?)
  case queueRemove([QueueItemName])
  case queueJump(QueueJump.Target)
  case queueUpdate(QueueUpdate)
  case queueReorder(items: [QueueItemName], before: QueueItemName?)
  /// Puts media behind what plays; the player goes on to them by itself.
  case queueNext(QueueNext)
  /// Takes back what ``queueNext(_:)`` put there.
  case unqueueNext
  /// Goes on with what ``queueNext(_:)`` put there, once the player is at it.
  case continueWithNext(until: Plan.LoadAction.Until)
  case send(Plan.SendAction)

  /// The verb that does it.
  var verb: any DeviceVerb {
    switch self {
    case .connect(let host, let authentication): Connect(host: host, authentication: authentication)
    case .disconnect(let isAbrupt): Disconnect(isAbrupt: isAbrupt)
    case .launch(let action): Launch(action)
    case .stopApp(let mayBeGone): StopApp(mayBeGone: mayBeGone)
    case .volume(let level, let ramp): SetVolume(level: level, ramp: ramp)
    case .changeVolume(let points, let ramp): ChangeVolume(points: points, ramp: ramp)
    case .mute(let isMuted): Mute(isMuted: isMuted)
    case .toggleMute: ToggleMute()
    case .load(let action): Load(action: action)
    case .play: Play()
    case .pause: Pause()
    case .stop: StopMedia()
    case .togglePlayback: TogglePlayback()
    case .seek(let seek): seek
    case .rate(let target): SetRate(target: target)
    case .tracks(let names): SetTracks(names: names)
    case .textStyle(let style): SetTextStyle(style: style)
    case .skipAd(let isForced): SkipAd(isForced: isForced)
    case .refresh(let target): Refresh(target: target)
    case .queueLoad(let action): QueueLoad(action: action)
    case .queueInsert(let items, let place): QueueInsert(items: items, before: place)
    case .queueRemove(let items): QueueRemove(items: items)
    case .queueJump(let target): QueueJump(target: target)
    case .queueUpdate(let update): update
    case .queueReorder(let items, let place): QueueReorder(items: items, before: place)
    case .queueNext(let next): next
    case .unqueueNext: UnqueueNext()
    case .continueWithNext(let until): ContinueWithNext(until: until)
    case .send(let action): Send(action: action)
    }
  }
}

/// One kind of action: what it sends, and when it is done (docs/language/steps.md "Steps").
protocol DeviceVerb: Sendable {
  /// - Throws: Why the device did not do it by the scope's deadline.
  func perform(on device: isolated DeviceSession, in scope: ActionScope) async throws(StepFailure)
}

extension DeviceSession {
  /// Does what is asked, and returns when the device shows that it is done.
  package func perform(_ action: DeviceAction, in scope: ActionScope) async throws(StepFailure) {
    try await action.verb.perform(on: self, in: scope)
  }
}
