/// What a device says on the receiver namespace. Source: docs/protocol.md 3.3 to 3.5.
package enum ReceiverMessage: Hashable, Sendable {
  /// RECEIVER_STATUS; a request id of 0 is spontaneous; `nil` when it holds none.
  case status(requestID: Int, ReceiverStatus?)
  /// LAUNCH_STATUS, which names the LAUNCH by an id of its own.
  case launchStatus(launchRequestID: Int?, status: LaunchStatus)
  /// LAUNCH_ERROR: `NOT_FOUND`, `CANCELLED`, and whatever devices add.
  case launchError(requestID: Int, ReportedFault)
  /// INVALID_REQUEST: `INVALID_COMMAND`, `INVALID_SESSION_ID`, `BAD_PARAMETER`, ...
  case invalidRequest(requestID: Int, ReportedFault)
  /// The answer to GET_APP_AVAILABILITY, in the device's order.
  case appAvailability(requestID: Int, [AppAvailability])
  /// Anything else; ignore it.
  case other(type: String?, requestID: Int)

  package enum LaunchStatus: Hashable, Sendable {
    /// A person is asked for consent.
    case userPendingAuthorization
    case userAllowed
    case userNotAllowed
    /// The device may not ask anybody.
    case userNotificationsDisabled
    case unknown(String)
  }

  package struct AppAvailability: Hashable, Sendable {
    package var appID: String
    package var isAvailable: Bool

    package init(appID: String, isAvailable: Bool) {
      self.appID = appID
      self.isAvailable = isAvailable
    }
  }

  /// Reads a payload, by its type first; `nil` when it is no object.
  package init?(_ json: JSONValue) {
    guard case .object(let object) = json else { return nil }
    // The answer to GET_APP_AVAILABILITY has only the latter.
    let type = object[.type]?.string ?? object[.responseType]?.string
    let requestID = object[.requestID]?.lenientInteger ?? 0
    switch type {
    case "RECEIVER_STATUS":
      self = .status(requestID: requestID, object[.status].flatMap { ReceiverStatus($0) })
    case "LAUNCH_STATUS":
      let id = object[.launchRequestID]?.lenientInteger ?? object[.requestID]?.lenientInteger
      self = .launchStatus(launchRequestID: id, status: LaunchStatus(object[.status]?.lenientText ?? ""))
    case "LAUNCH_ERROR":
      self = .launchError(requestID: requestID, ReportedFault(object))
    case "INVALID_REQUEST":
      self = .invalidRequest(requestID: requestID, ReportedFault(object))
    case "GET_APP_AVAILABILITY":
      let members = object[.availability]?.object?.members ?? []
      self = .appAvailability(
        requestID: requestID,
        members.prefix(JSONValue.listLimit).map {
          AppAvailability(appID: $0.name, isAvailable: $0.value.string == "APP_AVAILABLE")
        })
    default: self = .other(type: type, requestID: requestID)
    }
  }

  /// Reads a RECEIVER_STATUS straight from its text; `nil` for anything else.
  init?(statusIn text: String) {
    let status = JSONParser.readStatus("RECEIVER_STATUS", in: text) { ReceiverStatus(reading: &$0) }
    guard let status else { return nil }
    self = .status(requestID: status.requestID, status.status)
  }

  /// The request this answers; 0 for none.
  package var requestID: Int {
    switch self {
    case .status(let id, _), .launchError(let id, _), .invalidRequest(let id, _), .appAvailability(let id, _),
      .other(_, let id):
      id
    case .launchStatus(let id, _): id ?? 0
    }
  }
}

extension ReceiverMessage.LaunchStatus {
  fileprivate init(_ text: String) {
    switch text {
    case "USER_PENDING_AUTHORIZATION": self = .userPendingAuthorization
    case "USER_ALLOWED": self = .userAllowed
    case "USER_NOT_ALLOWED": self = .userNotAllowed
    case "USER_NOTIFICATIONS_DISABLED": self = .userNotificationsDisabled
    default: self = .unknown(text)
    }
  }
}
