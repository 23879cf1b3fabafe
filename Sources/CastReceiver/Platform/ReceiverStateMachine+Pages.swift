import CastProtocol

/// Apps that are pages in a browser: their launch, their life and their end. Source: docs/protocol.md 12.
extension ReceiverStateMachine {
  /// Has the page of `appID` started; the launch is over when it says that it is ready.
  mutating func startPage(
    _ appID: String, at address: String, _ requestID: Int, from sender: Sender, at now: Duration
  ) {
    if configuration.sendsLaunchStatus { tellLaunchStatus("USER_ALLOWED", requestID, to: sender) }
    let sessionID = sessionIDs.next()
    pendingLaunch = PendingLaunch(
      appID: appID, requestID: requestID, sender: sender, isAllowed: true, due: now + ReceiverLimits.pageStart,
      isStarting: true, pageSessionID: sessionID)
    order(.start(sessionID: sessionID, appID: appID, address: address))
  }

  /// Takes what comes of a page; of one that is closed nothing counts.
  mutating func receive(_ report: PageReport, ofPage sessionID: String) {
    if let launch = pendingLaunch, launch.pageSessionID == sessionID {
      receive(report, of: launch)
    } else if let app = application, app.sessionID == sessionID, app.page != nil {
      receive(report, of: app)
    }
  }

  private mutating func receive(_ report: PageReport, of launch: PendingLaunch) {
    switch report {
    case .message(let message):
      // Before it is ready a page is no app, and nobody is connected to it.
      guard message.peer == .system, case .ready(let namespaces, let text)? = PageRequest(parsing: message.data) else {
        return
      }
      pendingLaunch = nil
      replaceApplication(
        by: launch.appID, launch.requestID, from: launch.sender, isTold: true,
        page: (launch.pageSessionID, PageApplication(namespaces: namespaces, statusText: text)))
    case .ended:
      pendingLaunch = nil
      failLaunch("SYSTEM_ERROR", launch.requestID, to: launch.sender)
    }
  }

  private mutating func receive(_ report: PageReport, of app: RunningApplication) {
    switch report {
    case .message(let message):
      if message.peer == .system || message.namespace == PageMessage.systemNamespace {
        if let request = PageRequest(parsing: message.data) { perform(request) }
      } else {
        forward(message, of: app)
      }
    case .ended:
      application = nil
      broadcastStatus(answering: 0)
      closeAll(to: app.transportID)
    }
  }

  private mutating func perform(_ request: PageRequest) {
    switch request {
    case .ready(let namespaces, let text):
      // A page that was loaded again knows nothing.
      application?.page = PageApplication(namespaces: namespaces, statusText: text)
      broadcastStatus(answering: 0)
    case .setStatusText(let text):
      if application?.page?.statusText == text { return }
      application?.page?.statusText = text
      broadcastStatus(answering: 0)
    case .setVolume(let value):
      let before = volume
      guard volume.set(value), volume != before else { return }
      broadcastStatus(answering: 0)
      passOn(volume, after: before)
    case .other: return
    }
  }

  // MARK: messages

  /// Hands a sender's message to the page, where it is one of the page's namespaces and text.
  mutating func deliverToPage(_ message: CastMessage, from sender: Sender) {
    guard let app = application, let page = app.page, page.namespaces.contains(message.namespace) else { return }
    guard case .text(let text) = message.payload, !text.isEmpty else { return }
    let id = PageSenderID(connection: sender.connection, id: sender.id)
    order(
      .deliver(
        sessionID: app.sessionID, PageMessage(namespace: message.namespace, peer: .sender(id), data: text)))
  }

  /// Sends what the page says to whom it is for, as long as that one is connected to the page.
  private mutating func forward(_ message: PageMessage, of app: RunningApplication) {
    func warn(_ problem: String) -> PageOrder { .warn(sessionID: app.sessionID, problem) }
    guard app.page?.namespaces.contains(message.namespace) == true else {
      order(warn("a message on \(message.namespace.rawValue) was dropped: activeNamespaces of ready does not name it"))
      return
    }
    guard message.data.utf8.count <= ReceiverLimits.pageMessageLength else {
      order(
        warn(
          "a message of \(message.data.utf8.count) bytes on \(message.namespace.rawValue) was dropped: Cast carries 64 KiB"
        ))
      return
    }
    switch message.peer {
    case .system: return
    case .everyone: broadcast(.text(message.data), on: message.namespace, from: app.transportID)
    case .sender(let id):
      guard let index = connections.firstIndex(where: { $0.id == id.connection }),
        connections[index].virtualConnections.kind(of: id.id, to: app.transportID) != nil
      else { return }
      let sender = Sender(connection: id.connection, index: index, id: id.id, endpoint: app.transportID)
      send(
        CastMessage(
          source: app.transportID, destination: id.id, namespace: message.namespace, payload: .text(message.data)),
        to: sender)
    }
  }

  // MARK: what a page is told

  /// Tells the page what has changed since it was told last: of the volume, the display, and who is connected.
  mutating func informPage() {
    guard let app = application, let page = app.page else { return }
    let present = PageApplication.Told(volume: volume, display: display, senders: pageSenders(of: app))
    if page.told == present { return }
    application?.page?.told = present
    func tell(_ message: JSONObject) { order(.deliver(sessionID: app.sessionID, .system(message))) }
    let told = page.told
    if told == nil { tell(greeting(app)) }
    if told?.volume != present.volume {
      tell([
        "type": "volumechanged", "level": present.volume.json["level"] ?? 1, "muted": .bool(present.volume.isMuted),
      ])
    }
    if told?.display.isActiveInput != display.isActiveInput {
      tell(["type": "visibilitychanged", "visible": .bool(display.isActiveInput)])
    }
    if told?.display.isStandby != display.isStandby {
      tell(["type": "standbychanged", "standby": .bool(display.isStandby)])
    }
    let (old, new) = (told?.senders ?? [], present.senders)
    for sender in old where !new.contains(where: { $0.id == sender.id }) {
      // The page ends itself when its last sender left on purpose, and stays when only a connection broke.
      let isThere = connections.contains { $0.id == sender.id.connection }
      tell([
        "type": "senderdisconnected", "senderId": .string(sender.id.spelled),
        "reason": isThere ? "closed_by_peer" : "transport_closed",
      ])
    }
    for sender in new where !old.contains(where: { $0.id == sender.id }) {
      tell([
        "type": "senderconnected", "senderId": .string(sender.id.spelled),
        "userAgent": .string(sender.userAgent ?? ""), "largeMessageSupported": false,
      ])
    }
  }

  private func greeting(_ app: RunningApplication) -> JSONObject {
    [
      "type": "ready", "applicationId": .string(app.appID), "applicationName": .string(app.displayName), "iconUrl": "",
      "sessionId": .string(app.sessionID), "launchingSenderId": .string(app.launchingSender?.spelled ?? ""),
      "launchedFrom": "cast", "messagesVersion": "1.0",
      // Pages count visibility and standby from 1.11 on.
      "version": "1.56.281627",
      "deviceCapabilities": [
        "display_supported": .bool(members.isEmpty), "hi_res_audio_supported": false, "touch_input_supported": false,
        "remote_control_input_supported": false, "bluetooth_supported": false, "focus_state_supported": false,
      ],
    ]
  }

  private func pageSenders(of app: RunningApplication) -> [PageApplication.Sender] {
    connections.flatMap { connection in
      connection.virtualConnections.visibleSenders(of: app.transportID).map { sender in
        PageApplication.Sender(
          id: PageSenderID(connection: connection.id, id: sender.id), userAgent: sender.userAgent)
      }
    }
  }
}
