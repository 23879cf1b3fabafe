/// A message of the connection namespace; either side may send CLOSE. Source: docs/protocol.md 2.2 and 2.3.
package enum ConnectionRequest: Hashable, Sendable {
  /// Opens a virtual connection; there is no answer.
  case connect(userAgent: String? = nil, connectionType: ConnectionType = .strong, senderInfo: SenderInfo? = nil)
  /// Ends a virtual connection; `nil` when no reason is given.
  case close(reason: CloseReason? = nil)

  /// `connType`; any number may come.
  package struct ConnectionType: RawRepresentable, Hashable, Sendable {
    package var rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let strong = ConnectionType(rawValue: 0)
    package static let weak = ConnectionType(rawValue: 1)
    /// May watch but not launch.
    package static let invisible = ConnectionType(rawValue: 2)
  }

  /// `reasonCode`; any number may come.
  package struct CloseReason: RawRepresentable, Hashable, Sendable {
    package var rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let unknown = CloseReason(rawValue: 0)
    package static let transportClosed = CloseReason(rawValue: 1)
    package static let transportAborted = CloseReason(rawValue: 2)
    package static let invalidMessage = CloseReason(rawValue: 3)
    package static let inactive = CloseReason(rawValue: 4)
    package static let closedBySelf = CloseReason(rawValue: 5)
    package static let closedByPeer = CloseReason(rawValue: 6)
  }

  /// What a sender says of itself.
  package struct SenderInfo: Hashable, Sendable {
    /// 2 is the only one ever captured.
    package var sdkType = 2
    package var version: String?
    package var browserVersion: String?
    /// 6 is Linux.
    package var platform = 6
    package var systemVersion: String?
    /// 1 is local.
    package var connectionType = 1

    package init() {}
  }

  /// Reads a message of the connection namespace; `nil` when it is neither of the two.
  package init?(_ json: JSONValue) {
    switch json["type"]?.string {
    case "CONNECT":
      self = .connect(
        userAgent: json["userAgent"]?.lenientText,
        connectionType: ConnectionType(rawValue: json["connType"]?.lenientInteger ?? 0),
        senderInfo: json["senderInfo"].flatMap { SenderInfo($0) })
    case "CLOSE": self = .close(reason: json["reasonCode"]?.lenientInteger.map { CloseReason(rawValue: $0) })
    default: return nil
    }
  }

  /// The payload.
  package var json: JSONValue {
    var object = JSONObject()
    switch self {
    case .connect(let userAgent, let connectionType, let senderInfo):
      object.append("type", "CONNECT")
      object.append("userAgent", userAgent)
      if connectionType != .strong { object.append("connType", connectionType.rawValue) }
      object.append("senderInfo", senderInfo?.json)
      object.append("origin", JSONObject())
    case .close(let reason):
      object.append("type", "CLOSE")
      object.append("reasonCode", reason?.rawValue)
    }
    return .object(object)
  }
}

extension ConnectionRequest.SenderInfo {
  init?(_ json: JSONValue) {
    guard case .object(let object) = json else { return nil }
    sdkType = object["sdkType"]?.lenientInteger ?? 0
    version = object["version"]?.lenientText
    browserVersion = object["browserVersion"]?.lenientText
    platform = object["platform"]?.lenientInteger ?? 0
    systemVersion = object["systemVersion"]?.lenientText
    connectionType = object["connectionType"]?.lenientInteger ?? 0
  }

  var json: JSONObject {
    var object = JSONObject()
    object.append("sdkType", sdkType)
    object.append("version", version)
    object.append("browserVersion", browserVersion)
    object.append("platform", platform)
    object.append("systemVersion", systemVersion)
    object.append("connectionType", connectionType)
    return object
  }
}
