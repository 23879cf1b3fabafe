package import CastProtocol
package import RunReporting

/// A message between senders and a device, wherever it was seen: in a run, or in a recording.
package struct ObservedMessage: Hashable, Sendable {
  /// Whether a sender sent it.
  package var isSent: Bool
  /// `receiver`, `media`: the namespace without what all of the platform's have in common.
  package var namespace: String
  /// The message.
  package var json: JSONValue
  /// 0 or missing where nobody asked for it.
  package var requestID: Int

  private static let platform = "urn:x-cast:com.google.cast."

  /// - Parameter namespace: Whole, or without `urn:x-cast:com.google.cast.`.
  package init(isSent: Bool, namespace: String, json: JSONValue) {
    self.isSent = isSent
    self.namespace = namespace.hasPrefix(Self.platform) ? String(namespace.dropFirst(Self.platform.count)) : namespace
    self.json = json
    requestID = json["requestId"]?.int ?? 0
  }

  /// What an event of a run tells; `nil` where it is of no message.
  package init?(_ event: Event) {
    let message: EventKind.WireMessage
    switch event.kind {
    case .request(let sent): (message, isSent) = (sent, true)
    case .reply(let received): (message, isSent) = (received, false)
    default: return nil
    }
    namespace = message.namespace
    json = message.message
    requestID = message.id?.int ?? 0
  }

  /// What the message calls itself; an app availability says it by `responseType`.
  package var type: String { (json["type"] ?? json["responseType"])?.string ?? "" }

  /// The one media status that it brings.
  var mediaStatus: JSONValue? {
    type == "MEDIA_STATUS" && namespace == "media" ? json["status"]?.array?.first : nil
  }

  /// `IDLE`, `PLAYING`; what is being loaded is `LOADING`, as senders show it.
  var playerState: String? {
    guard let status = mediaStatus, let state = status["playerState"]?.string else { return nil }
    return state == "IDLE" && status["extendedStatus"]?["playerState"]?.string == "LOADING" ? "LOADING" : state
  }
}
