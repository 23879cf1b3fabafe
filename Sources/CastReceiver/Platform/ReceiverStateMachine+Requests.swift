import CastProtocol

/// Requests to the platform on the receiver namespace. Source: docs/protocol.md 3.
extension ReceiverStateMachine {
  mutating func receivePlatformMessage(
    _ request: JSONObject, on namespace: Namespace, from sender: Sender, kind: VirtualConnectionTable.Kind,
    at now: Duration
  ) {
    guard namespace == .receiver else {
      answerNeighbour(request, on: namespace, from: sender)
      return
    }
    guard let requestID = Self.requestID(request), let type = request["type"]?.string else { return }
    switch type {
    case "GET_STATUS": reply(status(answering: requestID), on: .receiver, to: sender)
    case "LAUNCH":
      // An invisible sender may watch but not launch (docs/protocol.md 2.2).
      if kind != .invisible { launch(request["appId"], requestID, from: sender, at: now) }
    case "STOP": stop(request["sessionId"], requestID, from: sender)
    case "SET_VOLUME":
      let before = volume
      if volume.set(request["volume"]) {
        broadcastStatus(answering: requestID)
        if volume != before { passOn(volume, after: before) }
      } else {
        refuse("BAD_PARAMETER", requestID, to: sender)
      }
    case "GET_APP_AVAILABILITY": answerAvailability(request["appId"], requestID, to: sender)
    default: refuse("INVALID_COMMAND", requestID, to: sender)
    }
  }

  /// A request without an id above 0 is no request and gets no answer; text is no id.
  static func requestID(_ request: JSONObject) -> Int? {
    guard let id = request["requestId"]?.int, id > 0 else { return nil }
    return id
  }

  private mutating func launch(_ appID: JSONValue?, _ requestID: Int, from sender: Sender, at now: Duration) {
    guard let appID = appID?.string else {
      failLaunch("BAD_PARAMETER", requestID, to: sender)
      return
    }
    guard configuration.launches(appID) else {
      failLaunch("NOT_FOUND", requestID, to: sender)
      return
    }
    // The last one wins (docs/protocol.md Q45).
    cancelPendingLaunch()
    if application?.appID == appID {
      broadcastStatus(answering: requestID)
      return
    }
    if askForConsent(appID, requestID, from: sender, at: now) { return }
    start(appID, requestID, from: sender, at: now)
  }

  /// Puts an app in place of the one that runs.
  /// - Parameters:
  ///   - isTold: USER_ALLOWED was sent already.
  ///   - page: What the app is, where it is a page, and its session id.
  mutating func replaceApplication(
    by appID: String, _ requestID: Int, from sender: Sender, isTold: Bool = false,
    page: (sessionID: String?, PageApplication)? = nil
  ) {
    if configuration.sendsLaunchStatus, !isTold { tellLaunchStatus("USER_ALLOWED", requestID, to: sender) }
    // A television comes on, and to this input, for what is cast to it.
    display = ReceiverDisplay()
    clearScreen()
    application = RunningApplication(
      appID: appID, sessionID: page?.sessionID ?? sessionIDs.next(), seed: random.next(), configuration: configuration,
      page: page?.1)
    application?.launchingSender = PageSenderID(connection: sender.connection, id: sender.id)
    broadcastStatus(answering: requestID)
  }

  /// Ends the app that runs, because another comes.
  mutating func clearScreen() {
    guard let old = application else { return }
    application = nil
    if configuration.sendsInterimStatus { broadcastStatus(answering: 0) }
    end(old)
  }

  mutating func tellLaunchStatus(_ status: String, _ requestID: Int, to sender: Sender) {
    reply(
      ["launchRequestId": .int(requestID), "status": .string(status), "type": "LAUNCH_STATUS"], on: .receiver,
      to: sender)
  }

  mutating func failLaunch(extended reason: String, _ requestID: Int, to sender: Sender) {
    reply(
      ["extendedError": .string(reason), "requestId": .int(requestID), "type": "LAUNCH_ERROR"], on: .receiver,
      to: sender)
  }

  mutating func failLaunch(_ reason: String, _ requestID: Int, to sender: Sender) {
    reply(
      ["reason": .string(reason), "requestId": .int(requestID), "type": "LAUNCH_ERROR"], on: .receiver, to: sender)
  }

  private mutating func stop(_ sessionID: JSONValue?, _ requestID: Int, from sender: Sender) {
    if let sessionID, !sessionID.isNull, sessionID.string == nil || sessionID.string != application?.sessionID {
      refuse("INVALID_SESSION_ID", requestID, to: sender)
      return
    }
    cancelPendingLaunch()
    endApplication(answering: requestID)
  }

  /// Ends the app that runs, whoever wants it: 0 is nobody's request.
  mutating func endApplication(answering requestID: Int) {
    let old = application
    application = nil
    broadcastStatus(answering: requestID)
    if let old { end(old) }
  }

  /// Ends the virtual connections to an app that is gone, and its page.
  mutating func end(_ app: RunningApplication) {
    closeAll(to: app.transportID)
    if app.page != nil { order(.stop(sessionID: app.sessionID)) }
  }

  /// The one answer that has `responseType` instead of `type` (docs/protocol.md 3.5).
  private mutating func answerAvailability(_ appIDs: JSONValue?, _ requestID: Int, to sender: Sender) {
    let values = appIDs?.array ?? []
    let ids = values.compactMap(\.string)
    guard
      !ids.isEmpty, ids.count == values.count, ids.count <= ReceiverLimits.appIDsPerRequest,
      ids.allSatisfy({ $0.utf8.count <= ReceiverLimits.appIDLength })
    else {
      refuse("BAD_PARAMETER", requestID, to: sender)
      return
    }
    var availability = JSONObject()
    for id in ids {
      availability[id] = configuration.launches(id) ? "APP_AVAILABLE" : "APP_UNAVAILABLE"
    }
    reply(
      [
        "requestId": .int(requestID), "responseType": "GET_APP_AVAILABILITY", "availability": .object(availability),
      ], on: .receiver, to: sender)
  }

  private mutating func refuse(_ reason: String, _ requestID: Int, to sender: Sender) {
    reply(
      ["reason": .string(reason), "requestId": .int(requestID), "type": "INVALID_REQUEST"],
      on: .receiver, to: sender)
  }

  // MARK: status

  /// Sends RECEIVER_STATUS to everyone; the id makes it the answer to one of them, 0 makes it news for all.
  mutating func broadcastStatus(answering requestID: Int) {
    broadcast(status(answering: requestID), on: .receiver, from: .receiver)
  }

  /// RECEIVER_STATUS; idle is the absence of `applications` (docs/protocol.md 3.3).
  func status(answering requestID: Int) -> JSONValue {
    var status = JSONObject()
    if let application {
      let entry = application.json(reportingSender: configuration.reportsSenderConnected)
      status.members.append(.init("applications", [entry]))
    }
    status.members += [
      .init("isActiveInput", .bool(display.isActiveInput)), .init("isStandBy", .bool(display.isStandby)),
      .init("userEq", [:]), .init("volume", volume.json),
    ]
    return ["requestId": .int(requestID), "status": .object(status), "type": "RECEIVER_STATUS"]
  }
}
