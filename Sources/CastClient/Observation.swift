package import CastProtocol

/// One thing a connection saw, with the merged state after it. The history a run judges by.
package struct Observation: Sendable {
  /// Where it came from.
  package enum Source: String, Hashable, Sendable {
    /// A broadcast, or the reply to a command.
    case push
    /// The reply to a GET_STATUS of ours; some apps answer with a stale one.
    case polled
  }

  /// What changed.
  package enum Scope: String, Hashable, Sendable {
    case receiver, media
    /// The socket opened or closed, or the app's virtual connection was closed.
    case connection
    /// A LOAD_FAILED, ERROR or other message that is no status.
    case error
    /// A message on a namespace of the app's own.
    case message
  }

  /// 1, 2, 3 ... within one connection, without holes.
  package var number: Int
  /// When it was received, on the show clock.
  package var at: Duration
  package var source: Source
  package var scope: Scope
  package var snapshot: DeviceSnapshot
  /// The message as received; one that is no JSON as `text`, or as `hex` and the number of `bytes`.
  package var message: JSONValue? {
    get { content?.json }
    set { content = newValue.map { .json($0) } }
  }
  private var content: MessageContent?
  /// What it is about.
  package var namespace: Namespace?
  /// Why the connection is over, or what a message of scope `error` refuses.
  private var error: ClientError?
  /// What others did, where a status shows it.
  package var others: [OtherSenderAction] = []

  package init(
    number: Int, at: Duration, source: Source, scope: Scope, snapshot: DeviceSnapshot, message: JSONValue? = nil,
    namespace: Namespace? = nil, error: ClientError? = nil, others: [OtherSenderAction] = []
  ) {
    self.init(
      number: number, at: at, source: source, scope: scope, snapshot: snapshot, content: message.map { .json($0) },
      namespace: namespace, error: error, others: others)
  }

  init(
    number: Int, at: Duration, source: Source, scope: Scope, snapshot: DeviceSnapshot, content: MessageContent?,
    namespace: Namespace?, error: ClientError?, others: [OtherSenderAction]
  ) {
    self.number = number
    self.at = at
    self.source = source
    self.scope = scope
    self.snapshot = snapshot
    self.content = content
    self.namespace = namespace
    self.error = error
    self.others = others
  }

  /// Why the connection is over, where it is.
  package var loss: ClientError? { scope == .connection ? error : nil }
  /// The error that a LOAD_FAILED, ERROR, LOAD_CANCELLED, INVALID_REQUEST ... stands for.
  package var refusal: ClientError? { scope == .error ? error : nil }
}
