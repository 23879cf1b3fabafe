/// What an app says on the media namespace. Source: docs/protocol.md 4.3.
package enum MediaMessage: Hashable, Sendable {
  /// MEDIA_STATUS with its one element, to be merged by ``StatusTracker``; without one when there is no media session.
  case status(requestID: Int, element: Shared<MediaStatus.Element>)
  case loadFailed(requestID: Int, ReportedFault)
  case loadCancelled(requestID: Int, ReportedFault)
  case invalidPlayerState(requestID: Int, ReportedFault)
  case invalidRequest(requestID: Int, ReportedFault)
  /// ERROR; usually asynchronous, without a request id.
  case error(requestID: Int, ReportedFault)
  /// QUEUE_CHANGE, usually to everyone.
  case queueChange(requestID: Int, QueueChange)
  /// The whole queue in order.
  case queueItemIDs(requestID: Int, [Int])
  case queueItems(requestID: Int, [QueueItem])
  /// SESSION_STATE, the answer to STORE_SESSION; `nil` when it holds none.
  case sessionState(requestID: Int, SessionState?)
  /// Anything else: what is internal, what apps invent.
  case other(type: String?, requestID: Int)

  /// How many items of a queue are read; more no queue has that a person made.
  package static let itemLimit = 2_000

  /// Reads a payload, by its type first; `nil` when it is no object.
  package init?(_ json: JSONValue) {
    guard case .object(let object) = json else { return nil }
    let type = object[.type]?.string ?? object[.responseType]?.string
    let requestID = object[.requestID]?.lenientInteger ?? 0
    switch type {
    case "MEDIA_STATUS":
      // Some apps leave out what is around the one element.
      let status = object[.status] ?? (object[.mediaSessionID] == nil ? .null : json)
      var source = JSONTreeSource(status)
      self = .status(requestID: requestID, element: Self.element(reading: &source))
    case "LOAD_FAILED": self = .loadFailed(requestID: requestID, ReportedFault(object))
    case "LOAD_CANCELLED": self = .loadCancelled(requestID: requestID, ReportedFault(object))
    case "INVALID_PLAYER_STATE": self = .invalidPlayerState(requestID: requestID, ReportedFault(object))
    case "INVALID_REQUEST": self = .invalidRequest(requestID: requestID, ReportedFault(object))
    case "ERROR": self = .error(requestID: requestID, ReportedFault(object))
    case "QUEUE_CHANGE": self = .queueChange(requestID: requestID, QueueChange(object))
    case "QUEUE_ITEM_IDS": self = .queueItemIDs(requestID: requestID, object["itemIds"]?.itemIDs ?? [])
    case "QUEUE_ITEMS":
      self = .queueItems(
        requestID: requestID, (object[.items]?.array ?? []).prefix(Self.itemLimit).compactMap { QueueItem($0) })
    case "SESSION_STATE":
      self = .sessionState(requestID: requestID, object["sessionState"]?.object.map { SessionState($0) })
    default: self = .other(type: type, requestID: requestID)
    }
  }

  /// Reads a MEDIA_STATUS straight from its text; `nil` for anything else.
  init?(statusIn text: String) {
    let status = JSONParser.readStatus("MEDIA_STATUS", in: text) { Self.element(reading: &$0) }
    guard let status else { return nil }
    self = .status(requestID: status.requestID, element: status.status)
  }

  /// The first element of a status; some apps leave out the list around it.
  private static func element(reading source: inout some JSONSource & ~Copyable) -> Shared<MediaStatus.Element> {
    var first: MediaStatus.Element?
    var isFirst = true
    let isList = source.readElements { element in
      if isFirst { first = MediaStatus.Element(reading: &element) }
      isFirst = false
    }
    return Shared(wrappedValue: isList ? first : MediaStatus.Element(reading: &source))
  }

  /// The request this answers; 0 for none.
  package var requestID: Int {
    switch self {
    case .status(let id, _), .loadFailed(let id, _), .loadCancelled(let id, _), .invalidPlayerState(let id, _),
      .invalidRequest(let id, _), .error(let id, _), .queueChange(let id, _), .queueItemIDs(let id, _),
      .queueItems(let id, _), .sessionState(let id, _), .other(_, let id):
      id
    }
  }
}
