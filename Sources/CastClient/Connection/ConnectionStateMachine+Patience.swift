import CastProtocol

/// How long devices are given: for replies, while they load, and until an app lists its media.
extension ConnectionStateMachine {
  /// Ends the requests whose reply is overdue, but for those that the device holds back.
  mutating func expireRequests() {
    let held = Set(requests.overdue(at: now.network).filter(isHeldBack).map(\.id))
    requests.postpone(at: now.network, by: timeouts.replyTimeout, heldBack: held)
    for request in requests.expire(at: now.network) {
      recordEnd(of: request, as: .failed(ClientError(.timeout, "no reply to \(request.name)")))
      if let owner = request.owner { deliver(.expired(request.role), to: owner) }
    }
  }

  /// Whether the device may be keeping `request` until a LOAD is through, as devices do (docs/protocol.md 4.2), and
  /// whoever made it has said how long to wait.
  private func isHeldBack(_ request: RequestStateMachine.Pending) -> Bool {
    guard request.role.namespace == .media, let owner = operations.first(where: { $0.token == request.owner }),
      owner.until != nil
    else { return false }
    if snapshot.mediaSource == request.peer, snapshot.media?.isLoading == true { return true }
    return operations.contains { $0.machine.isLoading && $0.machine.session?.transportID == request.peer }
  }

  /// The operation, behind a question to the device where the app does not list what the operation needs.
  func mediaChecked(_ machine: some OperationStateMachine) -> any OperationStateMachine {
    guard machine.needsMedia, let session = machine.session else { return machine }
    let app = snapshot.receiver?.application
    if app?.sessionID == session.sessionID, app?.playsMedia == true { return machine }
    return MediaGateStateMachine(
      machine, listed: app, connectedAt: apps.connectedAt(session.transportID), replyTimeout: timeouts.replyTimeout
    )
  }
}
