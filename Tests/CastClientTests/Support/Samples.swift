import CastProtocol
import Testing

@testable import CastClient

/// The app most tests run.
let film = AppSession(appID: "CC1AD845", sessionID: "s-1", transportID: EndpointID("t-1"), isOurs: true)

extension ReceiverStatus {
  /// A status that lists one app, or none.
  static func running(
    _ appID: String?, session: String = "s-1", transport: String? = "t-1", namespaces: [Namespace] = [.media],
    universalID: String? = nil, isIdleScreen: Bool = false
  ) -> ReceiverStatus {
    var status = ReceiverStatus()
    guard let appID else { return status }
    var app = Application()
    app.appID = appID
    app.universalAppID = universalID
    app.sessionID = session
    app.transportID = transport.map { EndpointID($0) }
    app.namespaces = namespaces
    app.isIdleScreen = isIdleScreen
    app.displayName = "App \(appID)"
    status.application = app
    return status
  }
}

extension MediaStatus {
  static func session(
    _ id: Int, _ state: PlayerState, reason: IdleReason? = nil, content: String? = nil, extended: String? = nil,
    loadingItem: Int? = nil
  ) -> MediaStatus {
    var status = MediaStatus()
    status.mediaSessionID = id
    status.playerState = state
    status.idleReason = reason
    status.extendedPlayerState = extended
    status.loadingItemID = loadingItem
    status.media = content.map { MediaInformation(content: $0) }
    return status
  }
}

extension MediaInformation {
  init(content: String) {
    self.init()
    contentID = content
  }
}

extension Refusal {
  /// A refusing message as it would be decoded; the text must be one.
  static func sample(_ kind: Kind, reason: String? = nil, code: Int? = nil, extendedError: String? = nil) throws
    -> Refusal
  {
    var json: JSONObject = ["type": .string(kind.rawValue)]
    json["reason"] = reason.map { .string($0) }
    json["extendedError"] = extendedError.map { .string($0) }
    json["detailedErrorCode"] = code.map { .int($0) }
    return try #require(Refusal(.object(json)))
  }

  /// What a message refuses, on whichever namespace it does.
  init?(_ json: JSONValue) {
    let refusals = [Namespace.media, .receiver].compactMap { Refusal(IncomingMessage(json, in: $0, from: .receiver)) }
    guard let first = refusals.first else { return nil }
    self = first
  }
}

extension ClientError {
  /// The error a message stands for; `nil` where it refuses nothing.
  init?(refusal json: JSONValue) {
    guard let refusal = Refusal(json) else { return nil }
    self.init(refusal)
  }
}

extension IncomingMessage {
  /// As it is decoded where it enters.
  init(_ json: JSONValue, in namespace: Namespace, from source: EndpointID) {
    self.init(CastMessage(source: source, destination: .everyone, namespace: namespace, json: json))
  }
}

extension OperationStateMachine {
  /// Feeds events at time zero and returns the effects of each.
  mutating func play(_ events: [OperationEvent]) -> [[OperationEffect]] {
    events.map { receive($0, at: .zero) }
  }
}

extension OperationEffect {
  /// The class of the failure this effect reports.
  var failure: ClientError.Class? { if case .finish(.failure(let error)) = self { error.class } else { nil } }
  /// The result this effect reports.
  var outcome: Outcome? { if case .finish(.success(let outcome)) = self { outcome } else { nil } }
}

extension ClientConfiguration {
  /// What a run uses: everything that was seen can be looked back at.
  static var remembering: ClientConfiguration {
    var configuration = ClientConfiguration()
    configuration.historyLimit = runHistoryLimit
    return configuration
  }
}
