import CastProtocol

/// A reply that says no. Source: docs/protocol.md 3.4, 3.5, 4.3.
struct Refusal: Hashable, Sendable {
  enum Kind: String, Hashable, Sendable {
    case launchError = "LAUNCH_ERROR"
    case loadFailed = "LOAD_FAILED"
    case loadCancelled = "LOAD_CANCELLED"
    case invalidPlayerState = "INVALID_PLAYER_STATE"
    case invalidRequest = "INVALID_REQUEST"
    case error = "ERROR"
  }

  var kind: Kind
  /// At most 128 characters.
  var reason: String?
  /// The same, where a person refused a launch.
  var extendedError: String?
  var detailedErrorCode: Int?
  var wire: JSONValue

  /// Returns `nil` for a message that refuses nothing.
  init?(_ message: IncomingMessage) {
    guard let (kind, fault) = Self.fault(of: message.body) else { return nil }
    self.kind = kind
    wire = message.content
    extendedError = fault.extendedError.map { Self.short($0) }
    reason = fault.reason.map { Self.short($0) }
    detailedErrorCode = fault.detailedErrorCode
  }

  private static func fault(of body: IncomingMessage.Body) -> (Kind, ReportedFault)? {
    switch body {
    case .receiver(.launchError(_, let fault)): (.launchError, fault)
    case .receiver(.invalidRequest(_, let fault)), .media(.invalidRequest(_, let fault)): (.invalidRequest, fault)
    case .media(.loadFailed(_, let fault)): (.loadFailed, fault)
    case .media(.loadCancelled(_, let fault)): (.loadCancelled, fault)
    case .media(.invalidPlayerState(_, let fault)): (.invalidPlayerState, fault)
    case .media(.error(_, let fault)): (.error, fault)
    case .receiver, .media, .multizone, .deviceInfo, .connection, .deviceAuth, .heartbeat, .other, .unreadable: nil
    }
  }

  /// At most 128 characters, cut before the word that would be cut in two: a device may repeat an address with a secret
  /// in it, which is known again only whole.
  static func short(_ text: String) -> String {
    guard let end = text.index(text.startIndex, offsetBy: 128, limitedBy: text.endIndex), end < text.endIndex else {
      return text
    }
    guard !text[end].isWhitespace else { return text[..<end] + "…" }
    return text[..<(text[..<end].lastIndex { $0.isWhitespace } ?? text.startIndex)] + "…"
  }
}
