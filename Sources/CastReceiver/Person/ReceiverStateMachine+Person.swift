import CastProtocol

/// The person in the room: the remote control, and other phones. Source: docs/protocol.md 3.3, 4.2 and 12.
extension ReceiverStateMachine {
  /// Why an action would change nothing; `nil` where it does.
  func refusal(of action: PersonAction, at now: Duration) -> PersonRefusal? {
    if replay != nil {
      return PersonRefusal(
        message: "it answers from a recording, which nobody can press", help: "start it without `--replay`")
    }
    switch action {
    case .play, .pause, .stop, .next, .previous:
      guard let application else { return PersonRefusal(message: "no app runs") }
      guard application.page == nil else {
        return PersonRefusal(
          message: "the app is a page, which has its keys to itself", help: "senders and the page itself control it")
      }
      guard let media = application.media else { return PersonRefusal(message: "the app plays no media") }
      return media.refusal(of: action)
    case .volumeUp, .volumeDown, .mute:
      return configuration.volumeControl == .fixed
        ? PersonRefusal(message: "its volume is fixed", help: "start it without --volume fixed") : nil
    case .home: return display.isActiveInput ? nil : PersonRefusal(message: "another input is on already")
    case .input: return display == ReceiverDisplay() ? PersonRefusal(message: "its input is on already") : nil
    case .stopApp: return application == nil && pendingLaunch == nil ? PersonRefusal(message: "no app runs") : nil
    case .power, .takeover: return nil
    }
  }

  /// Does it; nothing where it would change nothing.
  mutating func act(_ action: PersonAction, at now: Duration) {
    if refusal(of: action, at: now) != nil { return }
    switch action {
    case .play, .pause, .stop, .next, .previous:
      if let outputs = application?.media?.act(action, at: now) { deliver(outputs) }
    case .volumeUp: changeVolume { $0.change(bySteps: 1) }
    case .volumeDown: changeVolume { $0.change(bySteps: -1) }
    case .mute: changeVolume { $0.toggleMuted() }
    case .power: show(ReceiverDisplay(isActiveInput: display.isStandby, isStandby: !display.isStandby), at: now)
    case .home: show(ReceiverDisplay(isActiveInput: false, isStandby: display.isStandby), at: now)
    case .input: show(ReceiverDisplay(), at: now)
    case .stopApp:
      cancelPendingLaunch()
      if application != nil { endApplication(answering: 0) }
    case .takeover(let appID, let name): obey(.takeover(appID: appID, name: name), at: now)
    }
  }

  private mutating func changeVolume(_ change: (inout DeviceVolume) -> Void) {
    let before = volume
    change(&volume)
    guard volume != before else { return }
    broadcastStatus(answering: 0)
    passOn(volume, after: before)
  }

  /// Shows its screen, or hides it. What nobody sees is paused, as the receiver SDK does; nothing lets it play again by
  /// itself. A page does so itself, when it is told.
  mutating func show(_ new: ReceiverDisplay, at now: Duration) {
    let before = display
    display = new
    guard display != before else { return }
    if before.isActiveInput, !display.isActiveInput, let media = application?.media, media.refusal(of: .pause) == nil,
      let outputs = application?.media?.act(.pause, at: now)
    {
      deliver(outputs)
    }
    broadcastStatus(answering: 0)
  }
}

extension MediaSessionStateMachine {
  /// Why a key changes nothing.
  func refusal(of action: PersonAction) -> PersonRefusal? {
    guard let session else { return PersonRefusal(message: "nothing is loaded") }
    guard session.load == nil else {
      return PersonRefusal(message: "the content is still being loaded", help: "try again in a moment")
    }
    switch action {
    case .play where session.wantsToPlay && session.hindrance == nil: return PersonRefusal(message: "it plays already")
    case .pause where !session.wantsToPlay && session.hindrance == nil:
      return PersonRefusal(message: "it is paused already")
    case .next where session.queue.index(jumping: 1) == nil: return PersonRefusal(message: "there is no next item")
    default: return nil
    }
  }

  /// Does what a key of the remote control says; everybody is told, in answer to nobody.
  mutating func act(_ action: PersonAction, at now: Duration) -> [Output] {
    performDue(at: now)
    if refusal(of: action) == nil {
      switch action {
      case .play: play(at: now)
      case .pause: pause(at: now)
      case .stop: finish(.cancelled, at: now)
      case .next: jump(by: 1, at: now)
      case .previous: jump(by: -1, at: now)
      case .volumeUp, .volumeDown, .mute, .power, .home, .input, .stopApp, .takeover: break
      }
      performDue(at: now)
    }
    return takeOutputs()
  }
}
