import CastProtocol
package import CastReceiver
package import ScenarioLanguage

extension FaultPlan {
  /// The faults of a library, in the receiver's terms.
  package init(_ plan: ReceiverPlan) { self.init(plan.faults.map(Fault.init)) }
}

extension FaultPlan.Fault {
  fileprivate init(_ fault: ReceiverPlan.Fault) {
    self.init(FaultPlan.Event(fault), FaultPlan.Action(fault.action))
    delay = fault.after
    every = fault.every
    times = fault.times
    chance = fault.chance
    text = fault.text
  }
}

extension FaultPlan.Event {
  fileprivate init(_ fault: ReceiverPlan.Fault) {
    self =
      switch fault.event {
      case .connect: .connection
      case .challenge: .challenge
      case .launch: .request(.launch)
      case .load: .request(.load)
      case .play: .request(.play)
      case .pause: .request(.pause)
      case .stop: .request(.stop)
      case .seek: .request(.seek)
      case .rate: .request(.rate)
      case .tracks: .request(.tracks)
      case .volume: .request(.volume)
      case .queue: .request(.queue)
      case .refresh: .request(.refresh)
      case .send: .request(.send)
      case .stopApp: .request(.stopApp)
      case .skipAd: .request(.skipAd)
      case .buffering: .state(.buffering)
      case .playing: .state(.playing)
      case .paused: .state(.paused)
      case .idle: .state(.idle)
      case .mediaStatus: .mediaStatus
      case .message: .message
      case nil: FaultPlan.Event(unsaid: fault.action)
      }
  }

  /// The event that counts where the document names none.
  private init(unsaid action: ReceiverPlan.Fault.Action) {
    switch action {
    case .auth: self = .challenge
    case .lateNamespaces: self = .request(.launch)
    case .answer, .ignore, .lose, .close, .delay, .duplicate, .reorder, .mute, .silence, .restart, .takeover, .player,
      .stalePolls, .frame, .slowReads:
      self = .start
    }
  }
}

extension FaultPlan.Action {
  fileprivate init(_ action: ReceiverPlan.Fault.Action) {
    self =
      switch action {
      case .answer(let answer, let code, let reason): Self.answering(answer, code, reason)
      case .ignore: .ignore
      case .lose(.request, _): .loseRequest
      case .lose(.answer, _), .lose(.message, _): .message(.drop)
      case .lose(.connection, let time): .cut(isOrderly: false, away: time ?? .zero)
      case .close(let time): .cut(isOrderly: true, away: time ?? .zero)
      case .delay(let time): .message(.delay(time))
      case .duplicate: .message(.duplicate)
      case .reorder: .message(.reorder)
      case .mute(let time): .mute(for: time)
      case .silence(let time): .silence(for: time)
      case .restart(let change, let time): .restart(.init(away: time ?? .zero, change: .init(change)))
      case .takeover(let appID, let name): .takeover(appID: appID, name: name)
      case .player(.error, let code, _): .playback(.error(code: code))
      case .player(.stall, _, let time): .playback(.stall(for: time))
      case .player(.freeze, _, let time): .playback(.freeze(for: time))
      case .stalePolls: .stalePolls
      case .lateNamespaces(let time): .lateNamespaces(time)
      case .frame(.oversized): .message(.oversizedFrame)
      case .frame(.malformed): .message(.malformedFrame)
      case .frame(.brokenText): .message(.brokenText)
      case .slowReads(let rate): .slowReads(bytesPerSecond: rate)
      case .auth(let proof): .auth(.init(proof))
      }
  }

  private static func answering(_ answer: ReceiverPlan.Fault.Answer, _ code: Int, _ reason: String?) -> Self {
    switch answer {
    case .loadFailed: .fail(.loadFailed(code: code))
    case .loadCancelled: .fail(.loadCancelled)
    case .invalidRequest: .fail(.invalidRequest(reason: reason ?? "INVALID_COMMAND"))
    case .invalidPlayerState: .fail(.invalidPlayerState)
    case .launchError: .fail(.launchError(reason: reason ?? "NOT_FOUND"))
    case .withoutID: .message(.loseRequestID)
    }
  }
}

extension FaultPlan.Restart.Change {
  fileprivate init(_ restart: ReceiverPlan.Fault.Restart) {
    self =
      switch restart {
      case .same: .nothing
      case .certificate: .certificate
      case .port: .port
      }
  }
}

extension FaultPlan.AuthFault {
  fileprivate init(_ proof: ReceiverPlan.Fault.Proof) {
    self =
      switch proof {
      case .error: .error
      case .noAnswer: .noAnswer
      case .wrongSignature: .wrongSignature
      case .wrongNonce: .wrongNonce
      case .brokenCertificate: .brokenCertificate
      }
  }
}

extension ReceiverConfiguration {
  /// Has the receiver go wrong as a library says, and know how long its media last.
  package mutating func apply(_ plan: ReceiverPlan) {
    faults = FaultPlan(plan)
    durations = ContentDurations(plan)
  }
}

extension ContentDurations {
  /// What the entries of `media:` say; the first of two for the same content counts.
  fileprivate init(_ plan: ReceiverPlan) {
    let addressed = plan.media.compactMap { media in media.url.map { ($0, media.duration) } }
    let named = plan.media.compactMap { media in media.url == nil ? (media.id, media.duration) : nil }
    self.init(
      byAddress: Dictionary(addressed, uniquingKeysWith: { first, _ in first }),
      byFile: Dictionary(named, uniquingKeysWith: { first, _ in first }))
  }
}
