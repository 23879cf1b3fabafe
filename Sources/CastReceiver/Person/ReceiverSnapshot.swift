import CastProtocol

/// What a receiver is and does at one moment, for the person who runs it.
package struct ReceiverSnapshot: Hashable, Sendable {
  /// Whether it has power.
  package var isPlugged = true
  package let name: String
  package let id: String
  package let model: String
  package let display: ReceiverDisplay
  package let app: App?
  package let media: Media?
  package let volume: Volume
  /// None where an answer with all of them would be too long.
  /// `nil`: not told, where there are too many for an answer.
  package var senders: [Sender]?

  package struct App: Hashable, Sendable {
    package let id: String
    package let name: String
    package let sessionID: String
    package let statusText: String
    package let isPage: Bool
  }

  package struct Media: Hashable, Sendable {
    package let sessionID: Int
    /// `contentUrl`, else `contentId`.
    package let address: String
    package let contentType: String?
    package let title: String?
    package let state: State
    /// Seconds.
    package let position: Double
    /// Seconds; `nil`: it has no end.
    package let duration: Double?
  }

  package enum State: String, Hashable, Sendable, CaseIterable {
    case loading, buffering, playing, paused
    /// An ad plays, or stands.
    case ad
  }

  package struct Volume: Hashable, Sendable {
    /// 0 to 1.
    package let level: Double
    package let isMuted: Bool
    package let control: ReceiverConfiguration.VolumeControl
  }

  /// A virtual connection.
  package struct Sender: Hashable, Sendable {
    /// The number of its socket.
    package let connection: Int
    package let id: String
    package let userAgent: String?
    /// Whether it has joined the app.
    package let isAtApp: Bool
  }
}

extension ReceiverStateMachine {
  /// The state of the receiver at show time `now`.
  package func snapshot(at now: Duration) -> ReceiverSnapshot {
    let app = application.map { app in
      ReceiverSnapshot.App(
        id: app.appID, name: app.displayName, sessionID: app.sessionID, statusText: app.statusText,
        isPage: app.page != nil)
    }
    let senders = connections.flatMap { connection in
      connection.virtualConnections.senders.map { sender in
        ReceiverSnapshot.Sender(
          connection: connection.id.rawValue, id: sender.id.rawValue, userAgent: sender.userAgent,
          isAtApp: sender.endpoint == application?.transportID || replay?.hasApp(at: sender.endpoint) == true)
      }
    }
    let own = ReceiverSnapshot(
      name: configuration.name, id: configuration.id, model: configuration.model, display: display, app: app,
      media: application?.media?.session.map { $0.snapshot(at: now) },
      volume: .init(level: volume.level, isMuted: volume.isMuted, control: configuration.volumeControl),
      senders: senders)
    return replay?.snapshot(over: own, at: now) ?? own
  }
}

extension MediaSession {
  fileprivate func snapshot(at now: Duration) -> ReceiverSnapshot.Media {
    let state: ReceiverSnapshot.State =
      if load != nil {
        .loading
      } else if adBreak != nil {
        .ad
      } else {
        switch playerState {
        case .buffering: .buffering
        case .playing: .playing
        case .paused, .idle: .paused
        }
      }
    /// A sender may say as much as a frame holds.
    func short(_ text: String?) -> String? { text.map { String($0.prefix(ReceiverLimits.statusTextLength)) } }
    return ReceiverSnapshot.Media(
      sessionID: id, address: short(media.object.contentAddress) ?? "",
      contentType: short(media.object["contentType"]?.string),
      title: short(media.object["metadata"]?["title"]?.string), state: state, position: position(at: now).seconds,
      duration: media.duration?.seconds)
  }
}
