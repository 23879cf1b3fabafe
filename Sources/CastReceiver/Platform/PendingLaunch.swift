import CastProtocol

/// A LAUNCH that waits for a person at the device, or an app that takes its time to start. Source:
/// docs/protocol.md 3.4.
struct PendingLaunch: Sendable {
  let appID: String
  let requestID: Int
  let sender: ReceiverStateMachine.Sender
  let isAllowed: Bool
  /// When the person has decided, or the app is there.
  let due: Duration
  /// Whether the sender has been told that it may, and the app is being started.
  var isStarting = false
  /// The page that is being started; it is given up at ``due``.
  var pageSessionID: String?
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
    if let sessionID = launch.pageSessionID {
      let limit = ReceiverLimits.pageStart.components.seconds
      order(
        .fail(
          sessionID: sessionID,
          "the page did not start as a receiver within \(limit) s: it must load the receiver SDK and call `start()`"))
      order(.stop(sessionID: sessionID))
      failLaunch("SYSTEM_ERROR", launch.requestID, to: launch.sender)
    } else if launch.isAllowed, let address = configuration.pageAddresses[launch.appID] {
      startPage(launch.appID, at: address, launch.requestID, from: launch.sender, at: now)
    } else if launch.isAllowed {
      replaceApplication(
        by: launch.appID, launch.requestID, from: launch.sender, isTold: launch.isStarting)
    } else {
      failLaunch(extended: "USER_NOT_ALLOWED", launch.requestID, to: launch.sender)
    }
  }

  /// Starts an app in the time that the device takes for it.
  mutating func start(_ appID: String, _ requestID: Int, from sender: Sender, at now: Duration) {
    if let address = configuration.pageAddresses[appID] {
      startPage(appID, at: address, requestID, from: sender, at: now)
      return
    }
    let time = configuration.latency.launch.drawn(using: &random)
    guard time > .zero else {
      replaceApplication(by: appID, requestID, from: sender)
      return
    }
    if configuration.sendsLaunchStatus { tellLaunchStatus("USER_ALLOWED", requestID, to: sender) }
    pendingLaunch = PendingLaunch(
      appID: appID, requestID: requestID, sender: sender, isAllowed: true, due: now + time, isStarting: true)
  }

  /// Gives up a launch that waits, because of another one or a stop; its sender is told.
  mutating func cancelPendingLaunch() {
    guard let launch = pendingLaunch else { return }
    pendingLaunch = nil
    if let sessionID = launch.pageSessionID { order(.stop(sessionID: sessionID)) }
    failLaunch("CANCELLED", launch.requestID, to: launch.sender)
  }
}
