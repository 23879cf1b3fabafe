/// What goes wrong with a virtual receiver, and when: a value, which ``FaultStage`` carries out.
///
/// Times are show time. With the same seed and the same inputs the same goes wrong.
package struct FaultPlan: Hashable, Sendable {
  package var faults: [Fault] = []

  package init(_ faults: [Fault] = []) { self.faults = faults }

  /// One thing that goes wrong, each time its event comes, unless it says less.
  package struct Fault: Hashable, Sendable {
    package var event: Event
    /// How long after the event.
    package var delay = Duration.zero
    /// Of how many events one counts: 1 is each, 3 the third, the sixth, ...
    package var every = 1
    /// How often it comes at most; `nil`: each time.
    package var times: Int?
    /// How likely it is when its event counts, 0 to 1.
    package var chance = 1.0
    package var action: Action
    /// As people know it, such as the entry of a library.
    package var text = ""

    package init(_ event: Event, _ action: Action) {
      self.event = event
      self.action = action
    }
  }

  /// A fault that has come: it goes wrong now.
  package struct Occurrence: Hashable, Sendable {
    /// Which of the plan, from 1.
    package var number: Int
    package var text: String
    /// How often it has come, this time included.
    package var count: Int
  }

  /// When something goes wrong.
  package enum Event: Hashable, Sendable {
    /// The first sender has connected.
    case start
    /// A sender has connected.
    case connection
    /// A sender asks for a proof of what the device is.
    case challenge
    case request(Request)
    /// A media status that goes out says another state than the one before it.
    case state(State)
    /// A media status goes out to one sender.
    case mediaStatus
    /// A message goes out to one sender; heartbeats are none.
    case message
  }

  /// A request of a sender, in the words of the language.
  package enum Request: String, Hashable, Sendable, CaseIterable {
    case launch, load, play, pause, stop, seek, rate, tracks, volume, queue, refresh
    case stopApp = "stop_app"
    case skipAd = "skip_ad"
    /// A message on a channel of an app's own.
    case send
  }

  package enum State: String, Hashable, Sendable, CaseIterable {
    case buffering, playing, paused, idle
  }

  package enum Action: Hashable, Sendable {
    /// The request is answered so, and not carried out.
    case fail(Failure)
    /// The request is answered as if it had been carried out, and is not.
    case ignore
    /// The request is lost.
    case loseRequest
    /// What goes out: the message of the event, or the answers to its request.
    case message(MessageFault)
    /// Requests are taken in and nothing goes out but the heartbeat.
    case mute(for: Duration?)
    /// Nothing is taken in, and nothing goes out: what is connected hears no more, not even an end.
    case silence(for: Duration?)
    /// All connections end, by the rules of TLS or without them; new ones are refused for so long.
    case cut(isOrderly: Bool, away: Duration)
    /// The receiver starts again and remembers nothing.
    case restart(Restart)
    /// Another sender puts an app in the place of the one that runs.
    case takeover(appID: String, name: String)
    case playback(PlaybackFault)
    /// GET_STATUS on the media namespace is answered by what was so when the media began.
    case stalePolls
    /// The apps of a status lack their namespaces for so long.
    case lateNamespaces(Duration)
    /// Reads no faster than this.
    case slowReads(bytesPerSecond: Int)
    case auth(AuthFault)
  }

  /// How a request is refused.
  package enum Failure: Hashable, Sendable {
    /// LOAD_FAILED; where the fault has a delay, after LOADING.
    case loadFailed(code: Int)
    case loadCancelled
    case invalidRequest(reason: String)
    case invalidPlayerState
    case launchError(reason: String)
  }

  /// What happens to a message that goes out.
  package enum MessageFault: Hashable, Sendable {
    case drop
    /// It goes out so much later; what follows it overtakes it.
    case delay(Duration)
    case duplicate
    /// It goes out behind the next message to the same sender, or after a second.
    case reorder
    /// It is no answer: its request id is 0, as where devices answer LAUNCH by LAUNCH_STATUS alone.
    case loseRequestID
    /// In its place a frame that says it is longer than any may be.
    case oversizedFrame
    /// In its place a frame whose body is no message.
    case malformedFrame
    /// Half of its text, which is no JSON.
    case brokenText
  }

  package struct Restart: Hashable, Sendable {
    /// How long nobody answers.
    package var away: Duration
    /// Whether it shows another certificate then, and whether it listens at another port.
    package var change: Change

    package init(away: Duration, change: Change) {
      self.away = away
      self.change = change
    }

    package enum Change: String, Hashable, Sendable, CaseIterable {
      case nothing, certificate, port
    }
  }

  package enum PlaybackFault: Hashable, Sendable {
    /// ERROR, and the session ends with it.
    case error(code: Int)
    /// BUFFERING, and playback stands; for so long, or until a command.
    case stall(for: Duration?)
    /// PLAYING, and playback stands; for so long, or until a command.
    case freeze(for: Duration?)
  }

  /// What is wrong with the answer to a challenge.
  package enum AuthFault: String, Hashable, Sendable, CaseIterable {
    case error
    case noAnswer = "no_answer"
    case wrongSignature = "wrong_signature"
    case wrongNonce = "wrong_nonce"
    case brokenCertificate = "broken_certificate"
  }
}
