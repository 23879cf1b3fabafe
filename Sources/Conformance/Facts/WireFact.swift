import CastProtocol
import ScenarioLanguage

/// Something that devices do in different ways, read from their messages: worth comparing even where a check passes.
///
/// What depends on the moment (positions, ids, how many statuses came) is no fact.
package enum WireFact: String, CaseIterable, Sendable {
  case volumeControl = "volume control"
  case volumeStep = "volume step"
  case mutedAfterLevel = "muted after setting the level"
  case statusMembers = "receiver status"
  case appMembers = "app in the status"
  case appNamespaces = "namespaces of the app"
  case launchAnswer = "launch answered by"
  case launchError = "launch refused with"
  case receiverRefusal = "receiver refuses with"
  case availability = "availability answered by"
  case loadAnswer = "load answered while"
  case loadFailure = "failed load told by"
  case mediaCommands = "media commands"
  case playingMembers = "media status while playing"
  case pausedRate = "rate while paused"
  case idleReason = "idle reason"
  case afterEnd = "after the end"
  case mediaRefusal = "media refuses with"
  case queueNews = "change of the queue told by"

  /// What the messages say of it; `nil` where they do not.
  package func value(in messages: [ObservedMessage]) -> String? {
    let text = read(messages)
    // A device may say anything of any length.
    return text.map { $0.unicodeScalars.count <= Self.lengthLimit ? $0 : $0.prefix(scalars: Self.lengthLimit) + "…" }
  }

  /// The longest value that is kept, in scalars.
  package static let lengthLimit = 500

  private func read(_ messages: [ObservedMessage]) -> String? {
    let heard = messages.filter { !$0.isSent }
    let receiver = heard.filter { $0.namespace == "receiver" && $0.type == "RECEIVER_STATUS" }
    let volume = receiver.last { $0.json["status"]?["volume"] != nil }?.json["status"]?["volume"]
    switch self {
    case .volumeControl: return volume?["controlType"]?.string
    case .volumeStep: return volume?["stepInterval"]?.number.map { $0.decimals(3) }
    case .mutedAfterLevel: return volume?["muted"]?.bool.map { $0 ? "muted" : "not muted" }
    case .statusMembers: return receiver.last.flatMap { Self.names($0.json["status"], without: "applications") }
    case .appMembers: return Self.names(Self.app(in: receiver))
    case .appNamespaces:
      let names = (Self.app(in: receiver)?["namespaces"]?.array ?? []).compactMap { $0["name"]?.string ?? $0.string }
      return names.isEmpty
        ? nil : names.map { $0.split(separator: ".").last.map(String.init) ?? $0 }.sorted().joined(separator: ", ")
    case .launchAnswer: return Self.launchAnswer(messages)
    case .launchError: return Self.refusal("LAUNCH_ERROR", of: heard, on: "receiver")
    case .receiverRefusal: return Self.refusal("INVALID_REQUEST", of: heard, on: "receiver")
    case .availability:
      return heard.first { $0.json["availability"] != nil }.map { $0.json["type"] == nil ? "responseType" : "type" }
    case .loadAnswer: return Self.loadAnswer(messages)
    case .loadFailure:
      return heard.first { $0.namespace == "media" && $0.type == "LOAD_FAILED" }
        .map { Self.words($0, besides: ["detailedErrorCode", "reason"]) }
    case .mediaCommands:
      return heard.last { $0.playerState == "PLAYING" }?.mediaStatus?["supportedMediaCommands"]?.int.map { String($0) }
    case .playingMembers:
      return Self.names(heard.first { $0.playerState == "PLAYING" && $0.mediaStatus?["media"] != nil }?.mediaStatus)
    case .pausedRate:
      return heard.last { $0.playerState == "PAUSED" }?.mediaStatus?["playbackRate"]?.number.map { $0.decimals(3) }
    case .idleReason: return heard.compactMap { $0.mediaStatus?["idleReason"]?.string }.last
    case .afterEnd: return Self.afterEnd(messages)
    case .mediaRefusal:
      return Self.refusal("INVALID_REQUEST", of: heard, on: "media")
        ?? Self.refusal("INVALID_PLAYER_STATE", of: heard, on: "media")
    case .queueNews:
      let kinds = Set(heard.filter { $0.type == "QUEUE_CHANGE" || $0.mediaStatus?["items"] != nil }.map(\.type))
      return kinds.isEmpty ? nil : kinds.sorted().joined(separator: ", ")
    }
  }

  // MARK: Reading

  private static func app(in statuses: [ObservedMessage]) -> JSONValue? {
    statuses.compactMap { $0.json["status"]?["applications"]?.array?.first }.last { $0["appId"] == "CC1AD845" }
  }

  /// The names of an object's members, sorted: their order means nothing.
  /// - Parameter without: One that comes and goes.
  private static func names(_ value: JSONValue?, without: String? = nil) -> String? {
    value?.object.map { $0.members.map(\.name).filter { $0 != without }.sorted().joined(separator: ", ") }
  }

  private static func refusal(_ type: String, of heard: [ObservedMessage], on namespace: String) -> String? {
    heard.first { $0.namespace == namespace && $0.type == type }
      .map { words($0, besides: ["reason", "extendedError", "detailedErrorCode"]) }
  }

  /// `LAUNCH_ERROR NOT_FOUND`: the type, then the members that say why.
  private static func words(_ message: ObservedMessage, besides names: [String]) -> String {
    let more = names.compactMap { name in message.json[name].flatMap { $0.string ?? $0.int.map { String($0) } } }
    return ([message.type] + more).joined(separator: " ")
  }

  /// Whether the status that lists the app has the id of LAUNCH, and whether LAUNCH_STATUS came before.
  private static func launchAnswer(_ messages: [ObservedMessage]) -> String? {
    guard let start = messages.firstIndex(where: { $0.isSent && $0.type == "LAUNCH" }) else { return nil }
    let id = messages[start].requestID
    let after = messages[start...].filter { !$0.isSent }
    var words: [String] = []
    if let status = after.first(where: { $0.type == "LAUNCH_STATUS" }) {
      words.append("LAUNCH_STATUS \(status.json["status"]?.string ?? "")")
    }
    guard
      let listed = after.first(where: {
        $0.json["status"]?["applications"]?.array?.first?["appId"] == messages[start].json["appId"]
      })
    else { return words.first }
    words.append("RECEIVER_STATUS \(listed.requestID == id && id != 0 ? "with" : "without") the id")
    return words.joined(separator: ", ")
  }

  /// The state of the status that has the id of LOAD.
  private static func loadAnswer(_ messages: [ObservedMessage]) -> String? {
    guard let load = messages.first(where: { $0.isSent && $0.type == "LOAD" && $0.requestID != 0 }) else { return nil }
    return messages.first { !$0.isSent && $0.requestID == load.requestID && $0.namespace == "media" }
      .flatMap { $0.playerState }
  }

  /// What GET_STATUS is answered with once the media have ended.
  private static func afterEnd(_ messages: [ObservedMessage]) -> String? {
    guard let end = messages.firstIndex(where: { $0.mediaStatus?["idleReason"] != nil }) else { return nil }
    let later = messages[(end + 1)...]
    guard let question = later.first(where: { $0.isSent && $0.namespace == "media" && $0.type == "GET_STATUS" }),
      let answer = later.first(where: {
        !$0.isSent && $0.type == "MEDIA_STATUS" && $0.requestID == question.requestID && $0.requestID != 0
      })
    else { return nil }
    return answer.mediaStatus == nil ? "an empty status" : "the status of the end"
  }
}
