package import CastProtocol

extension EventKind {
  /// `request` and `reply`: a message that was sent or received.
  package struct WireMessage: EventPayload {
    /// The try of the step in which it was.
    package var attempt = 1
    /// The request id as it was on the wire; `nil` where it was 0 or missing.
    package var id: JSONValue?
    /// `receiver`, `media`, `connection`; the whole name for an app's own.
    package var namespace = ""
    /// The message without its request id.
    package var message = JSONValue.null
    /// The endpoint that it came from.
    package var source: String?
    /// The endpoint that it was for.
    package var destination: String?

    package init() {}

    package mutating func code(_ members: inout EventMembers) {
      members.always("attempt", &attempt)
      codeContent(&members)
    }

    /// All but the try that it belongs to.
    fileprivate mutating func codeContent(_ members: inout EventMembers) {
      members.optional("id", &id)
      members.always("ns", &namespace)
      members.always("msg", &message)
      members.optional("from", &source)
      members.optional("to", &destination)
    }
  }

  /// `messages`: the last messages of a device before something failed, each told once.
  package struct LastMessages: EventPayload {
    package var messages: [KeptMessage] = []
    /// How many came before them, since it was told last, and are not kept.
    package var passedOver = 0

    package init() {}

    package mutating func code(_ members: inout EventMembers) {
      members.always("messages", &messages)
      members.unless(0, "passedOver", &passedOver)
    }
  }

  /// One of the messages of `messages`.
  package struct KeptMessage: EventPayload {
    /// When it passed, in document seconds since the run began.
    package var elapsed = 0.0
    package var isSent = false
    package var message = WireMessage()

    package init() {}

    package init(_ message: WireMessage, elapsed: Double, isSent: Bool) {
      (self.message, self.elapsed, self.isSent) = (message, elapsed, isSent)
    }

    package mutating func code(_ members: inout EventMembers) {
      members.always("e", &elapsed)
      members.always("sent", &isSent)
      message.codeContent(&members)
    }
  }

  /// `request.finished`: what became of a request.
  package struct RequestFinished: EventPayload {
    package var attempt = 1
    package var id = 0
    package var namespace = ""
    /// Its type on the wire: `LOAD`.
    package var name = ""
    package var outcome = Outcome.aborted
    /// Seconds.
    package var duration = 0.0
    package var error: Failure?

    /// How a request ended.
    package enum Outcome: String, EventValue { case completed, failed, aborted, replaced }

    package init() {}

    package mutating func code(_ members: inout EventMembers) {
      members.always("attempt", &attempt)
      members.always("id", &id)
      members.always("ns", &namespace)
      members.always("name", &name)
      members.always("outcome", &outcome)
      members.always("duration", &duration)
      members.optional("error", &error)
    }
  }

  /// `status`: what changed in the merged status of a device.
  package struct StatusChange: EventPayload {
    package var source = Source.push
    package var scope = Scope.media
    /// The media session that it is about.
    package var session: Int?
    /// Fields with another value than before, by name.
    package var set = JSONObject()
    /// Fields that are gone.
    package var unset: [String] = []
    /// What other senders did.
    package var others: [String]?

    /// Whether the device told it by itself or was asked.
    package enum Source: String, EventValue { case push, polled }
    /// Which of the two statuses changed: the receiver's or the media status.
    package enum Scope: String, EventValue { case receiver, media }

    package init() {}

    package mutating func code(_ members: inout EventMembers) {
      members.always("source", &source)
      members.always("scope", &scope)
      members.optional("session", &session)
      members.always("set", &set)
      members.always("unset", &unset)
      members.optional("others", &others)
    }
  }
}
