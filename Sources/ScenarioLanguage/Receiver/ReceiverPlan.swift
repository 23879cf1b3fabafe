/// What a library says of virtual receivers: what they are, and what goes wrong with them.
package struct ReceiverPlan: Hashable, Sendable {
  package var name: String?
  package var model: String?
  /// How fast the receiver's time goes, 0.1 to 100.
  package var speed: Double?
  /// Apps that the receiver launches, where there is but one.
  package var apps: [App] = []
  /// Several receivers; none where there is but one.
  package var receivers: [Receiver] = []
  package var media: [Media] = []
  package var faults: [Fault] = []

  /// Adds what another library says: its faults, its media, and of the receiver what this one does not say.
  package mutating func add(_ other: ReceiverPlan) {
    name = name ?? other.name
    model = model ?? other.model
    speed = speed ?? other.speed
    media += other.media
    faults += other.faults
  }

  /// How long content lasts, whatever a sender says of it.
  package struct Media: Hashable, Sendable {
    package var id: String
    /// `nil`: content whose file is called like the id.
    package var url: String?
    package var duration: Duration
  }

  /// One entry of `faults:`.
  package struct Fault: Hashable, Sendable {
    /// `nil`: when the first sender connects.
    package var event: Event?
    package var after = Duration.zero
    package var every = 1
    package var times: Int?
    /// 0 to 1.
    package var chance = 1.0
    package var action: Action
    /// Where it stands; `nil` where no document has it.
    package var origin: Origin?

    /// An entry of a file's `faults:`.
    package struct Origin: Hashable, Sendable {
      /// Which of the file's, from 1.
      package let number: Int
      package let span: SourceSpan
    }

    /// When it goes wrong.
    package enum Event: String, Hashable, Sendable, CaseIterable {
      case connect, challenge
      case launch, load, play, pause, stop, seek, rate, tracks, volume, queue, refresh, send
      case stopApp = "stop_app"
      case skipAd = "skip_ad"
      case buffering, playing, paused, idle
      case mediaStatus = "media_status"
      case message

      /// Whether it is a request of a sender.
      var isRequest: Bool {
        switch self {
        case .launch, .load, .play, .pause, .stop, .seek, .rate, .tracks, .volume, .queue, .refresh, .send, .stopApp,
          .skipAd:
          true
        case .connect, .challenge, .buffering, .playing, .paused, .idle, .mediaStatus, .message: false
        }
      }

      /// Whether it is a message that goes out.
      var isMessage: Bool {
        switch self {
        case .buffering, .playing, .paused, .idle, .mediaStatus, .message: true
        default: false
        }
      }
    }

    /// The key of an entry that says what goes wrong.
    package enum Key: String, Hashable, Sendable, CaseIterable {
      case answer
      case acceptButIgnore = "accept_but_ignore"
      case drop, close, delay, duplicate, reorder, mute, silence, restart, takeover, player, status, frame
      case slowReads = "slow_reads"
      case auth
    }

    /// How a request is answered.
    package enum Answer: String, Hashable, Sendable, CaseIterable {
      case loadFailed = "load_failed"
      case loadCancelled = "load_cancelled"
      case invalidRequest = "invalid_request"
      case invalidPlayerState = "invalid_player_state"
      case launchError = "launch_error"
      case withoutID = "without_id"
    }

    /// What is lost.
    package enum Loss: String, Hashable, Sendable, CaseIterable {
      case request, answer, message, connection
    }

    /// What is wrong with a proof.
    package enum Proof: String, Hashable, Sendable, CaseIterable {
      case error
      case noAnswer = "no_answer"
      case wrongSignature = "wrong_signature"
      case wrongNonce = "wrong_nonce"
      case brokenCertificate = "broken_certificate"
    }

    /// What a receiver changes when it starts again.
    package enum Restart: String, Hashable, Sendable, CaseIterable {
      case same, certificate, port
    }

    /// What playback does.
    package enum Player: String, Hashable, Sendable, CaseIterable {
      case error, stall, freeze
    }

    /// What stands in place of a message.
    package enum Frame: String, Hashable, Sendable, CaseIterable {
      case oversized, malformed
      case brokenText = "broken_text"
    }

    package enum Action: Hashable, Sendable {
      case answer(Answer, code: Int, reason: String?)
      case ignore
      case lose(Loss, for: Duration?)
      case close(for: Duration?)
      case delay(Duration)
      case duplicate, reorder
      case mute(for: Duration?)
      case silence(for: Duration?)
      case restart(Restart, for: Duration?)
      case takeover(appID: String, name: String)
      case player(Player, code: Int, for: Duration?)
      case stalePolls
      case lateNamespaces(Duration)
      case frame(Frame)
      case slowReads(Int)
      case auth(Proof)
    }
  }
}
