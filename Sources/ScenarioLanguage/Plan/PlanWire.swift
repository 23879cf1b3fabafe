import CastProtocol

/// What `showcaller plan --wire` prints: the messages that steps send, each on a line of its own, after a line that
/// names the step.
///
/// There is no connection, so `requestId` and `mediaSessionId` are 0; what only a run knows stands between `‹` and `›`.
/// What keeps the connection itself, and a transfer's messages, which the apps decide, are left out.
package struct PlanWire: Sendable {
  package private(set) var lines: [String] = []

  package init(_ plan: Plan) {
    var trackIDs: [String: Int] = [:]
    for step in plan.allSteps {
      let messages = step.action.unpacked.action.messages(trackIDs: &trackIDs)
      guard !messages.isEmpty else { continue }
      lines.append("# \(step.id) \(TerminalText.oneLine(step.name))")
      // Every other message says by its type where it goes.
      if case .send(let send) = step.action {
        let destination = send.destination == .app ? "the app" : "receiver-0"
        lines.append("# to \(destination) in \(TerminalText.oneLine(send.namespace))")
      }
      lines += messages.map { $0.serialized() }
    }
  }
}
