extension Event {
  /// The messages that it tells: one that was recorded as it passed, or those that were kept for a failure.
  package var messages: [EventKind.KeptMessage] {
    switch kind {
    case .request(let message): [EventKind.KeptMessage(message, elapsed: elapsed, isSent: true)]
    case .reply(let message): [EventKind.KeptMessage(message, elapsed: elapsed, isSent: false)]
    case .messages(let last): last.messages
    default: []
    }
  }
}
