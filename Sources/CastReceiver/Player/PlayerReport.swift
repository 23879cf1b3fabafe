/// What a player outside the receiver tells of what it plays: a page in a browser that has the content in an element.
package struct PlayerReport: Hashable, Sendable {
  package enum State: Hashable, Sendable {
    /// It does not know yet what the content is.
    case loading
    case paused
    case playing
    /// It plays, and waits for data.
    case waiting
    case ended
    /// The browser plays nothing before somebody has touched the page.
    case blocked
    /// See docs/protocol.md 5.9.
    case failed(code: Int)
  }

  package var playback: PlaybackID
  /// The newest order that it has carried out; what it told before is not about the present state.
  package var order: Int
  package var state: State
  /// Of the content or the clip, 0 or more.
  package var position: Duration
  /// `nil`: it has no end, or is not known yet.
  package var duration: Duration?
  package var size: MediaBehavior.VideoSize?

  package init(
    _ playback: PlaybackID, order: Int, _ state: State, position: Duration = .zero, duration: Duration? = nil,
    size: MediaBehavior.VideoSize? = nil
  ) {
    self.playback = playback
    self.order = order
    self.state = state
    self.position = position
    self.duration = duration
    self.size = size
  }
}

/// What comes of the player outside.
package enum PlayerInput: Hashable, Sendable {
  /// A page that plays is open.
  case came
  /// None is open any more.
  case left
  case report(PlayerReport)
}

/// Names one thing that a player outside plays: content, each time it is loaded, or a clip.
package struct PlaybackID: Hashable, Sendable {
  /// Of the app.
  package let sessionID: String
  /// Counts within the app session.
  package let number: Int

  package init(sessionID: String, number: Int) {
    self.sessionID = sessionID
    self.number = number
  }
}
