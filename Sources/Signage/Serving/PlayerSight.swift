package import CastProtocol
package import DeviceControl

/// What a screen's player does at one moment, as far as playing an item goes.
package struct PlayerSight: Hashable, Sendable {
  package enum Phase: Hashable, Sendable {
    /// Nothing is loaded, or what was loaded is over; why, where the device tells.
    case idle(MediaStatus.IdleReason?)
    case playing, paused, buffering, loading
  }

  package var phase: Phase
  /// Content seconds as the device last said them; `nil` where it says none.
  package var position: Double?
  /// Of the content, in seconds; `nil` for what has none, such as a still image.
  package var duration: Double?

  /// When the device said so, on the show clock; `nil` where it never did.
  package var receivedAt: Duration?
  /// The player has left the item for the one that was put behind it.
  package var isAtNextItem = false

  package init(
    _ phase: Phase, position: Double? = nil, duration: Double? = nil, receivedAt: Duration? = nil,
    isAtNextItem: Bool = false
  ) {
    self.receivedAt = receivedAt
    self.phase = phase
    self.position = position
    self.duration = duration
    self.isAtNextItem = isAtNextItem
  }

  package init(_ view: StatusView) {
    guard let media = view.media else {
      self.init(.idle(nil))
      return
    }
    let isLoading = media.loadingItemID != nil || media.extendedPlayerState == "LOADING"
    let phase: Phase =
      switch media.playerState {
      case .playing: .playing
      case .paused: .paused
      // Between two items of a queue it says how the first one ended.
      case .idle where view.isAtNextItem: .idle(media.idleReason)
      case .idle: isLoading ? .loading : .idle(media.idleReason)
      case .buffering: isLoading ? .loading : .buffering
      // A word that we do not know says at least that something is on.
      case .unknown: .playing
      }
    let content = media.media ?? media.extendedMedia
    let duration = content?.duration.flatMap { $0 > 0 && content?.streamType != "LIVE" ? $0 : nil }
    self.init(
      phase, position: media.currentTime, duration: duration, receivedAt: view.snapshot.mediaTimeReceivedAt,
      isAtNextItem: view.isAtNextItem)
  }
}
