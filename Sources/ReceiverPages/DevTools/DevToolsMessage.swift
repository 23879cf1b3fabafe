import CastProtocol

/// What a browser writes on its debugging pipe.
enum DevToolsMessage: Hashable, Sendable {
  /// The answer to a call; `nil`: it failed.
  case reply(id: Int, JSONObject?)
  /// - session: The page that it is about; `nil`: the browser.
  case event(DevToolsEvent, session: String?)

  /// - Returns: `nil` for what is no message.
  init?(parsing bytes: [UInt8]) {
    let limits = JSONValue.Limits(length: DevToolsDecoder.lengthLimit)
    guard let json = (try? JSONValue(parsing: bytes, limits: limits))?.object else { return nil }
    if let id = json["id"]?.int {
      self = .reply(id: id, json["result"]?.object)
    } else if let method = json["method"]?.string {
      let event = DevToolsEvent(method, json["params"]?.object ?? [:])
      self = .event(event, session: json["sessionId"]?.string)
    } else {
      return nil
    }
  }
}

/// What happens in a browser, as far as receiver pages need it.
enum DevToolsEvent: Hashable, Sendable {
  /// A page or something else that runs scripts is there, and waits for us.
  case attached(session: String, target: String, context: String?, isPage: Bool)
  case detached(session: String)
  case crashed
  /// A document has begun.
  case contextCreated(Int, frame: String?, isDefault: Bool)
  case contextsCleared
  /// The script that we put into the page speaks.
  case bindingCalled(payload: String, context: Int)
  case news(PageNews)
  /// The page asks whoever sits before it, and stands until that is answered; `kind` as in `alert`.
  case dialog(kind: String, text: String)
  case requested(id: String, address: String)
  case answered(id: String, address: String, status: Int)
  case requestFailed(id: String, reason: String)
  case requestEnded(id: String)
  /// An answer waits: with a status, or without one where the request failed.
  case paused(request: String, address: String, status: Int?)
  case other

  init(_ method: String, _ json: JSONObject) {
    switch method {
    case "Target.attachedToTarget":
      let target = json["targetInfo"]
      guard let session = json["sessionId"]?.string, let id = target?["targetId"]?.string else {
        self = .other
        return
      }
      self = .attached(
        session: session, target: id, context: target?["browserContextId"]?.string,
        isPage: target?["type"]?.string == "page")
    case "Target.detachedFromTarget": self = json["sessionId"]?.string.map { .detached(session: $0) } ?? .other
    case "Inspector.targetCrashed": self = .crashed
    case "Runtime.executionContextCreated":
      let context = json["context"]
      self =
        context?["id"]?.int.map {
          .contextCreated(
            $0, frame: context?["auxData"]?["frameId"]?.string, isDefault: context?["auxData"]?["isDefault"] == true)
        } ?? .other
    case "Page.javascriptDialogOpening":
      self = .dialog(kind: json["type"]?.string ?? "", text: json["message"]?.string ?? "")
    case "Runtime.executionContextsCleared": self = .contextsCleared
    case "Runtime.bindingCalled":
      guard let payload = json["payload"]?.string, let context = json["executionContextId"]?.int else {
        self = .other
        return
      }
      self = .bindingCalled(payload: payload, context: context)
    default: self = Self.ofNetwork(method, json) ?? PageNews(method, json).map(DevToolsEvent.news) ?? .other
    }
  }

  private static func ofNetwork(_ method: String, _ json: JSONObject) -> DevToolsEvent? {
    guard let id = json["requestId"]?.string else { return nil }
    switch method {
    case "Network.requestWillBeSent":
      return json["request"]?["url"]?.string.map { .requested(id: id, address: $0) }
    case "Network.responseReceived":
      guard let address = json["response"]?["url"]?.string, let status = json["response"]?["status"]?.int else {
        return nil
      }
      return .answered(id: id, address: address, status: status)
    case "Network.loadingFailed":
      // A player that jumps gives up requests all the time.
      if json["canceled"] == true { return .requestEnded(id: id) }
      let reason = json["blockedReason"]?.string ?? json["corsErrorStatus"]?["corsError"]?.string
      return .requestFailed(id: id, reason: reason ?? json["errorText"]?.string ?? "failed")
    case "Network.loadingFinished": return .requestEnded(id: id)
    case "Fetch.requestPaused":
      guard let address = json["request"]?["url"]?.string else { return nil }
      return .paused(request: id, address: address, status: json["responseStatusCode"]?.int)
    default: return nil
    }
  }
}
