import CastProtocol
import DeviceControl
import ScenarioLanguage

/// What others may see of the screen.
extension Screen {
  /// What its receiver said last, and what follows what is on.
  func sight() async -> ScreenSight {
    var sight = ScreenSight()
    let view = await device.view()
    if view.snapshot.isConnected {
      if let app = view.snapshot.receiver?.application, !app.isIdleScreen {
        sight.app = .init(id: app.appID, name: app.displayName)
      }
      sight.volume = view.snapshot.receiver?.volume.level
      sight.isMuted = view.snapshot.receiver?.volume.muted
      see(view, in: &sight)
    }
    (sight.showing, sight.since) = (shownNow?.showing, shownNow?.since)
    sight.next = next(sight)
    let open = unrecorded
    sight.unrecordedSince = open.since
    if shownNow == nil || open.reason != .loading { sight.gapReason = open.reason }
    sight.shown = shownForCertain
    return sight
  }

  private func see(_ view: StatusView, in sight: inout ScreenSight) {
    // Another sender's film counts, too.
    let all = StatusView(view.snapshot, at: view.at)
    guard all.media != nil else { return }
    let player = PlayerSight(all)
    sight.player = player.phase
    sight.duration = player.duration
    sight.position = player.position
    if player.position != nil, let at = player.receivedAt { sight.positionTime = unixTime - (now - at).seconds }
  }

  /// What follows if nothing happens that is not known yet; `nil`: nothing, or nobody knows.
  private func next(_ sight: ScreenSight) -> ScreenSight.Next? {
    if cursor.isPaused { return nil }
    let time = Double(moment)
    guard let showing = shownNow?.showing, let since = shownNow?.since else {
      // In quiet hours, and where nothing is on, something is when the program changes.
      let decision = cursor.decision(at: moment)
      let waits = decision.content.isDark
      let at = waits ? cursor.program.nextChange(after: moment).map { Double($0.at) } : time
      return at.flatMap { at in cursor.following(at: Int(at)).map { .init($0, at: at) } }
    }
    let end =
      showing.shared.map { Double($0.upperBound) } ?? showing.length.map { since + $0.seconds } ?? filmEnd(sight)
    let cut = cursor.nextCut(of: showing, after: moment).map(Double.init)
    let at = max(time, [end, cut].compactMap(\.self).min() ?? time)
    return cursor.following(at: Int(at.rounded(.down))).map { .init($0, at: at) }
  }

  /// When a film comes to its end, if it goes on playing.
  private func filmEnd(_ sight: ScreenSight) -> Double? {
    guard let position = sight.position, let duration = sight.duration, let time = sight.positionTime else {
      return nil
    }
    return time + max(0, duration - position)
  }
}

extension Decision.Content {
  /// Whether nothing is to be on.
  fileprivate var isDark: Bool {
    switch self {
    case .quiet, .nothing: true
    case .rule, .fallback: false
    }
  }
}
