import CastProtocol

/// A LAUNCH that waits for a person at the device. Source: cast-protocol.md 3.4.
struct PendingLaunch: Sendable {
  let appID: String
  let requestID: Int
  let sender: ReceiverStateMachine.Sender
  let isAllowed: Bool
  /// When the person has decided.
  let due: Duration
}

/// Launching where a person is asked first.
extension ReceiverStateMachine {
  /// Asks, where the device is one that does.
  /// - Returns: False when nobody has to be asked.
  mutating func askForConsent(_ appID: String, _ requestID: Int, from sender: Sender, at now: Duration) -> Bool {
    switch configuration.consent {
    case .notNeeded: return false
    case .impossible: failLaunch(extended: "USER_NOTIFICATIONS_DISABLED", requestID, to: sender)
    case .given(let delay), .refused(let delay):
      var isAllowed = false
      if case .given = configuration.consent { isAllowed = true }
      tellLaunchStatus("USER_PENDING_AUTHORIZATION", requestID, to: sender)
      pendingLaunch = PendingLaunch(
        appID: appID, requestID: requestID, sender: sender, isAllowed: isAllowed, due: now + max(.zero, delay))
    }
    return true
  }

  /// Does what the person decided, once it is time.
  mutating func decidePendingLaunch(at now: Duration) {
    guard let launch = pendingLaunch, launch.due <= now else { return }
    pendingLaunch = nil
    if launch.isAllowed {
      replaceApplication(by: launch.appID, launch.requestID, from: launch.sender)
    } else {
      failLaunch(extended: "USER_NOT_ALLOWED", launch.requestID, to: launch.sender)
    }
  }

  /// Gives up a launch that waits, because of another one or a stop; its sender is told.
  mutating func cancelPendingLaunch() {
    guard let launch = pendingLaunch else { return }
    pendingLaunch = nil
    failLaunch("CANCELLED", launch.requestID, to: launch.sender)
  }
}
