import CastProtocol

extension Namespace {
  /// What voice assistants and the platform tell an app.
  static let commandAndControl = Namespace(rawValue: "urn:x-cast:com.google.cast.cac")
}

/// Commands to the app that runs which are no media requests. Source: docs/protocol.md 4.5.
extension ReceiverStateMachine {
  private enum Command: String {
    case userAction = "USER_ACTION"
    case setCredentials = "SET_CREDENTIALS"
    case loadByEntity = "LOAD_BY_ENTITY"
    case displayStatus = "DISPLAY_STATUS"
    case customCommand = "CUSTOM_COMMAND"
    case focusState = "FOCUS_STATE"
    case playString = "PLAY_STRING"

    /// The member without which it says nothing.
    var required: String? {
      switch self {
      case .userAction: "userAction"
      case .setCredentials: "credentials"
      case .loadByEntity: "entity"
      case .customCommand: "data"
      case .focusState: "state"
      case .playString: "stringId"
      case .displayStatus: nil
      }
    }
  }

  /// Accepts what the app knows and says why it does not accept the rest; nothing it plays changes.
  mutating func answerCommandAndControl(_ request: JSONObject, to sender: Sender) {
    guard let requestID = Self.requestID(request), let type = request["type"]?.string else { return }
    let namespace = Namespace.commandAndControl
    func refusal(_ reason: String) -> JSONValue {
      ["type": "ERROR", "requestId": .int(requestID), "code": "ERROR", "reason": .string(reason)]
    }
    guard let command = Command(rawValue: type) else {
      reply(refusal("INVALID_COMMAND"), on: namespace, to: sender)
      return
    }
    if let name = command.required, request[name]?.string == nil {
      reply(refusal("INVALID_PARAMS"), on: namespace, to: sender)
      return
    }
    reply(["type": "SUCCESS", "requestId": .int(requestID)], on: namespace, to: sender)
  }
}
