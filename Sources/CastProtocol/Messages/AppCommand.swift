/// A command to the running app on the command-and-control namespace, which is not the media namespace. Source:
/// docs/protocol.md 4.5.
package enum AppCommand: Hashable, Sendable {
  case userAction(WireWord<UserAction>, context: WireWord<ActionContext>? = nil, isCleared: Bool? = nil)
  case setCredentials(String, type: String? = nil, forRequestID: Int? = nil)
  case loadByEntity(String, shuffle: Bool? = nil, filtersExplicit: Bool = false)
  case displayStatus
  /// Whatever the app understands.
  case custom(data: String)
  case focus(isInFocus: Bool)
  case playString(id: WireWord<Announcement>, arguments: [String] = [])

  /// What a user makes of the content.
  package enum UserAction: String, Hashable, Sendable {
    case like = "LIKE"
    case dislike = "DISLIKE"
    case follow = "FOLLOW"
    case unfollow = "UNFOLLOW"
    case flag = "FLAG"
    case skipAd = "SKIP_AD"
  }

  /// Of what they make it.
  package enum ActionContext: String, Hashable, Sendable {
    case unknown = "UNKNOWN_CONTEXT"
    case album = "ALBUM"
    case artist = "ARTIST"
    case channel = "CHANNEL"
    case coach = "COACH"
    case episode = "EPISODE"
    case movie = "MOVIE"
    case player = "PLAYER"
    case playlist = "PLAYLIST"
    case series = "SERIES"
    case team = "TEAM"
    case track = "TRACK"
  }

  /// What an app can be told to say.
  package enum Announcement: String, Hashable, Sendable {
    case freeTrialAboutToExpire = "FREE_TRIAL_ABOUT_TO_EXPIRE"
    case playingAlternateMix = "PLAYING_ALTERNATE_MIX"
    case streamHijacked = "STREAM_HIJACKED"
    case subscriptionAboutToExpire = "SUBSCRIPTION_ABOUT_TO_EXPIRE"
  }

  /// The answer to a command.
  package enum Reply: Hashable, Sendable {
    case success(requestID: Int)
    case failure(requestID: Int, code: String?, reason: String?)

    /// Reads an answer; `nil` for anything else.
    package init?(_ json: JSONValue) {
      let requestID = json["requestId"]?.lenientInteger ?? 0
      switch json["type"]?.string {
      case "SUCCESS": self = .success(requestID: requestID)
      case "ERROR":
        self = .failure(
          requestID: requestID, code: json["code"]?.lenientText, reason: json["reason"]?.lenientText)
      default: return nil
      }
    }
  }
}

extension AppCommand {
  /// `type` on the wire.
  package var type: String {
    switch self {
    case .userAction: "USER_ACTION"
    case .setCredentials: "SET_CREDENTIALS"
    case .loadByEntity: "LOAD_BY_ENTITY"
    case .displayStatus: "DISPLAY_STATUS"
    case .custom: "CUSTOM_COMMAND"
    case .focus: "FOCUS_STATE"
    case .playString: "PLAY_STRING"
    }
  }

  /// The payload; `source` says who gave the command.
  package func json(requestID: Int, source: String? = nil) -> JSONValue {
    var object = JSONObject()
    object.append("type", type)
    object.append("requestId", requestID)
    object.append("source", source)
    switch self {
    case .userAction(let action, let context, let isCleared):
      object.append("userAction", action.text)
      object.append("userActionContext", context?.text)
      object.append("clear", isCleared)
    case .setCredentials(let credentials, let type, let requestID):
      object.append("credentials", credentials)
      object.append("credentialsType", type)
      object.append("forRequestId", requestID)
    case .loadByEntity(let entity, let shuffle, let filtersExplicit):
      object.append("entity", entity)
      object.append("shuffle", shuffle)
      object.append("loadOptions", LoadRequest.options(filtersExplicit: filtersExplicit))
    case .displayStatus: break
    case .custom(let data): object.append("data", data)
    case .focus(let isInFocus): object.append("state", isInFocus ? "IN_FOCUS" : "NOT_IN_FOCUS")
    case .playString(let id, let arguments):
      object.append("stringId", id.text)
      if !arguments.isEmpty { object.append("arguments", .array(arguments.map { .string($0) })) }
    }
    return .object(object)
  }

  /// Reads a command, leniently; `nil` for a type that is none, and where what it cannot do without is missing.
  package init?(_ json: JSONValue) {
    func text(_ name: String) -> String? { json[name]?.lenientText }
    switch json["type"]?.string {
    case "USER_ACTION":
      guard let action = text("userAction") else { return nil }
      self = .userAction(
        WireWord(action), context: text("userActionContext").map { WireWord($0) },
        isCleared: json["clear"]?.lenientFlag)
    case "SET_CREDENTIALS":
      guard let credentials = text("credentials") else { return nil }
      self = .setCredentials(
        credentials, type: text("credentialsType"), forRequestID: json["forRequestId"]?.lenientInteger)
    case "LOAD_BY_ENTITY":
      guard let entity = text("entity") else { return nil }
      self = .loadByEntity(
        entity, shuffle: json["shuffle"]?.lenientFlag,
        filtersExplicit: LoadRequest.filtersExplicit(json["loadOptions"]) ?? false)
    case "DISPLAY_STATUS": self = .displayStatus
    case "CUSTOM_COMMAND":
      guard let data = text("data") else { return nil }
      self = .custom(data: data)
    case "FOCUS_STATE":
      guard let state = text("state") else { return nil }
      self = .focus(isInFocus: state == "IN_FOCUS")
    case "PLAY_STRING":
      guard let id = text("stringId") else { return nil }
      self = .playString(id: WireWord(id), arguments: json["arguments"]?.lenientList(\.lenientText) ?? [])
    default: return nil
    }
  }
}

extension MediaInformation.UserActionState {
  /// `userAction`, read.
  package var action: WireWord<AppCommand.UserAction> { WireWord(userAction) }
}
